"""R-56 to R-61: order tasks and their cards, from the package to the last card."""

import pytest

from config.audit.models import AuditEvent
from config.audit.services import Door
from reservations.domain.errors import (
    BasicInformationNotConfirmed,
    TaskFieldValueInvalid,
    TaskReadonly,
    TaskReviewAlreadyResolved,
    TaskReviewOrderInvalid,
    TaskReviewResolutionRequired,
    TaskStateInvalid,
)
from reservations.domain.orderkeys import OrderKeys, table_keys
from reservations.models import (
    AiTransition,
    CardKind,
    OperaOperation,
    Order,
    OrderTask,
    SourceNotification,
    Task,
    TaskCard,
)
from reservations.selectors.ordertasks import order_candidates
from reservations.services.basicinformation import (
    confirm_basic_information,
    draft_basic_information,
    resolve_basic_information,
)
from reservations.services.confirmation import confirm_task
from reservations.services.termination import terminate_task
from reservations.services.writes import Writer
from tests import factories
from tests.decisions import offer_options
from tests.reservations.domain.builders import MESSAGE_ID, entry_review
from tests.reservations.domain.orderpackages import order, order_event, order_package
from tests.reservations.services.desk import Desk

NOTE = {"note_type": "GENERAL", "note_text": "Late arrival"}


@pytest.fixture
def desk(hotel, agent):
    offer_options(hotel)
    desk = Desk(hotel, agent)
    desk.mail()
    return desk


@pytest.fixture
def writer(hotel, reviewer):
    return Writer(reviewer, Door.API, [hotel.pk])


def note(order_ref="O1", **changes):
    return order_event(order_ref=order_ref, extracted_fields=NOTE, **changes)


def sent(desk, *events, contexts=None, message_id=MESSAGE_ID, **members):
    source = {"source_message": {"source_message_id": message_id}}
    return desk.post(order_package(*events, order_contexts=contexts or [order()], **source, **members))


def basic(order_ref="O1"):
    return TaskCard.objects.get(order_task__order_ref=order_ref, kind=CardKind.BASIC_INFORMATION)


def status(order_ref="O1"):
    return OrderTask.objects.get(order_ref=order_ref).status


def booked(hotel, times):
    return [factories.order(hotel, booking_code="FIT-O1", display_name=f"Room {number}") for number in range(times)]


def test_r56_a_context_with_a_legal_event_has_its_cards_in_order(desk):
    answer = sent(desk, note(), note())
    cards = TaskCard.objects.order_by("id")
    assert [card.card_key for card in cards] == ["SOURCE_MESSAGE", "BASIC_INFORMATION", "EVENT_1", "EVENT_2"]
    assert [line["order_ref"] for line in answer["order_tasks"]] == ["O1"]
    assert {line["order_task_id"] for line in answer["tasks"]} == {answer["order_tasks"][0]["order_task_id"]}


def test_r56_a_context_without_a_legal_event_has_no_order_task(desk):
    sent(desk, note("O1"), contexts=[order("O1"), order("O2", "GROUP")])
    assert list(OrderTask.objects.values_list("order_ref", flat=True)) == ["O1"]


@pytest.mark.parametrize("order_type", ["FIT", "GROUP"])
def test_r56_the_new_order_is_of_the_type_of_its_context(desk, order_type):
    sent(desk, note(), contexts=[order("O1", order_type)])
    assert Order.objects.get().kind == order_type


def test_r56_group_and_block_code_that_differ_are_a_temporary_order(desk):
    keys = {"GROUP_CODE": "G1", "BLOCK_CODE": "B1"}
    sent(desk, note(), contexts=[order("O1", "GROUP", identifiers=keys)])
    assert (Order.objects.get().kind, Order.objects.get().group_code) == ("TEMPORARY", None)


def test_r57_the_labels_of_the_generation_are_stored(desk):
    sent(desk, note())
    task = Task.objects.get()
    assert (task.catalog_code, task.skill_id, task.field_contract_version) == (
        "M002V4",
        "booking-desk-event-v4",
        "20260718-v4",
    )


def test_r51_the_same_package_gives_the_first_answer(desk):
    first = sent(desk, note())
    assert sent(desk, note()) == {**first, "replayed": True}
    assert (OrderTask.objects.count(), TaskCard.objects.count()) == (1, 3)


def test_r52_a_correction_adds_its_cards_to_the_order_task_there_is(desk):
    first = sent(desk, note(), order_event("NO_TYPE"))
    second = sent(desk, note(), note())
    assert second["order_tasks"] == first["order_tasks"]
    assert [line["source_event_index"] for line in second["tasks"]] == [1, 2]
    assert [card.card_key for card in TaskCard.objects.order_by("id")][-1] == "EVENT_2"


def test_r52_a_correction_opens_an_order_task_that_was_done(desk, writer):
    sent(desk, note(), order_event("NO_TYPE"))
    terminate_task(writer=writer, task_id=Task.objects.get().pk, body={"reason": "Twice."})
    assert status() == "DONE"
    sent(desk, note(), note())
    assert status() == "PENDING_CONFIRM"


def test_r11_a_notice_is_a_notification_without_order_and_task(desk):
    answer = desk.post(
        order_package(order_contexts=[], message_events=[], route_code="S99", manual_review=entry_review())
    )
    notification = SourceNotification.objects.get()
    assert (Order.objects.count(), Task.objects.count()) == (0, 0)
    assert answer["notices"] == [
        {
            "route_code": "S99",
            "route_display_code": "NOTICE.S99",
            "task_id": None,
            "notification_id": str(notification.pk),
        }
    ]


def test_r59_a_business_card_waits_for_the_basic_information(desk, writer):
    sent(desk, note())
    task = Task.objects.get()
    with pytest.raises(BasicInformationNotConfirmed):
        confirm_task(writer=writer, task_id=task.pk, body={})
    confirm_basic_information(writer=writer, card_id=basic().pk, body={})
    assert confirm_task(writer=writer, task_id=task.pk, body={}).task.task_status == "READY"


def test_r59_confirmed_basic_information_makes_no_operation(desk, writer):
    sent(desk, note())
    card = confirm_basic_information(writer=writer, card_id=basic().pk, body={})
    assert (card.card_status, OperaOperation.objects.count(), status()) == ("CONFIRMED", 0, "IN_PROGRESS")


def test_r61_a_confirmed_card_is_locked(desk, writer):
    sent(desk, note())
    key = basic().pk
    confirm_basic_information(writer=writer, card_id=key, body={})
    for write, body in ((confirm_basic_information, {}), (draft_basic_information, {"field_values": {}})):
        with pytest.raises(TaskStateInvalid):
            write(writer=writer, card_id=key, body=body)


def test_the_card_of_the_mail_is_read_only(desk, writer):
    sent(desk, note())
    card = TaskCard.objects.get(kind=CardKind.SOURCE_MESSAGE)
    with pytest.raises(TaskReadonly):
        confirm_basic_information(writer=writer, card_id=card.pk, body={})


def test_r36_a_draft_is_part_of_the_confirmation(desk, writer):
    sent(desk, note())
    values = {"order_context.display_name": "Guest B"}
    draft_basic_information(writer=writer, card_id=basic().pk, body={"field_values": values})
    card = confirm_basic_information(writer=writer, card_id=basic().pk, body={})
    assert card.confirmed_payload_json["field_values"]["order_context.display_name"] == "Guest B"
    assert card.draft_payload_json is None


def test_r60_one_order_with_the_booking_code_is_taken(desk, hotel):
    (there,) = booked(hotel, 1)
    sent(desk, note())
    assert (OrderTask.objects.get().order, status()) == (there, "PENDING_CONFIRM")


class TestSeveralOrders:
    """R-60: the booking code is on two orders."""

    @pytest.fixture
    def orders(self, desk, hotel):
        orders = booked(hotel, 2)
        sent(desk, note(), note())
        return orders

    def test_r60_the_basic_information_opens_in_review_on_a_temporary_order(self, orders):
        card = basic()
        assert (card.card_status, card.review_status, status()) == ("PENDING_REVIEW", "PENDING", "PENDING_REVIEW")
        assert {task.order.kind for task in Task.objects.all()} == {"TEMPORARY"}

    def test_r60_it_cannot_be_confirmed(self, orders, writer):
        with pytest.raises(TaskReviewResolutionRequired):
            confirm_basic_information(writer=writer, card_id=basic().pk, body={})

    def test_r60_the_tasks_follow_to_the_named_order(self, orders, writer):
        body = {"confirmed_order_id": str(orders[1].pk), "reason": "Asked."}
        card = resolve_basic_information(writer=writer, card_id=basic().pk, body=body)
        assert card.review_resolution["confirmed_order_id"] == str(orders[1].pk)
        assert {task.order for task in Task.objects.all()} == {orders[1]}
        assert (OrderTask.objects.get().order, status()) == (orders[1], "IN_PROGRESS")

    def test_r60_null_is_an_order_of_its_own_with_the_code(self, orders, writer):
        resolve_basic_information(writer=writer, card_id=basic().pk, body={"confirmed_order_id": None})
        new = OrderTask.objects.get().order
        assert (new.kind, new.booking_code, new in orders) == ("FIT", "FIT-O1", False)

    @pytest.mark.parametrize("named", ["own", "other", "missing", 7])
    def test_r60_anything_else_is_refused_and_nothing_moves(self, orders, writer, hotel, named):
        stranger = factories.order(hotel, booking_code="ELSE")
        ids = {"own": str(OrderTask.objects.get().order_id), "other": str(stranger.pk)}
        body = {} if named == "missing" else {"confirmed_order_id": ids.get(named, named)}
        with pytest.raises(TaskReviewOrderInvalid):
            resolve_basic_information(writer=writer, card_id=basic().pk, body=body)
        assert (basic().review_status, status()) == ("PENDING", "PENDING_REVIEW")

    def test_r61_it_is_resolved_once(self, orders, writer):
        body = {"confirmed_order_id": str(orders[0].pk)}
        resolve_basic_information(writer=writer, card_id=basic().pk, body=body)
        with pytest.raises(TaskReviewAlreadyResolved):
            resolve_basic_information(writer=writer, card_id=basic().pk, body=body)


def test_r60_a_booking_code_too_long_for_an_index_has_its_candidates(desk, hotel, writer):
    long = "B" * 300
    key = table_keys(OrderKeys(booking_code=long)).booking
    orders = [factories.order(hotel, booking_code=long, booking_key=key) for _ in range(2)]
    sent(desk, note(), contexts=[order(identifiers={"BOOKING_CODE": long})])
    assert list(order_candidates(hotel_id=hotel.pk, booking_code=long)) == orders
    body = {"confirmed_order_id": str(orders[1].pk)}
    assert resolve_basic_information(writer=writer, card_id=basic().pk, body=body).review_status == "RESOLVED"


def test_r28_a_key_that_another_order_has_is_refused(desk, writer, hotel):
    other = factories.order(hotel, order_type="GROUP", group_code="G9")
    sent(desk, note(), contexts=[order("O1", "GROUP", identifiers={})])
    body = {"field_values": {"order_context.group_code": "g9"}}
    with pytest.raises(TaskFieldValueInvalid) as refusal:
        confirm_basic_information(writer=writer, card_id=basic().pk, body=body)
    assert [(fault.pointer, other.order_number in fault.detail) for fault in refusal.value.errors] == [
        ("/field_values/order_context.group_code", True)
    ]


def test_r28_a_key_that_is_given_goes_to_the_temporary_order(desk, writer):
    sent(desk, note(), contexts=[order("O1", "GROUP", identifiers={})])
    body = {"field_values": {"order_context.group_code": "G9"}}
    confirm_basic_information(writer=writer, card_id=basic().pk, body=body)
    found = Order.objects.get()
    assert (found.kind, found.group_code) == ("GROUP", "G9")


def test_r58_an_order_task_is_done_with_its_last_card(desk, writer):
    sent(desk, note(), note())
    first, second = Task.objects.order_by("id")
    terminate_task(writer=writer, task_id=first.pk, body={"reason": "Not needed."})
    assert status() == "PENDING_CONFIRM"
    terminate_task(writer=writer, task_id=second.pk, body={"reason": "Not needed."})
    assert status() == "DONE"


def test_r41_a_refused_decision_leaves_one_line(desk, writer):
    sent(desk, note())
    before = AuditEvent.objects.count()
    confirm_basic_information(writer=writer, card_id=basic().pk, body={})
    with pytest.raises(TaskStateInvalid):
        confirm_basic_information(writer=writer, card_id=basic().pk, body={})
    actions = list(AuditEvent.objects.order_by("id").values_list("action", flat=True))[before:]
    assert actions == ["TASK_CONFIRM", "ORDER_TASK_MOVE", "TASK_CONFIRM_REFUSED"]


def test_every_event_has_one_verdict(desk):
    sent(desk, note(), order_event("NO_TYPE"), note("O9"))
    assert list(AiTransition.objects.order_by("source_event_index").values_list("kind", flat=True)) == [
        "business_event",
        "adapter_contract_error",
        "adapter_contract_error",
    ]
