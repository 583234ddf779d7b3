"""Writes on a card over HTTP: who may, in which order things are looked at, versions and tags (R-14, R-44 to R-46)."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from config.api.conditional import etag
from reservations.models import Task
from tests import factories
from tests.reservations.board import (
    MAPPED,
    RESOLVE,
    TASKS,
    actions,
    answered,
    fit,
    note,
    only_lines,
    resolution,
    send,
    unmapped,
)

pytestmark = pytest.mark.django_db
ON_ONE = ("draft", "confirm", RESOLVE, "claim", "release", "take-over", "terminate", "execute", "retry")
DECISIONS = {"confirm": "TASK_CONFIRM_REFUSED", RESOLVE: "MANUAL_REVIEW_RESOLVE_REFUSED"}
BODIES = {"draft": {"field_values": {}}, RESOLVE: {"confirmed_order_id": "1"}, "terminate": {"reason": "Not needed"}}
BAD = {"surprise": 1}
RETIRED = {
    "ai_task_type": "Cancel Booking",
    "ai_task_subtype": "linked_parent_release_after_child_split",
    "readonly": True,
    "queue_participation": False,
}


@pytest.fixture
def people(hotel, reviewer_client, client_of):
    """One client for every way to write: take-over is a lead's."""
    boss = client_of(factories.user("lead", hotel))
    return {action: boss if action == "take-over" else reviewer_client for action in ON_ONE}


def write(board, people, task_id, action, body=None, **headers):
    return board.send(task_id, action, BODIES.get(action, {}) if body is None else body, by=people[action], **headers)


def refused_lines(action):
    return [DECISIONS[action]] if action in DECISIONS else []


def held(task_id, person, minutes=15):
    ends = timezone.now() + timedelta(minutes=minutes)
    Task.objects.filter(pk=task_id).update(claimed_by=person, claim_expires_at=ends)


# Notices and history


@pytest.mark.parametrize("code", ["S10", "S99", "S000", "S999"])
@pytest.mark.parametrize("action", ON_ONE)
def test_r14_no_write_on_a_notice_but_acknowledging(board, people, action, code):
    notice = board.notice(code)
    with only_lines(*refused_lines(action)):
        assert answered(write(board, people, notice, action)) == (409, "TASK_READONLY")


@pytest.mark.parametrize("action", ON_ONE)
@pytest.mark.parametrize("status", ["PENDING_CONFIRM", "READY", "TERMINATED"])
def test_r14_retired_history_is_only_read(board, people, hotel, action, status):
    task = factories.card(hotel, task_status=status, **RETIRED)
    assert answered(write(board, people, str(task.pk), action)) == (409, "TASK_READONLY")


@pytest.mark.parametrize("action", ON_ONE)
def test_r14_a_notice_is_refused_before_the_body_is_looked_at(board, people, action):
    assert answered(write(board, people, board.notice(), action, BAD)) == (409, "TASK_READONLY")


def test_r14_two_people_acknowledge_a_notice_and_the_first_is_recorded(board, hotel, client_of, reviewer):
    notice, second = board.notice(), client_of(factories.user("reviewer", hotel))
    first = board.send(notice, "acknowledge")
    again = board.send(notice, "acknowledge", by=second)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()
    assert (first.json()["acknowledged_by"], first.json()["task_status"]) == (reviewer.username, "NOTICE")
    assert first.json()["acknowledged_at"].endswith("Z")
    assert actions(notice) == ["TASK_ACKNOWLEDGE"]


def test_r14_the_reason_of_an_acknowledgement_is_kept(board):
    notice = board.notice()
    board.send(notice, "acknowledge", {"reason": "No answer needed."})
    assert board.get(notice)["history"][-1]["reason"] == "No answer needed."


def test_r14_acknowledging_again_changes_nothing(board):
    notice = board.notice()
    tag = board.send(notice, "acknowledge")["ETag"]
    with only_lines():
        assert board.send(notice, "acknowledge", If_Match=tag)["ETag"] == tag


def test_r14_a_business_card_is_not_acknowledged(board):
    card = board.card(fit())
    with only_lines():
        assert answered(board.send(card, "acknowledge")) == (409, "TASK_STATE_INVALID")


def test_r14_a_notice_acknowledged_on_a_stale_version_is_412(board):
    notice = board.notice()
    with only_lines():
        assert answered(board.send(notice, "acknowledge", If_Match='"9.x"')) == (412, "PRECONDITION_FAILED")


# Who may


@pytest.mark.parametrize("role", ["agent", "gateway", "auditor", "developer"])
@pytest.mark.parametrize("action", [*ON_ONE, "acknowledge"])
def test_r67_r77_who_does_not_decide_writes_nothing(board, hotel, client_of, role, action):
    card, client = board.card(fit()), client_of(factories.user(role, hotel))
    with only_lines():
        assert answered(board.send(card, action, BODIES.get(action, {}), by=client)) == (403, "PERMISSION_DENIED")


@pytest.mark.parametrize("role", ["agent", "gateway", "auditor", "developer"])
def test_r42_who_does_not_decide_writes_nothing_in_bulk(board, hotel, client_of, role):
    body, client = {"action": "claim", "task_ids": [board.card(fit())]}, client_of(factories.user(role, hotel))
    with only_lines():
        assert answered(send(client, f"{TASKS}/bulk", body)) == (403, "PERMISSION_DENIED")


def test_r44_a_reviewer_takes_nothing_over(board):
    card = board.card(fit())
    with only_lines():
        assert answered(board.send(card, "take-over")) == (403, "PERMISSION_DENIED")


@pytest.mark.parametrize("action", [*ON_ONE, "acknowledge"])
def test_r04_a_card_of_another_hotel_does_not_exist(board, other_hotel, people, action):
    theirs = str(factories.card(other_hotel).pk)
    client = people.get(action, board.client)
    with only_lines():
        assert answered(board.send(theirs, action, BODIES.get(action, {}), by=client)) == (404, "TASK_NOT_FOUND")


@pytest.mark.parametrize("action", [*ON_ONE, "acknowledge"])
@pytest.mark.parametrize("body", [{}, BAD])
def test_an_unknown_card_is_404_whatever_the_body_says(board, people, action, body):
    client = people.get(action, board.client)
    with only_lines():
        assert answered(board.send(str(uuid.uuid4()), action, body, by=client)) == (404, "TASK_NOT_FOUND")


@pytest.mark.parametrize("action", [*ON_ONE, "acknowledge"])
def test_an_anonymous_caller_gets_401(board, action):
    assert answered(board.send(board.card(fit()), action, by=APIClient())) == (401, "NOT_AUTHENTICATED")


# The order of checks: permission, claim, If-Match, state, content


@pytest.mark.parametrize("action", ON_ONE)
def test_r45_permission_comes_before_everything(board, hotel, reviewer, client_of, action):
    card = board.card(fit())
    held(card, reviewer)
    auditor = client_of(factories.user("auditor", hotel))
    assert answered(board.send(card, action, BAD, by=auditor, If_Match='"9.x"')) == (403, "PERMISSION_DENIED")


@pytest.mark.parametrize("action", [action for action in ON_ONE if action != "take-over"])
def test_r45_the_claim_comes_before_if_match_state_and_content(board, hotel, people, action):
    card = board.card(fit())
    board.send(card, "terminate", {"reason": "x"})
    Task.objects.filter(pk=card).update(readonly=True)
    held(card, factories.user("reviewer", hotel))
    with only_lines(*refused_lines(action)):
        assert answered(write(board, people, card, action, BAD, If_Match='"9.x"')) == (409, "TASK_CLAIMED")


@pytest.mark.parametrize("action", ON_ONE)
def test_r45_if_match_comes_before_state_and_content(board, people, action):
    card = board.card(fit())
    board.send(card, "terminate", {"reason": "x"})
    with only_lines(*refused_lines(action)):
        assert answered(write(board, people, card, action, BAD, If_Match='"1.x"')) == (412, "PRECONDITION_FAILED")


@pytest.mark.parametrize("action", [action for action in ON_ONE if action != "release"])
def test_r45_the_state_comes_before_the_content(board, people, action):
    card = board.card(fit())
    board.send(card, "terminate", {"reason": "x"})
    with only_lines(*refused_lines(action)):
        code = {RESOLVE: "TASK_REVIEW_NOT_REQUIRED"}.get(action, "TASK_STATE_INVALID")
        assert answered(write(board, people, card, action, BAD)) == (409, code)


@pytest.mark.parametrize(
    ("action", "sent", "status"),
    [
        *((action, fit(), "PENDING_CONFIRM") for action in ("draft", "confirm", "claim", "take-over", "terminate")),
        (RESOLVE, unmapped(), "PENDING_REVIEW"),
        ("execute", fit(), "READY"),
        ("retry", fit(), "FAILED"),
    ],
)
def test_r45_the_content_comes_last(board, people, action, sent, status):
    card = board.card(sent)
    if status in ("READY", "FAILED"):
        board.confirm(card)
        Task.objects.filter(pk=card).update(task_status=status)
    with only_lines(*refused_lines(action)):
        assert answered(write(board, people, card, action, BAD)) == (400, "FIELD_INVALID")


# Versions and tags


@pytest.mark.parametrize("header", ['"1.zz"', '"1"', 'W/"1.a"', '"7.x", "1.x"', "*"])
def test_r45_if_match_that_names_the_version_passes(board, header):
    assert answered(board.send(board.card(fit()), "claim", If_Match=header)) == 200


@pytest.mark.parametrize("header", ['"2.x"', '"0.x"', "1", '""', "x", '"1.x', '"11.x"', '"1x"'])
def test_r45_if_match_that_does_not_is_412_and_does_nothing(board, header):
    card = board.card(fit())
    with only_lines():
        assert answered(board.send(card, "claim", If_Match=header)) == (412, "PRECONDITION_FAILED")


def test_r45_the_tag_of_the_detail_lets_one_write_through(board):
    card = board.card(fit())
    tag = board.client.get(f"{TASKS}/{card}")["ETag"]
    assert answered(board.draft(card, {}, If_Match=tag)) == 200
    assert answered(board.draft(card, {}, If_Match=tag)) == (412, "PRECONDITION_FAILED")


def test_r45_every_write_raises_the_version_by_one_and_answers_its_tag(board, people):
    card = board.card(fit())
    steps = ["claim", "draft", "claim", "release", "take-over", "release", "claim", "confirm", "terminate"]
    for version, action in enumerate(steps, start=2):
        client = people["take-over" if version in (6, 7) else "claim"]
        response = board.send(card, action, BODIES.get(action, {}), by=client)
        assert (response.status_code, response.json()["version"]) == (200, version), action
        assert response["ETag"] == etag(version, response.content)
        assert board.get(card)["version"] == version


def test_r45_a_detail_is_304_until_it_is_written(board):
    card = board.card(fit())
    path = f"{TASKS}/{card}"
    tag = board.client.get(path)["ETag"]
    unchanged = board.client.get(path, headers={"If-None-Match": tag})
    assert (unchanged.status_code, unchanged.content, unchanged["ETag"]) == (304, b"", tag)
    for action in ("claim", "draft", "release", "confirm", "terminate"):
        assert board.send(card, action, BODIES.get(action, {})).status_code == 200
        changed = board.client.get(path, headers={"If-None-Match": tag})
        assert (changed.status_code, changed["ETag"] == tag) == (200, False)
        tag = changed["ETag"]


def test_r45_the_tag_of_a_write_is_no_304_for_the_detail_that_shows_more(board):
    card = board.card(fit())
    tag = board.send(card, "claim")["ETag"]
    assert board.client.get(f"{TASKS}/{card}", headers={"If-None-Match": tag}).status_code == 200


def test_r45_a_sibling_changes_the_digest_and_not_the_version(board):
    first, second = board.cards(note(group_code="G1"), note(group_code="G1"))
    before = board.client.get(f"{TASKS}/{second}")
    board.send(first, "terminate", {"reason": "x"})
    after = board.client.get(f"{TASKS}/{second}", headers={"If-None-Match": before["ETag"]})
    assert (after.status_code, after["ETag"].partition(".")[0]) == (200, '"1')
    assert (before.json()["blocked"], after.json()["blocked"]) == (True, False)


def test_r46_the_second_confirmation_is_409(board):
    card = board.card(fit())
    assert answered(board.confirm(card)) == 200
    with only_lines("TASK_CONFIRM_REFUSED"):
        assert answered(board.confirm(card)) == (409, "TASK_STATE_INVALID")


# Statements: two of them say who is calling, two open and close the transaction.


def test_the_statements_of_every_write_and_of_the_detail_are_few(board, django_assert_num_queries):
    card, reviewed, noted = board.card(fit()), board.card(unmapped()), board.card(note())
    order = board.get(reviewed)["order_id"]
    for statements, call in [
        (7, lambda: board.send(card, "claim")),
        (8, lambda: board.draft(card, {"extracted_fields.adults": 3})),
        (10, lambda: board.confirm(card)),
        (10, lambda: board.send(reviewed, RESOLVE, resolution(order, MAPPED))),
        (13, lambda: board.confirm(noted, {"case_keys.confirmation_number": "C-9"})),
        (7, lambda: board.send(card, "terminate", {"reason": "x"})),
        (8, lambda: board.client.get(f"{TASKS}/{card}")),
    ]:
        with django_assert_num_queries(statements):
            assert call().status_code == 200
