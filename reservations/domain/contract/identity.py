"""The identity of a package: which mail it speaks of (R-01, R-02). Read before anything else."""

from __future__ import annotations

from typing import Final

from reservations.domain.errors import AdapterContractRefused, AdapterDetail, IdentityMissing
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_object, as_text

NESTED_PLACE: Final = "source_message.source_message_id"
FLAT_PLACE: Final = "source_message_id"


def read_identity(body: JsonValue) -> str:
    """The outer message id, exactly as sent.

    It stands in `source_message`; only a body with `ai_task_results` and without `source_message` has it at the top.
    Null stands for absent.
    raises  AdapterContractRefused ROOT_UNKNOWN: the body is no JSON object
            IdentityMissing: missing, null, no string, empty or blank, with the place that was read
    """
    if not isinstance(body, dict):
        raise AdapterContractRefused(
            "A package is a JSON object, and this body is none.", detail_code=AdapterDetail.ROOT_UNKNOWN
        )
    flat = body.get("ai_task_results") is not None and body.get("source_message") is None
    holder: JsonObject = body if flat else as_object(body.get("source_message")) or {}
    identity = as_text(holder.get("source_message_id"))
    if identity is None or not identity.strip():
        raise IdentityMissing([FLAT_PLACE if flat else NESTED_PLACE])
    return identity
