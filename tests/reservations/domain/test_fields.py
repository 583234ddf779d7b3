"""The field matrix (R-24, R-31, R-32)."""

import dataclasses

import pytest

from reservations.data import catalog, matrix
from reservations.domain.catalog import FALLBACK


def card(task_type="New Booking", task_subtype="new_group_block"):
    found = matrix().card(task_type, task_subtype)
    assert found is not None
    return found


def test_every_active_business_route_has_a_card():
    pairs = {(route.task_type, route.task_subtype) for route in catalog().active if route.queue_participation}
    assert {(row.task_type, row.task_subtype) for row in matrix().cards} == pairs


@pytest.mark.parametrize(
    ("pointer", "path"),
    [
        ("/case_keys/group_code", "case_keys.group_code"),
        ("/case_keys/block_code", "case_keys.group_code"),
        ("/extracted_fields/room_items/0/room_quantity", "extracted_fields.room_items.0.room_quantity"),
        ("/extracted_fields/room_quantity", "extracted_fields.room_items.0.room_quantity"),
        ("/extracted_fields/pms_room_type_code", "extracted_fields.room_items.0.pms_room_type_code"),
        ("/extracted_fields/currency_code", "extracted_fields.currency_code"),
    ],
)
def test_every_spelling_of_a_field_finds_it(pointer, path):
    """R-24, R-31; a field hidden by its condition counts."""
    row = card().editable_target(pointer)
    assert row is not None
    assert row.field_path == path


@pytest.mark.parametrize(
    "pointer",
    [
        "",
        "/",
        "/extracted_fields",
        "/extracted_fields/room_items/1/room_quantity",
        "/extracted_fields/room_items/00/room_quantity",
        "/extracted_fields/room_items/0/room_type_raw",
        "/extracted_fields/room_type",
        "/extracted_fields/rate_code",
        "/extracted_fields/fix_charge_raw",
        "/relevant_message_excerpt",
        "/case_keys/parent_group_code",
        "/case_keys/confirmation_number",
        "/Case_keys/group_code",
        "case_keys.group_code",
    ],
)
def test_evidence_read_only_unconnected_and_unknown_places_are_no_target(pointer):
    """R-32, decision 27."""
    assert card().editable_target(pointer) is None


@pytest.mark.parametrize(
    ("changes", "editable"),
    [({}, True), ({"raw_readonly": True}, False), ({"visible": False}, False), ({"connected": False}, False)],
)
def test_one_reason_is_enough_to_keep_a_field_from_being_edited(changes, editable):
    """R-32; rows as a new matrix may bring them."""
    row = card().row_at("/case_keys/group_code")
    assert row is not None
    assert dataclasses.replace(row, **changes).editable is editable


def test_the_alias_holds_wherever_the_group_code_is_a_field():
    """R-24, decision 14."""
    for row in matrix().cards:
        group = row.row_at("/case_keys/group_code")
        assert row.row_at("/case_keys/block_code") == group


def test_paths_are_found_in_every_spelling():
    row = card().row_of_path("extracted_fields.room_quantity")
    assert row is not None
    assert row.path_spellings == ("extracted_fields.room_items.0.room_quantity", "extracted_fields.room_quantity")
    assert card().row_of_path("case_keys.block_code") == card().row_of_path("case_keys.group_code")


def test_no_two_fields_of_a_card_share_a_spelling():
    for row in (*matrix().cards, matrix().basic_information):
        spellings = [spelling for field in row.rows for spelling in field.pointer_spellings]
        assert len(set(spellings)) == len(spellings)


def test_one_card_needs_a_file_of_the_mail():
    """Decision 28; read from the matrix, not from a name."""
    needing = [(row.task_type, row.required_file.field_path) for row in matrix().cards if row.required_file]
    assert needing == [("Payment", "extracted_fields.attachment_ids")]


def test_the_fallback_card_asks_for_the_decision():
    """R-40."""
    row = card(FALLBACK, "business_event_review").editable_target("/review_decision/task_type")
    assert row is not None
    assert (row.edit_scope, row.required) == ("manual_review_only", True)


def test_fields_stand_in_their_order_and_keep_their_bounds():
    rows = card("New Booking", "new_fit_booking").rows
    assert [row.order for row in rows] == sorted(row.order for row in rows)
    assert next(row.minimum for row in rows if row.field_key == "room_quantity") == 1


def test_catalogues_of_choices_know_whether_they_are_connected():
    catalogs = matrix().catalogs
    assert [name for name, found in catalogs.items() if not found.connected] == [
        "active_rate_code_catalog",
        "fix_charge_catalog",
    ]
    rooms = catalogs["active_pms_room_type_catalog"].options
    assert [option.code for option in rooms if not option.active] == ["OLD"]


def test_groups_and_dependencies_of_a_card_are_read():
    found = card("Update Booking", "update_stay_dates")
    assert [(group.name, group.rule) for group in found.required_groups] == [
        ("case_key", "at_least_one"),
        ("change", "at_least_one"),
    ]
    assert [check.rule for check in found.dependency_checks] == ["date_before"]


def test_basic_information_is_a_card_like_the_others():
    row = matrix().basic_information.editable_target("/order_context/group_code")
    assert row is not None
    assert row.display_condition is not None
    assert row.display_condition.holds("FIT") is False
