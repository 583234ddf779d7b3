"""R-42: the same write on several cards, each for itself, through the API."""

import uuid

import pytest

from config.audit.models import AuditEvent
from reservations.models import Task
from tests import factories
from tests.reservations.board import TASKS, actions, answered, fit, lines_since, only_lines, send, unmapped

pytestmark = pytest.mark.django_db


def bulk(board, action, ids, *, by=None, **more):
    body = {"action": action, "task_ids": ids, **({"reason": "Not needed"} if action == "terminate" else {}), **more}
    return send(by or board.client, f"{TASKS}/bulk", body)


def outcomes(response):
    return [(line["done"], line["error_code"]) for line in response.json()["outcomes"]]


@pytest.mark.parametrize(("action", "line"), [("claim", "TASK_CLAIM"), ("terminate", "TASK_TERMINATE")])
def test_r42_every_card_is_done_with_a_line_of_its_own(board, action, line):
    cards = [board.card(fit()) for _ in range(3)]
    last = AuditEvent.objects.order_by("-id").values_list("id", flat=True).first()
    response = bulk(board, action, cards)
    assert [one["task_id"] for one in response.json()["outcomes"]] == cards
    assert {(one["done"], one["version"]) for one in response.json()["outcomes"]} == {(True, 2)}
    assert lines_since(last) == [line] * 3


def test_r42_releasing_writes_lines_for_what_was_held(board):
    held, free = board.card(fit()), board.card(fit())
    board.send(held, "claim")
    assert outcomes(bulk(board, "release", [held, free])) == [(True, None)] * 2
    assert (actions(held), actions(free)) == (["TASK_CLAIM", "TASK_RELEASE"], [])


def test_r42_each_stands_or_falls_by_itself(board, hotel, other_hotel, client_of):
    theirs, done, notice = factories.card(other_hotel), factories.card(hotel, task_status="DONE"), board.notice()
    taken, first, last = board.card(unmapped()), board.card(fit()), board.card(fit())
    board.send(taken, "claim", by=client_of(factories.user("reviewer", hotel)))
    ids = [first, str(theirs.pk), str(done.pk), notice, taken, str(uuid.uuid4()), "no-id", last]
    assert outcomes(bulk(board, "terminate", ids)) == [
        (True, None),
        (False, "TASK_NOT_FOUND"),
        (False, "TASK_STATE_INVALID"),
        (False, "TASK_READONLY"),
        (False, "TASK_CLAIMED"),
        (False, "TASK_NOT_FOUND"),
        (False, "TASK_NOT_FOUND"),
        (True, None),
    ]
    assert Task.objects.filter(task_status="TERMINATED").count() == 2


def test_r42_an_id_sent_twice_is_done_once_and_answered_twice(board):
    card = board.card(fit())
    spellings = [card, card, card.upper(), card.replace("-", ""), f"{{{card}}}"]
    response = bulk(board, "claim", spellings)
    assert [one["task_id"] for one in response.json()["outcomes"]] == spellings
    assert {(one["done"], one["version"]) for one in response.json()["outcomes"]} == {(True, 2)}
    assert actions(card) == ["TASK_CLAIM"]


@pytest.mark.parametrize("odd", ["", " ", "x" * 5000, "٠" * 32, "\u202e", "0x" + "0" * 30, "urn:uuid:", "null"])
def test_r42_what_is_no_id_is_no_card(board, odd):
    with only_lines():
        assert outcomes(bulk(board, "claim", [odd])) == [(False, "TASK_NOT_FOUND")]


def test_r42_two_hundred_are_taken_and_no_more(board):
    ids = [str(uuid.uuid4()) for _ in range(201)]
    assert len(bulk(board, "claim", ids[:200]).json()["outcomes"]) == 200
    with only_lines():
        assert answered(bulk(board, "claim", ids)) == (400, "FIELD_INVALID")


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"action": "confirm", "task_ids": ["x"]},
        {"action": ["claim"], "task_ids": ["x"]},
        {"action": {}, "task_ids": ["x"]},
        {"action": None, "task_ids": ["x"]},
        {"action": "claim"},
        {"action": "claim", "task_ids": []},
        {"action": "claim", "task_ids": "x"},
        {"action": "claim", "task_ids": [7]},
        {"action": "claim", "task_ids": [None]},
        {"action": "claim", "task_ids": ["x"], "force": True},
        {"action": "terminate", "task_ids": ["x"]},
        {"action": "terminate", "task_ids": ["x"], "reason": "  "},
        {"action": "claim", "task_ids": ["x"], "reason": 7},
        {"action": "take-over", "task_ids": ["x"]},
        {"action": "acknowledge", "task_ids": ["x"]},
    ],
)
def test_r42_a_body_of_another_shape_is_400_and_does_nothing(board, body):
    with only_lines():
        assert answered(send(board.client, f"{TASKS}/bulk", body)) == (400, "FIELD_INVALID")


def test_r42_under_a_key_it_is_done_once_and_answered_twice(board):
    card = board.card(fit())
    body = {"action": "claim", "task_ids": [card, "x"]}
    first, again = (send(board.client, f"{TASKS}/bulk", body, Idempotency_Key="k-1") for _ in range(2))
    assert (again.content, actions(card)) == (first.content, ["TASK_CLAIM"])


def test_r42_the_statements_of_a_card_do_not_depend_on_how_many_there_are(board, django_assert_num_queries):
    for count in (1, 4):
        cards = [board.card(fit()) for _ in range(count)]
        with django_assert_num_queries(2 + 5 * count):
            bulk(board, "claim", cards)
