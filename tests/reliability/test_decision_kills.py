"""Promise: whatever is killed meanwhile, a decision is whole, its two calls take effect once, and the audit tells it all."""

import http.client
import json
import time
from collections import Counter
from functools import partial

import pytest
from django.db import connection
from django.utils import timezone

from config.accounts.roles import REVIEWER
from config.audit.selectors import verify
from config.audit.services import seal
from config.delivery.services import OVERDUE, reap
from reservations.models import OperaOperation, SimulatedCall, SimulatedOutcome, SimulatorScript, Task
from tests import background, packages
from tests.audit_state import held, told
from tests.decisions import CONFIRM, EXECUTE, RESOLVE, confirmation, offer_options, path, resolution
from tests.reliability.crowd import crowd
from tests.reliability.decided import DECIDED, UNDECIDED, decisions
from tests.reliability.dying import Killer
from tests.reliability.people import hire
from tests.servers import serving

pytestmark = [
    pytest.mark.reliability,
    pytest.mark.slow,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]

PACKAGES, EVENTS = 20, 100
PEOPLE, KILLS, LOST_ANSWERS = 4, 4, 40
STAYING_UP = {"GRANIAN_RESPAWN_FAILED_WORKERS": "true"}  # while each worker is killed once at most


@pytest.fixture
def cards(desk):
    """Cards that wait for no other: two to confirm and one to resolve of every five events."""
    offer_options(desk.hotel)
    for number in range(PACKAGES):
        packages.mail(desk.hotel, f"kill{number}")
        desk.ingest(packages.package(f"kill{number}", events=EVENTS))
    return [card for card in Task.objects.order_by("id") if card.array_index % 5 in (0, 1, 4)]


def post(served, token, card, action, body):
    """The status, or None where no answer came."""
    try:
        with served.client(token) as client:
            return client.post(path(card.pk, action), json.dumps(body).encode()).status
    except (OSError, http.client.HTTPException):
        return None


def decide(served, token, card):
    if card.review_status is None:
        return post(served, token, card, CONFIRM, confirmation())
    return post(served, token, card, RESOLVE, resolution(card.order_id))


def decide_and_execute(served, killer, cards, person):
    """Card by card until the killing is over: what was answered to the decision, and to the execution."""
    answers = {}
    for card in cards:
        if killer.over.is_set():
            break
        decided = decide(served, person.token, card)
        executed = post(served, person.token, card, EXECUTE, {}) if decided == 200 else None
        answers[card.pk] = decided, executed
        if executed is None:
            time.sleep(0.1)
    return answers


def work_until_idle():
    """As reaper and workers do when the leases of the dead have ended."""
    due = OperaOperation.objects.filter(next_try_at__isnull=False)
    while due.exists():
        due.update(next_try_at=timezone.now() - 2 * OVERDUE)
        reap(at=timezone.now())
        background.work()


def test_r49_killed_web_and_background_workers_leave_no_decision_half_and_every_effect_once(desk, cards):
    SimulatorScript.objects.create(outcome=SimulatedOutcome.LOST_ANSWER, remaining=LOST_ANSWERS)
    people, waiting = hire(desk.hotel, REVIEWER, PEOPLE), iter(cards)
    with serving(workers=KILLS + 1, **STAYING_UP) as served:
        killer = Killer(served)
        killer.start()
        killer.begun.wait(timeout=60)
        parts = crowd(partial(decide_and_execute, served, killer, waiting), people, size=PEOPLE)
        killer.join()
    answers = {key: answer for part in parts for key, answer in part.items()}
    assert (killer.web, killer.background) == (KILLS, KILLS)
    work_until_idle()
    assert_decided(answers)
    assert_every_effect_once()
    assert_audited(desk)


def assert_decided(answers):
    """What was answered is there; what was not answered is there or not, and whole in both cases."""
    whole, states = decisions(), dict(Task.objects.values_list("pk", "task_status"))
    assert {decided for decided, _ in answers.values()} == {200, None}
    assert {executed for _, executed in answers.values()} == {200, None}
    assert {whole[str(key)] for key, (decided, _) in answers.items() if decided == 200} == {DECIDED}
    assert set(whole.values()) <= {DECIDED, UNDECIDED}
    assert {states[key] for key, (_, executed) in answers.items() if executed == 200} == {"DONE"}
    undecided = {"PENDING_CONFIRM", "PENDING_REVIEW"}
    assert {states[key] for key in states if whole[str(key)] == UNDECIDED} <= undecided
    assert set(states.values()) <= undecided | {"READY", "DONE"}


def assert_every_effect_once():
    """The simulated PMS received the calls of the cards that are done, each once, and no other."""
    done = OperaOperation.objects.filter(task__task_status="DONE")
    received = dict(SimulatedCall.objects.values_list("external_id", "times_received"))
    assert received == dict.fromkeys(done.values_list("external_id", flat=True), 1)
    assert Counter(done.values_list("status", flat=True)) == {"SUCCEEDED": len(received)}
    others = OperaOperation.objects.exclude(task__task_status="DONE").values_list("status", flat=True)
    assert set(others) <= {"PENDING"}


def assert_audited(desk):
    """The chain is whole and sealed to its end; what it tells is what the tables hold."""
    seal()
    report = verify(tenant_id=desk.hotel.pk)
    assert (report.fault, report.unsealed_tail, report.sealed_length > PACKAGES * EVENTS) == (None, 0, True)
    assert told() == held()
