"""Bent V4 packages: no crash, one verdict per event, no card that a rule forbids (R-17, R-55).

What a card must be is said here a second time, in other words than the code's.
"""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reservations.domain.contract import Generation, Judgement, RootKind
from reservations.domain.errors import AdapterContractRefused, IdentityMissing
from tests.reservations.domain.builders import fallback, parent, review
from tests.reservations.domain.mutants import deep, mutate
from tests.reservations.domain.orderpackages import (
    every_order_package,
    judge_as_sent,
    order,
    order_event,
    order_notice,
    order_package,
    payment,
    release,
    split_package,
    update,
)

TYPES = {
    "NEW_BOOKING": {"New Booking"},
    "UPDATE_BOOKING": {"Update Booking"},
    "CANCEL_BOOKING": {"Cancel Booking", "Cancel Allotment"},
    "TRACE_RESERVATION_NOTES": {"Trace Reservation Notes"},
    "ROOMING_LIST": {"Rooming List"},
    "PAYMENT": {"Payment"},
}


def all_events_in_one() -> Any:
    """The package of every subtype in every order type."""
    orders, events = [], []
    for place, package in enumerate(every_order_package()):
        orders.append({**package["order_contexts"][0], "order_ref": f"O{place}"})
        events.append({**package["message_events"][0], "order_ref": f"O{place}"})
    return order_package(*events, orders=orders)


def seeds() -> list[Any]:
    orders = [order("O1"), order("P", "ALLOTMENT", identifiers={"GROUP_CODE": "A", "BLOCK_CODE": "a"})]
    unnamed = [update(None), order_event("CANCEL_BOOKING", None), payment(None, payment_kind="deposit")]
    return [
        all_events_in_one(),
        split_package(),
        order_package(*unnamed, release(), update(source_event_index=5), orders=orders),
        order_package(order_event(manual_review=review("/extracted_fields/note_text")), fallback(), parent()),
        order_notice(),
        order_notice("S99"),
    ]


SEEDS = seeds()


def run(body: Any) -> Judgement | str:
    """The judgement, or the documented refusal; anything else is a failure of the test."""
    try:
        return judge_as_sent(body)
    except (AdapterContractRefused, IdentityMissing) as refusal:
        return refusal.detail_code or refusal.code


@settings(max_examples=600, deadline=None)
@given(number=st.integers(0, 2**32), seed=st.sampled_from(range(len(SEEDS))))
def test_a_bent_package_never_crashes_and_never_yields_a_forbidden_card(number, seed):
    body = mutate(SEEDS[seed], Random(number))
    judgement = run(body)
    if isinstance(judgement, Judgement):
        check_verdicts(body, judgement)


def check_verdicts(body: Any, judgement: Judgement) -> None:
    assert judgement.generation is Generation.V4
    if judgement.package_fault is not None:
        left = (judgement.cards, judgement.intents, judgement.notice, judgement.contexts, len(judgement.faults))
        assert left == ((), (), None, (), 1)
        return
    if judgement.root_kind is RootKind.NOTICE:
        assert (body.get("order_contexts") or [], body.get("message_events") or []) == ([], [])
        assert judgement.notice is not None
        return
    seen = sorted(verdict.array_index for verdict in (*judgement.cards, *judgement.faults))
    assert seen == list(range(len(body.get("message_events") or [])))
    check_contexts(body, judgement)


def check_contexts(body: Any, judgement: Judgement) -> None:
    contexts = {context.order_ref: context for context in judgement.contexts}
    assert set(contexts) == {card.order_ref for card in judgement.cards}
    places = [context.order_context_index for context in judgement.contexts]
    assert places == sorted(places)
    for context in judgement.contexts:
        assert context.context is body["order_contexts"][context.order_context_index]
    for card in judgement.cards:
        assert card.event is body["message_events"][card.array_index]
        check_card(body, card, contexts[card.order_ref])


def check_card(body: Any, card: Any, context: Any) -> None:
    sent, route = card.event, card.route
    assert route.active
    assert route.task_type in TYPES[sent["event_type"]]
    assert sent.get("task_subtype") in (None, route.task_subtype)
    assert (route.task_type == "Cancel Allotment") == (context.order_type == "ALLOTMENT")
    assert (route.result_type == "manual_review") == isinstance(sent["manual_review"], dict)
    assert sent.get("route_code") in (None, route.route_code)
    assert (sent.get("missing_fields") or []) == (sent.get("contract_errors") or []) == []
    if sent["event_type"] == "UPDATE_BOOKING":
        holders = (sent, sent.get("after") or {}, sent.get("extracted_fields") or {})
        assert not any("rate_code" in holder for holder in holders)
    if sent["event_type"] == "PAYMENT":
        known = [item.get("id") for item in body["source_message"].get("attachments") or [] if isinstance(item, dict)]
        assert all(item in known for item in sent.get("attachment_ids") or [])


def test_the_mutants_are_not_tame():
    random = Random(7)
    judgements = [run(mutate(seed, random)) for seed in SEEDS for _ in range(40)]
    wrong = [judgement for judgement in judgements if isinstance(judgement, str) or judgement.faults]
    assert len(judgements) // 4 < len(wrong) < len(judgements)


@pytest.mark.parametrize("levels", [100_000])
def test_a_package_of_any_depth_is_judged(levels):
    value = deep(levels)
    events = [
        update(after={"arrival_date": value}, before={"x": value}),
        order_event("PAYMENT", None, extracted_fields={"payment_kind": value}),
        payment(extracted_fields={"attachment_ids": [value]}),
        value,
    ]
    body = order_package(*events, orders=[order(unknown=value)], unhandled_current_intents=[value])
    found = {fault.source_event_index: str(fault.code) for fault in judge_as_sent(body).faults}
    assert found == {2: "ROUTE_UNRESOLVED", 3: "V4_PAYMENT_ATTACHMENT_UNKNOWN", 4: "EVENT_SHAPE_INVALID"}
