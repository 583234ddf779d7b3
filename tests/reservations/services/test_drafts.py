"""R-36, R-80: drafts, through the API."""

import pytest

from reservations.models import Task
from tests import factories
from tests.reservations.board import (
    GROUP,
    MAPPED,
    ROOM_POINTER,
    ROOM_TYPE,
    actions,
    answered,
    fit,
    group,
    only_lines,
    override,
    places,
    unmapped,
)
from tests.reservations.domain.builders import fallback, item, review

pytestmark = pytest.mark.django_db
ADULTS, GUEST_NAME = "extracted_fields.adults", "extracted_fields.guest_name"
RATE, CURRENCY = "extracted_fields.rate_amount", "extracted_fields.currency_code"


def stored(task_id):
    return Task.objects.values_list("draft_payload_json", flat=True).get(pk=task_id)


def test_r36_a_draft_is_shown_as_the_effective_value_beside_the_agents(board):
    card = board.card(fit())
    board.draft(card, {ADULTS: 3})
    row = board.field(card, ADULTS)
    assert (row["value"], row["ai_value"], board.get(card)["field_values"][ADULTS]) == (3, 2, 3)
    assert board.get(card)["effective_payload"]["extracted_fields"]["adults"] == 3
    assert board.get(card)["ai_payload_json"]["extracted_fields"]["adults"] == 2


def test_r36_it_is_stored_with_author_and_time_and_moves_nothing(board, reviewer):
    card = board.card(fit())
    board.draft(card, {ADULTS: 3})
    shown = board.get(card)
    assert (shown["draft"]["field_values"], shown["draft"]["saved_by"]) == ({ADULTS: 3}, reviewer.username)
    assert shown["draft"]["saved_at"].endswith("Z")
    assert (shown["task_status"], shown["review_status"], actions(card)) == ("PENDING_CONFIRM", None, ["TASK_DRAFT"])


def test_r36_the_next_draft_replaces_it_whole(board):
    card = board.card(fit())
    board.draft(card, {ADULTS: 3, GUEST_NAME: "Guest B"})
    board.draft(card, {"extracted_fields.children": 1})
    assert stored(card) == {"extracted_fields.children": 1}
    assert board.field(card, GUEST_NAME)["value"] == "Guest A"


def test_r36_no_values_empty_the_draft(board):
    card = board.card(fit())
    board.draft(card, {ADULTS: 3})
    board.draft(card, {})
    assert (stored(card), board.field(card, ADULTS)["value"]) == ({}, 2)


def test_r31_legacy_keys_are_kept_under_the_main_path(board):
    card = board.card(fit())
    board.draft(card, {"extracted_fields.room_quantity": 3})
    assert stored(card) == {"extracted_fields.room_items.0.room_quantity": 3}
    assert board.get(card)["legacy_field_values"]["extracted_fields.room_quantity"] == 3


def test_r36_null_clears_what_the_agent_sent(board):
    card = board.card(fit())
    board.draft(card, {ADULTS: None})
    assert (board.field(card, ADULTS)["value"], ADULTS in board.get(card)["field_values"]) == (None, False)
    assert ADULTS not in board.confirm(card).json()["confirmed_payload"]["field_values"]


def test_r37_confirming_takes_the_draft_and_the_request_over_it_and_uses_the_draft_up(board):
    card = board.card(fit())
    board.draft(card, {ADULTS: 3, GUEST_NAME: "Guest B"})
    confirmed = board.confirm(card, {GUEST_NAME: "Guest C"}).json()["confirmed_payload"]
    assert (confirmed["field_values"][ADULTS], confirmed["field_values"][GUEST_NAME]) == (3, "Guest C")
    assert (stored(card), board.get(card)["draft"]) == (None, None)


def test_r36_a_draft_survives_a_change_of_holder(board, hotel, client_of, reviewer):
    card, lead = board.card(fit()), client_of(factories.user("lead", hotel))
    board.send(card, "claim")
    board.draft(card, {ADULTS: 3})
    assert answered(board.send(card, "take-over", by=lead)) == 200
    assert board.get(card)["draft"]["saved_by"] == reviewer.username
    assert board.confirm(card, by=lead).json()["confirmed_payload"]["field_values"][ADULTS] == 3


def test_r29_a_draft_value_that_the_request_hides_is_left_out_and_not_refused(board):
    card = board.card(fit())
    board.draft(card, {RATE: 880, CURRENCY: "CNY"})
    response = board.confirm(card, {RATE: None})
    assert answered(response) == 200
    payload = response.json()["confirmed_payload"]
    assert [path for path in (RATE, CURRENCY) if path in payload["field_values"]] == []
    assert "currency_code" not in payload["effective_payload"]["extracted_fields"]


def test_r36_a_draft_on_a_review_prefills_and_stays_missing(board):
    card = board.card(unmapped())
    assert answered(board.draft(card, {ROOM_TYPE: "DLX"})) == 200
    row = board.field(card, ROOM_TYPE)
    assert (row["value"], row["missing"], row["edit_scope"]) == ("DLX", True, "manual_review_only")


def test_r36_resolving_counts_the_overrides_of_its_own_request_alone(board):
    card = board.card(unmapped())
    board.draft(card, {ROOM_TYPE: "DLX", ADULTS: 5})
    refused = board.resolve(card)
    assert (answered(refused), places(refused)) == ((422, "TASK_REVIEW_FIELDS_INCOMPLETE"), [ROOM_POINTER])
    resolved = board.resolve(card, MAPPED).json()
    assert resolved["confirmed_payload"]["field_values"][ADULTS] == 2
    assert stored(card) is None


@pytest.mark.parametrize(
    ("values", "code", "pointer"),
    [
        ({"extracted_fields.nothing": 1}, "TASK_FIELD_PATH_INVALID", "/field_values/extracted_fields.nothing"),
        ({"extracted_fields.room_items.1.room_quantity": 1}, "TASK_FIELD_PATH_INVALID", None),
        ({"/extracted_fields/adults": 1}, "TASK_FIELD_PATH_INVALID", "/field_values/~1extracted_fields~1adults"),
        ({"relevant_message_excerpt": "x"}, "TASK_FIELD_PATH_INVALID", "/field_values/relevant_message_excerpt"),
        ({"extracted_fields.rate_code": "BAR1"}, "TASK_FIELD_PATH_INVALID", "/field_values/extracted_fields.rate_code"),
        ({CURRENCY: "CNY"}, "TASK_FIELD_PATH_INVALID", f"/field_values/{CURRENCY}"),
        ({"": 1}, "TASK_FIELD_PATH_INVALID", "/field_values/"),
        (
            {ROOM_TYPE: "DLX", "extracted_fields.pms_room_type_code": "DLX"},
            "TASK_FIELD_PATH_INVALID",
            "/field_values/extracted_fields.pms_room_type_code",
        ),
        ({ADULTS: "3"}, "TASK_FIELD_VALUE_INVALID", f"/field_values/{ADULTS}"),
        ({ADULTS: True}, "TASK_FIELD_VALUE_INVALID", f"/field_values/{ADULTS}"),
        ({ADULTS: -1}, "TASK_FIELD_VALUE_INVALID", f"/field_values/{ADULTS}"),
        ({ROOM_TYPE: "NOPE"}, "TASK_FIELD_VALUE_INVALID", f"/field_values/{ROOM_TYPE}"),
        ({GUEST_NAME: "x" * 81}, "TASK_FIELD_VALUE_INVALID", f"/field_values/{GUEST_NAME}"),
        ({"extracted_fields.arrival_date": "2026-02-30"}, "TASK_FIELD_VALUE_INVALID", None),
        ({"extracted_fields.arrival_date": "2026-08-03T00:00:00Z"}, "TASK_FIELD_VALUE_INVALID", None),
    ],
)
def test_r36_a_draft_of_what_cannot_be_written_changes_nothing(board, values, code, pointer):
    card = board.card(fit())
    board.draft(card, {ADULTS: 4})
    with only_lines():
        refused = board.draft(card, values)
    assert answered(refused) == (422, code)
    assert places(refused) == [pointer or f"/field_values/{next(iter(values))}"]


def test_r36_a_draft_may_be_incomplete_and_its_dates_may_disagree(board):
    card = board.card(fit(extracted_fields={}))
    assert answered(board.draft(card, {"extracted_fields.departure_date": "2026-08-01"})) == 200
    values = {"extracted_fields.departure_date": "2026-08-01", "extracted_fields.arrival_date": "2026-08-09"}
    assert answered(board.draft(card, values)) == 200


@pytest.mark.parametrize("status", ["READY", "EXECUTING", "FAILED", "DONE", "TERMINATED"])
def test_r46_a_decided_card_takes_no_draft(board, hotel, status):
    card = factories.card(hotel, task_status=status)
    with only_lines():
        assert answered(board.draft(str(card.pk), {ADULTS: 3})) == (409, "TASK_STATE_INVALID")


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"null", b"7", b'"x"', b"{}", b'{"field_values": null}', b'{"field_values": []}', b'{"values": {}}'],
)
def test_a_body_without_values_is_400(board, body):
    card = board.card(fit())
    with only_lines():
        refused = board.send(card, "draft", body)
    assert (refused.status_code, refused.json()["error_code"] in ("FIELD_INVALID", "JSON_INVALID")) == (400, True)


def test_r36_a_draft_of_a_fallback_decision_shows_the_fields_of_the_decided_card(board):
    card = board.card(fallback())
    decision = {"review_decision.task_type": "New Booking", "review_decision.task_subtype": "new_group_block"}
    assert board.field(card, "extracted_fields.group_name") is None
    assert answered(board.draft(card, decision | {"extracted_fields.group_name": "Autumn"})) == 200
    assert board.field(card, "extracted_fields.group_name")["value"] == "Autumn"
    board.draft(card, {})
    assert board.field(card, "extracted_fields.group_name") is None


@pytest.mark.parametrize("values", [{}, {ADULTS: 3}])
def test_r80_saving_a_card_of_the_first_contract_gives_it_the_version_of_the_matrix(board, values):
    card = board.old_card(item())
    assert board.get(card)["field_contract_version"] == "code-v1"
    board.draft(card, values)
    assert board.get(card)["field_contract_version"] == "20260711-p0"


def test_r80_a_refused_draft_leaves_the_version(board):
    card = board.old_card(item())
    board.draft(card, {ADULTS: "x"})
    assert board.get(card)["field_contract_version"] == "code-v1"


def test_r24_the_alias_of_a_key_is_the_same_field(board):
    card = board.card(group())
    board.draft(card, {"case_keys.block_code": "B-1"})
    assert stored(card) == {"case_keys.group_code": "B-1"}
    both = board.draft(card, {"case_keys.block_code": "B-1", "case_keys.group_code": "B-1"})
    assert answered(both) == (422, "TASK_FIELD_PATH_INVALID")


def test_r33_types_survive_a_draft(board):
    card = board.card(group(extracted_fields=GROUP))
    board.send(
        card,
        "draft",
        b'{"field_values": {"extracted_fields.rate_amount": 880.10, "extracted_fields.special_requests": " x "}}',
    )
    raw = board.client.get(f"/api/reservation/tasks/{card}").content
    assert b'"extracted_fields.rate_amount":880.10' in raw
    assert b'" x "' in raw


def test_r36_a_review_takes_a_draft_of_any_editable_field_and_shows_where_it_is_written(board):
    card = board.card(unmapped(manual_review=review("/extracted_fields/guest_name")))
    board.draft(card, {ADULTS: 4})
    row = board.field(card, ADULTS)
    assert (row["value"], row["edit_scope"], row["write_target"]) == (4, "normal", "review_resolution.field_overrides")
    assert answered(board.resolve(card, override(GUEST_NAME, "Guest B"), override(ROOM_TYPE, "DLX"))) == 200
