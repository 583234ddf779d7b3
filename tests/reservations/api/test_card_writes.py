"""Writes on the cards of an order task over HTTP: who may, which card, in which order things are looked at (R-59 to R-62)."""

import uuid

import pytest
from rest_framework.test import APIClient

from config.api.conditional import etag
from config.audit.models import AuditEvent
from reservations.models import CardKind, OperaOperation, OrderTask, Task, TaskCard
from tests import factories
from tests.reservations.board import (
    MAPPED,
    RESOLVE,
    TASKS,
    answered,
    fit,
    lines_since,
    note,
    places,
    resolution,
    rows,
    send,
)
from tests.reservations.domain.orderpackages import order
from tests.reservations.orderboard import BASIC, CARD_WRITES, ORDER_TASKS, booked, noted, status_of, unmapped

pytestmark = pytest.mark.django_db
BODIES = {"draft": {"field_values": {}}, "confirm": {}, RESOLVE: {"confirmed_order_id": None}}
BAD = {"surprise": 1}
ALIKE = {"task_status", "review_status", "review_resolution", "confirmed_payload", "opera_operations"}
EARLY = (409, "V4_BASIC_INFORMATION_NOT_CONFIRMED")
LOCKED = {
    "draft": (409, "TASK_STATE_INVALID"),
    "confirm": (409, "TASK_STATE_INVALID"),
    RESOLVE: (409, "TASK_REVIEW_NOT_REQUIRED"),
}


def kept():
    """Everything a write on a card of an order task may touch."""
    own = {model.__name__: {row["id"]: row for row in model.objects.values()} for model in (OrderTask, TaskCard)}
    return {**rows(), **own}


# Who may, and which card


@pytest.mark.parametrize("role", ["agent", "gateway", "auditor", "developer"])
@pytest.mark.parametrize("action", CARD_WRITES)
def test_r67_r77_who_does_not_decide_writes_nothing(orders, hotel, client_of, role, action):
    row, client, before = orders.opened(noted()), client_of(factories.user(role, hotel)), kept()
    assert answered(orders.write(row, action, BAD, by=client, If_Match='"9.x"')) == (403, "PERMISSION_DENIED")
    assert kept() == before


@pytest.mark.parametrize("action", CARD_WRITES)
def test_an_anonymous_caller_gets_401(orders, action):
    assert answered(orders.write(orders.opened(noted()), action, by=APIClient())) == (401, "NOT_AUTHENTICATED")


@pytest.mark.parametrize("action", CARD_WRITES)
@pytest.mark.parametrize("card", [BASIC, "EVENT_1", "SOURCE_MESSAGE"])
def test_r04_a_card_of_another_hotel_does_not_exist(orders, other_hotel, client_of, action, card):
    row, stranger = orders.opened(noted()), client_of(factories.user("reviewer", other_hotel))
    assert orders.write(row, action, BAD, card=card, by=stranger).status_code == 404


@pytest.mark.parametrize("action", CARD_WRITES)
@pytest.mark.parametrize("card", [BASIC, "EVENT_1", "SOURCE_MESSAGE"])
def test_a_card_is_not_found_under_another_order_task(orders, action, card):
    row, other = orders.opened(noted()), orders.opened(noted(), orders=[order("O1", identifiers={})])
    path = f"{ORDER_TASKS}/{other.pk}/cards/{orders.key(row, card)}/{action}"
    assert send(orders.client, path, BODIES[action]).status_code == 404
    assert send(orders.client, path.replace(str(other.pk), str(uuid.uuid4())), BODIES[action]).status_code == 404


@pytest.mark.parametrize("action", CARD_WRITES)
def test_a_task_is_no_card(orders, action):
    row = orders.opened(noted())
    path = f"{ORDER_TASKS}/{row.pk}/cards/{orders.task(row)}/{action}"
    assert send(orders.client, path, BODIES[action]).status_code == 404


@pytest.mark.parametrize("action", CARD_WRITES)
@pytest.mark.parametrize("body", [{}, BAD])
def test_the_card_of_the_mail_is_only_read(orders, action, body):
    row, before = orders.opened(noted()), kept()
    assert answered(orders.write(row, action, body, card="SOURCE_MESSAGE")) == (409, "TASK_READONLY")
    assert kept() == before


@pytest.mark.parametrize("action", ["confirm", RESOLVE])
def test_other_methods_get_405(orders, action):
    row = orders.opened(noted())
    path = f"{ORDER_TASKS}/{row.pk}/cards/{orders.key(row)}/{action}"
    assert [getattr(orders.client, method)(path).status_code for method in ("get", "put", "delete")] == [405] * 3


# The answer: contracts.md section 7, "Confirm and the V4 cards answer alike"


def test_confirmed_basic_information_answers_as_a_confirmed_task_does(orders):
    row = orders.opened(noted())
    task = orders.opened(noted("O2"), orders=[order("O2")])
    orders.settle(task)
    basic, business = orders.settle(row).json(), orders.write(task, "confirm", card="EVENT_1").json()
    assert basic.keys() == business.keys()
    assert basic.keys() >= ALIKE
    assert basic.keys() >= orders.confirm(orders.card(fit())).json().keys()


def test_confirmed_basic_information_says_so_and_names_no_call(orders):
    row = orders.opened(noted())
    answer = orders.settle(row).json()
    shown = {name: answer[name] for name in (*sorted(ALIKE - {"confirmed_payload"}), "status", "task_id", "order_id")}
    assert shown == {
        "task_status": "CONFIRMED",
        "status": "CONFIRMED",
        "review_status": None,
        "review_resolution": None,
        "opera_operations": [],
        "task_id": None,
        "order_id": str(row.order_id),
    }
    assert sorted(answer["confirmed_payload"]) == ["effective_payload", "field_values", "legacy_field_values"]
    assert OperaOperation.objects.count() == 0


def test_a_confirmed_business_card_answers_its_task_and_two_calls(orders):
    row = orders.opened(noted())
    orders.settle(row)
    answer = orders.write(row, "confirm", card="EVENT_1").json()
    assert (answer["task_id"], answer["card_key"], answer["task_status"]) == (orders.task(row), "EVENT_1", "READY")
    assert [line["sequence"] for line in answer["opera_operations"]] == [1, 2]
    path = f"{TASKS}/{orders.task(row)}/opera-operations"
    listed = [line["id"] for line in orders.client.get(path).json()["results"]]
    assert listed == [line["id"] for line in answer["opera_operations"]]


def test_r62_a_business_review_is_resolved_through_the_card_as_through_the_task(orders):
    row = orders.opened(unmapped())
    orders.settle(row)
    answer = orders.write(row, RESOLVE, resolution(str(row.order_id), MAPPED), card="EVENT_1").json()
    assert (answer["task_status"], answer["review_status"], len(answer["opera_operations"])) == ("READY", "RESOLVED", 2)
    assert answer["review_resolution"]["field_overrides"][0]["value"] == "DLX"
    assert answer["review_resolution"]["resolved_at"].endswith("Z")


@pytest.mark.parametrize("card", [BASIC, "EVENT_1"])
def test_a_draft_of_either_kind_answers_the_same_keys(orders, card):
    answer = orders.write(orders.opened(noted()), "draft", {"field_values": {}}, card=card).json()
    assert answer.keys() >= ALIKE
    assert (answer["status"], answer["confirmed_payload"], answer["opera_operations"]) == ("PENDING_CONFIRM", None, [])


# Versions, tags and the order of checks


@pytest.mark.parametrize("action", CARD_WRITES)
@pytest.mark.parametrize("card", [BASIC, "SOURCE_MESSAGE", "EVENT_1"])
def test_r45_if_match_comes_before_state_and_content(orders, action, card):
    row = orders.opened(noted())
    orders.settle(row)
    orders.write(row, "confirm", card="EVENT_1")
    before = kept()
    assert answered(orders.write(row, action, BAD, card=card, If_Match='"9.x"')) == (412, "PRECONDITION_FAILED")
    assert kept() == before


@pytest.mark.parametrize("action", CARD_WRITES)
def test_r45_r61_the_state_comes_before_the_content(orders, action):
    row = orders.opened(noted())
    orders.settle(row)
    assert answered(orders.write(row, action, BAD)) == LOCKED[action]


@pytest.mark.parametrize("action", ["draft", "confirm"])
def test_r45_the_content_comes_last(orders, action):
    row = orders.opened(noted())
    assert answered(orders.write(row, action, BAD)) == (400, "FIELD_INVALID")
    assert answered(orders.write(row, RESOLVE, BAD)) == (409, "TASK_REVIEW_NOT_REQUIRED")


def test_r45_the_tag_of_the_card_lets_one_write_through(orders):
    row = orders.opened(noted())
    version = orders.shown(row)["version"]
    first = orders.write(row, "draft", {"field_values": {}}, If_Match=f'"{version}.x"')
    assert (first.status_code, first.json()["version"], first["ETag"]) == (200, 2, etag(2, first.content))
    stale = orders.write(row, "confirm", {}, If_Match=f'"{version}.x"')
    assert answered(stale) == (412, "PRECONDITION_FAILED")
    assert answered(orders.settle(row, If_Match=first["ETag"])) == 200
    assert orders.shown(row)["version"] == 3


def test_r45_if_match_on_a_business_card_is_the_version_of_its_task(orders):
    row = orders.opened(noted())
    orders.settle(row)
    orders.send(orders.task(row), "claim")
    assert answered(orders.write(row, "confirm", card="EVENT_1", If_Match='"1.x"')) == (412, "PRECONDITION_FAILED")
    confirmed = orders.write(row, "confirm", card="EVENT_1", If_Match='"2.x"')
    assert (confirmed.json()["version"], confirmed["ETag"].partition(".")[0]) == (3, '"3')


@pytest.mark.parametrize("action", CARD_WRITES)
def test_r44_a_claimed_business_card_is_refused_through_the_card_too(orders, hotel, client_of, action):
    row = orders.opened(noted())
    orders.send(orders.task(row), "claim", by=client_of(factories.user("reviewer", hotel)))
    refused = orders.write(row, action, BAD, card="EVENT_1", If_Match='"9.x"')
    assert answered(refused) == (409, "TASK_CLAIMED")


@pytest.mark.parametrize("card", [BASIC, "EVENT_1"])
def test_an_idempotency_key_gives_back_the_first_answer(orders, card):
    row = orders.opened(noted())
    if card != BASIC:
        orders.settle(row)
    first = orders.write(row, "confirm", card=card, Idempotency_Key="k-1")
    before = kept()
    again = orders.write(row, "confirm", card=card, Idempotency_Key="k-1")
    assert (again.status_code, again.content, again["Idempotency-Replayed"]) == (200, first.content, "true")
    assert kept() == before
    other = orders.write(row, "confirm", {"reason": "x"}, card=card, Idempotency_Key="k-1")
    assert answered(other) == (422, "IDEMPOTENCY_KEY_REUSED")


# Basic Information first, through any door


@pytest.mark.parametrize("action", ["confirm", RESOLVE])
@pytest.mark.parametrize("through", ["task", "card"])
def test_r59_nothing_is_decided_before_basic_information(orders, action, through):
    row = orders.opened(noted() if action == "confirm" else unmapped())
    body = {} if action == "confirm" else resolution(str(row.order_id), MAPPED)
    before = kept()
    refused = (
        orders.send(orders.task(row), action, body)
        if through == "task"
        else orders.write(row, action, body, card="EVENT_1")
    )
    assert answered(refused) == EARLY
    assert kept() == before


@pytest.mark.parametrize(
    ("sent", "action", "code"),
    [
        (noted(), RESOLVE, "TASK_REVIEW_NOT_REQUIRED"),
        (unmapped(), "confirm", "TASK_REVIEW_RESOLUTION_REQUIRED"),
    ],
)
def test_r59_what_the_state_refuses_comes_before_it(orders, sent, action, code):
    row = orders.opened(sent)
    assert answered(orders.send(orders.task(row), action, BODIES[action])) == (409, code)


def test_r59_it_comes_before_the_content(orders):
    row = orders.opened(noted())
    assert answered(orders.write(row, "confirm", BAD, card="EVENT_1")) == EARLY


def test_r59_a_card_added_later_waits_for_the_same_basic_information(orders):
    from_one, name = noted(), orders.mail()
    orders.package(from_one, noted() | {"event_type": "NONE"}, name=name)
    orders.package(from_one, noted(), name=name)
    row = OrderTask.objects.get()
    assert answered(orders.write(row, "confirm", card="EVENT_2")) == EARLY
    orders.settle(row)
    assert answered(orders.write(row, "confirm", card="EVENT_2")) == 200


def test_r59_basic_information_of_one_order_task_opens_no_other(orders):
    orders.package(noted("A"), noted("B"), orders=[order("A"), order("B")])
    first, second = OrderTask.objects.order_by("order_context_index")
    orders.settle(first)
    assert answered(orders.write(first, "confirm", card="EVENT_1")) == 200
    assert answered(orders.write(second, "confirm", card="EVENT_2")) == EARLY


def test_r59_reading_drafts_claims_and_terminating_work_before_it(orders):
    row = orders.opened(noted(), booked())
    task = orders.task(row)
    assert orders.get(task)["task_status"] == "PENDING_CONFIRM"
    draft = {"field_values": {"extracted_fields.note_text": "Later"}}
    for response in (
        orders.write(row, "draft", draft, card="EVENT_1"),
        orders.send(task, "draft", draft),
        orders.send(task, "claim"),
        orders.send(task, "release"),
        orders.send(task, "terminate", {"reason": "Twice."}),
    ):
        assert response.status_code == 200
    assert answered(orders.send(task, "execute")) == (409, "TASK_STATE_INVALID")


def test_r59_the_other_cards_are_confirmed_in_any_order_and_not_all(orders):
    row = orders.opened(noted(), noted(), noted())
    orders.settle(row)
    assert answered(orders.write(row, "confirm", card="EVENT_3")) == 200
    assert answered(orders.send(orders.task(row, 1), "confirm")) == 200
    assert (orders.get(orders.task(row, 2))["task_status"], status_of(row)) == ("PENDING_CONFIRM", "IN_PROGRESS")


@pytest.mark.parametrize("name", ["account_code", "market_code", "source_code"])
@pytest.mark.parametrize("value", ["NOT-THERE", 7, "leisure"])
def test_r59_account_market_and_source_come_from_the_catalogue(orders, name, value):
    refused = orders.settle(orders.opened(noted()), {f"order_context.{name}": value})
    assert answered(refused) == (422, "TASK_FIELD_VALUE_INVALID")
    assert places(refused) == [f"/field_values/order_context.{name}"]


@pytest.mark.parametrize("name", ["account_code", "market_code", "source_code", "display_name"])
@pytest.mark.parametrize("value", [None, "", " "])
def test_r37_basic_information_without_a_required_value_is_incomplete(orders, name, value):
    refused = orders.settle(orders.opened(noted()), {f"order_context.{name}": value})
    assert answered(refused) == (422, "TASK_FIELDS_INCOMPLETE")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"order_context.order_type": "GROUP"}, "TASK_FIELD_PATH_INVALID"),
        ({"order_context.group_code": "G"}, "TASK_FIELD_PATH_INVALID"),
        ({"order_context.identifiers": {}}, "TASK_FIELD_PATH_INVALID"),
        ({"extracted_fields.note_text": "x"}, "TASK_FIELD_PATH_INVALID"),
        ({"order_context.arrival_date": "2026-08-09", "order_context.departure_date": "2026-08-08"}, "TASK_FIELD_VALUE_INVALID"),
        ({"order_context.arrival_date": "tomorrow"}, "TASK_FIELD_VALUE_INVALID"),
        ({"order_context.display_name": 5}, "TASK_FIELD_VALUE_INVALID"),
    ],
)  # fmt: skip
def test_what_basic_information_does_not_take_is_refused_and_changes_nothing(orders, body, code):
    row, before = orders.opened(noted()), kept()
    assert answered(orders.settle(row, body)) == (422, code)
    assert kept() == before


#


def test_r61_a_confirmed_card_stays_as_it_is(orders):
    row = orders.opened(noted())
    orders.write(row, "draft", {"field_values": {"order_context.display_name": "Guest B"}})
    orders.settle(row)
    before, values = kept(), {"field_values": {"order_context.display_name": "Guest C"}}
    for action in CARD_WRITES:
        assert answered(orders.write(row, action, values)) == LOCKED[action]
    assert kept() == before
    shown = orders.shown(row)
    assert (shown["draft"], shown["effective_payload"]["order_context"]["display_name"]) == (None, "Guest B")
    assert {field["edit_scope"] for field in shown["fields"]} == {"readonly"}


@pytest.mark.parametrize("card", [BASIC, "EVENT_1"])
def test_r41_a_refused_decision_leaves_the_line_of_the_attempt(orders, card):
    row = orders.opened(noted())
    last = audit_end()
    orders.write(row, "confirm", BAD, card=card)
    orders.write(row, "draft", BAD, card=card)
    assert lines_since(last) == ["TASK_CONFIRM_REFUSED"]


def audit_end():
    return AuditEvent.objects.order_by("-id").values_list("id", flat=True)[0]


#


def test_r11_two_people_acknowledge_and_the_first_is_recorded(orders, hotel, reviewer, client_of):
    path = f"/api/reservation/source-notifications/{orders.notification('S99')}/acknowledge"
    first, again = send(orders.client, path, {}), send(client_of(factories.user("lead", hotel)), path, {})
    assert (first.status_code, again.status_code, again.json()) == (200, 200, first.json())
    assert first.json()["acknowledged_by"] == reviewer.username


def test_r14_a_notification_has_no_other_writes(orders):
    path = f"/api/reservation/source-notifications/{orders.notification()}"
    for action in ("claim", "confirm", RESOLVE, "draft", "execute", "retry", "terminate", "release", "take-over"):
        assert send(orders.client, f"{path}/{action}", {}).status_code in (404, 405), action


def test_r11_a_notification_is_no_order_and_no_task(orders):
    orders.notification()
    lists = [
        orders.client.get(f"/api/reservation/{name}").json()["results"] for name in ("orders", "tasks", "order-tasks")
    ]
    assert lists == [[], [], []]
    (row,) = orders.client.get("/api/reservation/workbench-items").json()["results"]
    assert (row["kind"], row["order"]) == ("source_notification", None)


def test_r63_business_tasks_are_inside_their_order_task(orders):
    row = orders.opened(noted(), booked())
    orders.card(note())
    listed = orders.client.get("/api/reservation/workbench-items").json()["results"]
    assert sorted(line["kind"] for line in listed) == ["order_task", "task"]
    assert [line["id"] for line in listed if line["kind"] == "order_task"] == [str(row.pk)]
    assert Task.objects.count() == 3
    assert TaskCard.objects.filter(kind=CardKind.BUSINESS).count() == 2
