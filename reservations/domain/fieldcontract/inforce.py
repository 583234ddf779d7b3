"""Which card of the matrix is in force: the task's own, or the one a person decided on (R-40)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reservations.domain.catalog import Catalog
from reservations.domain.fieldcontract.state import CardState
from reservations.domain.fields import FieldCard, FieldMatrix, decided_card
from reservations.domain.jsonvalues import JsonValue

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class CardInForce:
    """own: the card of the task itself, by which its review asks; card: the one whose fields are served."""

    own: FieldCard
    card: FieldCard
    decided_pair: Pair | None

    @property
    def pair(self) -> Pair:
        """The type and subtype that operations and orders follow."""
        return self.decided_pair or (self.card.task_type, self.card.task_subtype)


def own_card(state: CardState, matrix: FieldMatrix) -> FieldCard:
    """The card of the task; without rows if the matrix has none for it."""
    basic = matrix.basic_information
    if (state.task_type, state.task_subtype) == (basic.task_type, basic.task_subtype):
        return basic
    card = matrix.card(state.task_type, state.task_subtype)
    if card is None or state.result_type not in card.result_types:
        return FieldCard.without_rows(state.task_type, state.task_subtype)
    return card


def card_in_force(
    state: CardState, given: Mapping[str, JsonValue], *, matrix: FieldMatrix, catalog: Catalog
) -> CardInForce:
    """The card in force once these values are given.

    given  main path to value: the draft, what the request sends, or both; only a person decides, never the agent
    """
    own = own_card(state, matrix)
    pair = state.decided_pair or _decided_pair(own, given)
    if pair is None or catalog.subtype(*pair) is None:
        return CardInForce(own, own, None)
    decided = matrix.card(*pair)
    if decided is None or state.result_type not in decided.result_types:
        return CardInForce(own, own, None)
    return CardInForce(own, decided_card(own, decided), pair)


def allowed_types(card: FieldCard) -> tuple[str, ...]:
    """The types a person may decide on; () for a card without a decision."""
    return (card.decision[0].options or ()) if card.decision is not None else ()


def _decided_pair(card: FieldCard, given: Mapping[str, JsonValue]) -> Pair | None:
    if card.decision is None:
        return None
    task_type, task_subtype = (given.get(row.field_path) for row in card.decision)
    if not isinstance(task_type, str) or not isinstance(task_subtype, str):
        return None
    return (task_type, task_subtype) if task_type in allowed_types(card) else None
