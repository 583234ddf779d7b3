"""From events to verdicts: what V2, V3 and V4 have in common (steps 4d to 4h of the routing)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from reservations.domain import parents
from reservations.domain.catalog import Catalog, Route
from reservations.domain.contract.ordercontexts import with_identifiers
from reservations.domain.contract.review import check_review
from reservations.domain.contract.unfrozen import check_file, check_frozen
from reservations.domain.contract.verdicts import ContractFault, MailFacts, OrderContext
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.fields import FieldCard, FieldMatrix
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_object, as_text
from reservations.domain.orderkeys import fold
from reservations.domain.parents import ParentKeys, Party, Relation
from reservations.domain.routing import Claim, find_route


@dataclass(frozen=True, slots=True)
class Rules:
    """What events are judged by."""

    catalog: Catalog
    matrix: FieldMatrix
    mail: MailFacts


@dataclass(frozen=True, slots=True)
class Draft:
    """A well shaped event. `case_keys` and `extracted_fields` are {} when they were absent.

    extracted_fields  of V4, those of the derived copy
    order             the order context of a V4 event
    """

    array_index: int
    event: JsonObject
    event_type: str | None
    claim: Claim
    manual_review: JsonObject | None
    case_keys: JsonObject
    extracted_fields: JsonObject
    relations: tuple[Relation, ...] = ()
    applies_to: tuple[int, ...] = ()
    order: OrderContext | None = None

    @property
    def pair(self) -> tuple[str, str]:
        return (self.claim.task_type, self.claim.task_subtype)

    @property
    def known_keys(self) -> JsonObject:
        """The keys as sent, with those of the order context where the event has none (R-56)."""
        return with_identifiers(self.case_keys, self.order)


@dataclass(frozen=True, slots=True)
class Accepted:
    """An event that will become a card. `parent_keys` is set for a Parent Group alone."""

    draft: Draft
    route: Route
    card: FieldCard | None
    parent_keys: ParentKeys | None


Verdict: TypeAlias = Accepted | ContractFault
Reader: TypeAlias = Callable[[JsonValue, int], Draft]
Placed: TypeAlias = tuple[int, JsonValue]


def judge_events(events: Sequence[Placed], read: Reader, rules: Rules) -> list[Verdict]:
    """One verdict per event, in array order; no event's fault touches another, save a child's its parent.

    events  array index and event as sent
    read    makes a draft of an event and its array index, or raises EventFault (steps 4a to 4c)
    """
    verdicts = [_judge_alone(event, array_index, read, rules) for array_index, event in events]
    return _judge_parents(verdicts, events)


def _judge_alone(event: JsonValue, array_index: int, read: Reader, rules: Rules) -> Verdict:
    try:
        return _accept(read(event, array_index), rules)
    except EventFault as fault:
        return _fault(fault, event, array_index)


def _fault(fault: EventFault, event: JsonValue, array_index: int) -> ContractFault:
    return ContractFault(array_index + 1, array_index, fault.code, event, fault.detail)


def _accept(draft: Draft, rules: Rules) -> Accepted:
    card = rules.matrix.card(*draft.pair)
    check_frozen(draft.event, draft.extracted_fields)
    check_file(
        {**draft.event, "extracted_fields": draft.extracted_fields},
        reviewed=draft.claim.reviewed,
        card=card,
        mail=rules.mail,
    )
    route = find_route(draft.claim, rules.catalog)
    if draft.manual_review is not None:
        check_review(draft.manual_review, task_type=draft.claim.task_type, card=card)
    return Accepted(draft, route, card, _parent_keys(draft))


def _parent_keys(draft: Draft) -> ParentKeys | None:
    if draft.pair != parents.PARENT_PAIR:
        return None
    parents.check_scope(draft.extracted_fields)
    return parents.settle_keys(draft.known_keys, draft.manual_review)


def _judge_parents(verdicts: Sequence[Verdict], events: Sequence[Placed]) -> list[Verdict]:
    """Duplicates and split relations, when every child has its verdict.

    In array order, and a parent that fails does not use up its key (reservations-domain.md section 7).
    """
    parties = [_party(verdict, event, place) for verdict, (place, event) in zip(verdicts, events, strict=True)]
    naming = parents.children_by_parent(parties)
    taken: set[str] = set()
    settled: list[Verdict] = []
    for verdict, party in zip(verdicts, parties, strict=True):
        if isinstance(verdict, Accepted) and verdict.parent_keys is not None:
            named_by = naming.get(party.source_event_index, [])
            settled.append(_judge_parent(verdict, verdict.parent_keys, party, named_by, taken))
        else:
            settled.append(verdict)
    return settled


def _judge_parent(
    verdict: Accepted, keys: ParentKeys, party: Party, naming: Sequence[Party], taken: set[str]
) -> Verdict:
    key = fold(keys.group_code) if keys.group_code is not None else None
    try:
        if key in taken:
            raise EventFault(FaultCode.PARENT_DUPLICATE, "case_keys.group_code")
        parents.check_split(party, keys, naming)
    except EventFault as fault:
        return _fault(fault, verdict.draft.event, verdict.draft.array_index)
    if key is not None:
        taken.add(key)
    return verdict


def _party(verdict: Verdict, event: JsonValue, array_index: int) -> Party:
    item = as_object(event) or {}
    case_keys = as_object(item.get("case_keys")) or {}
    return Party(
        source_event_index=array_index + 1,
        split=parents.split_relations(item),
        legal_child=isinstance(verdict, Accepted) and verdict.draft.pair == parents.CHILD_PAIR,
        stated_parent=as_text(case_keys.get("parent_group_code")),
    )
