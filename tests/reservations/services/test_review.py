"""R-31, R-34, R-39, R-41 and the fault table of the contract: resolving reviews, through the API."""

import re
from collections import Counter
from functools import partial

import pytest

from config.audit.models import AuditEvent
from reservations.models import CatalogEntry, OperaOperation, Order, Task
from tests import factories
from tests.reliability.crowd import at_once
from tests.reservations.board import (
    GUEST,
    MAPPED,
    RESOLVE,
    ROOM_POINTER,
    ROOM_TYPE,
    TASKS,
    Board,
    actions,
    answered,
    fit,
    lines_since,
    only_lines,
    override,
    places,
    resolution,
    review,
    send,
    unkeyed,
    unmapped,
)

CONFIRMATION, GROUP_CODE, BOOKING = "case_keys.confirmation_number", "case_keys.group_code", "case_keys.booking_code"
ADULTS, GUEST_NAME = "extracted_fields.adults", "extracted_fields.guest_name"
LEGACY = "extracted_fields.pms_room_type_code"
LINE = "MANUAL_REVIEW_RESOLVE_REFUSED"


def pointing(pointer, value="DLX", **more):
    return {"field_pointer": pointer, "value": value, **more}


@pytest.mark.django_db
class TestResolved:
    @pytest.mark.parametrize(
        "entry",
        [
            pointing(ROOM_POINTER),
            override(ROOM_TYPE, "DLX"),
            override(LEGACY, "DLX"),
            pointing("/extracted_fields/pms_room_type_code"),
            pointing(ROOM_POINTER, field_path=ROOM_TYPE),
            pointing(ROOM_POINTER, field_path=LEGACY),
            pointing("/extracted_fields/pms_room_type_code", field_path=ROOM_TYPE),
            pointing(ROOM_POINTER, field_path=None),
        ],
    )
    def test_r39_every_form_of_the_field_is_answered_and_stored_in_main_form(self, board, entry):
        card = board.card(unmapped())
        answer = board.resolve(card, entry).json()
        main = {"field_pointer": ROOM_POINTER, "field_path": ROOM_TYPE, "legacy_field_path": LEGACY, "value": "DLX"}
        assert answer["review_resolution"]["field_overrides"] == [main]
        assert board.get(card)["review_resolution"] == answer["review_resolution"]
        assert answer["confirmed_payload"]["legacy_field_values"][LEGACY] == "DLX"

    def test_r39_the_answer_is_the_one_of_the_contract(self, board, reviewer):
        card = board.card(unmapped())
        order = board.get(card)["order_id"]
        answer = board.resolve(card, MAPPED).json()
        assert (answer["task_status"], answer["review_status"]) == ("READY", "RESOLVED")
        resolved = answer["review_resolution"]
        assert (resolved["confirmed_order_id"], resolved["resolved_by"]) == (order, reviewer.username)
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", resolved["resolved_at"])
        assert list(answer["confirmed_payload"]) == ["field_values", "legacy_field_values", "effective_payload"]
        assert [set(line) for line in answer["opera_operations"]] == [
            {"id", "sequence", "operation_id", "status", "dry_run"}
        ] * 2

    def test_r39_it_is_the_same_card_with_the_same_payload_and_one_line(self, board):
        card = board.card(unmapped())
        before = Task.objects.values_list("ai_payload_json", "ai_payload_sha256", "manual_review").get(pk=card)
        board.resolve(card, MAPPED)
        assert Task.objects.values_list("ai_payload_json", "ai_payload_sha256", "manual_review").get() == before
        assert actions(card) == ["MANUAL_REVIEW_RESOLVE"]
        assert OperaOperation.objects.count() == 2

    def test_domain_12_21_other_editable_fields_are_written_as_overrides(self, board):
        values = board.resolve(board.card(unmapped()), MAPPED, override(ADULTS, 4)).json()
        assert values["confirmed_payload"]["field_values"][ADULTS] == 4

    @pytest.mark.parametrize("reason", [{}, {"reason": None}, {"reason": ""}])
    def test_the_reason_may_be_left_out(self, board, reason):
        card = board.card(unmapped())
        body = {"confirmed_order_id": board.get(card)["order_id"], "field_overrides": [MAPPED], **reason}
        assert answered(board.send(card, RESOLVE, body)) == 200

    def test_r37_an_override_with_null_clears_a_field_that_is_not_asked_for(self, board):
        values = board.resolve(board.card(unmapped()), MAPPED, override(ADULTS, None)).json()
        assert ADULTS not in values["confirmed_payload"]["field_values"]


@pytest.mark.django_db
class TestRefused:
    """contracts.md section 7: each row of the table, and which comes first."""

    @pytest.mark.parametrize("action", [RESOLVE, "confirm"])
    def test_a_resolved_review_is_resolved_once(self, board, action):
        card = board.card(unmapped())
        board.resolve(card, MAPPED)
        with only_lines(LINE if action == RESOLVE else "TASK_CONFIRM_REFUSED"):
            body = resolution("x") if action == RESOLVE else {}
            assert answered(board.send(card, action, body)) == (409, "TASK_REVIEW_ALREADY_RESOLVED")

    @pytest.mark.parametrize("after", ["confirm", "terminate", None])
    def test_a_card_that_asks_for_no_review_is_not_resolved(self, board, after):
        card = board.card(fit())
        if after:
            board.send(card, after, {"reason": "x"})
        with only_lines(LINE):
            assert answered(board.resolve(card, MAPPED)) == (409, "TASK_REVIEW_NOT_REQUIRED")

    @pytest.mark.parametrize("action", [RESOLVE, "confirm", "draft"])
    def test_a_terminated_review_takes_nothing(self, board, action):
        card = board.card(unmapped())
        board.send(card, "terminate", {"reason": "x"})
        assert answered(board.send(card, action, {})) == (409, "TASK_STATE_INVALID")

    @pytest.mark.parametrize(
        "entry",
        [
            pointing("/extracted_fields/room_items/1/pms_room_type_code"),
            pointing("/extracted_fields/room_items/00/pms_room_type_code"),
            pointing("/extracted_fields/room_items/+0/pms_room_type_code"),
            pointing("/extracted_fields/room_items/-/pms_room_type_code"),
            pointing("/extracted_fields/room_items/٠/pms_room_type_code"),
            pointing("#/extracted_fields/room_items/0/pms_room_type_code"),
            pointing("extracted_fields/room_items/0/pms_room_type_code"),
            pointing(ROOM_POINTER + "/"),
            pointing(ROOM_POINTER.upper()),
            pointing("/extracted_fields/room_items/0/pms_room_type_code~2"),
            pointing(""),
            pointing("/"),
            pointing("/extracted_fields/nothing"),
            pointing("/extracted_fields/room_items/0/room_type_raw"),
            pointing("/relevant_message_excerpt"),
            pointing("/task_type"),
            pointing("/extracted_fields/rate_code"),
            pointing("/review_decision/task_type"),
            pointing(ROOM_POINTER, field_path=ADULTS),
            pointing(ROOM_POINTER, field_path="extracted_fields.nothing"),
            pointing(ROOM_TYPE),
            override(ROOM_POINTER, "DLX"),
            override("extracted_fields.room_items[0].pms_room_type_code", "DLX"),
            override("", "DLX"),
            override(" " + ROOM_TYPE, "DLX"),
            {"value": "DLX"},
            pointing(7),
            override(["a"], "DLX"),
        ],
    )
    def test_r31_r34_what_means_no_field_or_two_is_an_invalid_pointer(self, board, entry):
        card = board.card(unmapped())
        with only_lines(LINE):
            refused = board.resolve(card, MAPPED, entry)
        assert answered(refused) == (422, "TASK_REVIEW_POINTER_INVALID")
        assert [place.startswith("/field_overrides/1") for place in places(refused)] == [True]

    @pytest.mark.parametrize("form", [ROOM_TYPE, LEGACY])
    def test_r31_the_same_field_in_two_forms_is_a_duplicate(self, board, form):
        card = board.card(unmapped())
        with only_lines(LINE):
            refused = board.resolve(card, pointing(ROOM_POINTER), override(form, "DLX"))
        assert (answered(refused), places(refused)) == ((422, "TASK_REVIEW_POINTER_DUPLICATE"), ["/field_overrides/1"])

    def test_r24_an_alias_counts_as_the_field(self, board):
        entries = [pointing("/case_keys/block_code", "G"), override(GROUP_CODE, "G"), override(CONFIRMATION, "C")]
        assert answered(board.resolve(board.card(unkeyed()), *entries)) == (422, "TASK_REVIEW_POINTER_DUPLICATE")

    @pytest.mark.parametrize(
        "entry",
        [
            override(ROOM_TYPE, "NOPE"),
            override(ROOM_TYPE, 7),
            override(ROOM_TYPE, ["DLX"]),
            {"field_path": ROOM_TYPE},
            override(ROOM_TYPE, {"code": "DLX"}),
        ],
    )
    def test_a_value_that_the_field_does_not_take(self, board, entry):
        card = board.card(unmapped())
        with only_lines(LINE):
            refused = board.resolve(card, entry)
        assert (answered(refused), places(refused)) == (
            (422, "TASK_FIELD_VALUE_INVALID"),
            ["/field_overrides/0/value"],
        )

    def test_an_inactive_room_type_is_refused(self, board, hotel):
        entries = CatalogEntry.objects.filter(hotel=hotel, catalog="active_pms_room_type_catalog", code="DLX")
        assert entries.update(active=False) == 1
        assert answered(board.resolve(board.card(unmapped()), MAPPED)) == (422, "TASK_FIELD_VALUE_INVALID")

    def test_dates_that_disagree_are_a_wrong_value(self, board):
        entry = override("extracted_fields.departure_date", "2026-08-03")
        refused = board.resolve(board.card(unmapped()), MAPPED, entry)
        assert (answered(refused), places(refused)) == (
            (422, "TASK_FIELD_VALUE_INVALID"),
            ["/field_overrides/1/value"],
        )

    @pytest.mark.parametrize("value", [None, "", "  ", []])
    def test_a_missing_field_needs_a_value(self, board, value):
        card = board.card(unmapped())
        with only_lines(LINE):
            assert answered(board.resolve(card, override(ROOM_TYPE, value))) == (422, "TASK_REVIEW_FIELDS_INCOMPLETE")

    def test_a_field_the_agent_filled_and_named_as_missing_needs_an_override(self, board):
        card = board.card(unmapped(extracted_fields=GUEST, manual_review=review("/extracted_fields/guest_name")))
        assert answered(board.resolve(card)) == (422, "TASK_REVIEW_FIELDS_INCOMPLETE")
        assert answered(board.resolve(card, override(GUEST_NAME, "Guest A"))) == 200

    def test_a_required_field_that_nobody_named_needs_a_value_too(self, board):
        card = board.card(unmapped(extracted_fields={}))
        refused = board.resolve(card, MAPPED)
        assert answered(refused) == (422, "TASK_REVIEW_FIELDS_INCOMPLETE")
        assert len(places(refused)) == 4

    @pytest.mark.parametrize(
        "order", [None, "", 7, True, [], {}, "999999", "0198c2a4-7d3e-7b1f-9a5c-2f6e8d4b1c07", "x" * 5000, "\u0661"]
    )
    def test_r39_an_order_that_is_none(self, board, order):
        card = board.card(unmapped())
        with only_lines(LINE):
            refused = board.resolve(card, MAPPED, order=order)
        assert (answered(refused), places(refused)) == ((422, "TASK_REVIEW_ORDER_INVALID"), ["/confirmed_order_id"])

    def test_r39_no_order_at_all(self, board):
        refused = board.send(board.card(unmapped()), RESOLVE, {"field_overrides": [MAPPED]})
        assert answered(refused) == (422, "TASK_REVIEW_ORDER_INVALID")

    @pytest.mark.parametrize(
        ("entries", "code"),
        [
            ([pointing("/x"), MAPPED, MAPPED], "TASK_REVIEW_POINTER_INVALID"),
            ([override(ADULTS, 1), override(ADULTS, "x")], "TASK_REVIEW_POINTER_DUPLICATE"),
            ([override(ADULTS, "x")], "TASK_FIELD_VALUE_INVALID"),
            ([], "TASK_REVIEW_FIELDS_INCOMPLETE"),
            ([MAPPED], "TASK_REVIEW_ORDER_INVALID"),
        ],
    )
    def test_the_first_kind_of_fault_is_the_answer(self, board, entries, code):
        assert answered(board.resolve(board.card(unmapped()), *entries, order="x")) == (422, code)

    def test_every_place_of_that_kind_is_named(self, board):
        refused = board.resolve(board.card(unmapped()), pointing("/x"), MAPPED, override("y", 1), {"value": 1})
        assert [place.split("/")[2] for place in places(refused)] == ["0", "2", "3"]

    @pytest.mark.parametrize(
        "body",
        [
            {"field_overrides": {}},
            {"field_overrides": ["x"]},
            {"field_overrides": [{"value": 1, "extra": 2}]},
            {"reason": 7},
            {"reason": "x" * 2001},
            {"overrides": []},
            [],
            "x",
        ],
    )
    def test_a_body_of_another_shape_is_400_and_leaves_a_line(self, board, body):
        card = board.card(unmapped())
        with only_lines(LINE):
            assert answered(board.send(card, RESOLVE, body)) == (400, "FIELD_INVALID")


@pytest.mark.django_db
class TestAttempts:
    """R-41, also under an Idempotency-Key."""

    REFUSALS = [
        ([pointing("/x")], 422),
        ([MAPPED, MAPPED], 422),
        ([override(ROOM_TYPE, "NOPE")], 422),
        ([], 422),
        ([{"extra": 1}], 400),
    ]

    @pytest.mark.parametrize("key", [{}, {"Idempotency_Key": "k-1"}])
    @pytest.mark.parametrize(("entries", "status"), REFUSALS)
    def test_r41_a_refusal_leaves_one_line_with_its_code_and_its_author(self, board, reviewer, entries, status, key):
        card = board.card(unmapped())
        with only_lines(LINE):
            refused = board.resolve(card, *entries, **key)
        line = AuditEvent.objects.get(action=LINE)
        assert refused.status_code == status
        assert (line.actor_id, line.door, line.object_id) == (reviewer.pk, "api", card)
        assert line.after["error_code"] == refused.json()["error_code"]

    @pytest.mark.parametrize("key", [{}, {"Idempotency_Key": "k-1"}])
    def test_r41_a_key_that_clashes_is_an_attempt(self, board, hotel, key):
        factories.order(hotel, confirmation_number="C-1")
        card = board.card(unkeyed())
        with only_lines(LINE):
            assert board.resolve(card, override(CONFIRMATION, "C-1"), **key).status_code == 422

    @pytest.mark.parametrize("key", [{}, {"Idempotency_Key": "k-1"}])
    def test_r41_so_are_a_stale_version_and_a_card_of_somebody_else(self, board, hotel, client_of, key):
        card, other = board.card(unmapped()), client_of(factories.user("reviewer", hotel))
        with only_lines(LINE):
            assert board.resolve(card, MAPPED, If_Match='"9.x"', **key).status_code == 412
        board.send(card, "claim", by=other)
        with only_lines(LINE):
            assert board.resolve(card, MAPPED, **key).status_code == 409

    def test_r41_the_stored_refusal_is_given_back_without_a_second_line(self, board):
        card = board.card(unmapped())
        first = board.resolve(card, Idempotency_Key="k-1")
        with only_lines():
            again = board.resolve(card, Idempotency_Key="k-1")
        assert (again.content, again["Idempotency-Replayed"]) == (first.content, "true")

    def test_a_decision_under_a_key_is_made_once_and_answered_twice(self, board):
        card = board.card(unmapped())
        first = board.resolve(card, MAPPED, Idempotency_Key="k-1")
        again = board.resolve(card, MAPPED, Idempotency_Key="k-1")
        assert (again.status_code, again.content, again["ETag"]) == (200, first.content, first["ETag"])
        assert (actions(card), OperaOperation.objects.count()) == (["MANUAL_REVIEW_RESOLVE"], 2)

    def test_r41_what_is_no_json_is_no_attempt(self, board):
        card = board.card(unmapped())
        with only_lines():
            assert answered(board.send(card, RESOLVE, b"{")) == (400, "JSON_INVALID")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "action", "line"), [(fit, "confirm", "TASK_CONFIRM"), (unmapped, RESOLVE, "MANUAL_REVIEW_RESOLVE")]
)
def test_r46_of_several_people_at_once_one_decides(committed_db, hotel, agent, reviewer, client_of, sent, action, line):
    CatalogEntry.objects.create(
        hotel=hotel,
        catalog="active_pms_room_type_catalog",
        code="DLX",
        label_en="x",
        label_zh="x",
        position=1,
        active=True,
    )
    board = Board(hotel, agent, client_of(reviewer))
    clients = [client_of(factories.user("reviewer", hotel)) for _ in range(4)]
    for _ in range(20):
        card = board.card(sent())
        body = resolution(board.get(card)["order_id"], MAPPED) if action == RESOLVE else {}
        last = AuditEvent.objects.order_by("-id").values_list("id", flat=True).first()
        answers = at_once([partial(send, client, f"{TASKS}/{card}/{action}", body) for client in clients])
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        assert Counter(lines_since(last)) == {line: 1, "OPERATION_CREATE": 2, f"{line}_REFUSED": 3}
        assert OperaOperation.objects.filter(task_id=card).count() == 2
    assert (Task.objects.count(), Order.objects.count()) == (20, 20)
