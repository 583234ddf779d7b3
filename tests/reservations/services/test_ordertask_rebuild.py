"""Order tasks, cards and notifications can be rebuilt from the audit, whatever was done to them, refusals included."""

import random

import pytest

from config import jsontext
from config.audit.services import Change, Door
from config.errors import DomainError
from reservations.models import (
    CardKind,
    Order,
    OrderTask,
    SimulatedOutcome,
    SimulatorScript,
    SourceNotification,
    TaskCard,
)
from reservations.services import audited
from tests import background, factories
from tests.audit_state import held, told
from tests.reservations.board import RESOLVE, TASKS, override, resolution, send
from tests.reservations.domain.orderpackages import order, order_notice
from tests.reservations.orderboard import ORDER_TASKS, booked, faulty, noted, unmapped

pytestmark = pytest.mark.django_db
# Not in the states: identity, what came with the package, and when.
NEVER_CHANGED = {
    OrderTask: {"id", "hotel", "order_context", "received_at", "created_at"},
    TaskCard: {"id", "hotel", "source_event_index", "task", "created_at"},
    SourceNotification: {
        *("id", "hotel", "transition", "route_display_code", "agent_assessment", "notification", "manual_review"),
        *("received_at", "created_at"),
    },
}
STATES = {
    OrderTask: audited.order_task_state,
    TaskCard: audited.card_state,
    SourceNotification: audited.notification_state,
}
EVENTS = [noted(), booked(), unmapped(), faulty(), noted("O2"), booked("O2")]
CONTEXTS = [
    order("O1", identifiers={"BOOKING_CODE": "TWICE"}),
    order("O1", identifiers={}),
    order("O1", identifiers={"CONFIRMATION_NUMBER": "C-1"}),
]
VALUES = ["TWICE", "C-1", "C-2", "Guest", None, 3]
PATHS = ["booking_code", "confirmation_number", "display_name", "account_code", "nothing"]


@pytest.mark.parametrize("model", STATES)
def test_every_column_is_in_the_state_or_never_changes(model, hotel, reviewer):
    """A value in every column that may be null, so that none is left out of the state."""
    package = factories.v4_package(hotel)
    row = factories.notification(package)
    if model is not SourceNotification:
        row = factories.order_task(factories.order(hotel), package)
        row = factories.task_card(row) if model is TaskCard else row
    for field in model._meta.concrete_fields:
        if getattr(row, field.attname) is None:
            setattr(row, field.attname, factories.NOON if "Date" in type(field).__name__ else 7)
    shown = {name.removesuffix("_id") for name in STATES[model](row)}
    assert shown == {field.name for field in model._meta.concrete_fields} - NEVER_CHANGED[model]


class Somebody:
    """Does something to some order task, sensible or not."""

    def __init__(self, orders, seed):
        self.orders, self.random, self.sent = orders, random.Random(seed), {}
        for _ in range(4):
            self.arrive()

    def act(self):
        getattr(
            self, self.random.choice(["basic"] * 6 + ["business"] * 6 + ["arrive", "correct", "work", "script", "see"])
        )()

    def arrive(self):
        name, contexts = self.orders.mail(), [self.random.choice(CONTEXTS), order("O2", "GROUP")]
        events = [self.random.choice(EVENTS) for _ in range(self.random.randrange(1, 4))]
        self.sent[name] = (events, contexts)
        self.orders.package(*events, name=name, orders=contexts)
        if self.random.random() < 0.3:
            self.orders.notification("S99")

    def correct(self):
        name = self.random.choice(sorted(self.sent))
        events, contexts = self.sent[name]
        mended = [noted() if event == faulty() else event for event in events]
        try:
            self.orders.package(*mended, self.random.choice(EVENTS), name=name, orders=contexts)
        except DomainError:
            return
        self.sent[name] = ([*mended, noted()], contexts)

    def see(self):
        notice = order_notice(source_message={"source_message_id": self.orders.mail()})
        self.orders.desk.post(notice)
        for key in SourceNotification.objects.values_list("id", flat=True)[:2]:
            send(self.orders.client, f"/api/reservation/source-notifications/{key}/acknowledge", {})

    def basic(self):
        row = self.random.choice(OrderTask.objects.order_by("id"))
        card = TaskCard.objects.get(order_task=row, kind=CardKind.BASIC_INFORMATION)
        action = self.random.choice(["draft", "confirm", "confirm", RESOLVE, RESOLVE])
        values = {f"order_context.{path}": self.random.choice(VALUES) for path in self.some(PATHS)}
        body = {"field_values": values}
        if action == RESOLVE:
            named = [line["order_id"] for line in self.orders.shown(row)["order_candidates"]]
            chosen = self.random.choice([None, *named, str(row.order_id)])
            body = resolution(chosen, *(override(path, value) for path, value in values.items()))
        self.write(f"{ORDER_TASKS}/{row.pk}/cards/{card.pk}/{action}", body)

    def business(self):
        card = self.random.choice(TaskCard.objects.filter(kind=CardKind.BUSINESS).select_related("task").order_by("id"))
        action = self.random.choice(
            ["confirm", "confirm", "execute", "execute", "terminate", "claim", "draft", RESOLVE, "retry"]
        )
        body = {"reason": "x"} if action == "terminate" else {}
        if action == RESOLVE:
            code = override("extracted_fields.room_items.0.pms_room_type_code", "DLX")
            body = resolution(str(card.task.order_id), code)
        self.write(f"{TASKS}/{card.task_id}/{action}", {"field_values": {}} if action == "draft" else body)

    def write(self, path, body):
        assert send(self.orders.client, path, body).status_code < 500

    def some(self, choices):
        return self.random.sample(choices, self.random.choice([0, 0, 0, 1, 2]))

    def work(self):
        background.work(patiently=self.random.random() < 0.7)

    def script(self):
        SimulatorScript.objects.create(
            operation_id="", remaining=1, outcome=self.random.choice(SimulatedOutcome.values)
        )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_desk_can_be_rebuilt_from_the_audit(orders, hotel, seed):
    for number in ("C-8", "C-9"):
        orders.package(noted(), orders=[order("O1", identifiers={"CONFIRMATION_NUMBER": number})])
    for row in OrderTask.objects.all():
        twin(row)
    somebody = Somebody(orders, seed)
    for _ in range(150):
        somebody.act()
    background.work()
    assert written(told()) == written(held())
    assert {"IN_PROGRESS", "DONE"} <= set(OrderTask.objects.values_list("status", flat=True))


def twin(row):
    """Its order is a second individual booking with the code TWICE, and the audit says so."""
    before = audited.order_state(row.order)
    Order.objects.filter(pk=row.order_id).update(booking_code="TWICE", booking_key="twice")
    row.order.refresh_from_db()
    change = Change("ORDER_KEYS_GIVEN", audited.ORDER, str(row.order_id), before, audited.order_state(row.order))
    audited.record_one(hotel_id=row.hotel_id, actor_id=None, door=Door.SYSTEM, change=change, at=factories.NOON)


def written(state):
    return {key: jsontext.write(value) for key, value in state.items()}
