"""How the cards of one mail are linked (R-22). Pure: rows in, values out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from config import jsontext
from reservations.domain.parents import SPLIT_RELATION
from reservations.domain.states import TaskStatus

PARENT, CHILD = "parent", "child"
_OTHER_SIDE = {PARENT: CHILD, CHILD: PARENT}


@dataclass(frozen=True, slots=True)
class Sibling:
    """A card of the same mail; `relations` is its stored JSON text."""

    task_id: UUID
    source_event_index: int
    task_status: str
    relations: str


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a card. `role` is the part this card has in it; `cards` are those on the other side."""

    relationship_type: str
    role: str | None
    source_event_indexes: tuple[int, ...]
    cards: tuple[Sibling, ...]


def links_of(*, card: Sibling, siblings: Sequence[Sibling]) -> list[Link]:
    """The links this card names, then those by which other cards name it. A link both sides name is shown once."""
    by_index = {sibling.source_event_index: sibling for sibling in siblings}
    own = [Link(kind, role, indexes, _cards(indexes, by_index)) for kind, role, indexes in _stored(card)]
    named = {(link.relationship_type, index) for link in own for index in link.source_event_indexes}
    incoming = [
        Link(kind, _OTHER_SIDE.get(role or ""), (sibling.source_event_index,), (sibling,))
        for sibling in siblings
        for kind, role, indexes in _stored(sibling)
        if card.source_event_index in indexes and (kind, sibling.source_event_index) not in named
    ]
    return own + incoming


def unfinished_children(links: Iterable[Link]) -> list[int]:
    """Event indexes of the children of a split whose tasks are not done; a parent's card warns of them (R-22)."""
    return sorted(
        card.source_event_index
        for link in links
        if link.relationship_type == SPLIT_RELATION and link.role == PARENT
        for card in link.cards
        if card.task_status != TaskStatus.DONE
    )


def _stored(card: Sibling) -> list[tuple[str, str | None, tuple[int, ...]]]:
    entries = cast("list[dict[str, Any]]", jsontext.read(card.relations.encode()))
    return [(entry["relationship_type"], entry["role"], _indexes(entry)) for entry in entries]


def _indexes(entry: dict[str, Any]) -> tuple[int, ...]:
    """The events on the other side: the parent of a child, the children of a parent."""
    parent = entry["parent_event_index"]
    return (*(() if parent is None else (parent,)), *entry["child_event_indexes"])


def _cards(indexes: Iterable[int], by_index: dict[int, Sibling]) -> tuple[Sibling, ...]:
    return tuple(by_index[index] for index in indexes if index in by_index)
