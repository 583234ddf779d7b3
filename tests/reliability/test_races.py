"""R-26, R-50, R-51: packages that arrive at the same moment, through threads and through server processes."""

import json
import random
from collections import Counter
from functools import partial

import pytest

from reservations.domain.errors import SubmissionConflict
from reservations.models import AiTransition, Order, Submission, Task
from tests import packages
from tests.reliability.complete import orders_without_tasks, tally, whole
from tests.reliability.crowd import at_once, crowd

pytestmark = [pytest.mark.reliability, pytest.mark.slow]


def active_groups():
    return Counter(Order.objects.filter(group_key__isnull=False).values_list("group_key", flat=True))


def outcome_of(desk, body):
    try:
        desk.ingest(body)
    except SubmissionConflict as refusal:
        return refusal.code
    return "accepted"


def in_other_order(body):
    document = json.loads(body)
    events = document["message_events"][::-1]
    for index, event in enumerate(events, start=1):
        event["source_event_index"] = index
    return json.dumps(document | {"message_events": events}).encode()


def test_r26_two_packages_racing_for_a_new_group_code_end_with_one_order_and_two_tasks(desk):
    for number in range(40):
        group, mails = f"race{number}", [f"race{number}-a", f"race{number}-b"]
        for name in mails:
            packages.mail(desk.hotel, name)
        bodies = [packages.package(group, events=1, message=name) for name in mails]
        answers = at_once([partial(desk.ingest, body) for body in bodies])
        (order,) = Order.objects.filter(group_key=f"{group}-0")
        assert [line["order_id"] for answer in answers for line in answer["tasks"]] == [str(order.id)] * 2
    assert (Order.objects.count(), Task.objects.count()) == (40, 80)


def test_r26_packages_that_name_the_same_new_groups_in_opposite_order_do_not_block_each_other(desk):
    for number in range(15):
        mails = [f"cross{number}-{letter}" for letter in "abcd"]
        for name in mails:
            packages.mail(desk.hotel, name)
        bodies = [packages.package(f"cross{number}", events=20, message=name) for name in mails]
        turned = [in_other_order(body) if place % 2 else body for place, body in enumerate(bodies)]
        at_once([partial(desk.ingest, body) for body in turned])
    assert set(active_groups().values()) == {1}
    assert tally() == {whole(20): 60}


def test_r26_server_processes_racing_for_a_new_group_code_end_with_one_order(desk, agents):
    names = [f"round{number}-{letter}" for number in range(25) for letter in "abcd"]
    for name in names:
        packages.mail(desk.hotel, name)
    bodies = [packages.package(name.partition("-")[0], events=1, message=name) for name in names]
    answers = crowd(agents.post, bodies, size=8)
    assert Counter(answer.status for answer in answers) == {200: 100}
    assert active_groups() == {f"round{number}-0": 1 for number in range(25)}
    assert tally() == {whole(1): 100}


def test_r51_a_package_delivered_ten_times_at_once_is_taken_once(desk, agents):
    bodies = {name: packages.package(name, events=2) for name in (f"again{number}" for number in range(200))}
    for name in bodies:
        packages.mail(desk.hotel, name)
    deliveries = [name for name in bodies for _ in range(10)]
    random.Random(51).shuffle(deliveries)
    answers = crowd(lambda name: (name, agents.post(bodies[name])), deliveries, size=16)
    assert {answer.status for _, answer in answers} == {200}
    first = Counter((name, answer.json["replayed"]) for name, answer in answers)
    assert first == {(name, replayed): 9 if replayed else 1 for name in bodies for replayed in (True, False)}
    same = {(name, answer.body.replace(b'"replayed":true', b'"replayed":false')) for name, answer in answers}
    assert len(same) == 200
    assert tally() == {whole(2): 200}


def test_r50_one_package_delivered_by_sixteen_threads_at_once_is_taken_once(desk):
    for number in range(15):
        packages.mail(desk.hotel, f"storm{number}")
        body = packages.package(f"storm{number}")
        answers = at_once([partial(desk.ingest, body)] * 16)
        assert Counter(answer["replayed"] for answer in answers) == {True: 15, False: 1}
    assert tally() == {whole(5): 15}
    assert orders_without_tasks() == 0


def test_r52_two_different_packages_of_one_mail_at_once_leave_one_accepted(desk):
    for number in range(20):
        packages.mail(desk.hotel, f"rival{number}")
        bodies = [packages.package(f"{side}{number}", message=f"rival{number}") for side in ("left", "right")]
        outcomes = at_once([partial(outcome_of, desk, body) for body in bodies])
        assert sorted(outcomes) == ["SUBMISSION_CONFLICT", "accepted"]
    assert Counter(Submission.objects.values_list("outcome", flat=True)) == {"ACCEPTED": 20, "CONFLICT": 20}
    assert (AiTransition.objects.count(), Task.objects.count()) == (100, 100)
