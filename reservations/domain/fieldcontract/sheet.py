"""The filled card: the effective values, and the fields that are served on them (R-29).

There is one way to it. Reading, draft, confirmation and resolution differ only in the layers of values they put on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from reservations.domain.catalog import Catalog
from reservations.domain.contract.review import missing_paths
from reservations.domain.documents import value_at, with_value, without
from reservations.domain.fieldcontract.inforce import CardInForce, card_in_force
from reservations.domain.fieldcontract.state import CardState
from reservations.domain.fieldcontract.values import kept_value
from reservations.domain.fields import REVIEW_ONLY, FieldCard, FieldMatrix, FieldRow
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_object, has_value
from reservations.domain.mainpaths import answer_aliases, derive_values, move_legacy
from reservations.domain.parents import PARENT_PAIR, asks_for_target

Layer = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Sheet:
    """
    agent     what the agent sent, in main paths
    document  the effective payload: all layers, without keys of fields that are not served or have no value
    rows      the fields served, in their order
    named     main paths the review names as missing
    """

    state: CardState
    in_force: CardInForce
    catalog: Catalog
    agent: JsonObject
    document: JsonObject
    rows: tuple[FieldRow, ...]
    named: frozenset[str]

    def value(self, row: FieldRow) -> JsonValue:
        return value_at(self.document, row.field_path)

    def served(self, path: str) -> FieldRow | None:
        return next((row for row in self.rows if row.field_path == path), None)

    def missing(self, row: FieldRow) -> bool:
        """Does the pending review ask for it? Whatever the agent sent or a draft holds."""
        return self.state.pending_review and row.field_path in self.named

    def writable(self, row: FieldRow) -> bool:
        state = self.state
        return state.open and row.editable and (state.pending_review or row.edit_scope != REVIEW_ONLY)


def fill_sheet(state: CardState, layers: Iterable[Layer], *, matrix: FieldMatrix, catalog: Catalog) -> Sheet:
    """The card with the agent's event and, over it, these layers of a person's values by main path.

    A decided card is filled from what was confirmed, whatever the layers say. No input is changed.
    """
    layers = tuple(layers)
    given = {path: value for layer in layers for path, value in layer.items()}
    in_force = card_in_force(state, given, matrix=matrix, catalog=catalog)
    card, agent = in_force.card, agent_values(state, in_force.card)
    if state.confirmed is not None:
        document = state.confirmed
    else:
        document = _whole_numbers(_with_layers(derive_values(agent, card), card, layers), card)
    named = frozenset(missing_paths(state.manual_review, in_force.own, target_unclear=_target_unclear(state)))
    shown_anyway = named if state.pending_review or state.confirmed is not None else frozenset()
    rows = tuple(row for row in card.rows if _is_served(row, card, document, shown_anyway))
    return Sheet(state, in_force, catalog, agent, _tidied(document, card, rows), rows, named)


def agent_values(state: CardState, card: FieldCard) -> JsonObject:
    """The agent's event in main paths, unknown keys kept; without its review, and without what only a person decides."""
    event = {name: value for name, value in state.event.items() if name != "manual_review"}
    if state.derived_case_keys or "case_keys" in event:
        event["case_keys"] = state.derived_case_keys
    if "extracted_fields" in event:
        event["extracted_fields"] = as_object(event["extracted_fields"]) or {}
    for row in card.decision or ():
        event = without(event, row.field_path)
    return answer_aliases(move_legacy(event, card), card)


def _with_layers(document: JsonObject, card: FieldCard, layers: Iterable[Layer]) -> JsonObject:
    for layer in layers:
        for path, value in layer.items():
            row = card.row_of_path(path)
            if row is not None and row.editable:
                document = _given(document, row, value)
    return document


def _given(document: JsonObject, row: FieldRow, value: JsonValue) -> JsonObject:
    """No value clears what was there (R-37)."""
    return with_value(document, row.field_path, value) if has_value(value) else _cleared(document, row)


def _cleared(document: JsonObject, row: FieldRow) -> JsonObject:
    for path in (row.field_path, *row.path_aliases):
        document = without(document, path)
    return document


def _tidied(document: JsonObject, card: FieldCard, served: tuple[FieldRow, ...]) -> JsonObject:
    """No key of a field that is not served or has no value; and alias keys say what the field says (R-24)."""
    shown = {row.field_path for row in served}
    for row in card.rows:
        value = value_at(document, row.field_path)
        if row.field_path not in shown or not has_value(value):
            document = _cleared(document, row)
            continue
        for alias in row.path_aliases:
            if value_at(document, alias) is not None:
                document = with_value(document, alias, value)
    return document


def _whole_numbers(document: JsonObject, card: FieldCard) -> JsonObject:
    for row in card.rows:
        value = value_at(document, row.field_path)
        if row.editable and isinstance(value, Decimal):
            document = with_value(document, row.field_path, kept_value(row, value))
    return document


def _target_unclear(state: CardState) -> bool:
    keys = state.derived_case_keys
    return (
        (state.task_type, state.task_subtype) == PARENT_PAIR
        and asks_for_target(state.manual_review)
        and not (has_value(keys.get("group_code")) or has_value(keys.get("block_code")))
    )


def _is_served(
    row: FieldRow,
    card: FieldCard,
    document: JsonObject,
    shown_anyway: frozenset[str],
    asked_by: tuple[FieldRow, ...] = (),
) -> bool:
    """A condition on a field that is not served itself sees no value; one on its own field sees the value."""
    condition = row.display_condition
    if not row.visible or condition is None or row.field_path in shown_anyway:
        return row.visible
    source = card.row_of_path(condition.field)
    if source is None:
        return condition.holds(value_at(document, condition.field))
    asked_by = (*asked_by, row)
    seen = source in asked_by or _is_served(source, card, document, shown_anyway, asked_by)
    return condition.holds(value_at(document, source.field_path) if seen else None)
