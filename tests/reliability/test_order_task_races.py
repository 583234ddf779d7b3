"""Order tasks and many hands at once: packages, people and workers in threads, on either engine (R-26, R-58, R-60)."""

from functools import partial

import pytest

from config.accounts.roles import REVIEWER
from config.audit.models import AuditEvent
from config.audit.services import Door
from config.errors import DomainError
from reservations.domain.attempts import Answer
from reservations.domain.errors import TaskReviewAlreadyResolved, TaskStateInvalid
from reservations.models import (
    CardKind,
    OperaOperation,
    Order,
    OrderTask,
    SourceNotification,
    Task,
    TaskCard,
)
from reservations.services.basicinformation import confirm_basic_information, resolve_basic_information
from reservations.services.confirmation import confirm_task
from reservations.services.execution import execute_task
from reservations.services.notifications import acknowledge_notification
from reservations.services.outcomes import Outcome, settle
from reservations.services.review import resolve_review
from reservations.services.termination import terminate_task
from reservations.services.writes import Writer
from tests import factories
from tests.audit_state import held, told
from tests.decisions import offer_options
from tests.reliability.crowd import at_once
from tests.reservations.domain.builders import review
from tests.reservations.domain.orderpackages import order, order_notice, order_package
from tests.reservations.orderboard import faulty, noted
from tests.reservations.services.desk import raw

pytestmark = [pytest.mark.reliability, pytest.mark.slow]
ROUNDS, DONE = 12, Outcome(Answer.DONE)


@pytest.fixture
def people(desk):
    offer_options(desk.hotel)
    return [Writer(factories.user(REVIEWER, desk.hotel), Door.API, [desk.hotel.pk]) for _ in range(4)]


def package(name, *events, orders):
    return raw(order_package(*events, order_contexts=orders, source_message={"source_message_id": name}))


def opened(desk, name, *events, code):
    factories.message(desk.hotel, name)
    context = order("O1", identifiers={"BOOKING_CODE": code})
    (line,) = desk.ingest(package(name, *events, orders=[context]))["order_tasks"]
    return OrderTask.objects.get(pk=line["order_task_id"])


def basic(row):
    return TaskCard.objects.get(order_task=row, kind=CardKind.BASIC_INFORMATION)


def tried(work):
    """The code of the refusal, or None."""
    try:
        work()
    except DomainError as refusal:
        return refusal.code
    return None


def moves(row):
    lines = AuditEvent.objects.filter(object_type="order_task", object_id=str(row.pk)).order_by("id")
    return [line.after["status"] for line in lines]


def whole(but=()):
    """The audit tells what the tables hold. but: orders that no service made"""
    unheard = {("order", str(each.pk)) for each in but}
    assert told() == {key: state for key, state in held().items() if key not in unheard}
    return True


def test_r26_two_packages_racing_for_a_new_group_end_with_one_order_and_two_order_tasks(desk):
    for number in range(ROUNDS):
        names, contexts = [f"g{number}-{letter}" for letter in "ab"], [order("O1", "GROUP", identifiers=group(number))]
        for name in names:
            factories.message(desk.hotel, name)
        at_once([partial(desk.ingest, package(name, noted(), orders=contexts)) for name in names])
        (found,) = Order.objects.filter(group_key=f"race{number}")
        assert (found.order_tasks.count(), found.tasks.count()) == (2, 2)
    assert (Order.objects.count(), whole()) == (ROUNDS, True)


def group(number):
    return {"GROUP_CODE": f"RACE{number}"}


def test_r26_packages_that_name_the_same_new_groups_in_opposite_order_do_not_block_each_other(desk):
    for number in range(6):
        contexts = [order(f"O{place}", "GROUP", identifiers=group(f"{number}-{place}")) for place in range(20)]
        events = [noted(f"O{place}") for place in range(20)]
        bodies = [
            package(f"x{number}-{turn}", *events, orders=contexts[::-1] if turn % 2 else contexts) for turn in range(4)
        ]
        for turn in range(4):
            factories.message(desk.hotel, f"x{number}-{turn}")
        at_once([partial(desk.ingest, body) for body in bodies])
    assert (Order.objects.count(), OrderTask.objects.count()) == (6 * 20, 6 * 20 * 4)


def test_r51_the_same_package_at_once_makes_one_order_task(desk):
    factories.message(desk.hotel, "same")
    body = package("same", noted(), orders=[order()])
    answers = at_once([partial(desk.ingest, body) for _ in range(4)])
    assert sorted(answer["replayed"] for answer in answers) == [False, True, True, True]
    assert (OrderTask.objects.count(), TaskCard.objects.count()) == (1, 3)


def test_r60_of_people_who_resolve_at_once_one_decides(desk, people):
    made_by_hand = []
    for number in range(ROUNDS):
        there = [factories.order(desk.hotel, booking_code=f"B{number}") for _ in range(2)]
        made_by_hand += there
        row = opened(desk, f"r{number}", noted(), noted(), code=f"B{number}")
        bodies = [{"confirmed_order_id": str(each.pk)} for each in there] + [{"confirmed_order_id": None}]
        works = [
            partial(resolve_basic_information, writer=writer, card_id=basic(row).pk, body=body)
            for writer, body in zip(people, bodies, strict=False)
        ]
        codes = at_once([partial(tried, work) for work in works])
        assert sorted(codes, key=str) == [None, *[TaskReviewAlreadyResolved.code] * 2]
        orders = {OrderTask.objects.get(pk=row.pk).order_id, *row.tasks.values_list("order_id", flat=True)}
        assert (len(orders), basic(row).review_status) == (1, "RESOLVED")
    assert whole(but=made_by_hand)


def test_r59_of_two_people_who_confirm_basic_information_at_once_one_does(desk, people):
    for number in range(ROUNDS):
        row = opened(desk, f"c{number}", noted(), code=f"C{number}")
        works = [partial(confirm_basic_information, writer=writer, card_id=basic(row).pk, body={}) for writer in people]
        codes = at_once([partial(tried, work) for work in works])
        assert sorted(codes, key=str) == [None, *[TaskStateInvalid.code] * 3]
    assert whole()


def test_r58_two_last_cards_that_end_at_once_make_the_order_task_done_once(desk, people):
    for number in range(ROUNDS):
        row = opened(desk, f"t{number}", noted(), noted(), code=f"T{number}")
        tasks = row.tasks.values_list("id", flat=True)
        works = [
            partial(terminate_task, writer=writer, task_id=task, body={"reason": "x"})
            for writer, task in zip(people, tasks, strict=False)
        ]
        at_once(works)
        assert moves(row) == ["PENDING_CONFIRM", "DONE"]
    assert whole()


def test_r58_a_worker_and_a_person_who_end_the_last_cards_at_once_make_it_done_once(desk, people):
    writer = people[0]
    for number in range(ROUNDS):
        row = opened(desk, f"w{number}", noted(), noted(), code=f"W{number}")
        confirm_basic_information(writer=writer, card_id=basic(row).pk, body={})
        done, left = row.tasks.order_by("source_event_index")
        confirm_task(writer=writer, task_id=done.pk, body={})
        execute_task(writer=writer, task_id=done.pk)
        settle(operation=OperaOperation.objects.get(task=done, sequence=1), outcome=DONE, at=factories.NOON)
        last = OperaOperation.objects.get(task=done, sequence=2)
        at_once(
            [
                partial(settle, operation=last, outcome=DONE, at=factories.NOON),
                partial(terminate_task, writer=people[1], task_id=left.pk, body={"reason": "x"}),
            ]
        )
        assert moves(row) == ["PENDING_CONFIRM", "IN_PROGRESS", "DONE"]
    assert whole()


def test_r52_a_correction_while_the_last_card_ends_leaves_an_order_task_that_is_open(desk, people):
    for number in range(ROUNDS):
        name = f"k{number}"
        row = opened(desk, name, noted(), faulty(), code=f"K{number}")
        context = order("O1", identifiers={"BOOKING_CODE": f"K{number}"})
        body = package(name, noted(), noted(), orders=[context])
        task = row.tasks.get().pk
        at_once(
            [
                partial(desk.ingest, body),
                partial(terminate_task, writer=people[0], task_id=task, body={"reason": "x"}),
            ]
        )
        assert (OrderTask.objects.get(pk=row.pk).status, row.tasks.count()) == ("PENDING_CONFIRM", 2)
    assert whole()


def test_r59_a_card_confirmed_beside_basic_information_waits_or_follows(desk, people):
    for number in range(ROUNDS):
        row = opened(desk, f"b{number}", noted(), code=f"BI{number}")
        task = row.tasks.get().pk
        first, second = at_once(
            [
                partial(tried, partial(confirm_basic_information, writer=people[0], card_id=basic(row).pk, body={})),
                partial(tried, partial(confirm_task, writer=people[1], task_id=task, body={})),
            ]
        )
        ready = Task.objects.get(pk=task).task_status == "READY"
        assert (first, second in (None, "V4_BASIC_INFORMATION_NOT_CONFIRMED"), ready) == (None, True, second is None)
        assert OperaOperation.objects.filter(task=task).count() == (2 if ready else 0)
    assert whole()


def test_r11_two_people_acknowledge_at_once_and_one_is_recorded(desk, people):
    for number in range(ROUNDS):
        factories.message(desk.hotel, f"n{number}")
        desk.ingest(raw(order_notice(source_message={"source_message_id": f"n{number}"})))
        row = SourceNotification.objects.order_by("-id").first()
        works = [partial(acknowledge_notification, writer=writer, notification_id=row.pk) for writer in people]
        answers = at_once(works)
        assert len({(answer.acknowledged_by_id, answer.acknowledged_at, answer.version) for answer in answers}) == 1
        lines = AuditEvent.objects.filter(object_id=str(row.pk)).exclude(action="NOTIFICATION_CREATE")
        assert lines.count() == 1


def test_r39_two_business_reviews_that_move_each_other_at_once_end_on_one_order(desk, people):
    """Each of them holds its own card and wants the other one: the database gives one up, and it is done again."""
    asked = noted(manual_review=review("/case_keys/confirmation_number"))
    for number in range(ROUNDS):
        name, known = f"m{number}", factories.order(desk.hotel, confirmation_number=f"K{number}")
        factories.message(desk.hotel, name)
        desk.ingest(package(name, asked, asked, noted(), orders=[order("O1", identifiers={})]))
        row = OrderTask.objects.get(source_message__external_message_id=name)
        confirm_basic_information(writer=people[0], card_id=basic(row).pk, body={})
        override = {"field_path": "case_keys.confirmation_number", "value": f"K{number}"}
        body = {"confirmed_order_id": str(known.pk), "reason": "Asked.", "field_overrides": [override]}
        tasks = row.tasks.order_by("source_event_index").values_list("id", flat=True)[:2]
        works = [
            partial(resolve_review, writer=writer, task_id=task, body=body)
            for writer, task in zip(people, tasks, strict=False)
        ]
        assert at_once([partial(tried, work) for work in works]) == [None, None]
        assert {OrderTask.objects.get(pk=row.pk).order_id, *row.tasks.values_list("order_id", flat=True)} == {known.pk}
        assert OperaOperation.objects.filter(task__order_task=row).count() == 4
