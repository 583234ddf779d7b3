"""The candidate gate: what the main agent hands to its skill, never a result (R-07; contracts.md section 10)."""

from __future__ import annotations

from collections.abc import Iterator

from reservations.domain.catalog import Catalog
from reservations.domain.contract.identity import NESTED_PLACE
from reservations.domain.jsonvalues import JsonValue, as_array, as_object, filled_text

EVENTS = "candidate_events"


def check_candidates(body: JsonValue, catalog: Catalog) -> list[str]:
    """Dotted places of all faults in reading order; [] when the gate is passed.

    The identity must be there; every candidate needs an id of its own and an excerpt; a hint, where given, is a task
    type of the business subtypes. `candidate_events` may be empty but not absent; other keys are not looked at.
    """
    document = as_object(body) or {}
    return [*_identity_faults(document.get("source_message")), *_event_faults(document.get(EVENTS), catalog)]


def _identity_faults(message: JsonValue) -> Iterator[str]:
    if filled_text((as_object(message) or {}).get("source_message_id")) is None:
        yield NESTED_PLACE


def _event_faults(events: JsonValue, catalog: Catalog) -> Iterator[str]:
    candidates = as_array(events)
    if candidates is None:
        yield EVENTS
        return
    seen: set[str] = set()
    for place, candidate in enumerate(candidates):
        for name in _candidate_faults(candidate, seen, catalog):
            yield f"{EVENTS}.{place}{name}"


def _candidate_faults(candidate: JsonValue, seen: set[str], catalog: Catalog) -> Iterator[str]:
    """Names of the keys that are wrong, each with its dot; the empty name for a candidate that is no object."""
    item = as_object(candidate)
    if item is None:
        yield ""
        return
    identity = item.get("candidate_id")
    if not isinstance(identity, str) or filled_text(identity) is None or identity in seen:
        yield ".candidate_id"
    else:
        seen.add(identity)
    hint = item.get("event_type_hint")
    if hint is not None and hint not in catalog.task_types:
        yield ".event_type_hint"
    if filled_text(item.get("evidence_excerpt")) is None:
        yield ".evidence_excerpt"
