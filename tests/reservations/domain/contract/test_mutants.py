"""Thousands of bent packages: no crash, one verdict per event, and no card that a rule forbids (R-17).

What a card must be is said here a second time, in other words than the code's.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from reservations.data import catalog, matrix
from reservations.domain.contract import Generation, Judgement, MailFacts, classify, judge, read_identity
from reservations.domain.errors import AdapterContractRefused, IdentityMissing
from reservations.domain.orderkeys import fold
from tests.reservations.domain.builders import FILES, PARENT, SPLIT, event, package, parent, review
from tests.reservations.domain.mutants import deep, mutate, seeds

ROUNDS = 500  # of each seed
OPEN_KEYS = {"fix_charge_items", "fix_charge_code", "preflight", "lock_handle", "manual_rate_code"}
NINE = {
    "review_type",
    "reason_code",
    "reason_summary",
    "missing_fields",
    "uncertain_fields",
    "evidence",
    "context_used",
    "suggested_actions",
    "confidence",
}


def run(body: Any) -> Judgement | str:
    """The judgement, or the code of the documented refusal; anything else is a failure of the test."""
    try:
        read_identity(body)
        return judge(body, classify(body), catalog=catalog(), matrix=matrix(), mail=MailFacts(frozenset(FILES)))
    except (AdapterContractRefused, IdentityMissing) as refusal:
        return refusal.detail_code or refusal.code


@pytest.mark.parametrize("number", range(len(seeds())))
def test_a_bent_package_never_crashes_and_never_yields_a_forbidden_card(number):
    random, seed = Random(number), seeds()[number]
    wrong = 0
    for _ in range(ROUNDS):
        body = mutate(seed, random)
        judgement = run(body)
        if isinstance(judgement, Judgement):
            check_verdicts(body, judgement)
        wrong += isinstance(judgement, str) or bool(judgement.faults)
    assert wrong > ROUNDS // 4, "the mutants are too tame"


def check_verdicts(body: Any, judgement: Judgement) -> None:
    if judgement.package_fault is not None:
        assert (judgement.cards, judgement.intents, judgement.notice, len(judgement.faults)) == ((), (), None, 1)
        return
    if judgement.notice is not None:
        assert body["route_code"] in ("S10", "S99")
        assert judgement.cards == ()
        return
    events = body["ai_task_results" if judgement.generation is Generation.V2 else "message_events"]
    seen = [verdict.array_index for verdict in (*judgement.cards, *judgement.faults)]
    if judgement.generation is Generation.V2:
        seen += [intent.array_index for intent in judgement.intents]
    assert sorted(seen) == list(range(len(events)))
    for card in judgement.cards:
        assert card.event is events[card.array_index]
        check_card(card, v2=judgement.generation is Generation.V2)
    check_parents(judgement)


def check_card(card: Any, *, v2: bool) -> None:
    sent, route = card.event, card.route
    assert route.active
    assert (sent["task_type" if v2 else "event_type"], sent["task_subtype"]) == (route.task_type, route.task_subtype)
    assert sent.get("route_code") in (None, route.route_code)
    assert sent.get("result_type") in (None, route.result_type)
    assert sent.get("source_event_index") in (None, card.source_event_index)
    assert not isinstance(sent.get("source_event_index"), bool)
    assert sent.get("missing_fields") in (None, [])
    assert sent.get("contract_errors") in (None, [])
    assert all(key is None or isinstance(key, str) for key in card.case_keys.values())
    assert not open_keys_in(sent.get("extracted_fields"))
    assert (route.result_type == "manual_review") == isinstance(sent.get("manual_review"), dict)
    if card.manual_review is not None:
        check_review(card)
    if route.task_subtype == "register_payment_voucher" and card.manual_review is None:
        assert set(sent["extracted_fields"]["attachment_ids"]) <= set(FILES)


def open_keys_in(value: Any) -> bool:
    if isinstance(value, dict):
        manual = value.get("rate_code_source") == "manual"
        return manual or any(
            (key in OPEN_KEYS and inner is not None) or open_keys_in(inner) for key, inner in value.items()
        )
    return isinstance(value, list) and any(map(open_keys_in, value))


def check_review(card: Any) -> None:
    asked = card.manual_review
    assert asked is not None
    assert set(asked) >= NINE
    assert not isinstance(asked["confidence"], bool | str)
    assert 0 <= asked["confidence"] <= 1
    pointers = asked["missing_fields"]
    assert len(set(pointers)) == len(pointers)
    fields = matrix().card(card.route.task_type, card.route.task_subtype)
    assert fields is not None
    editable = {
        spelling
        for row in fields.rows
        if row.edit_scope != "readonly" and not row.raw_readonly and row.options_source != "active_rate_code_catalog"
        for spelling in row.pointer_spellings
    }
    assert set(pointers) <= editable


def check_parents(judgement: Judgement) -> None:
    parents: list[Any] = [card for card in judgement.cards if (card.route.task_type, card.route.task_subtype) == PARENT]
    keys = [fold(str(card.effective_case_keys["group_code"])) for card in parents if not card.keys_conflict]
    assert len(set(keys)) == len(keys)
    children = {card.source_event_index: card for card in judgement.cards}
    for card in parents:
        assert card.derived["extracted_fields"]["cancel_object_type"] == "allotment_control_block"
        assert card.event.get("extracted_fields", {}).get("cancel_scope") in (None, "entire_allotment_control_block")
        own = [relation for relation in card.relationships if relation.relationship_type == SPLIT]
        named = {index for relation in own for index in relation.child_event_indexes or ()}
        naming = {
            index
            for index, child in children.items()
            for relation in child.relationships
            if (relation.relationship_type, relation.role) == (SPLIT, "child")
            and relation.parent_event_index == card.source_event_index
        }
        assert named == naming
        assert {children[index].route.task_subtype for index in named} <= {"new_group_block"}


@pytest.mark.parametrize("levels", [100_000])
def test_a_package_of_any_depth_is_judged(levels):
    value = deep(levels)
    bottomless = [
        event(extracted_fields={"x": value}),
        event(unknown=value, case_keys={"group_code": value}),
        event(manual_review=review("/extracted_fields/note_text", context_used={"x": value})),
        parent(manual_review=value if isinstance(value, dict) else {"x": value}),
        value,
    ]
    judgement = run(package(*bottomless, unhandled_current_intents=[value], case_candidates=[value]))
    assert isinstance(judgement, Judgement)
    assert [card.source_event_index for card in judgement.cards] == [1, 3]
