"""Effective payloads of any card of the field matrix: filled in full, barely, or as hypothesis likes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from reservations import data
from reservations.domain.catalog import Subtype
from reservations.domain.documents import with_value
from reservations.domain.fields import FieldCard, FieldRow
from reservations.domain.jsonvalues import JsonObject, JsonValue
from reservations.domain.orderkeys import OrderKind
from reservations.opera.card import OrderFacts
from reservations.opera.picks import SCOPE
from reservations.opera.plan import PlannedOperation, plan_operations

SUBTYPES = data.catalog().subtypes
SCOPES = ("individual", "group")
ENTRIES: JsonValue = [
    {"row": 1, "names": ["Guest C", "客人 D"], "room_type_raw": "TWN"},
    {"row": 2, "names": ["Guest E"], "room_type_raw": "a quiet room"},
]
VALUES: Mapping[str, JsonValue] = {
    "string": "TEXT",
    "integer": 2,
    "decimal": Decimal("880.50"),
    "date": "2026-09-10",
    "time": "14:30",
    "boolean": True,
    "string[]": ["att-1"],
    "object[]": ENTRIES,
}
LATER = {"extracted_fields.departure_date": "2026-09-13", "extracted_fields.affected_to": "2026-09-12"}

TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1)
NAME = TEXT.map(lambda text: text[:80])
BY_TYPE: Mapping[str, st.SearchStrategy[Any]] = {
    "string": TEXT,
    "integer": st.integers(1, 4000),
    "decimal": st.decimals(0, 10**9, places=2) | st.integers(0, 10**30),
    "date": st.dates(min_value=date(1, 1, 1)).map(date.isoformat),
    "time": st.times().map(lambda time: f"{time:%H:%M}"),
    "boolean": st.booleans(),
    "string[]": st.lists(TEXT, min_size=1, max_size=3),
    "object[]": st.lists(
        st.fixed_dictionaries(
            {"names": st.lists(NAME, max_size=3)},
            optional={"row": st.integers(1, 500), "room_type_raw": TEXT.map(lambda text: text[:2000])},
        ),
        max_size=4,
    ),
}
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.decimals(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def card_of(subtype: Subtype) -> FieldCard:
    card = data.matrix().card(subtype.task_type, subtype.task_subtype)
    assert card is not None
    return card


def payload(values: Iterable[tuple[str, JsonValue]]) -> JsonObject:
    made: JsonObject = {}
    for path, value in values:
        made = with_value(made, path, value)
    return made


def choices(row: FieldRow) -> list[str]:
    """What a field with choices offers; nothing for one without, or whose catalogue is not connected."""
    if row.options:
        return list(row.options)
    catalog = data.matrix().catalogs.get(row.options_source or "")
    return [option.code for option in catalog.options if option.active] if catalog else []


def full(subtype: Subtype, scope: str = "individual") -> JsonObject:
    """Every field of the card with a value."""
    values = {row.field_path: _example(row) for row in card_of(subtype).rows}
    return payload((values | {path: LATER[path] for path in LATER if path in values} | _scope(values, scope)).items())


def minimal(subtype: Subtype, scope: str = "individual") -> JsonObject:
    """The required fields of the card, and the first of each group of which one is required."""
    card = card_of(subtype)
    wanted = {row.field_path for row in card.rows if row.required} | {group.fields[0] for group in card.required_groups}
    values = {row.field_path: _example(row) for row in card.rows if row.field_path in wanted}
    return payload((values | {path: LATER[path] for path in LATER if path in values} | _scope(values, scope)).items())


@st.composite
def confirmed(draw: st.DrawFn, subtype: Subtype) -> JsonObject:
    """Valid values of some fields of the card; evidence and other fields nobody can change hold anything."""
    rows = card_of(subtype).rows
    given = draw(st.sets(st.sampled_from([row.field_path for row in rows])))
    return payload((row.field_path, draw(_values(row))) for row in rows if row.field_path in given or row.required)


def order(kind: OrderKind = OrderKind.FIT) -> OrderFacts:
    return OrderFacts(kind=kind)


def plan(subtype: Subtype, values: JsonObject, facts: OrderFacts | None = None) -> tuple[PlannedOperation, ...]:
    return plan_operations(
        subtype=subtype, effective_payload=values, hotel_code="HOTEL1", order=facts or order(OrderKind.FIT)
    )


def _example(row: FieldRow) -> JsonValue:
    offered = choices(row)
    if not offered:
        return VALUES[row.data_type]
    return [*offered[:2]] if row.data_type == "string[]" else offered[0]


def _scope(values: Mapping[str, JsonValue], scope: str) -> dict[str, JsonValue]:
    return {SCOPE: scope} if SCOPE in values else {}


def _values(row: FieldRow) -> st.SearchStrategy[Any]:
    if row.raw_readonly:
        return ODD
    offered = choices(row)
    if offered:
        one = st.sampled_from(offered)
        return st.lists(one, min_size=1, unique=True) if row.data_type == "string[]" else one
    if row.options_source == "active_rate_code_catalog":
        return st.none()
    if row.data_type == "string":
        return TEXT.map(lambda text: text[: row.max_length or 20])
    return BY_TYPE[row.data_type]
