"""The task list and the card page in its first form."""

from __future__ import annotations

import json

import pytest

from config.audit.services import Door, record
from reservations.models import SubmissionOutcome, TaskStatusChoice, TransitionKind
from tests import factories
from tests.reservations.admin.pages import a_mail, a_task, agent_of, list_of, page_of, text_of

R21 = "R21_CANCEL_ALLOTMENT_CANCEL_ALLOTMENT_CONTROL_BLOCK_NORMAL"
R37 = "R37_CANCEL_BOOKING_LINKED_PARENT_RELEASE_AFTER_CHILD_SPLIT_NORMAL"
SPLIT = "linked_parent_release_after_child_split"
NOTICE = {"task_status": TaskStatusChoice.NOTICE, "readonly": True, "queue_participation": False}
SCRIPT = "<script>alert(1)</script>"


def card(hotel, *, mail=None, package=None, order=None, **fields):
    package = package or factories.submission(mail or a_mail(hotel), agent_of(hotel))
    return factories.task(order or factories.order(hotel), package, **fields)


def notice(hotel, route_code, **fields):
    return card(hotel, order=factories.order(hotel, order_type="TECHNICAL"), route_code=route_code, **NOTICE, **fields)


def found(desk, **query):
    return {row.pk for row in desk.get(list_of("reservations_task"), query).context["cl"].result_list}


def test_a_card_is_called_by_its_title(hotel, desk):
    task = a_task(hotel)
    assert all(
        "New individual booking" in text_of(desk.get(at)) for at in (list_of("reservations_task"), page_of(task))
    )


@pytest.mark.parametrize(("shown", "stored"), [("S10", ["S10", "S000"]), ("S99", ["S99", "S999"])])
def test_a_route_filter_finds_what_is_shown_under_the_code(shown, stored, hotel, desk):
    """R-12."""
    wanted = {notice(hotel, code).pk for code in stored}
    card(hotel)
    assert found(desk, route=shown) == wanted


def test_the_route_filter_of_a_live_pair_finds_the_retired_one(hotel, desk):
    """R-12, R-21."""
    wanted = {card(hotel, route_code=code).pk for code in (R21, R37)}
    card(hotel)
    assert found(desk, route=R21) == wanted


def test_no_filter_offers_a_retired_or_an_old_code(desk):
    """R-12, R-21: 39 codes, for no task is of R42."""
    specs = desk.get(list_of("reservations_task")).context["cl"].filter_specs
    offered = {spec.parameter_name: [value for value, _label in spec.lookup_choices] for spec in specs}
    assert len(offered["route"]) == 39
    assert not {R37, "S000", "S999", "R42_UNHANDLED_CURRENT_INTENT"} & set(offered["route"])
    assert offered["type"][-2:] == ["Fallback", "Source Message Review"]


def test_the_type_filter_finds_a_retired_pair_under_the_type_it_is_shown_as(hotel, desk):
    """R-21."""
    retired = card(hotel, route_code=R37, ai_task_type="Cancel Booking", ai_task_subtype=SPLIT)
    assert found(desk, type="Cancel Allotment") == {retired.pk}
    assert found(desk, type="Cancel Booking") == set()


def test_status_and_review_filters_narrow(hotel, desk):
    plain = card(hotel)
    review = card(hotel, task_status=TaskStatusChoice.PENDING_REVIEW, review_status="PENDING")
    assert found(desk, task_status="PENDING_REVIEW") == {review.pk}
    assert (found(desk, review="PENDING"), found(desk, review="none")) == ({review.pk}, {plain.pk})


@pytest.mark.parametrize("word", ["Needle", "needle-order", "NEEDLE-KEY", "needle@x.example"])
def test_a_search_looks_into_subject_sender_order_number_and_keys(word, hotel, desk):
    tasks = {
        "Needle": card(hotel, mail=factories.message(hotel, subject="A Needle in a haystack")),
        "needle@x.example": card(hotel, mail=factories.message(hotel, sender="needle@x.example", subject="b")),
        "needle-order": card(hotel, order=factories.order(hotel, order_number="needle-order")),
        "NEEDLE-KEY": card(hotel, case_keys={"group_code": "NEEDLE-KEY"}),
    }
    assert tasks[word].pk in found(desk, q=word)
    assert found(desk, q="haystack") == {tasks["Needle"].pk}


def test_a_notice_shows_no_order_and_is_no_link_to_one(hotel, desk):
    """R-10."""
    task = notice(
        hotel, "S10", ai_payload_json='{"agent_assessment": "A thank-you note.", "notification": {"title": "T"}}'
    )
    page = text_of(desk.get(page_of(task))) + text_of(desk.get(list_of("reservations_task")))
    assert (task.order.order_number in page, str(task.order_id) in page) == (False, False)
    assert ("A thank-you note." in page, "Raw answer" in page) == (True, True)


@pytest.mark.parametrize(
    "payload", ['{"notification": "text"}', '{"notification": [1]}', '{"notification": {"items": "x"}}', "S000,m1"]
)
def test_a_notice_of_any_shape_is_shown(payload, hotel, desk):
    assert desk.get(page_of(notice(hotel, "S000", ai_payload_json=payload))).status_code == 200


def test_an_old_notice_is_shown_as_the_new_one_and_says_what_was_received(hotel, desk):
    """R-12."""
    answer = desk.get(page_of(notice(hotel, "S000")))
    assert (answer.context["explained"].face.code, "as S000" in text_of(answer)) == ("S10", True)


def test_a_retired_card_is_shown_as_the_one_that_took_its_place(hotel, desk):
    """R-21: shown as Cancel Allotment; what the agent said stays."""
    task = card(hotel, route_code=R37, ai_task_type="Cancel Booking", ai_task_subtype=SPLIT)
    answer = desk.get(page_of(task))
    face = answer.context["explained"].face
    assert (face.task_type, face.task_subtype, face.retired) == (
        "Cancel Allotment",
        "cancel_allotment_control_block",
        True,
    )
    assert "Cancel Booking" in text_of(answer)


def test_a_found_quote_is_marked_in_the_mail(hotel, desk):
    """R-43."""
    mail = factories.message(hotel, body_text="Please book 1 Deluxe King.")
    mark = {
        "pointer": "/relevant_message_excerpt",
        "text": "book 1",
        "found": True,
        "part": "text",
        "start": 7,
        "end": 13,
    }
    page = text_of(desk.get(page_of(card(hotel, mail=mail, evidence=[mark]))))
    assert '<mark title="/relevant_message_excerpt">book 1</mark>' in page


def test_a_quote_that_was_not_found_says_so(hotel, desk):
    mark = {"pointer": "/p", "text": "nowhere", "found": False, "part": None, "start": None, "end": None}
    answer = desk.get(page_of(card(hotel, evidence=[mark])))
    assert ("not found" in text_of(answer), "<mark" in text_of(answer)) == (True, False)


def test_the_nine_fields_are_read_with_the_labels_of_the_card(hotel, desk):
    review = {"reason_summary": "Which room?", "missing_fields": ["/extracted_fields/guest_name"], "confidence": 0}
    task = card(hotel, manual_review=review, task_status=TaskStatusChoice.PENDING_REVIEW, review_status="PENDING")
    rows = {str(name): (value, pointed) for name, value, pointed in desk.get(page_of(task)).context["review"]}
    assert len(rows) == 9
    assert [(target.label, target.path) for target in rows["Missing"][1]] == [
        ("Guest name", "/extracted_fields/guest_name")
    ]
    assert rows["Confidence"][0] == 0


def test_keys_are_shown_as_sent_and_as_derived(hotel, desk):
    """R-22."""
    page = text_of(
        desk.get(
            page_of(card(hotel, case_keys={"group_code": "AS-SENT"}, derived_case_keys={"block_code": "AS-DERIVED"}))
        )
    )
    assert ("AS-SENT" in page, "AS-DERIVED" in page) == (True, True)


def test_linked_cards_are_shown_on_both_sides(hotel, desk):
    """R-22."""
    package = factories.submission(a_mail(hotel), agent_of(hotel))
    link = {"relationship_type": SPLIT, "parent_group_code": None}
    to_parent = link | {"role": "child", "parent_event_index": 2, "child_event_indexes": []}
    to_child = link | {"role": "parent", "parent_event_index": None, "child_event_indexes": [1]}
    child = card(hotel, package=package, source_event_index=1, relationships=[to_parent])
    parent = card(hotel, package=package, source_event_index=2, relationships=[to_child])
    pages = [desk.get(page_of(task)).context for task in (child, parent)]
    linked = [[line.task.pk for _relation, lines in page["relations"] for line in lines] for page in pages]
    assert linked == [[parent.pk], [child.pk]]
    assert [page["explained"].unfinished_children for page in pages] == [[], [1]]


def test_errors_and_intents_of_the_package_stand_beside_the_card(hotel, desk):
    """R-09, R-18."""
    package = factories.submission(a_mail(hotel), agent_of(hotel))
    factories.transition(
        package,
        kind=TransitionKind.CONTRACT_ERROR,
        adapter_error_code="RETIRED_TASK",
        array_index=1,
        source_event_index=2,
    )
    factories.transition(package, kind=TransitionKind.UNHANDLED_INTENT, event='"please phone"')
    page = text_of(desk.get(page_of(card(hotel, package=package))))
    assert ("RETIRED_" in page, "please phone" in page) == (True, True)


def test_candidates_and_extraction_warnings_stand_on_the_card(hotel, desk):
    """R-08."""
    package = factories.submission(
        a_mail(hotel),
        agent_of(hotel),
        case_candidates=[{"candidate_key": "GROUP_CODE", "value": "LKS-0926"}, "odd", {"items": 1}],
        extraction_warnings=[{"code": "table_partially_read", "message": "Half a table."}],
    )
    page = text_of(desk.get(page_of(card(hotel, package=package))))
    assert ("LKS-0926" in page, "Half a table." in page) == (True, True)


def test_a_newer_reading_is_announced_and_linked(hotel, desk):
    """R-52."""
    task = card(hotel)
    kept = factories.submission(task.source_message, agent_of(hotel), outcome=SubmissionOutcome.CONFLICT)
    assert page_of(kept) in text_of(desk.get(page_of(task)))


def test_the_history_comes_from_the_audit(hotel, reviewer, desk):
    task = card(hotel)
    record(
        tenant=hotel, actor=reviewer, door=Door.API, action="TASK_CREATE", object_type="task", object_id=str(task.pk)
    )
    page = text_of(desk.get(page_of(task)))
    assert ("TASK_CREATE" in page, reviewer.username in page) == (True, True)


def test_the_event_is_shown_with_exact_numbers(hotel, desk):
    page = text_of(desk.get(page_of(card(hotel, ai_payload_json='{"n":12345678901234567890.50,"m":1.0}'))))
    assert ("12345678901234567890.50" in page, "&quot;m&quot;: 1.0" in page) == (True, True)


def test_whatever_the_agent_wrote_is_inert(hotel, desk):
    hostile = f"\u202e{SCRIPT}"
    event = {
        "extracted_fields": {"guest_name": hostile, hostile: [{"items": hostile}]},
        "relevant_message_excerpt": hostile,
    }
    package = factories.submission(
        a_mail(hotel),
        agent_of(hotel),
        case_candidates=[{"candidate_key": hostile, "value": {"a": hostile}}],
        extraction_warnings=[hostile],
    )
    task = card(
        hotel,
        package=package,
        ai_payload_json=json.dumps(event, ensure_ascii=False),
        case_keys={"items": hostile, hostile: hostile},
        manual_review={
            "reason_summary": hostile,
            "missing_fields": [hostile],
            "evidence": [{"excerpt": hostile}],
            hostile: {"items": 1},
        },
        evidence=[{"pointer": hostile, "text": hostile, "found": True, "part": "text", "start": 0, "end": 4}],
        warnings=[{"code": hostile, "detail": hostile}],
        relationships=[
            {"relationship_type": hostile, "role": hostile, "parent_event_index": 9, "child_event_indexes": []}
        ],
        ai_task_type=hostile,
    )
    page = text_of(desk.get(page_of(task)))
    assert (SCRIPT in page, "\u202e" in page) == (False, False)


@pytest.mark.parametrize("siblings", [1, 3])
def test_the_card_takes_the_same_statements_for_1_and_3_siblings(siblings, hotel, desk, django_assert_num_queries):
    package = factories.submission(a_mail(hotel), agent_of(hotel))
    tasks = [card(hotel, package=package, source_event_index=number + 1) for number in range(siblings)]
    with django_assert_num_queries(9):
        desk.get(page_of(tasks[0]))


def test_context_and_candidates_of_a_review_are_readable(hotel, desk):
    context = {"readable_parts": ["subject", "body"], "parent_identity_candidates": [{"group_code": "ALT-SPR"}], "n": 1}
    task = card(hotel, manual_review={"context_used": context})
    page = text_of(desk.get(page_of(task)))
    assert ("subject, body" in page, "&quot;group_code&quot;: &quot;ALT-SPR&quot;" in page) == (True, True)


@pytest.mark.parametrize(
    "event", ["{}", '{"extracted_fields":{}}', '{"extracted_fields":null}', '{"extracted_fields":[]}']
)
def test_an_event_without_fields_is_shown(event, hotel, desk):
    assert desk.get(page_of(card(hotel, ai_payload_json=event))).status_code == 200
