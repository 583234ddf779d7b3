"""Which fields are served, and with which values (R-29, R-31)."""

from dataclasses import replace

import pytest

from reservations.data import matrix
from reservations.domain.conditions import Condition, ConditionOp
from reservations.domain.documents import value_at
from reservations.domain.fieldcontract.sheet import fill_sheet
from tests.reservations.domain.builders import event, fallback
from tests.reservations.domain.fieldcontract.states import (
    GROUP,
    ROOM_TYPE,
    ROOMS,
    RULES,
    SCOPE,
    block,
    confirm,
    field,
    fit,
    paths,
    read,
    rooms,
    state_of,
)

ARRIVAL = "extracted_fields.arrival_date"
CURRENCY = "extracted_fields.currency_code"
RATE = "extracted_fields.rate_amount"


@pytest.mark.parametrize(("scope", "served"), [("individual", False), ("group", True)])
def test_r29_a_field_is_served_while_its_condition_holds(scope, served):
    assert (ARRIVAL in paths(state_of(rooms(scope)))) is served


def test_r29_the_draft_counts_for_the_condition():
    state = state_of(rooms("individual"), draft={SCOPE: "group"})
    assert field(state, ARRIVAL).value is None
    assert field(state, SCOPE).value == "group"


def test_r29_what_a_hidden_field_held_is_left_out():
    state = state_of(rooms("individual", {"arrival_date": "2026-10-02"}), draft={ARRIVAL: "2026-10-03"})
    found = read(state)
    assert ARRIVAL not in found.field_values
    assert "arrival_date" not in found.effective_payload["extracted_fields"]


def test_r29_a_request_that_hides_a_field_leaves_its_value_out_instead_of_being_refused():
    state = state_of(rooms("group", {ARRIVAL.split(".")[1]: "2026-10-02", "departure_date": "2026-10-04"}))
    confirmed = confirm(state, {SCOPE: "individual"})
    assert ARRIVAL not in confirmed.field_values
    assert value_at(confirmed.effective_payload, ARRIVAL) is None


def test_r29_a_result_type_the_card_does_not_know_serves_nothing():
    assert read(state_of(fallback(), result_type="normal_task")).rows == ()


def test_r10_a_notice_and_history_without_a_card_serve_nothing():
    state = state_of(fit(), task_type="Note", task_subtype="note")
    assert (read(state).rows, read(state).field_values) == ((), {})


def conditioned(**conditions):
    """The individual booking card with these conditions on its fields."""
    card = matrix().card("New Booking", "new_fit_booking")
    assert card is not None
    found = {f"extracted_fields.{name}": condition for name, condition in conditions.items()}
    rows = tuple(replace(row, display_condition=found.get(row.field_path)) for row in card.rows)
    changed = replace(card, rows=rows)
    return replace(matrix(), _by_pair={(card.task_type, card.task_subtype): changed})


def served(extracted, **conditions):
    sheet = fill_sheet(state_of(fit(extracted)), [], **{**RULES, "matrix": conditioned(**conditions)})
    return {row.field_path.removeprefix("extracted_fields.") for row in sheet.rows}


def present(name):
    return Condition(f"extracted_fields.{name}", ConditionOp.PRESENT)


def test_r29_a_condition_on_a_hidden_field_sees_no_value():
    chain = {"meal_plan": present("currency_code"), "currency_code": present("rate_amount")}
    assert {"meal_plan", "currency_code"} & served({"currency_code": "CNY"}, **chain) == set()
    assert {"meal_plan", "currency_code"} <= served({"currency_code": "CNY", "rate_amount": 880}, **chain)


def test_r29_a_condition_on_the_own_field_sees_the_value():
    assert "meal_plan" in served({"meal_plan": "BB"}, meal_plan=present("meal_plan"))
    assert "meal_plan" not in served({}, meal_plan=present("meal_plan"))


def test_r29_conditions_in_a_circle_come_to_an_end():
    circle = {"meal_plan": present("currency_code"), "currency_code": present("meal_plan")}
    assert {"meal_plan", "currency_code"} <= served({"meal_plan": "BB", "currency_code": "CNY"}, **circle)


def test_r29_a_condition_on_a_key_the_card_does_not_know_sees_what_the_agent_sent():
    assert "meal_plan" in served({"board": "yes"}, meal_plan=present("board"))


def test_r31_flat_keys_move_to_the_main_path():
    state = state_of(fit({"room_items": ..., "room_quantity": 2, "room_type": "King", "pms_room_type_code": "DLX"}))
    found = read(state)
    assert found.effective_payload["extracted_fields"]["room_items"] == [
        {"room_quantity": 2, "room_type_raw": "King", "pms_room_type_code": "DLX"}
    ]
    assert "room_quantity" not in found.effective_payload["extracted_fields"]
    assert found.legacy_field_values == {
        "extracted_fields.room_quantity": 2,
        "extracted_fields.room_type": "King",
        "extracted_fields.pms_room_type_code": "DLX",
    }


def test_r31_the_main_path_wins_over_the_flat_key():
    found = read(state_of(fit({"room_quantity": 9})))
    assert found.field_values[ROOMS] == 1
    assert "room_quantity" not in found.effective_payload["extracted_fields"]


def test_r24_a_block_code_answers_for_the_group_code():
    state = state_of(rooms(case_keys={"block_code": "BLK-1"}))
    assert field(state, GROUP).value == "BLK-1"
    assert field(state, GROUP).ai_value == "BLK-1"


@pytest.mark.parametrize(("given", "keys"), [("G-2", {"group_code": "G-2", "block_code": "G-2"}), (None, {})])
def test_r24_the_alias_follows_what_a_person_gives(given, keys):
    state = state_of(rooms(case_keys={"block_code": "BLK-1"}), draft={GROUP: given})
    assert read(state).effective_payload["case_keys"] == keys


def test_r24_alias_and_field_never_say_two_things():
    state = state_of(rooms(case_keys={"group_code": "G-1", "block_code": "BLK-1"}))
    assert read(state).effective_payload["case_keys"] == {"group_code": "G-1", "block_code": "G-1"}


def test_r24_an_alias_that_was_not_there_is_not_made():
    state = state_of(rooms(), draft={GROUP: "G-2"})
    assert read(state).effective_payload["case_keys"] == {"group_code": "G-2"}


@pytest.mark.parametrize("nothing", [None, "", "  ", []])
def test_r37_no_value_of_a_person_clears_the_agents(nothing):
    state = state_of(fit(), draft={"extracted_fields.adults": nothing})
    assert field(state, "extracted_fields.adults").value is None
    assert field(state, "extracted_fields.adults").ai_value == 2
    assert "adults" not in read(state).effective_payload["extracted_fields"]


def test_r37_a_field_without_a_value_has_no_key_in_the_payload():
    state = state_of(fit({"children": None, "meal_plan": " ", "mood": None}))
    payload = confirm(state).effective_payload["extracted_fields"]
    assert (payload.keys() & {"children", "meal_plan"}, payload["mood"]) == (set(), None)


def test_r37_the_agents_unknown_keys_are_kept_at_every_level():
    items = [{"room_quantity": 1, "pms_room_type_code": "DLX", "view": "lake"}, {"room_quantity": 4}]
    state = state_of(fit({"room_items": items, "mood": {"a": 1}}, trace_id="T-1"))
    payload = confirm(state, {ROOMS: 2}).effective_payload
    assert payload["extracted_fields"]["room_items"] == [{**items[0], "room_quantity": 2}, items[1]]
    assert (payload["extracted_fields"]["mood"], payload["trace_id"]) == ({"a": 1}, "T-1")
    assert "manual_review" not in payload


def test_r37_null_for_extracted_fields_is_an_empty_object():
    state = state_of(event(extracted_fields=None), draft={"extracted_fields.note_text": "late"})
    assert read(state).effective_payload["extracted_fields"] == {"note_text": "late"}


def test_a_draft_for_a_field_that_is_not_editable_any_more_is_not_looked_at():
    drafted = {"extracted_fields.rate_code": "BAR1", "extracted_fields.gone": 1, "relevant_message_excerpt": "other"}
    assert read(state_of(fit(), draft=drafted)) == read(state_of(fit()))


def test_r35_what_was_confirmed_is_shown_after_the_agents_text_is_purged():
    confirmed = confirm(state_of(fit())).effective_payload
    state = state_of(fit(), confirmed=confirmed, open=False, event={})
    assert read(state).effective_payload == confirmed
    assert field(state, "extracted_fields.adults").ai_value is None


def test_r32_a_review_shows_what_it_asks_for_even_where_the_condition_fails():
    state = state_of(block("/extracted_fields/currency_code"))
    assert field(state, CURRENCY).missing is True
    assert RATE not in read(state).field_values


def test_r32_what_a_review_asked_for_stays_shown_with_what_was_confirmed():
    state = state_of(block("/extracted_fields/currency_code"), draft={CURRENCY: "CNY", ROOM_TYPE: "RM3"})
    decided = replace(state, confirmed=read(state).effective_payload, draft={}, open=False, pending_review=False)
    assert read(decided).field_values == read(state).field_values
    assert field(decided, CURRENCY).missing is False
