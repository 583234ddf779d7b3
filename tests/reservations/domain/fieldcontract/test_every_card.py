"""Every card of the matrix can be filled, confirmed and resolved, and says nothing the contract does not know."""

from dataclasses import replace

import pytest

from reservations.data import matrix
from reservations.domain.documents import value_at
from reservations.domain.fieldcontract.choices import taken_codes
from reservations.domain.fieldcontract.sheet import fill_sheet
from tests.reservations.domain.builders import event, every_event, review
from tests.reservations.domain.fieldcontract.states import (
    OPTIONS,
    RULES,
    confirm,
    draft,
    override,
    read,
    resolve,
    state_of,
)

CONTROLS = {
    "text",
    "textarea",
    "number",
    "date",
    "time",
    "select",
    "multi_select",
    "toggle",
    "readonly_text",
    "readonly_textarea",
    "readonly_table",
}
SAMPLES = {
    "string": "X-1",
    "integer": 2,
    "decimal": 880,
    "date": "2026-08-03",
    "time": "23:00",
    "boolean": True,
    "string[]": ["X-1"],
}
LATER = ("departure_date", "voucher_valid_to", "affected_to")
CARDS = pytest.mark.parametrize(
    "card", [card for card in matrix().cards if card.decision is None], ids=lambda card: card.task_subtype
)
ROWS = [row for card in (*matrix().cards, matrix().basic_information) for row in card.rows]


def sample(sheet, row):
    """A value the field takes."""
    codes = taken_codes(sheet, row)
    if codes is not None:
        return sorted(codes) if row.data_type == "string[]" else sorted(codes)[0]
    return "2026-08-09" if row.field_key.endswith(LATER) else SAMPLES[row.data_type]


def blank(card, **changes):
    """A card of which the agent said nothing but which object it is about."""
    keys = {"group_code": "ALT-1"} if card.task_type == "Cancel Allotment" else {}
    files = {"attachment_ids": ["att-1"]} if card.required_file is not None else {}
    return state_of(event(card.task_type, card.task_subtype, case_keys=keys, extracted_fields=files, **changes))


def samples(state, given=None):
    """A value for every field that can be written; twice, since a value may show another field."""
    for _ in range(2):
        sheet = fill_sheet(state, [given or {}], **RULES)
        given = {row.field_path: sample(sheet, row) for row in sheet.rows if sheet.writable(row)}
    return given


@CARDS
def test_r37_every_card_can_be_confirmed(card):
    state = blank(card)
    values = samples(state)
    confirmed = confirm(state, values)
    assert {path: confirmed.field_values[path] for path in values} == values
    assert {path: value_at(confirmed.effective_payload, path) for path in values} == values


@CARDS
def test_r36_every_card_can_be_drafted_and_confirmed_from_the_draft(card):
    state = blank(card)
    values = samples(state)
    drafted = replace(state, draft=draft(state, values))
    assert read(drafted).field_values == confirm(drafted).field_values == confirm(state, values).field_values


@CARDS
def test_r39_every_card_can_be_resolved(card):
    asked = next(row.field_pointer for row in card.rows if row.editable)
    state = blank(card, manual_review=review(asked))
    resolved = resolve(state, *(override(path, value) for path, value in samples(state).items()))
    assert resolved.pair == (card.task_type, card.task_subtype)
    assert next(row for row in read(state).rows if row.missing).row.field_pointer == asked


@pytest.mark.parametrize("sent", every_event(), ids=lambda sent: sent["task_subtype"])
def test_r30_every_row_served_is_one_of_the_contract(sent):
    for found in read(state_of(sent)).rows:
        assert found.control_type in CONTROLS
        assert (found.edit_scope, found.write_target) in {
            ("normal", "field_values"),
            ("normal", "review_resolution.field_overrides"),
            ("manual_review_only", "review_resolution.field_overrides"),
            ("readonly", "none"),
        }
        assert (found.options is not None) == (found.row.connected and found.row.options_source is not None)
        assert found.required or not found.missing


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.field_path)
def test_r30_the_rows_of_the_matrix_are_what_the_code_knows(row):
    assert row.control_type in CONTROLS
    assert row.data_type in {*SAMPLES, "object[]"}
    assert row.edit_scope in {"normal", "manual_review_only", "readonly"}
    assert (row.edit_scope == "readonly") == (row.write_target == "none")
    assert row.editable or row.edit_scope == "readonly" or not row.connected
    assert row.options_source in {None, "static", "route_catalog_subtypes", *OPTIONS} or not row.connected


def test_the_rules_of_the_matrix_are_what_the_code_knows():
    rules = {check.rule for card in matrix().cards for check in card.dependency_checks}
    groups = {group.rule for card in matrix().cards for group in card.required_groups}
    assert rules == {"date_before", "date_not_after", "subtype_belongs_to_type"}
    assert groups == {"at_least_one"}
