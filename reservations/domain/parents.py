"""Parent Group rules: keys, scope and split relations of a Cancel Allotment (R-22, R-23; reservations-domain.md 7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_array, as_integer, as_object, as_text
from reservations.domain.orderkeys import CANCEL_ALLOTMENT, NEW_GROUP_BLOCK, fold, read_key
from reservations.domain.shapes import read_relation_shape

PARENT_PAIR: Final = (CANCEL_ALLOTMENT, "cancel_allotment_control_block")
CHILD_PAIR: Final = ("New Booking", NEW_GROUP_BLOCK)
SPLIT_RELATION: Final = "linked_parent_release_after_child_split"
WHOLE_SCOPE: Final = "entire_allotment_control_block"
TARGET_UNCLEAR: Final = "target_object_unclear"

_PARENT, _CHILD = "parent", "child"
_CANDIDATE_SOURCES: Final = ("email_body", "attachment", "system_context")


@dataclass(frozen=True, slots=True)
class Relation:
    """One entry of `relationships[]`. Indexes are one-based and may lead nowhere."""

    relationship_type: str
    role: str | None
    parent_event_index: int | None
    child_event_indexes: tuple[int, ...] | None
    parent_group_code: str | None


@dataclass(frozen=True, slots=True)
class ParentKeys:
    """What the two keys of a Parent Group come to.

    group_code  the key as sent, None while the target is unclear
    known       folded keys by which a child may name this parent; more than one while the target is unclear
    """

    group_code: str | None
    known: frozenset[str]

    @property
    def unclear(self) -> bool:
        return self.group_code is None


@dataclass(frozen=True, slots=True)
class Party:
    """One event as the split check sees it.

    split          its relations of the split kind
    legal_child    a child block that has no contract error
    stated_parent  `case_keys.parent_group_code`
    """

    source_event_index: int
    split: tuple[Relation, ...]
    legal_child: bool
    stated_parent: str | None

    @property
    def named_parents(self) -> frozenset[int]:
        return frozenset(
            relation.parent_event_index
            for relation in self.split
            if relation.role == _CHILD and relation.parent_event_index is not None
        )


def read_relation(value: JsonValue) -> Relation | None:
    """One relation, or None when its shape is wrong. Null stands for absent."""
    shape = read_relation_shape(value)
    if shape is None:
        return None
    children = None if shape.child_event_indexes is None else tuple(shape.child_event_indexes)
    return Relation(shape.relationship_type, shape.role, shape.parent_event_index, children, shape.parent_group_code)


def read_indexes(value: JsonValue) -> tuple[int, ...] | None:
    """An array of integers, or None when it is none."""
    items = as_array(value)
    if items is None:
        return None
    indexes = [as_integer(item) for item in items]
    whole = tuple(index for index in indexes if index is not None)
    return whole if len(whole) == len(indexes) else None


def split_relations(event: JsonObject) -> tuple[Relation, ...]:
    """The well shaped split relations of an event, whatever else is wrong with it."""
    items = as_array(event.get("relationships")) or []
    relations = (relation for relation in map(read_relation, items) if relation is not None)
    return tuple(relation for relation in relations if relation.relationship_type == SPLIT_RELATION)


def identity_candidates(review: JsonObject) -> tuple[JsonObject, ...]:
    """`context_used.parent_identity_candidates[]` if it is complete: every item names a key, its source and evidence.

    An item that is not makes the whole list count as empty.
    """
    context = as_object(review.get("context_used")) or {}
    items = as_array(context.get("parent_identity_candidates")) or []
    candidates = [item for item in items if isinstance(item, dict) and _is_candidate(item)]
    return tuple(candidates) if len(candidates) == len(items) else ()


def asks_for_target(review: JsonObject | None) -> bool:
    """Does the review say that the target is unclear, and name whom it may mean?"""
    return review is not None and review.get("reason_code") == TARGET_UNCLEAR and bool(identity_candidates(review))


def check_scope(extracted_fields: JsonObject) -> None:
    """raises  EventFault CANCEL_SCOPE_INVALID: a scope is given and it is not the whole (R-23)"""
    scope = extracted_fields.get("cancel_scope")
    if scope is not None and scope != WHOLE_SCOPE:
        raise EventFault(FaultCode.CANCEL_SCOPE_INVALID, "extracted_fields.cancel_scope")


def settle_keys(case_keys: JsonObject, review: JsonObject | None) -> ParentKeys:
    """The one key of the parent, from either spelling.

    case_keys  as sent
    review     None for a normal task, else a review that passed the completeness test
    raises     EventFault PARENT_KEY_CONFLICT or PARENT_KEY_MISSING, unless the review asks for the target
    """
    keys = [key for key in (read_key(case_keys, "group_code"), read_key(case_keys, "block_code")) if key is not None]
    known = frozenset(fold(key) for key in keys)
    if len(known) == 1:
        return ParentKeys(keys[0], known)
    if not asks_for_target(review):
        code = FaultCode.PARENT_KEY_CONFLICT if known else FaultCode.PARENT_KEY_MISSING
        raise EventFault(code, "case_keys.group_code, case_keys.block_code")
    return ParentKeys(None, known or _candidate_keys(review or {}))


def completed_keys(case_keys: JsonObject, keys: ParentKeys) -> JsonObject:
    """A copy of the case keys with both spellings filled, or with neither while the target is unclear."""
    derived = {name: value for name, value in case_keys.items() if name not in ("group_code", "block_code")}
    if keys.unclear:
        return derived
    sent_group, sent_block = case_keys.get("group_code"), case_keys.get("block_code")
    group = sent_group if read_key(case_keys, "group_code") is not None else sent_block
    block = sent_block if read_key(case_keys, "block_code") is not None else sent_group
    return {**case_keys, "group_code": group, "block_code": block}


def children_by_parent(parties: Iterable[Party]) -> dict[int, list[Party]]:
    """Who names whom as its parent: the parties that name an index, by that index."""
    naming: dict[int, list[Party]] = {}
    for party in parties:
        for index in party.named_parents:
            naming.setdefault(index, []).append(party)
    return naming


def check_split(parent: Party, keys: ParentKeys, naming: Sequence[Party]) -> None:
    """Are the split relations of this parent whole and one-to-one? A cancellation without relations is legal.

    naming  the events that name this parent, those with contract errors included
    raises  EventFault PARENT_SPLIT_INCOMPLETE
    """
    if not parent.split and not naming:
        return
    complete = (
        bool(naming)
        and set(_named_children(parent)) == {child.source_event_index for child in naming}
        and _codes_agree(parent, keys)
        and all(child.legal_child and len(child.split) == 1 and _codes_agree(child, keys) for child in naming)
    )
    if not complete:
        raise EventFault(FaultCode.PARENT_SPLIT_INCOMPLETE, "relationships")


def _named_children(parent: Party) -> tuple[int, ...]:
    """The children the parent lists, if it lists each once and in one relation; else none, which never is whole."""
    if len(parent.split) != 1 or parent.split[0].role != _PARENT:
        return ()
    named = parent.split[0].child_event_indexes or ()
    return named if len(set(named)) == len(named) else ()


def _codes_agree(party: Party, keys: ParentKeys) -> bool:
    stated = [relation.parent_group_code for relation in party.split]
    return all(_is_parent_key(code, keys) for code in (*stated, party.stated_parent))


def _is_parent_key(code: str | None, keys: ParentKeys) -> bool:
    """Nothing is said by null or a blank text."""
    folded = fold(code) if code is not None else ""
    return not folded or folded in keys.known


def _is_candidate(item: JsonObject) -> bool:
    codes = (item.get("group_code"), item.get("block_code"))
    return (
        all(code is None or isinstance(code, str) for code in codes)
        and bool(_folded(codes))
        and item.get("source") in _CANDIDATE_SOURCES
        and as_text(item.get("evidence")) is not None
    )


def _candidate_keys(review: JsonObject) -> frozenset[str]:
    found = (_folded((item.get("group_code"), item.get("block_code"))) for item in identity_candidates(review))
    return frozenset(key for keys in found for key in keys)


def _folded(codes: Iterable[JsonValue]) -> tuple[str, ...]:
    return tuple(fold(code) for code in codes if isinstance(code, str) and fold(code))
