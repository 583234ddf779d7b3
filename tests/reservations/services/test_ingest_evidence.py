"""Quotes are looked for in the stored mail; a quote that is not there is a warning (R-43)."""

import pytest

from tests.reservations.domain.builders import event, item, old_package, review
from tests.reservations.services.desk import accepted, task_of

pytestmark = pytest.mark.django_db
ASKED = "/case_keys/confirmation_number"


def evidence(desk, quote, **fields):
    """What is stored of one excerpt in a mail with these fields."""
    desk.mail(**fields)
    (row,) = task_of(desk.send(event(relevant_message_excerpt=quote))).evidence
    return row


def warnings(answer):
    return [warning["code"] for warning in task_of(answer).warnings]


def test_r43_a_quote_of_the_text_is_found_with_its_offsets(desk):
    text = "Dear all,\n\nplease note the late arrival.\n"
    row = evidence(desk, "please note", body_text=text)
    start = text.index("please")
    assert row == {
        "pointer": "/relevant_message_excerpt",
        "text": "please note",
        "found": True,
        "part": "text",
        "start": start,
        "end": start + len("please note"),
    }


def test_r43_the_html_part_is_searched_as_text_where_the_text_part_has_no_such_quote(desk):
    row = evidence(desk, "late arrival", body_text="See below.", body_html="<p>A <b>late</b>&nbsp;arrival</p>")
    assert (row["found"], row["part"]) == (True, "html")


def test_r43_the_text_part_comes_first(desk):
    assert evidence(desk, "note", body_text="a note", body_html="<p>note</p>")["part"] == "text"


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("two rooms please", "two\r\n   rooms\u00a0please"),
        ("two  rooms", "two rooms"),
        (" two rooms\n", "two rooms"),
        ("ＣＮＹ 880", "CNY 880"),
        ("ﬁrst ﬂoor", "first floor"),
        ("cafe\u0301", "café"),
        ("两间湖景大床", "我们要两间湖景大床。"),
        ("2\u3000rooms", "2 rooms"),
    ],
)
def test_r43_white_space_is_folded_and_texts_compare_in_nfkc(desk, quote, text):
    assert evidence(desk, quote, body_text=text)["found"] is True


@pytest.mark.parametrize("quote", ["three rooms", "TWO ROOMS", "two rooms please", "tworooms", "", " ", "\u0301"])
def test_r43_a_quote_that_is_not_there_is_a_warning_and_never_a_refusal(desk, quote):
    desk.mail(body_text="two rooms")
    answer = desk.send(event(relevant_message_excerpt=quote))
    assert accepted(answer) == [1]
    rows = task_of(answer).evidence
    assert [(row["found"], row["part"], row["start"], row["end"]) for row in rows] == [
        (False, None, None, None) for _ in rows
    ]


def test_r43_the_warning_names_the_quotes_that_were_not_found(desk):
    desk.mail(body_text="one")
    quotes = [{"excerpt": "one", "source": "email_body"}, {"excerpt": "two", "source": "email_body"}]
    answer = desk.send(event(relevant_message_excerpt="three", manual_review=review(ASKED, evidence=quotes)))
    task = task_of(answer)
    assert [(row["pointer"], row["found"]) for row in task.evidence] == [
        ("/relevant_message_excerpt", False),
        ("/manual_review/evidence/0/excerpt", True),
        ("/manual_review/evidence/1/excerpt", False),
    ]
    (warning,) = task.warnings
    assert warning == {
        "code": "EVIDENCE_NOT_FOUND",
        "detail": "Not found in the mail: /relevant_message_excerpt, /manual_review/evidence/1/excerpt.",
    }


def test_r43_no_warning_when_every_quote_is_found(desk):
    desk.mail(body_text="please note")
    assert warnings(desk.send(event())) == []


def test_r43_a_mail_without_text_finds_nothing_and_refuses_nothing(desk):
    desk.mail(body_text="", body_html="")
    assert warnings(desk.send(event())) == ["EVIDENCE_NOT_FOUND"]


def test_r43_a_v2_item_without_an_excerpt_has_no_evidence_and_no_warning(desk):
    desk.mail()
    task = task_of(desk.post(old_package(item())))
    assert (task.evidence, task.warnings) == ([], [])


def test_r43_quotes_in_markup_and_script_are_text_and_not_code(desk):
    row = evidence(desk, "alert(1)", body_text="", body_html="<script>alert(1)</script><p>Hello</p>")
    assert row["found"] is False


def test_r43_a_very_long_quote_and_a_very_long_mail_are_searched(desk):
    quote = "房间 and rooms " * 5000
    assert evidence(desk, quote, body_text=f"x {quote} y")["found"] is True
