"""The mail page: the mail as it came, made harmless, beside what the agent made of it."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse

from reservations.models import SubmissionOutcome, TaskStatusChoice, TransitionKind
from tests import factories
from tests.reservations.admin.pages import a_mail, agent_of, list_of, main_of, page_of, text_of

SCRIPT = "<script>alert(1)</script>"
RLO = "\u202e"


def verdicts(mail, *kinds, submission=None):
    package = submission or factories.submission(mail, agent_of(mail.hotel))
    for place, kind in enumerate(kinds):
        code = "ROUTE_UNRESOLVED" if kind == TransitionKind.CONTRACT_ERROR else ""
        factories.transition(
            package, kind=kind, source_event_index=place + 1, array_index=place, adapter_error_code=code
        )
    return package


def test_the_list_says_how_much_came_of_each_mail(hotel, desk):
    mail = a_mail(hotel)
    kinds = TransitionKind
    verdicts(mail, kinds.BUSINESS_EVENT, kinds.BUSINESS_EVENT, kinds.CONTRACT_ERROR, kinds.UNHANDLED_INTENT)
    factories.submission(mail, agent_of(hotel), outcome=SubmissionOutcome.CONFLICT)
    (row,) = desk.get(list_of("reservations_sourcemessage")).context["cl"].result_list
    tally = row.tally
    assert (tally.cards, tally.notices, tally.errors, tally.intents, tally.conflicts) == (2, 0, 1, 1, 1)


def test_a_mail_of_which_nothing_came_says_so(hotel, desk):
    a_mail(hotel)
    assert "nothing yet" in text_of(desk.get(list_of("reservations_sourcemessage")))


@pytest.mark.parametrize("cards", [1, 3])
def test_the_page_takes_the_same_statements_for_1_and_3_cards(cards, hotel, desk, django_assert_num_queries):
    mail = a_mail(hotel)
    package = factories.submission(mail, agent_of(hotel))
    for number in range(cards):
        factories.task(factories.order(hotel), package, source_event_index=number + 1)
    with django_assert_num_queries(10):
        answer = desk.get(page_of(mail))
    assert len(answer.context["cards"]) == cards


def test_the_page_tells_cards_notices_errors_and_intents_apart(hotel, desk):
    mail = a_mail(hotel)
    package = verdicts(mail, TransitionKind.CONTRACT_ERROR, TransitionKind.UNHANDLED_INTENT)
    card = factories.task(factories.order(hotel), package, source_event_index=3)
    notice = factories.task(
        factories.order(hotel, order_type="TECHNICAL"),
        package,
        source_event_index=4,
        task_status=TaskStatusChoice.NOTICE,
        readonly=True,
        queue_participation=False,
        route_code="S10",
    )
    context = desk.get(page_of(mail)).context
    assert [line.task for line in context["cards"]] == [card]
    assert [line.task for line in context["notices"]] == [notice]
    assert [error.adapter_error_code for error, _meaning in context["errors"]] == ["ROUTE_UNRESOLVED"]
    assert len(context["reading"].intents) == 1


def test_a_hidden_order_is_not_linked(hotel, desk):
    """R-10: the technical order of a notice is never shown."""
    package = factories.submission(a_mail(hotel), agent_of(hotel))
    order = factories.order(hotel, order_type="TECHNICAL")
    notice = {"task_status": TaskStatusChoice.NOTICE, "readonly": True, "queue_participation": False}
    factories.task(order, package, route_code="S000", **notice)
    page = text_of(desk.get(page_of(package.source_message)))
    assert (order.order_number in page, str(order.pk) in page) == (False, False)


def test_an_error_is_shown_with_its_meaning_in_both_languages(hotel, desk):
    """R-18: the code, its sentence, 契约问题; no fields, no button."""
    mail = a_mail(hotel)
    verdicts(mail, TransitionKind.CONTRACT_ERROR)
    page = main_of(desk.get(page_of(mail)))
    assert [
        word in page
        for word in (
            "No active route fits this type and subtype.",
            "此类型与子类型没有对应的有效路由。",
            "契约问题",
            "<button",
        )
    ] == [True, True, True, False]


def test_an_unhandled_intent_is_a_block_without_a_button(hotel, desk):
    """R-09."""
    mail = a_mail(hotel)
    verdicts(mail, TransitionKind.UNHANDLED_INTENT)
    page = main_of(desk.get(page_of(mail)))
    assert ("暂不支持" in page, "<button" in page) == (True, False)


def test_a_kept_conflict_is_announced(hotel, desk):
    """R-52: a newer reading exists."""
    mail = a_mail(hotel)
    factories.submission(mail, agent_of(hotel), outcome=SubmissionOutcome.CONFLICT)
    assert "A newer reading exists" in text_of(desk.get(page_of(mail)))


def test_the_conversation_links_its_other_mails_of_this_hotel(hotel, other_hotel, desk):
    first, second = (factories.message(hotel, conversation_id="c1", subject=word) for word in ("First", "Second"))
    factories.message(other_hotel, conversation_id="c1", subject="Foreign")
    mails = desk.get(page_of(second)).context["conversation"]
    assert {mail.pk for mail in mails} == {first.pk, second.pk}


def test_text_of_the_mail_is_inert_and_its_controls_are_seen(hotel, desk):
    mail = factories.message(
        hotel,
        subject=f"S {SCRIPT} {RLO}gnp.exe",
        sender=f"{SCRIPT} <a@b.example>",
        body_text=f"T {SCRIPT} {RLO}0001",
        recipients=[SCRIPT],
        headers=[["X", f"</pre>{SCRIPT}"]],
    )
    for address in (page_of(mail), list_of("reservations_sourcemessage"), reverse("admin:index")):
        page = text_of(desk.get(address))
        assert (SCRIPT in page, RLO in page, 'title="U+202E">RLO<' in page) == (False, False, True)


def test_html_of_the_mail_stands_in_a_sandbox_without_any_right(hotel, desk):
    mail = factories.message(hotel, body_html=f"<p>Hello</p>{SCRIPT}<img src='http://evil.example/a.gif'>")
    answer = desk.get(page_of(mail))
    page, frame = text_of(answer), answer.context["frame"]
    assert ('sandbox referrerpolicy="no-referrer"' in page, "allow-" in page) == (True, False)
    assert ("<p>Hello</p>" in frame, "script" in frame.split("</head>")[1], "evil" in frame) == (True, False, False)


def test_the_policy_of_the_back_office_holds_on_the_page(hotel, desk):
    policy = desk.get(page_of(a_mail(hotel)))["Content-Security-Policy"]
    assert ("default-src 'self'" in policy, "http:" in policy, "*" in policy) == (True, False, False)


@pytest.fixture
def with_file(hotel):
    def made(place, name="rooms.csv"):
        attachment = factories.attachment(a_mail(place), file_name=name, media_type="text/html")
        attachment.file.save(f"{place.code}-file", ContentFile(b"<script>"))
        return reverse("admin:reservations_sourcemessage_attachment", args=[attachment.message_id, attachment.pk])

    return made


def test_an_attachment_is_a_download_whatever_it_claims_to_be(hotel, desk, with_file):
    answer = desk.get(with_file(hotel, f"../a{RLO}fdp.html"))
    assert (b"".join(answer.streaming_content), answer["Content-Type"]) == (b"<script>", "application/octet-stream")
    assert answer["Content-Disposition"] == 'attachment; filename="afdp.html"'
    assert (answer["X-Content-Type-Options"], answer["Content-Security-Policy"]) == (
        "nosniff",
        "default-src 'none'; sandbox",
    )


def test_an_attachment_of_another_hotel_does_not_exist(other_hotel, desk, with_file):
    assert desk.get(with_file(other_hotel)).status_code == 404


def test_an_attachment_of_another_mail_does_not_exist(hotel, desk, with_file):
    address = with_file(hotel)
    attachment_key = address.rstrip("/").rsplit("/", 1)[1]
    wrong = reverse("admin:reservations_sourcemessage_attachment", args=[a_mail(hotel).pk, attachment_key])
    assert desk.get(wrong).status_code == 404


def test_an_attachment_needs_its_own_permission(hotel, reviewer, desk_of, with_file):
    group = reviewer.groups.get()
    group.permissions.remove(group.permissions.get(codename="view_attachment"))
    assert desk_of(reviewer).get(with_file(hotel)).status_code == 403


def test_an_attachment_known_by_name_only_is_not_found(hotel, desk):
    attachment = factories.attachment(a_mail(hotel))
    address = reverse("admin:reservations_sourcemessage_attachment", args=[attachment.message_id, attachment.pk])
    assert (desk.get(address).status_code, "name only" in text_of(desk.get(page_of(attachment.message)))) == (404, True)
