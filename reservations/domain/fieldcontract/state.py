"""One card as it stands: everything the field contract asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reservations.domain.fieldcontract.options import Options
from reservations.domain.jsonvalues import JsonArray, JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class CardState:
    """A business card, or a Basic Information card with type `Basic Information` and subtype "".

    task_type, task_subtype  as shown: a retired pair is replaced already (R-21)
    event                    the agent's event as stored; {} once its text is purged
    derived_case_keys        the keys of the derived copy (R-22)
    pending_review           the review waits for its resolution
    open                     may be written at all: waiting for a decision and not read-only
    draft                    main path to value; {} when there is none
    confirmed                the effective payload of the decision, None before it
    decided_pair             type and subtype a person decided on a Fallback card, None before that
    needs_visible_reason     confirming asks for the old root field `visible_reason` (R-38)
    evidence                 quotes {pointer, text, found, part, start, end} (R-43)
    options                  by name of the catalogue, inactive ones included
    """

    task_type: str
    task_subtype: str
    result_type: str
    event: JsonObject
    derived_case_keys: JsonObject
    manual_review: JsonObject | None
    pending_review: bool
    open: bool
    draft: Mapping[str, JsonValue]
    confirmed: JsonObject | None
    decided_pair: tuple[str, str] | None
    needs_visible_reason: bool
    evidence: JsonArray
    options: Options
