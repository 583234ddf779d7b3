"""Which kind of package a body is (R-05, R-06; reservations-domain.md section 6).

A marker is a key that is there and not null, `[]` included. `message_events` and `unhandled_current_intents` belong to
V3 and V4 alike, so they mark neither against the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from reservations.domain.catalog import NOTICE_CODES, NOTIFICATION
from reservations.domain.contract.verdicts import Generation, RootKind
from reservations.domain.errors import INPUT_ERROR_RESULT, AdapterContractRefused, AdapterDetail
from reservations.domain.jsonvalues import JsonObject, JsonValue

_ANSWER_KEYS: Final = ("result_type", "error_code", "retryable", "missing_fields")
_NOT_V2: Final = ("source_message", "message_events", "unhandled_current_intents")
_ONLY_V3: Final = ("case_candidates", "extraction_warnings")
_NO_PACKAGE: Final = "The body has no message_events and no ai_task_results, and is no notice."
_TWO_GENERATIONS: Final = (
    "The body has the keys of two generations, such as ai_task_results beside source_message. Send those of one."
)


@dataclass(frozen=True, slots=True)
class Root:
    """What was recognised. `answer` is set for an infrastructure error alone: the four keys to answer 400 with."""

    generation: Generation
    kind: RootKind
    answer: JsonObject | None = None


def classify(body: JsonValue) -> Root:
    """Recognise the root. Ask `read_identity` first: a body without identity has no root.

    A posted infrastructure error is answered with its own four keys (R-06). One whose keys are missing or of a wrong
    type says nothing that could be given back, so it is refused as unknown. It wins over every marker, for nothing of
    it is stored. `ai_task_results` beside `source_message` is ambiguous: two places then claim to hold the identity.
    raises  AdapterContractRefused ROOT_UNKNOWN or ROOT_AMBIGUOUS
    """
    if not isinstance(body, dict):
        raise _refused(AdapterDetail.ROOT_UNKNOWN, "A package is a JSON object, and this body is none.")
    if body.get("result_type") == INPUT_ERROR_RESULT:
        return _infrastructure_error(body)
    generation = _generation(body)
    if generation is Generation.V2:
        return Root(generation, RootKind.BUSINESS)
    if generation is Generation.V4:
        notice = body.get("route_code") in NOTICE_CODES
        return Root(generation, RootKind.NOTICE if notice else RootKind.BUSINESS)
    return Root(generation, RootKind.NOTICE if _is_notice(body) else RootKind.BUSINESS)


def _generation(body: JsonObject) -> Generation:
    v2 = _marked(body, "ai_task_results")
    v4 = _is_v4(body)
    only_v3 = any(_marked(body, key) for key in _ONLY_V3) or (_is_notice(body) and not v4)
    two = (v2 and (v4 or only_v3 or any(_marked(body, key) for key in _NOT_V2))) or (v4 and only_v3)
    if two or (_is_notice(body) and not v4 and body.get("message_events") not in (None, [])):
        raise _refused(AdapterDetail.ROOT_AMBIGUOUS, _TWO_GENERATIONS)
    if v2:
        return Generation.V2
    if v4:
        return Generation.V4
    if _is_notice(body) or _marked(body, "message_events"):
        return Generation.V3
    raise _refused(AdapterDetail.ROOT_UNKNOWN, _NO_PACKAGE)


def _marked(body: JsonObject, key: str) -> bool:
    return body.get(key) is not None


def _is_notice(body: JsonObject) -> bool:
    return body.get("result_type") == NOTIFICATION


def _is_v4(body: JsonObject) -> bool:
    bare_notice = body.get("result_type") is None and body.get("route_code") in NOTICE_CODES
    return _marked(body, "order_contexts") or bare_notice


def _infrastructure_error(body: JsonObject) -> Root:
    missing = body.get("missing_fields")
    typed = (
        isinstance(body.get("error_code"), str)
        and isinstance(body.get("retryable"), bool)
        and isinstance(missing, list)
        and all(isinstance(field, str) for field in missing)
    )
    if not typed:
        raise _refused(AdapterDetail.ROOT_UNKNOWN, "The infrastructure error has not its four typed keys.")
    return Root(Generation.V3, RootKind.INFRASTRUCTURE_ERROR, {key: body[key] for key in _ANSWER_KEYS})


def _refused(code: AdapterDetail, detail: str) -> AdapterContractRefused:
    return AdapterContractRefused(detail, detail_code=code)
