"""R-37, R-38, R-47: confirming a card, through the API."""

import pytest

from config import jsontext
from reservations.data import catalog
from reservations.models import OperaOperation, Task
from tests import factories
from tests.reservations.board import (
    GUEST,
    ROOM_TYPE,
    STAY,
    actions,
    answered,
    fit,
    note,
    only_lines,
    places,
    unmapped,
)
from tests.reservations.domain.builders import event, item
from tests.reservations.opera import payloads

pytestmark = pytest.mark.django_db
ADULTS, GUEST_NAME = "extracted_fields.adults", "extracted_fields.guest_name"
ARRIVAL, DEPARTURE = "extracted_fields.arrival_date", "extracted_fields.departure_date"
OLD = {**GUEST, "room_quantity": 1, "pms_room_type_code": "DLX"}
del OLD["room_items"]


def complete(subtype):
    """A normal event of this subtype with every field it needs."""
    fields = payloads.minimal(subtype)
    return event(
        subtype.task_type,
        subtype.task_subtype,
        case_keys=fields.get("case_keys", {}),
        extracted_fields=fields.get("extracted_fields", {}),
    )


@pytest.mark.parametrize("subtype", catalog().subtypes, ids=lambda subtype: subtype.task_subtype)
def test_r37_every_complete_card_is_ready_after_one_confirmation_with_two_operations(board, subtype):
    card = board.card(complete(subtype))
    response = board.confirm(card)
    assert answered(response) == 200, response.json()
    answer = response.json()
    assert (answer["task_status"], answer["review_status"], answer["review_resolution"]) == ("READY", None, None)
    assert [line["sequence"] for line in answer["opera_operations"]] == [1, 2]
    assert {line["status"] for line in answer["opera_operations"]} == {"PENDING"}
    assert actions(card) == ["TASK_CONFIRM"]


def test_the_answer_has_the_keys_of_the_contract(board):
    answer = board.confirm(board.card(fit())).json()
    assert set(answer["confirmed_payload"]) == {"field_values", "legacy_field_values", "effective_payload"}
    assert {frozenset(line) for line in answer["opera_operations"]} == {
        frozenset({"id", "sequence", "operation_id", "status", "dry_run"})
    }
    assert [line["operation_id"] for line in answer["opera_operations"]] == ["postReservation", "getReservation"]


def test_r47_the_operations_are_written_with_the_decision_and_never_before(board):
    card = board.card(fit())
    board.draft(card, {ADULTS: 3})
    board.confirm(card, {ADULTS: "x"})
    assert OperaOperation.objects.count() == 0
    board.confirm(card)
    path = f"/api/reservation/tasks/{card}/opera-operations"
    rows = board.client.get(path).json()["results"]
    assert [(row["sequence"], row["role"], row["attempts"]) for row in rows] == [(1, "write", 0), (2, "verify", 0)]
    assert len({row["external_id"] for row in rows}) == 2


def test_r37_field_values_hold_every_served_value_and_nothing_empty(board):
    fields = GUEST | {"children": None, "special_requests": "  ", "rate_text_raw": "", "adults": 0}
    answer = board.confirm(board.card(fit(extracted_fields=fields))).json()["confirmed_payload"]
    assert set(answer["field_values"]) == {
        ADULTS,
        GUEST_NAME,
        ARRIVAL,
        DEPARTURE,
        ROOM_TYPE,
        "extracted_fields.room_items.0.room_quantity",
        "relevant_message_excerpt",
    }
    assert answer["field_values"][ADULTS] == 0


def test_r37_derived_values_are_confirmed_too(board):
    fields = {"cancel_scope": "entire_allotment_control_block"}
    sent = event(
        "Cancel Allotment", "cancel_allotment_control_block", case_keys={"block_code": "AL-1"}, extracted_fields=fields
    )
    values = board.confirm(board.card(sent)).json()["confirmed_payload"]["field_values"]
    assert values["extracted_fields.cancel_object_type"] == "allotment_control_block"
    assert values["case_keys.group_code"] == "AL-1"


def test_r37_the_effective_payload_keeps_the_agents_keys_that_the_matrix_does_not_know(board):
    sent = fit(extracted_fields=GUEST | {"mood": {"deep": [1.50, None]}}, agent_note="kept")
    payload = board.confirm(board.card(sent)).json()["confirmed_payload"]
    assert payload["effective_payload"]["extracted_fields"]["mood"] == {"deep": [1.5, None]}
    assert payload["effective_payload"]["agent_note"] == "kept"
    assert [path for path in payload["field_values"] if "mood" in path or "agent_note" in path] == []


@pytest.mark.parametrize("empty", [None, "", "   ", "　"])
@pytest.mark.parametrize("path", [GUEST_NAME, ARRIVAL, ROOM_TYPE])
def test_r37_null_and_blank_clear_what_the_agent_sent(board, path, empty):
    card = board.card(fit())
    with only_lines("TASK_CONFIRM_REFUSED"):
        refused = board.confirm(card, {path: empty})
    assert (answered(refused), places(refused)) == ((422, "TASK_FIELDS_INCOMPLETE"), [f"/field_values/{path}"])


def test_r37_every_absent_field_is_named_at_once(board):
    refused = board.confirm(board.card(fit(extracted_fields={})))
    assert answered(refused) == (422, "TASK_FIELDS_INCOMPLETE")
    assert places(refused) == [
        "/extracted_fields/guest_name",
        "/extracted_fields/arrival_date",
        "/extracted_fields/departure_date",
        "/extracted_fields/room_items/0/room_quantity",
        "/extracted_fields/room_items/0/pms_room_type_code",
    ]


def test_r37_a_group_of_which_one_is_required_names_all_its_fields(board):
    refused = board.confirm(board.card(note()))
    assert answered(refused) == (422, "TASK_FIELDS_INCOMPLETE")
    assert places(refused) == ["/case_keys/confirmation_number", "/case_keys/group_code", "/case_keys/booking_code"]


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({ARRIVAL: "2026-08-06"}, "TASK_FIELD_VALUE_INVALID"),
        ({ARRIVAL: "2026-08-07"}, "TASK_FIELD_VALUE_INVALID"),
        ({ARRIVAL: "2026-8-3"}, "TASK_FIELD_VALUE_INVALID"),
        ({ARRIVAL: 20260803}, "TASK_FIELD_VALUE_INVALID"),
        ({ADULTS: 2.5}, "TASK_FIELD_VALUE_INVALID"),
        ({ADULTS: "2"}, "TASK_FIELD_VALUE_INVALID"),
        ({ADULTS: [2]}, "TASK_FIELD_VALUE_INVALID"),
        ({ROOM_TYPE: "dlx"}, "TASK_FIELD_VALUE_INVALID"),
        ({ROOM_TYPE: " DLX"}, "TASK_FIELD_VALUE_INVALID"),
        ({"extracted_fields.room_quantity": 0}, "TASK_FIELD_VALUE_INVALID"),
        ({"extracted_fields.meal_plan": "XX"}, "TASK_FIELD_VALUE_INVALID"),
        ({"extracted_fields.market_code": "NOWHERE"}, "TASK_FIELD_VALUE_INVALID"),
        ({"nothing": 1, ADULTS: "2"}, "TASK_FIELD_PATH_INVALID"),
        ({ADULTS: "2", GUEST_NAME: None}, "TASK_FIELD_VALUE_INVALID"),
        ({"visible_reason": "x"}, "TASK_FIELD_PATH_INVALID"),
        ({"extracted_fields": {}}, "TASK_FIELD_PATH_INVALID"),
        ({"task_type": "Cancel Booking"}, "TASK_FIELD_PATH_INVALID"),
        ({"review_decision.task_type": "Cancel Booking"}, "TASK_FIELD_PATH_INVALID"),
    ],
)
def test_r37_what_does_not_hold_is_refused_by_the_first_kind_of_fault_and_leaves_a_line(board, values, code):
    card = board.card(fit())
    with only_lines("TASK_CONFIRM_REFUSED"):
        assert answered(board.confirm(card, values)) == (422, code)


def test_r37_what_the_agent_sent_is_checked_as_well(board):
    refused = board.confirm(board.card(fit(extracted_fields=GUEST | {"adults": "two"})))
    assert (answered(refused), places(refused)) == ((422, "TASK_FIELD_VALUE_INVALID"), ["/extracted_fields/adults"])


def test_r33_three_point_nought_is_an_integer_and_is_kept_as_three(board):
    response = board.send(board.card(fit()), "confirm", b'{"field_values": {"extracted_fields.adults": 3.0}}')
    assert b'"extracted_fields.adults":3,' in response.content


@pytest.mark.parametrize("status", ["READY", "EXECUTING", "FAILED", "DONE", "TERMINATED"])
def test_r46_a_card_that_is_not_waiting_cannot_be_confirmed(board, hotel, status):
    card = str(factories.card(hotel, task_status=status).pk)
    with only_lines("TASK_CONFIRM_REFUSED"):
        assert answered(board.confirm(card)) == (409, "TASK_STATE_INVALID")


def test_r37_a_pending_review_is_not_confirmed(board):
    card = board.card(unmapped())
    with only_lines("TASK_CONFIRM_REFUSED"):
        assert answered(board.confirm(card, {ROOM_TYPE: "DLX"})) == (409, "TASK_REVIEW_RESOLUTION_REQUIRED")


# The narrow waiver


@pytest.mark.parametrize("reason", [..., None, "", " ", 7])
def test_r38_a_third_generation_card_needs_no_visible_reason(board, reason):
    assert answered(board.confirm(board.card(fit(visible_reason=reason)))) == 200


def test_r38_a_second_generation_card_with_a_reason_is_confirmed(board):
    assert answered(board.confirm(board.old_card(item(extracted_fields=OLD)))) == 200


@pytest.mark.parametrize("reason", ['" "', '"\\u3000"', "null", None])
def test_r38_a_second_generation_card_without_one_is_not(board, hotel, reason):
    given = f', "visible_reason": {reason}' if reason else ""
    text = '{"extracted_fields": %s%s}'
    package = factories.package(hotel, generation="V2")
    task = factories.task(
        factories.order(hotel),
        package,
        field_contract_version="code-v1",
        ai_payload_json=text % (jsontext.write(OLD), given),
    )
    with only_lines("TASK_CONFIRM_REFUSED"):
        refused = board.confirm(str(task.pk))
    assert (answered(refused), places(refused)) == ((422, "TASK_FIELDS_INCOMPLETE"), ["/visible_reason"])


def test_r38_no_draft_gets_round_the_reason_of_a_second_generation_card(board):
    card = board.old_card(item(extracted_fields=OLD, visible_reason=" "))
    board.draft(card, {})
    assert answered(board.draft(card, {"visible_reason": "mine"})) == (422, "TASK_FIELD_PATH_INVALID")
    assert answered(board.confirm(card)) == (422, "TASK_FIELDS_INCOMPLETE")


def test_r80_confirming_gives_the_version_of_the_matrix(board):
    card = board.old_card(item(extracted_fields=OLD))
    board.confirm(card)
    assert board.get(card)["field_contract_version"] == "20260711-p0"


def test_r35_the_payload_of_the_agent_never_changes(board):
    card = board.card(fit())
    before = Task.objects.values_list("ai_payload_json", "ai_payload_sha256").get(pk=card)
    board.draft(card, {ADULTS: 3})
    board.confirm(card, {GUEST_NAME: "Guest C"})
    assert Task.objects.values_list("ai_payload_json", "ai_payload_sha256").get(pk=card) == before


def test_r29_after_the_decision_every_field_is_served_read_only(board):
    card = board.card(fit())
    board.confirm(card, {ADULTS: 7})
    rows = board.get(card)["fields"]
    assert {(row["edit_scope"], row["write_target"]) for row in rows} == {("readonly", "none")}
    assert next(row["value"] for row in rows if row["field_path"] == ADULTS) == 7


@pytest.mark.parametrize("body", [b"", b"{}", b'{"field_values": {}}', b'{"reason": null}', b'{"reason": "x"}'])
def test_every_short_body_confirms_the_card_as_it_stands(board, body):
    assert answered(board.send(board.card(fit()), "confirm", body)) == 200


def test_the_reason_is_in_the_history(board):
    card = board.card(fit())
    board.send(card, "confirm", {"reason": "客人 called"})
    assert board.get(card)["history"][-1]["reason"] == "客人 called"


def test_r27_a_blocked_card_is_confirmed_and_cannot_be_executed(board):
    first, second = board.cards(note(group_code="G1"), note(group_code="G1"))
    assert answered(board.confirm(second)) == 200
    assert answered(board.send(second, "execute")) == (409, "TASK_BLOCKED")
    board.send(first, "terminate", {"reason": "x"})
    assert answered(board.send(second, "execute")) == 200


def test_r37_dates_are_compared_across_agent_draft_and_request(board):
    card = board.card(fit(extracted_fields=GUEST | STAY))
    assert answered(board.draft(card, {ARRIVAL: "2026-09-01"})) == 200
    refused = board.confirm(card)
    assert (answered(refused), places(refused)) == (
        (422, "TASK_FIELD_VALUE_INVALID"),
        ["/extracted_fields/departure_date"],
    )
    assert answered(board.confirm(card, {DEPARTURE: "2026-09-02"})) == 200
