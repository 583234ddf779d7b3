"""R-28: what the keys of a decided card do to its order, through the API."""

from functools import partial

import pytest

from config.audit.models import AuditEvent
from reservations.models import Order, OrderStatus
from tests import factories
from tests.reliability.crowd import at_once
from tests.reservations.board import (
    GROUP,
    Board,
    answered,
    event,
    fit,
    group,
    keys_of,
    note,
    only_lines,
    override,
    places,
    review,
    send,
    unkeyed,
)
from tests.reservations.services.desk import Desk

CONFIRMATION, GROUP_CODE, BOOKING = "case_keys.confirmation_number", "case_keys.group_code", "case_keys.booking_code"
PARENT = ("Cancel Allotment", "cancel_allotment_control_block")


def allotment(**keys):
    """A parent whose keys disagree: it sits on a TEMPORARY order until a person gives the right one."""
    candidates = [{"group_code": "AL-1", "block_code": None, "source": "email_body", "evidence": "AL-1"}]
    asked = review(
        "/case_keys/group_code",
        reason_code="target_object_unclear",
        context_used={"parent_identity_candidates": candidates},
    )
    fields = {"cancel_scope": "entire_allotment_control_block"}
    return event(*PARENT, case_keys=keys, extracted_fields=fields, manual_review=asked)


def warnings(task):
    return [line["code"] for line in task["warnings"] if line["code"].startswith("ORDER")]


@pytest.mark.django_db
class TestGiven:
    @pytest.mark.parametrize(
        ("sent", "values", "kept"),
        [
            (fit(), {CONFIRMATION: "C-1"}, ("FIT", None, "C-1", None)),
            (fit(), {BOOKING: "B-1"}, ("FIT", None, None, "B-1")),
            (fit(), {CONFIRMATION: "C-1", BOOKING: "B-1"}, ("FIT", None, "C-1", "B-1")),
            (group(), {GROUP_CODE: "G-1"}, ("GROUP", "G-1", None, None)),
            (group(), {BOOKING: "B-1"}, ("GROUP", None, None, "B-1")),
            (group(), {"case_keys.block_code": "G-1"}, ("GROUP", "G-1", None, None)),
            (note(), {GROUP_CODE: "G-1"}, ("GROUP", "G-1", None, None)),
            (note(), {CONFIRMATION: "C-1"}, ("FIT", None, "C-1", None)),
            (note(), {CONFIRMATION: "C-1", GROUP_CODE: "G-1"}, ("GROUP", "G-1", "C-1", None)),
            (note(), {CONFIRMATION: "  C-1 "}, ("FIT", None, "C-1", None)),
        ],
    )
    def test_r28_a_temporary_order_gets_the_keys_and_the_kind_they_ask_for(self, board, sent, values, kept):
        card = board.card(sent)
        order = board.order(card)
        assert keys_of(order) == ("TEMPORARY", None, None, None)
        assert answered(board.confirm(card, values)) == 200
        assert keys_of(order) == kept

    def test_r28_an_allotment_stays_one(self, board):
        card = board.card(allotment(group_code="AL-1", block_code="AL-2"))
        assert answered(board.resolve(card, override(GROUP_CODE, "AL-1"))) == 200
        assert keys_of(board.order(card)) == ("ALLOTMENT", "AL-1", None, None)

    def test_r28_a_key_in_the_draft_counts(self, board):
        card = board.card(note())
        board.draft(card, {CONFIRMATION: "C-1"})
        assert answered(board.confirm(card)) == 200
        assert keys_of(board.order(card)) == ("FIT", None, "C-1", None)

    def test_r28_what_the_agent_sent_counts_as_given(self, board, hotel):
        """A booking code that two orders had when the card came, and one has when it is confirmed."""
        rivals = [factories.order(hotel, booking_code="B-1") for _ in range(2)]
        card = board.card(note(booking_code="B-1"))
        assert keys_of(board.order(card))[0] == "TEMPORARY"
        Order.objects.filter(pk=rivals[0].pk).update(status=OrderStatus.CANCELLED)
        assert answered(board.confirm(card)) == 200
        assert keys_of(board.order(card)) == ("FIT", None, None, "B-1")

    def test_r28_a_booking_code_of_several_orders_is_not_given(self, board, hotel):
        for _ in range(2):
            factories.order(hotel, booking_code="B-1")
        card = board.card(fit())
        assert answered(board.confirm(card, {BOOKING: "b-1", CONFIRMATION: "C-1"})) == 200
        assert keys_of(board.order(card)) == ("FIT", None, "C-1", None)

    def test_r28_with_nothing_else_the_order_stays_temporary(self, board, hotel):
        for _ in range(2):
            factories.order(hotel, booking_code="B-1")
        card = board.card(fit())
        assert answered(board.confirm(card, {BOOKING: "B-1"})) == 200
        assert keys_of(board.order(card)) == ("TEMPORARY", None, None, None)

    def test_r28_the_next_card_with_the_key_finds_the_order(self, board):
        card = board.card(note())
        board.confirm(card, {CONFIRMATION: "C-1"})
        assert board.get(board.card(note(confirmation_number="c-1")))["order_id"] == board.get(card)["order_id"]

    def test_r28_the_change_of_the_order_is_in_the_audit(self, board):
        card = board.card(note())
        board.confirm(card, {CONFIRMATION: "C-1"})
        line = AuditEvent.objects.get(action="ORDER_KEYS_GIVEN")
        assert (line.object_id, line.before["kind"], line.after["kind"]) == (
            str(board.order(card).pk),
            "TEMPORARY",
            "FIT",
        )

    def test_r28_a_second_card_of_the_order_changes_its_keys_no_more(self, board):
        first, second = board.cards(note(), note() | {"applies_to_event_indexes": [1]})
        assert board.get(first)["order_id"] == board.get(second)["order_id"]
        board.confirm(first, {CONFIRMATION: "C-1"})
        answer = board.confirm(second, {CONFIRMATION: "C-2"}).json()
        assert (keys_of(board.order(first)), warnings(answer)) == (("FIT", None, "C-1", None), ["ORDER_KEY_DIFFERS"])


@pytest.mark.django_db
class TestKept:
    @pytest.mark.parametrize("other", ["C-1", "c-1", " C-1 ", "\uff23-1"])
    def test_r28_a_card_that_names_the_same_key_warns_of_nothing(self, board, hotel, other):
        order = factories.order(hotel, confirmation_number="C-1")
        card = board.card(note(confirmation_number="C-1"))
        answer = board.confirm(card, {CONFIRMATION: other}).json()
        assert (answer["task_status"], warnings(answer)) == ("READY", [])
        assert keys_of(order) == ("FIT", None, "C-1", None)

    def test_r28_a_differing_key_is_kept_and_warned_of(self, board, hotel):
        order = factories.order(hotel, confirmation_number="C-1")
        card = board.card(note(confirmation_number="C-1"))
        answer = board.confirm(card, {CONFIRMATION: "C-2"}).json()
        assert (answer["task_status"], warnings(answer)) == ("READY", ["ORDER_KEY_DIFFERS"])
        assert keys_of(order) == ("FIT", None, "C-1", None)
        assert answer["confirmed_payload"]["field_values"][CONFIRMATION] == "C-2"
        assert board.get(card)["warnings"] == answer["warnings"]

    def test_r28_an_order_with_keys_gets_no_further_one(self, board, hotel):
        order = factories.order(hotel, confirmation_number="C-1")
        card = board.card(note(confirmation_number="C-1"))
        assert answered(board.confirm(card, {BOOKING: "B-1"})) == 200
        assert keys_of(order) == ("FIT", None, "C-1", None)

    def test_r28_a_key_of_another_order_clashes_with_nothing_where_the_order_keeps_its_own(self, board, hotel):
        factories.order(hotel, confirmation_number="C-2")
        factories.order(hotel, confirmation_number="C-1")
        card = board.card(note(confirmation_number="C-1"))
        assert answered(board.confirm(card, {CONFIRMATION: "C-2"})) == 200


@pytest.mark.django_db
class TestClash:
    @pytest.mark.parametrize(
        ("path", "column", "theirs", "ours"),
        [
            (CONFIRMATION, "confirmation_number", "C-1", "C-1"),
            (CONFIRMATION, "confirmation_number", "C-1", "c-1"),
            (CONFIRMATION, "confirmation_number", "Straße", "STRASSE"),
            (CONFIRMATION, "confirmation_number", "C-1", "\uff23-\uff11"),
            (CONFIRMATION, "confirmation_number", "C-1", "\u3000C-1 "),
            (GROUP_CODE, "group_code", "G-1", "g-1"),
            (GROUP_CODE, "group_code", "ﬁ-1", "FI-1"),
        ],
    )
    def test_r28_a_confirmation_with_anothers_key_names_that_order_and_changes_nothing(
        self, board, hotel, path, column, theirs, ours
    ):
        other = factories.order(hotel, **{column: theirs})
        card = board.card(note())
        with only_lines("TASK_CONFIRM_REFUSED"):
            refused = board.confirm(card, {path: ours})
        assert answered(refused) == (422, "TASK_FIELD_VALUE_INVALID")
        assert [other.order_number in fault["detail"] for fault in refused.json()["errors"]] == [True]

    def test_r28_both_clashing_keys_are_named(self, board, hotel):
        factories.order(hotel, confirmation_number="C-1")
        factories.order(hotel, group_code="G-1", order_type="GROUP")
        refused = board.confirm(board.card(note()), {CONFIRMATION: "C-1", GROUP_CODE: "G-1"})
        assert places(refused) == [f"/field_values/{GROUP_CODE}", f"/field_values/{CONFIRMATION}"]

    def test_r28_a_clashing_key_of_the_draft_is_reported_at_its_field(self, board, hotel):
        factories.order(hotel, confirmation_number="C-1")
        card = board.card(note())
        board.draft(card, {CONFIRMATION: "C-1"})
        assert places(board.confirm(card)) == ["/case_keys/confirmation_number"]

    def test_r28_a_clash_is_told_before_what_is_missing(self, board, hotel):
        factories.order(hotel, confirmation_number="C-1")
        card = board.card({**note(), "extracted_fields": {}})
        refused = board.confirm(card, {CONFIRMATION: "C-1"})
        assert (answered(refused), places(refused)) == (
            (422, "TASK_FIELD_VALUE_INVALID"),
            ["/field_values/case_keys.confirmation_number"],
        )

    def test_r28_in_a_review_it_is_the_order_that_is_invalid(self, board, hotel):
        other = factories.order(hotel, confirmation_number="C-1")
        card = board.card(unkeyed())
        with only_lines("MANUAL_REVIEW_RESOLVE_REFUSED"):
            refused = board.resolve(card, override(CONFIRMATION, "c-1"))
        assert answered(refused) == (422, "TASK_REVIEW_ORDER_INVALID")
        assert other.order_number in refused.json()["errors"][0]["detail"]
        assert places(refused) == ["/field_overrides/0/value"]

    @pytest.mark.parametrize("status", [OrderStatus.CANCELLED, OrderStatus.CLOSED])
    def test_r25a_the_key_of_an_order_that_is_over_is_free(self, board, hotel, status):
        factories.order(hotel, confirmation_number="C-1", status=status)
        card = board.card(note())
        assert answered(board.confirm(card, {CONFIRMATION: "C-1"})) == 200
        assert keys_of(board.order(card)) == ("FIT", None, "C-1", None)

    def test_r28_another_hotels_key_is_no_clash(self, board, other_hotel):
        factories.order(other_hotel, confirmation_number="C-1")
        assert answered(board.confirm(board.card(note()), {CONFIRMATION: "C-1"})) == 200

    def test_r28_a_booking_code_of_one_other_order_is_no_clash(self, board, hotel):
        factories.order(hotel, booking_code="B-1")
        card = board.card(group(extracted_fields=GROUP))
        assert answered(board.confirm(card, {BOOKING: "B-1"})) == 200
        assert keys_of(board.order(card)) == ("GROUP", None, None, "B-1")

    def test_r28_a_group_code_equal_to_a_confirmation_number_is_another_key(self, board, hotel):
        factories.order(hotel, confirmation_number="X-1")
        assert answered(board.confirm(board.card(note()), {GROUP_CODE: "X-1"})) == 200

    def test_r28_a_long_key_is_compared_whole(self, board, hotel):
        factories.order(hotel, group_code="G" * 40)
        refused = board.confirm(board.card(note()), {GROUP_CODE: "g" * 40})
        assert answered(refused) == (422, "TASK_FIELD_VALUE_INVALID")


@pytest.mark.slow
def test_r28_of_two_confirmations_of_one_new_key_at_once_one_is_refused(
    committed_db, hotel, agent, reviewer, client_of
):
    board = Board(Desk(hotel, agent).hotel, agent, client_of(reviewer))
    clients = [client_of(factories.user("reviewer", hotel)) for _ in range(2)]
    for number in range(20):
        cards = [board.card(note()), board.card(note())]
        body = {"field_values": {CONFIRMATION: f"C-{number}"}}
        answers = at_once(
            [
                partial(send, client, f"/api/reservation/tasks/{card}/confirm", body)
                for client, card in zip(clients, cards, strict=True)
            ]
        )
        refused = {(422, "TASK_FIELD_VALUE_INVALID"): 1, 200: 1}
        assert {code: [answered(one) for one in answers].count(code) for code in map(answered, answers)} == refused
        assert Order.objects.filter(confirmation_key=f"c-{number}").count() == 1
