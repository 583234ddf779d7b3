"""Promise: however many decide on a card at the same moment, one decision is taken, whole and once."""

import json
import random
from collections import Counter
from functools import partial

import pytest
from django.db import connection

from config.accounts.roles import AGENT, REVIEWER
from config.audit.models import AuditEvent
from reservations.models import Order, Task
from tests import packages
from tests.decisions import CLAIM, CONFIRM, RESOLVE, confirmation, offer_options, path, resolution, review_package
from tests.reliability import complete
from tests.reliability.decided import DECIDED, UNDECIDED, decisions, tally
from tests.reliability.people import Call, gathered, hire
from tests.servers import INGEST_PATH, serving

pytestmark = [
    pytest.mark.reliability,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]

CROWD, ROUNDS = 100, 200
MESSAGES, DELIVERIES, CONCURRENCY = 1000, 10, 16
NOTE, GROUP = "extracted_fields.special_requests", "case_keys.group_code"


@pytest.fixture(scope="module")
def served(django_db_setup):
    """Two worker processes with eight threads each."""
    with serving(workers=2, WEB_THREADS="8") as served:
        yield served


@pytest.fixture
def crowd(desk, served):
    """A hundred people in front of the server."""
    offer_options(desk.hotel)
    with gathered(served, hire(desk.hotel, REVIEWER, CROWD)) as people:
        yield people


def new_card(desk, name, package):
    packages.mail(desk.hotel, name)
    (line,) = desk.ingest(package)["tasks"]
    return Task.objects.get(pk=line["task_id"])


def confirmable(desk, name):
    return new_card(desk, name, packages.package(name, events=1))


def reviewable(desk, name):
    return new_card(desk, name, review_package(name))


def write(card, action, body):
    return Call(path(card.pk, action), json.dumps(body).encode())


def confirm(card, person):
    return write(card, CONFIRM, confirmation({NOTE: f"by {person.user.username}"}))


def resolve(card, person):
    return write(card, RESOLVE, resolution(card.order_id, {GROUP: group_code(card, person.user)}))


def claim(card, person):
    return write(card, CLAIM, {})


def group_code(card, user):
    return f"{card.pk.hex[-8:]}-{user.username}"


def winner(people, answers):
    """Who got 200; everybody else was told that the card is taken."""
    assert Counter(answer.status for answer in answers) == {200: 1, 409: CROWD - 1}
    (place,) = (place for place, answer in enumerate(answers) if answer.status == 200)
    return people.everybody[place].user


def codes(answers):
    return {answer.json["error_code"] for answer in answers if answer.status == 409}


def confirm_at_once(desk, people, name):
    card = confirmable(desk, name)
    (answers,) = people.at_once(partial(confirm, card))
    user = winner(people, answers)
    card.refresh_from_db()
    payload = card.confirmed_payload_json["effective_payload"]["extracted_fields"]
    assert (card.task_status, card.decided_by, card.version) == ("READY", user, 2)
    assert payload["special_requests"] == f"by {user.username}"
    assert codes(answers) == {"TASK_STATE_INVALID"}
    return card, DECIDED


def resolve_at_once(desk, people, name):
    card = reviewable(desk, name)
    (answers,) = people.at_once(partial(resolve, card))
    assert_resolved(card, winner(people, answers))
    assert codes(answers) == {"TASK_REVIEW_ALREADY_RESOLVED"}
    return card, DECIDED


def assert_resolved(card, user):
    """Card, review and order all say what this one person said."""
    card.refresh_from_db()
    order = Order.objects.get(pk=card.order_id)
    assert (card.task_status, card.decided_by) == ("READY", user)
    assert card.review_resolution["resolved_by"] == user.username
    assert (order.kind, order.group_code) == ("GROUP", group_code(card, user))
    assert AuditEvent.objects.filter(object_id=str(order.pk), action="ORDER_KEYS_GIVEN").count() == 1


def claim_at_once(desk, people, name):
    card = confirmable(desk, name)
    (answers,) = people.at_once(partial(claim, card))
    user = winner(people, answers)
    card.refresh_from_db()
    assert (card.task_status, card.claimed_by, card.version) == ("PENDING_CONFIRM", user, 2)
    assert codes(answers) == {"TASK_CLAIMED"}
    assert AuditEvent.objects.filter(object_id=str(card.pk), action="TASK_CLAIM").count() == 1
    return card, UNDECIDED


def claim_and_resolve_at_once(desk, people, name):
    card = reviewable(desk, name)
    claims, resolutions = people.at_once(partial(claim, card), partial(resolve, card))
    user = winner(people, claims)
    assert winner(people, resolutions) == user
    assert_resolved(card, user)
    return card, DECIDED


WAYS = (confirm_at_once, resolve_at_once, claim_at_once) * 3 + (claim_and_resolve_at_once,)


def compete(desk, people, rounds):
    """So many rounds, each at a card of its own, one way after the other; every card ends as its way says."""
    ends = [WAYS[number % len(WAYS)](desk, people, f"card{number}") for number in range(rounds)]
    assert decisions() == {str(card.pk): end for card, end in ends}


def test_r44_a_hundred_people_at_one_card_leave_one_winner(desk, crowd):
    compete(desk, crowd, len(WAYS))


@pytest.mark.slow
def test_r44_a_hundred_people_at_one_card_leave_one_winner_in_two_hundred_rounds(desk, crowd):
    compete(desk, crowd, ROUNDS)


def test_r28_a_hundred_reviews_that_give_the_same_new_key_at_once_leave_it_with_one_order(desk, crowd):
    cards = {person.user: reviewable(desk, f"rival{place}") for place, person in enumerate(crowd.everybody)}
    (answers,) = crowd.at_once(
        lambda person: write(cards[person.user], RESOLVE, resolution(cards[person.user].order_id, {GROUP: "SAME"}))
    )
    assert Counter(answer.status for answer in answers) == {200: 1, 422: CROWD - 1}
    assert {answer.json["error_code"] for answer in answers if answer.status == 422} == {"TASK_REVIEW_ORDER_INVALID"}
    assert Counter(Order.objects.values_list("kind", flat=True)) == {"GROUP": 1, "TEMPORARY": CROWD - 1}
    assert tally() == {DECIDED: 1, UNDECIDED: CROWD - 1}


def settled(people, calls):
    """The last answer to each call: while the first delivery under a key is worked on, the others are sent again."""
    answers = dict(enumerate(people.share(calls)))
    while again := [place for place, answer in answers.items() if answer.status == 409]:
        assert {answers[place].json["error_code"] for place in again} == {"IDEMPOTENCY_IN_FLIGHT"}
        answers |= zip(again, people.share([calls[place] for place in again]), strict=True)
    return list(answers.values())


@pytest.mark.slow
def test_r51_a_thousand_messages_delivered_ten_times_and_decided_twice_have_effect_once(desk, served):
    """Every second one under an Idempotency-Key."""
    offer_options(desk.hotel)
    names = [f"again{number}" for number in range(MESSAGES)]
    keyed = set(names[::2])
    for name in names:
        packages.mail(desk.hotel, name)
    calls = {
        name: Call(INGEST_PATH, packages.package(name, events=1), {"Idempotency-Key": name} if name in keyed else {})
        for name in names
    }
    deliveries = names * DELIVERIES
    random.Random(51).shuffle(deliveries)
    with gathered(served, hire(desk.hotel, AGENT, 1) * CONCURRENCY) as agents:
        answers = settled(agents, [calls[name] for name in deliveries])
    assert {answer.status for answer in answers} == {200}
    assert complete.tally() == {complete.whole(1): MESSAGES}
    assert_the_same(deliveries, answers, keyed)
    tasks = {answer.json["tasks"][0]["task_id"] for answer in answers}
    decide_twice(desk, served, sorted(tasks))
    assert decisions() == dict.fromkeys(tasks, DECIDED)


def assert_the_same(names, answers, keyed):
    """Byte for byte under a key; without one, save `replayed`."""
    bodies = {name: set() for name in names}
    for name, answer in zip(names, answers, strict=True):
        body = answer.body if name in keyed else answer.body.replace(b'"replayed":true', b'"replayed":false')
        bodies[name].add(body)
    assert {len(different) for different in bodies.values()} == {1}


def decide_twice(desk, served, task_ids):
    """Confirm every card twice at once: half of them by two people, half of them by one whose call came twice."""
    calls = [
        Call(path(task_id, CONFIRM), b"{}", {"Idempotency-Key": task_id} if place % 2 else {})
        for place, task_id in enumerate(task_ids)
        for _ in range(2)
    ]
    with gathered(served, hire(desk.hotel, REVIEWER, 1) * CONCURRENCY) as people:
        answers = people.share(calls)
    statuses = Counter((call.headers != {}, answer.status) for call, answer in zip(calls, answers, strict=True))
    half = len(task_ids) // 2
    assert statuses[False, 200] == statuses[False, 409] == half
    assert statuses[True, 200] + statuses[True, 409] == 2 * half  # the second may find the first still at work
    assert statuses[True, 200] >= half
