"""The verdict on every part of a package, as it is stored (R-08 to R-10, R-13, R-16 to R-20, R-22, R-23)."""

import hashlib

import pytest

from config import jsontext
from reservations.data import catalog
from reservations.domain.catalog import MANUAL_REVIEW
from reservations.domain.contract.codes import SENTENCES
from reservations.models import AiTransition, Order, Submission, Task
from tests import factories
from tests.reservations.domain.builders import (
    PARENT,
    child,
    entry_review,
    event,
    every_event,
    fallback,
    item,
    notice,
    old_package,
    package,
    parent,
    releases,
    review,
    split,
    unclear,
)
from tests.reservations.services.desk import TEXT, accepted, errors_of, task_of

pytestmark = pytest.mark.django_db
R42 = "R42_UNHANDLED_CURRENT_INTENT"
LAYERS = (
    *("ai_result_type", "ai_task_type", "ai_task_subtype", "route_code", "system_process_category"),
    *("system_task_type", "queue_participation", "readonly", "card_display_type", "card_title_code"),
    "route_display_code",
)


def of_kind(kind):
    return list(AiTransition.objects.filter(kind=kind).order_by("array_index", "id"))


def layers_of(route):
    agent = (route.result_type, route.task_type, route.task_subtype, route.route_code, route.system_process_category)
    system = (route.system_task_type or "", route.queue_participation, route.readonly)
    return (*agent, *system, route.card_display_type, route.card_title_code, route.route_display_code)


def test_r19_the_three_layers_of_all_37_event_routes_are_stored_apart(desk, mail):
    factories.attachment(mail, "att-1")
    desk.send(*every_event())
    routes = [route for route in catalog().active if route.result_type in ("normal_task", MANUAL_REVIEW)]
    stored = set(Task.objects.values_list(*LAYERS))
    assert len(routes) == 37
    assert stored == {layers_of(route) for route in routes}


@pytest.mark.parametrize("code", ["S10", "S99"])
def test_r19_the_three_layers_of_a_notice_are_stored_apart(desk, mail, code):
    desk.post(notice(code))
    assert list(Task.objects.values_list(*LAYERS)) == [layers_of(catalog().route(code))]


def test_r19_a_type_known_review_is_shown_as_its_own_card_and_never_as_fallback(desk, mail):
    task = task_of(desk.send(event(manual_review=review("/case_keys/confirmation_number"))))
    assert (task.ai_task_type, task.ai_task_subtype) == ("Trace Reservation Notes", "add_reservation_note")
    assert (task.card_title_code, task.route_display_code) == (
        "TRACE_RESERVATION_NOTES.add_reservation_note",
        "REVIEW.add_reservation_note",
    )
    assert (task.task_status, task.review_status, task.review_resolution) == ("PENDING_REVIEW", "PENDING", None)


def test_r19_a_normal_card_is_pending_without_a_review(desk, mail):
    task = task_of(desk.send(event()))
    assert (task.task_status, task.review_status, task.manual_review) == ("PENDING_CONFIRM", None, None)


def test_r16_cards_of_one_mail_keep_the_order_of_the_array(desk, mail):
    events = [event(case_keys={"confirmation_number": str(number)}) for number in (9, 1, 5, 3, 7)]
    answer = desk.send(*events)
    assert accepted(answer) == [1, 2, 3, 4, 5]
    by_key = Task.objects.order_by("id").values_list("source_event_index", "array_index")
    assert list(by_key) == [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)]


def test_r17_each_event_has_one_verdict_and_a_contract_error_never_stops_a_sibling(desk, mail):
    answer = desk.send(event(), "no event", event(), event("Note", "note"), fallback(manual_review=None), event())
    assert accepted(answer) == [1, 3, 6]
    assert errors_of(answer) == {2: "EVENT_SHAPE_INVALID", 4: "RETIRED_TASK", 5: "FALLBACK_WITHOUT_REVIEW"}
    kinds = AiTransition.objects.order_by("array_index").values_list("kind", flat=True)
    error, card = "adapter_contract_error", "business_event"
    assert list(kinds) == [card, error, card, error, error, card]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"contract_errors": ["x"]}, "EXPLICIT_CONTRACT_ERRORS"),
        ({"missing_fields": ["/case_keys/group_code"]}, "ROOT_MISSING_FIELDS"),
        ({"event_type": "trace reservation notes"}, "ROUTE_UNRESOLVED"),
        ({"event_type": " Trace Reservation Notes"}, "ROUTE_UNRESOLVED"),
        ({"task_subtype": "add_reservation_note "}, "ROUTE_UNRESOLVED"),
        ({"result_type": "manual_review"}, "ROUTE_MISMATCH"),
        ({"route_code": "R26_TRACE"}, "ROUTE_MISMATCH"),
        ({"task_type": "Payment"}, "ROUTE_MISMATCH"),
        ({"manual_review": ...}, "EVENT_SHAPE_INVALID"),
        ({"relevant_message_excerpt": None}, "EVENT_SHAPE_INVALID"),
        ({"case_keys": {"group_code": 5}}, "EVENT_SHAPE_INVALID"),
        ({"source_event_index": 2}, "EVENT_SHAPE_INVALID"),
        ({"source_event_index": "1"}, "EVENT_SHAPE_INVALID"),
        ({"applies_to_event_indexes": [1]}, "EVENT_SHAPE_INVALID"),
        ({"manual_review": {}}, "MANUAL_REVIEW_INCOMPLETE"),
        ({"manual_review": review("case_keys")}, "MISSING_FIELDS_POINTER_INVALID"),
        ({"manual_review": review("/case_keys/nothing")}, "MISSING_FIELDS_POINTER_UNMAPPED"),
        ({"extracted_fields": {"fix_charge_items": []}}, "FIX_CHARGE_NOT_FROZEN"),
        ({"extracted_fields": {"lock_handle": "x"}}, "PREFLIGHT_LOCK_NOT_FROZEN"),
        ({"extracted_fields": {"rate_code_source": "manual"}}, "MANUAL_RATE_CODE_NOT_FROZEN"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_r17_a_fault_is_stored_as_a_transition_without_route_order_or_task(desk, mail, changes, code):
    bad = event(**changes)
    desk.send(bad)
    (row,) = of_kind("adapter_contract_error")
    assert (row.adapter_error_code, row.adapter_error_message) == (code, SENTENCES[code].en)
    assert (row.source_event_index, row.array_index, row.route_code) == (1, 0, "")
    assert row.system_process_category == "ADAPTER_CONTRACT_ERROR"
    assert jsontext.read(row.event.encode()) == jsontext.read(jsontext.write(bad).encode())
    assert (Order.objects.count(), Task.objects.count()) == (0, 0)


def test_r18_a_fault_says_what_the_agent_called_it(desk, mail):
    desk.send(event("Note", "note", result_type="normal_task"))
    (row,) = of_kind("adapter_contract_error")
    assert (row.ai_result_type, row.ai_task_type, row.ai_task_subtype) == ("normal_task", "Note", "note")


def test_r18_every_code_has_an_english_and_a_chinese_sentence():
    assert len(SENTENCES) == 27
    assert all(sentence.en and sentence.zh for sentence in SENTENCES.values())


def test_r18_the_answer_gives_code_sentence_and_transition(desk, mail):
    (line,) = desk.send(event("Note", "note"))["adapter_contract_errors"]
    (row,) = of_kind("adapter_contract_error")
    assert line == {
        "source_event_index": 1,
        "adapter_error_code": "RETIRED_TASK",
        "adapter_error_message": SENTENCES["RETIRED_TASK"].en,
        "adapter_error_detail": "type and subtype",
        "transition_id": str(row.id),
    }


def test_a_contract_error_says_which_keys_are_wrong(desk, mail):
    broken = event("New Booking", "new_fit_booking") | {
        "case_keys": {"booking_code": 7},
        "relevant_message_excerpt": None,
    }
    (line,) = desk.send(broken)["adapter_contract_errors"]
    (row,) = of_kind("adapter_contract_error")
    assert (line["adapter_error_code"], line["adapter_error_detail"]) == (
        "EVENT_SHAPE_INVALID",
        "case_keys, relevant_message_excerpt",
    )
    assert row.adapter_error_detail == line["adapter_error_detail"]


def test_a_package_whose_every_event_fails_is_still_answered(desk, mail):
    answer = desk.send(event("Note", "note"), 5)
    assert (answer["accepted"], answer["tasks"], list(errors_of(answer))) == (True, [], [1, 2])


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"message_events": "x"}, "EVENT_SHAPE_INVALID"),
        ({"unhandled_current_intents": {}}, "EVENT_SHAPE_INVALID"),
        ({"case_candidates": "ab"}, "EVENT_SHAPE_INVALID"),
        ({"contract_errors": ["x"]}, "EXPLICIT_CONTRACT_ERRORS"),
        ({"contract_errors": [{"source_event_index": 3}]}, "EXPLICIT_CONTRACT_ERRORS"),
        ({"missing_fields": ["x"]}, "ROOT_MISSING_FIELDS"),
    ],
    ids=repr,
)
def test_a_fault_of_the_package_is_one_transition_with_index_0_and_nothing_else(desk, mail, members, code):
    answer = desk.send(event(), **{"unhandled_current_intents": [{}], **members})
    row = AiTransition.objects.get()
    assert (row.kind, row.source_event_index, row.array_index) == ("adapter_contract_error", 0, None)
    assert errors_of(answer) == {0: code}
    assert (answer["tasks"], Order.objects.count()) == ([], 0)


def test_a_root_error_with_a_valid_index_is_that_events_alone(desk, mail):
    answer = desk.send(event(), event(), contract_errors=[{"source_event_index": 2}])
    assert (accepted(answer), errors_of(answer)) == ([1], {2: "EXPLICIT_CONTRACT_ERRORS"})


@pytest.mark.parametrize(
    "intent", [{"intent": "quote"}, "text", 5, None, [], {"case_keys": {"group_code": 5}}], ids=repr
)
def test_r09_an_intent_is_one_transition_of_r42_whatever_its_shape(desk, mail, intent):
    answer = desk.send(unhandled_current_intents=[intent])
    row = AiTransition.objects.get()
    assert (row.kind, row.route_code, row.system_process_category) == (
        "UNHANDLED_CURRENT_INTENT",
        R42,
        "UNHANDLED_CURRENT_INTENT",
    )
    assert (row.array_index, jsontext.read(row.event.encode())) == (0, intent)
    assert (answer["unhandled_intents"], Order.objects.count(), Task.objects.count()) == (1, 0, 0)


def test_r09_intents_stand_beside_events_and_are_counted(desk, mail):
    answer = desk.send(event(), unhandled_current_intents=[{"intent": "a"}, {"intent": "a"}])
    assert (accepted(answer), answer["unhandled_intents"], errors_of(answer)) == ([1], 2, {})
    assert [row.array_index for row in of_kind("UNHANDLED_CURRENT_INTENT")] == [0, 1]


def test_r09_a_v2_item_of_r42_is_an_intent(desk, mail):
    unhandled = item(
        "Unhandled Current Intent",
        "requires_business_approval_or_unsupported_task_card",
        result_type="unhandled_current_intent",
    )
    answer = desk.post(old_package(item(), unhandled))
    assert (accepted(answer), answer["unhandled_intents"]) == ([1], 1)


def test_r08_candidates_and_warnings_are_stored_with_the_submission(desk, mail):
    candidates, warnings = [{"candidate_key": "GROUP_CODE", "value": "X"}, 5], [{"code": "table_partially_read"}]
    desk.send(event(), case_candidates=candidates, extraction_warnings=warnings)
    row = Submission.objects.get()
    assert (row.case_candidates, row.extraction_warnings) == (candidates, warnings)


def test_r08_candidates_of_a_wrong_type_are_kept_in_the_payload_alone(desk, mail):
    desk.send(event(), case_candidates={"a": 1}, extraction_warnings="x")
    row = Submission.objects.get()
    assert (row.case_candidates, row.extraction_warnings) == ([], [])


@pytest.mark.parametrize("code", ["S10", "S99"])
def test_r10_a_notice_is_a_read_only_task_of_a_hidden_technical_order(desk, mail, code):
    answer = desk.post(notice(code))
    task, order = Task.objects.get(), Order.objects.get()
    assert (order.kind, order.hidden, task.order) == ("TECHNICAL", True, order)
    assert (task.readonly, task.queue_participation, task.task_status) == (True, False, "NOTICE")
    assert (task.source_event_index, task.array_index, task.system_task_type) == (0, None, "SOURCE_MESSAGE_ONLY")
    assert answer["notices"] == [
        {
            "route_code": code,
            "route_display_code": f"NOTICE.{code}",
            "task_id": str(task.id),
            "notification_id": None,
        }
    ]
    assert answer["tasks"] == []


def test_r10_a_notice_blocks_and_shares_no_order(desk, mail):
    desk.post(notice())
    desk.mail("m2@lakeside.example")
    desk.post(notice(source_message={"source_message_id": "m2@lakeside.example"}))
    assert Order.objects.filter(kind="TECHNICAL", hidden=True).count() == 2


@pytest.mark.parametrize(
    "body",
    [
        notice("S10", manual_review=entry_review()),
        notice("S10", manual_review={}),
        notice("S99", manual_review=None),
        notice("S99", manual_review=...),
        notice("S99", manual_review=review()),
        notice("S99", manual_review=entry_review(confidence=True)),
        notice("S99", manual_review=entry_review(missing_fields=["nothing"])),
        notice("S11"),
        notice(None),
        notice(...),
        notice("s10"),
        notice(" S10"),
    ],
)
def test_r13_a_notice_whose_review_or_code_does_not_fit_is_one_error_and_no_card(desk, mail, body):
    assert errors_of(desk.post(body)) == {0: "NOTICE_REVIEW_INVALID"}
    assert (AiTransition.objects.count(), Order.objects.count(), Task.objects.count()) == (1, 0, 0)


def test_r13_an_s10_without_the_key_counts_as_null(desk, mail):
    assert len(desk.post(notice("S10", manual_review=...))["notices"]) == 1


def test_r13_an_s99_may_ask_for_anything_well_formed(desk, mail):
    body = notice("S99", manual_review=entry_review(missing_fields=["/anything/at~1all", ""]))
    assert len(desk.post(body)["notices"]) == 1


def test_r09_intents_beside_a_notice_are_recorded(desk, mail):
    assert desk.post(notice(unhandled_current_intents=[{}]))["unhandled_intents"] == 1
    assert len(of_kind("UNHANDLED_CURRENT_INTENT")) == 1


def test_r12_the_order_of_a_notice_is_named_like_the_mail(desk):
    desk.mail(subject="Thank you 谢谢")
    desk.post("S000,m1@lakeside.example", TEXT)
    assert Order.objects.get().display_name == "Thank you 谢谢"


@pytest.mark.parametrize(("sent", "other"), [("group_code", "block_code"), ("block_code", "group_code")])
def test_r22_the_missing_parent_key_is_completed_on_the_derived_copy_alone(desk, mail, sent, other):
    task = task_of(desk.send(parent(case_keys={sent: "ALT-1"})))
    assert task.case_keys == {sent: "ALT-1"}
    assert task.derived_case_keys == {sent: "ALT-1", other: "ALT-1"}
    assert jsontext.read(task.ai_payload_json.encode())["case_keys"] == {sent: "ALT-1"}


def test_r22_an_unclear_parent_is_a_review_whose_derived_copy_holds_neither_key(desk, mail):
    keys = {"group_code": "ALT-SPR", "block_code": "BLK-SUM", "booking_code": "B"}
    task = task_of(desk.send(parent(case_keys=keys, manual_review=unclear("/case_keys/group_code"))))
    assert (task.derived_case_keys, task.case_keys, task.order.kind) == ({"booking_code": "B"}, keys, "TEMPORARY")


@pytest.mark.parametrize(
    ("keys", "code"),
    [({"group_code": "A", "block_code": "B"}, "PARENT_KEY_CONFLICT"), ({"booking_code": "B"}, "PARENT_KEY_MISSING")],
)
def test_r22_a_parent_without_one_key_is_an_error_unless_the_review_names_candidates(desk, mail, keys, code):
    asked = review("/case_keys/group_code")
    answer = desk.send(parent(case_keys=keys), parent(case_keys=keys, manual_review=asked), event())
    assert (errors_of(answer), accepted(answer)) == ({1: code, 2: code}, [3])


def test_r22_equal_keys_are_compared_folded(desk, mail):
    answer = desk.send(parent(case_keys={"group_code": "alt-ﬁ", "block_code": " ＡＬＴ-FI "}))
    assert accepted(answer) == [1]


def test_r22_the_second_legal_parent_of_a_key_fails_and_an_illegal_first_one_uses_nothing_up(desk, mail):
    scope = {"cancel_scope": "half"}
    answer = desk.send(parent(extracted_fields=scope), parent(), parent(case_keys={"block_code": " alt-LKS"}))
    assert (accepted(answer), errors_of(answer)) == ([2], {1: "CANCEL_SCOPE_INVALID", 3: "PARENT_DUPLICATE"})


def test_r22_a_whole_split_links_its_cards(desk, mail):
    answer = desk.send(*split())
    assert accepted(answer) == [1, 2, 3]
    (link,) = task_of(answer, 3).relationships
    assert (link["role"], link["child_event_indexes"]) == ("parent", [1, 2])
    assert task_of(answer, 1).relationships[0]["parent_event_index"] == 3
    assert task_of(answer, 3).route_code == catalog().find("normal_task", *PARENT).route_code


@pytest.mark.parametrize(
    "events",
    [
        [child("A", 2), parent()],
        [child("A", None), parent(relationships=releases(1))],
        [child("A", 2, relevant_message_excerpt=...), parent(relationships=releases(1))],
        [event(), parent(relationships=releases(1))],
        [child("A", 2), parent(relationships=releases(1, 3))],
    ],
    ids=["parent silent", "child silent", "child illegal", "no child block", "dangling"],
)
def test_r22_a_split_that_is_not_whole_fails_the_parent_and_the_children_go_on(desk, mail, events):
    answer = desk.send(*events)
    assert errors_of(answer)[2] == "PARENT_SPLIT_INCOMPLETE"
    assert 2 not in accepted(answer)
    legal = events[0].get("relevant_message_excerpt") is not None
    assert accepted(answer) == ([1] if legal else [])


@pytest.mark.parametrize("scope", ["half", "", "ENTIRE_ALLOTMENT_CONTROL_BLOCK", 1, [], {}])
def test_r23_a_part_of_an_allotment_is_an_error(desk, mail, scope):
    assert errors_of(desk.send(parent(extracted_fields={"cancel_scope": scope}))) == {1: "CANCEL_SCOPE_INVALID"}


@pytest.mark.parametrize("fields", [{}, {"cancel_scope": None}, {"cancel_scope": "entire_allotment_control_block"}])
def test_r23_the_whole_allotment_or_no_scope_is_a_card(desk, mail, fields):
    assert accepted(desk.send(parent(extracted_fields=fields))) == [1]


def test_r20_v3_history_triples_are_no_routes_for_new_data(desk, mail):
    retired = event("Cancel Booking", "linked_parent_release_after_child_split", case_keys={"group_code": "A"})
    assert errors_of(desk.send(retired)) == {1: "RETIRED_PARENT_CANCEL_BOOKING"}


def test_r18_a_voucher_is_looked_for_in_the_inbox_and_not_in_the_package(desk, mail):
    voucher = event("Payment", "register_payment_voucher", extracted_fields={"attachment_ids": ["att-1"]})
    claimed = {"source_message_id": mail.external_message_id, "attachments": [{"id": "att-1"}]}
    assert errors_of(desk.send(voucher, source_message=claimed)) == {1: "VOUCHER_FILE_MISSING"}
    factories.attachment(mail, "att-1")
    assert accepted(desk.send(voucher)) == [1]


def test_the_payload_of_a_card_is_hashed_as_stored(desk, mail):
    task = task_of(desk.post(package(event())))
    assert task.ai_payload_sha256 == hashlib.sha256(task.ai_payload_json.encode()).hexdigest()
    assert task.ai_payload_json == task.transition.event
