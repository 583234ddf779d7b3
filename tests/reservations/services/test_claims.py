"""R-44, R-46: one person holds a card for a while."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from config.audit.models import AuditEvent
from reservations.models import Task
from reservations.services.claims import EXPIRED_BATCH, expire_claims
from tests import factories
from tests.reliability.crowd import at_once
from tests.reservations.board import RESOLVE, TASKS, Board, actions, answered, fit, only_lines, rows, send

MINUTE = timedelta(minutes=1)


@pytest.fixture
def other(hotel):
    return factories.user("reviewer", hotel)


@pytest.fixture
def other_client(other, client_of):
    return client_of(other)


@pytest.fixture
def lead_board_client(lead, client_of):
    return client_of(lead)


def lease(card):
    return Task.objects.values_list("claimed_by__username", "claim_expires_at").get(pk=card)


def end(card, at):
    Task.objects.filter(pk=card).update(claim_expires_at=at)


@pytest.mark.django_db
class TestLease:
    def test_r44_a_claim_names_the_holder_and_the_end_after_fifteen_minutes(self, board, reviewer):
        card, before = board.card(fit()), timezone.now()
        answer = board.send(card, "claim").json()
        holder, ends = lease(card)
        assert (answer["claimed_by"], holder) == (reviewer.username, reviewer.username)
        assert before + 15 * MINUTE <= ends <= timezone.now() + 15 * MINUTE
        assert answer["claim_expires_at"].endswith("Z")
        assert (board.get(card)["claimed_by"], actions(card)) == (reviewer.username, ["TASK_CLAIM"])

    @pytest.mark.parametrize("minutes", [1, 60])
    def test_r44_how_long_is_a_setting(self, board, settings, minutes):
        settings.CLAIM_MINUTES = minutes
        card = board.card(fit())
        board.send(card, "claim")
        assert 0 <= (timezone.now() + minutes * MINUTE - lease(card)[1]).total_seconds() < 30

    def test_r44_claiming_again_begins_the_lease_anew(self, board):
        card = board.card(fit())
        board.send(card, "claim")
        end(card, timezone.now() + MINUTE)
        assert answered(board.send(card, "claim")) == 200
        assert lease(card)[1] > timezone.now() + 14 * MINUTE

    @pytest.mark.parametrize(("action", "body"), [("draft", {"field_values": {}}), ("confirm", {})])
    def test_r44_every_write_of_the_holder_renews_it(self, board, action, body):
        card = board.card(fit())
        board.send(card, "claim")
        end(card, timezone.now() + MINUTE)
        assert answered(board.send(card, action, body)) == 200
        assert lease(card)[1] > timezone.now() + 14 * MINUTE

    def test_r44_a_refused_write_renews_nothing(self, board):
        card, soon = board.card(fit()), timezone.now() + MINUTE
        board.send(card, "claim")
        end(card, soon)
        board.draft(card, {"nothing": 1})
        board.confirm(card, {"nothing": 1})
        assert lease(card)[1] == soon

    @pytest.mark.parametrize(
        ("action", "body"),
        [
            ("draft", {"field_values": {}}),
            ("confirm", {}),
            (RESOLVE, {}),
            ("terminate", {"reason": "x"}),
            ("claim", {}),
            ("release", {}),
            ("execute", {}),
            ("retry", {}),
        ],
    )
    def test_r44_everybody_else_is_told_who_holds_it_and_until_when(self, board, reviewer, other_client, action, body):
        card = board.card(fit())
        board.send(card, "claim")
        before = rows()
        refused = board.send(card, action, body, by=other_client)
        assert answered(refused) == (409, "TASK_CLAIMED")
        until = lease(card)[1].strftime("%Y-%m-%dT%H:%M:%SZ")
        assert [word in refused.json()["detail"] for word in (reviewer.username, until)] == [True, True]
        assert rows() == before

    def test_r44_a_card_nobody_holds_may_be_written(self, board):
        card = board.card(fit())
        assert [answered(board.draft(card, {})), answered(board.confirm(card))] == [200, 200]
        assert lease(card) == (None, None)

    def test_r44_a_lease_that_ran_out_keeps_nobody_out(self, board, other, other_client):
        card = board.card(fit())
        board.send(card, "claim")
        end(card, timezone.now())
        assert answered(board.draft(card, {}, by=other_client)) == 200
        assert answered(board.send(card, "claim", by=other_client)) == 200
        assert lease(card)[0] == other.username

    def test_r44_claiming_a_lease_that_ran_out_notes_that_first(self, board, other_client):
        card = board.card(fit())
        board.send(card, "claim")
        end(card, timezone.now())
        board.send(card, "claim", by=other_client)
        assert actions(card) == ["TASK_CLAIM", "CLAIM_EXPIRED", "TASK_CLAIM"]
        noted = AuditEvent.objects.get(action="CLAIM_EXPIRED")
        assert (noted.actor_id, noted.door, "claimed_by" in noted.after) == (None, "system", False)

    @pytest.mark.parametrize("status", ["DONE", "TERMINATED"])
    def test_r46_a_card_that_is_over_is_not_claimed(self, board, hotel, status):
        card = str(factories.card(hotel, task_status=status).pk)
        with only_lines():
            assert answered(board.send(card, "claim")) == (409, "TASK_STATE_INVALID")

    @pytest.mark.parametrize("status", ["PENDING_CONFIRM", "READY", "EXECUTING", "FAILED"])
    def test_r44_any_other_card_is(self, board, hotel, status):
        assert answered(board.send(str(factories.card(hotel, task_status=status).pk), "claim")) == 200


@pytest.mark.django_db
class TestRelease:
    def test_r44_a_released_card_is_free(self, board, other_client):
        card = board.card(fit())
        board.send(card, "claim")
        answer = board.send(card, "release").json()
        assert (answer["claimed_by"], answer["claim_expires_at"], lease(card)) == (None, None, (None, None))
        assert answered(board.send(card, "claim", by=other_client)) == 200
        assert actions(card) == ["TASK_CLAIM", "TASK_RELEASE", "TASK_CLAIM"]

    def test_r44_releasing_what_one_does_not_hold_changes_nothing(self, board):
        card = board.card(fit())
        with only_lines():
            assert answered(board.send(card, "release")) == 200

    def test_r44_terminating_releases(self, board):
        card = board.card(fit())
        board.send(card, "claim")
        board.send(card, "terminate", {"reason": "x"})
        assert lease(card) == (None, None)


@pytest.mark.django_db
class TestTakeOver:
    def test_r44_a_lead_takes_over_and_the_audit_says_from_whom(self, board, reviewer, lead, lead_board_client):
        card = board.card(fit())
        board.send(card, "claim")
        assert answered(board.send(card, "take-over", {"reason": "ill"}, by=lead_board_client)) == 200
        line = AuditEvent.objects.get(action="TASK_TAKE_OVER")
        assert (line.before["claimed_by"], line.after["claimed_by"], line.reason) == (reviewer.pk, lead.pk, "ill")
        assert answered(board.draft(card, {})) == (409, "TASK_CLAIMED")

    def test_r44_a_lease_that_ran_out_is_noted_before_it_is_taken_over(self, board, lead_board_client):
        card = board.card(fit())
        board.send(card, "claim")
        end(card, timezone.now())
        board.send(card, "take-over", by=lead_board_client)
        assert actions(card) == ["TASK_CLAIM", "CLAIM_EXPIRED", "TASK_TAKE_OVER"]

    def test_r44_a_lease_that_ran_out_is_noted_before_its_card_is_terminated(self, board, other_client):
        card = board.card(fit())
        board.send(card, "claim")
        end(card, timezone.now())
        board.send(card, "terminate", {"reason": "x"}, by=other_client)
        assert actions(card) == ["TASK_CLAIM", "CLAIM_EXPIRED", "TASK_TERMINATE"]

    @pytest.mark.parametrize("status", ["DONE", "TERMINATED"])
    def test_r46_a_card_that_is_over_is_not_taken_over(self, board, hotel, lead_board_client, status):
        card = str(factories.card(hotel, task_status=status).pk)
        with only_lines():
            assert answered(board.send(card, "take-over", by=lead_board_client)) == (409, "TASK_STATE_INVALID")


@pytest.mark.django_db
class TestExpiry:
    def test_r44_what_ran_out_is_noted_once_by_the_system(self, board):
        card, live = board.card(fit()), board.card(fit())
        for one in (card, live):
            board.send(one, "claim")
        end(card, timezone.now() - MINUTE)
        version = board.get(card)["version"]
        assert [expire_claims(at=timezone.now()) for _ in range(2)] == [1, 0]
        assert (lease(card), board.get(card)["version"]) == ((None, None), version)
        assert (actions(card), actions(live)) == (["TASK_CLAIM", "CLAIM_EXPIRED"], ["TASK_CLAIM"])

    def test_r44_who_comes_back_late_finds_the_card_as_it_was_left(self, board):
        card = board.card(fit())
        tag = board.send(card, "claim")["ETag"]
        end(card, timezone.now() - MINUTE)
        expire_claims(at=timezone.now())
        assert answered(board.draft(card, {}, If_Match=tag)) == 200

    def test_r44_many_are_noted_batch_by_batch(self, hotel, other, django_assert_num_queries):
        package, order = factories.package(hotel), factories.order(hotel)
        for index in range(1, 6):
            factories.task(order, package, source_event_index=index, claimed_by=other, claim_expires_at=factories.NOON)
        with django_assert_num_queries(5):
            assert expire_claims(at=timezone.now()) == 5
        assert EXPIRED_BATCH == 200

    def test_r44_each_hotel_gets_its_own_lines(self, hotel, other_hotel, other):
        for place in (hotel, other_hotel):
            factories.card(place, claimed_by=other, claim_expires_at=factories.NOON)
        assert expire_claims(at=timezone.now()) == 2
        noted = AuditEvent.objects.filter(action="CLAIM_EXPIRED").order_by("tenant")
        assert [line.tenant_id for line in noted] == sorted([hotel.pk, other_hotel.pk])


@pytest.mark.slow
def test_r44_of_many_who_claim_at_once_one_wins_and_the_others_learn_his_name(
    committed_db, hotel, agent, reviewer, client_of
):
    board = Board(hotel, agent, client_of(reviewer))
    people = [factories.user("reviewer", hotel) for _ in range(6)]
    clients = [client_of(person) for person in people]
    for number in range(20):
        card = board.card(fit())
        if number % 2:  # what ran out is taken as well as what is free
            Task.objects.filter(pk=card).update(claimed_by=reviewer, claim_expires_at=timezone.now() - MINUTE)
        answers = at_once([partial(send, client, f"{TASKS}/{card}/claim", {}) for client in clients])
        assert sorted(answer.status_code for answer in answers) == [200, *[409] * 5]
        winner = next(answer.json()["claimed_by"] for answer in answers if answer.status_code == 200)
        refused = [answer.json() for answer in answers if answer.status_code == 409]
        assert [winner in line["detail"] for line in refused] == [True] * 5
        assert actions(card) == [*["CLAIM_EXPIRED"] * (number % 2), "TASK_CLAIM"]


@pytest.mark.slow
def test_r44_a_lease_that_is_noted_and_claimed_at_once_is_noted_once(committed_db, hotel, agent, reviewer, client_of):
    board = Board(hotel, agent, client_of(reviewer))
    late = factories.user("reviewer", hotel)
    for _ in range(20):
        card = board.card(fit())
        Task.objects.filter(pk=card).update(claimed_by=late, claim_expires_at=timezone.now() - MINUTE)
        works = [partial(send, board.client, f"{TASKS}/{card}/claim", {}), partial(expire_claims, at=timezone.now())]
        answer, _ = at_once(works)
        assert (answer.status_code, actions(card)) == (200, ["CLAIM_EXPIRED", "TASK_CLAIM"])
