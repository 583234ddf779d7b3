"""Thousands of machine-made packages through the HTTP door: every answer is a documented one, no rule is got round.

Each mutant is a valid package after one to four changes, of its values or of its bytes. Its rows are looked at with
checks of their own, read through the API, and rolled back.
"""

import hashlib
import sys
from contextlib import contextmanager
from json import dumps
from random import Random

import pytest
from django.db import transaction

from config import jsontext
from reservations.data import catalog
from reservations.models import AiTransition, Order, Submission, Task
from tests import factories
from tests.reservations.domain.builders import FILES, MESSAGE_ID, every_event, package
from tests.reservations.domain.mutants import mutate, seeds
from tests.reservations.services.desk import written

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PATH = "/api/reservation/superagent/task-results"
ROUNDS = 130  # of each seed, and there are sixteen
READ_EVERY, REPEAT_EVERY = 6, 5
REFUSALS = {
    (400, "missing_source_message_id"),
    (400, "JSON_INVALID"),
    (400, "PAYLOAD_LIMIT_EXCEEDED"),
    (400, "ADAPTER_CONTRACT_ERROR"),
    (404, "SOURCE_MESSAGE_NOT_FOUND"),
    (413, "PAYLOAD_TOO_LARGE"),
}
FORBIDDEN = {"fix_charge_items", "fix_charge_code", "preflight", "lock_handle", "manual_rate_code"}
NINE = {
    *("review_type", "reason_code", "reason_summary", "missing_fields", "uncertain_fields", "evidence"),
    *("context_used", "suggested_actions", "confidence"),
}
SPLICES = (
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"null",
    b"NaN",
    b"1e309",
    b"-",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\\ud800",
)


def small_seeds():
    """Every kind of package, with few events each, so that a change meets something that matters."""
    events = every_event()
    return [*(package(*events[start : start + 4]) for start in range(0, len(events), 4)), *seeds()[1:]]


SEEDS = small_seeds()


def text_of(value, levels=60):
    """JSON text of a mutant: also of numbers and letters that a reader must refuse. What is very deep is cut off."""
    if levels == 0:
        return "0"
    if isinstance(value, dict):
        return "{" + ",".join([f"{dumps(key)}:{text_of(entry, levels - 1)}" for key, entry in value.items()]) + "}"
    if isinstance(value, list):
        return "[" + ",".join([text_of(entry, levels - 1) for entry in value]) + "]"
    return dumps(value) if isinstance(value, str | bool | None) else str(value)


def splice(raw, random):
    """Cut, repeat or overwrite a few bytes."""
    start = random.randrange(len(raw))
    end = start + random.choice((0, 1, 1, 3, 40))
    return raw[:start] + random.choice((b"", raw[start:end] * 2, random.choice(SPLICES))) + raw[end:]


def bent(seed, random):
    """The bytes of one mutant."""
    raw = text_of(mutate(seed, random)).encode()
    return splice(raw, random) if random.random() < 0.15 else raw


@contextmanager
def rolled_back():
    mark = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(mark)


@pytest.fixture
def world(hotel, agent_client, reviewer_client):
    message = factories.message(hotel, MESSAGE_ID)
    for name in FILES:
        factories.attachment(message, name)
    factories.order(hotel, confirmation_number="8801305")
    factories.order(hotel, booking_code="LT-55012")
    factories.order(hotel, booking_code="lt-55012")
    for client in (agent_client, reviewer_client):
        client.raise_request_exception = False
    return hotel, agent_client, reviewer_client


@pytest.fixture
def deep_stack():
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(30_000)
    yield
    sys.setrecursionlimit(limit)


def post(client, raw):
    return client.generic("POST", PATH, raw, content_type="application/json")


@pytest.mark.parametrize("number", range(len(SEEDS)))
def test_no_mutant_breaks_the_door_or_a_rule(world, deep_stack, number):
    hotel, agent, reader = world
    random, accepted, faulty = Random(number), 0, 0
    for turn in range(ROUNDS):
        raw = bent(SEEDS[number], random)
        before = written()
        with rolled_back():
            response = post(agent, raw)
            if response.status_code != 200:
                check_refusal(response)
                assert written() == before
                continue
            accepted += 1
            faulty += bool(response.json()["adapter_contract_errors"])
            check_rows(hotel, raw)
            if turn % REPEAT_EVERY == 0:
                assert post(agent, raw).json() == {**response.json(), "replayed": True}
            if turn % READ_EVERY == 0:
                check_readable(reader)
    assert accepted > ROUNDS // 8
    assert accepted < ROUNDS or faulty > 0


def check_refusal(response):
    body = response.json()
    assert (response.status_code, body["error_code"]) in REFUSALS
    problem = response["Content-Type"] == "application/problem+json"
    assert problem is (body["error_code"] != "missing_source_message_id")


def check_readable(reader):
    """Whatever was taken can be read through every list and detail."""
    for name in ("tasks", "orders", "submissions", "transitions", "source-messages"):
        rows = reader.get(f"/api/reservation/{name}")
        assert rows.status_code == 200
        for row in rows.json()["results"][:3] if name != "transitions" else []:
            assert reader.get(f"/api/reservation/{name}/{row['id']}").status_code == 200


def check_rows(hotel, raw):
    submission = Submission.objects.get()
    sent = jsontext.read(raw)
    assert submission.payload == raw.decode()
    assert submission.canonical_sha256 == jsontext.digest(sent)
    check_verdicts(sent)
    for task in Task.objects.select_related("order", "transition"):
        assert (task.order.hotel_id, task.order.status) == (hotel.pk, "ACTIVE")
        assert task.ai_payload_json == task.transition.event
        assert task.ai_payload_sha256 == hashlib.sha256(task.ai_payload_json.encode()).hexdigest()
        check_notice(task) if task.task_status == "NOTICE" else check_card(task, sent)
    used = set(Task.objects.values_list("order_id", flat=True))
    assert Order.objects.exclude(order_number__startswith="T0").exclude(id__in=used).count() == 0


def check_verdicts(sent):
    """One verdict for each event; a fault of the package or a notice stands alone."""
    rows = AiTransition.objects.exclude(kind="UNHANDLED_CURRENT_INTENT")
    verdicts = sorted(rows.values_list("array_index", flat=True), key=lambda index: -1 if index is None else index)
    if None in verdicts:
        assert verdicts == [None]
        return
    events = sent.get("message_events") or []
    if sent.get("ai_task_results") is not None:
        events = sent["ai_task_results"]
        verdicts += AiTransition.objects.filter(kind="UNHANDLED_CURRENT_INTENT").values_list("array_index", flat=True)
    assert sorted(verdicts) == list(range(len(events)))


def check_notice(task):
    assert (task.readonly, task.queue_participation, task.order.kind, task.order.hidden) == (
        True,
        False,
        "TECHNICAL",
        True,
    )
    assert task.route_code in ("S10", "S99")
    assert Task.objects.count() == 1


def check_card(task, sent):
    event = jsontext.read(task.ai_payload_json.encode())
    v2 = sent.get("ai_task_results") is not None
    place = sent["ai_task_results" if v2 else "message_events"][task.array_index]
    assert jsontext.canonical(event) == jsontext.canonical(place)
    route = catalog().route(task.route_code)
    assert route.active
    said = (event["task_type" if v2 else "event_type"], event["task_subtype"])
    assert said == (task.ai_task_type, task.ai_task_subtype) == (route.task_type, route.task_subtype)
    assert (event.get("contract_errors") or [], event.get("missing_fields") or []) == ([], [])
    assert forbidden_in(event.get("extracted_fields")) == set()
    review = event.get("manual_review")
    expected = (
        ("PENDING_CONFIRM", None, "normal_task") if review is None else ("PENDING_REVIEW", "PENDING", "manual_review")
    )
    assert (task.task_status, task.review_status, task.ai_result_type) == expected
    assert task.task_status == "PENDING_CONFIRM" or set(review) >= NINE
    assert route.confirmable is (review is None)


def forbidden_in(value):
    """Open content at any depth, each by its name."""
    if isinstance(value, list):
        return set().union(*map(forbidden_in, value))
    if not isinstance(value, dict):
        return set()
    own = {key for key in FORBIDDEN & value.keys() if value[key] is not None}
    manual = {"rate_code_source"} if value.get("rate_code_source") == "manual" else set()
    return own.union(manual, *map(forbidden_in, value.values()))
