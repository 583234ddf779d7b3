"""Finding the agent's quotes in the mail (R-43)."""

from __future__ import annotations

import re
import sys
import time
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reservations.domain.evidence import _STABLE, EvidenceResult, Found, SearchableMail, _joins, fold, search

# Letters that compose, expand, shrink, are blank or invisible: where offsets go wrong.
TRICKY = st.text(
    st.sampled_from(
        "aé e\u0301\u0300\u0327가각\u1100\u1161\u11a8ｶﾞﾊﾟ㈱①，（）　\u00a0\u200b\u00ad\ufeff\n\t\u00b4\u00a8ﬁ\u0bc6\u0bbe\ufdfa中文A1"
    ),
    max_size=40,
)


def find(quote: str, text: str = "", html: str = "") -> Found | None:
    return SearchableMail(body_text=text, body_html=html).find(quote)


@pytest.mark.parametrize(
    ("text", "quote", "cut"),
    [
        ("Please book 1 Deluxe King.", "1 Deluxe King", "1 Deluxe King"),
        ("two\r\n  lines\there", "two lines here", "two\r\n  lines\there"),
        ("two lines", "two \n lines", "two lines"),
        ("CNY\u00a0880 per\u3000night", "CNY 880 per night", "CNY\u00a0880 per\u3000night"),
        ("共１２间，（含早）", "共12间,(含早)", "共１２间，（含早）"),
        ("共12间,(含早)", "１２间，", "12间,"),
        ("㈱山川トラベル", "(株)山川", "㈱山川"),
        ("㈱山川トラベル", "株)山", "㈱山"),
        ("ｶﾞｲﾄﾞ 2名", "ガイド", "ｶﾞｲﾄﾞ"),
        ("Cafe\u0301 Zoë", "Café Zoe\u0308", "Cafe\u0301 Zoë"),
        ("ALT\u200b-\u00adWIN stays", "ALT-WIN", "ALT\u200b-\u00ad" + "WIN"),
        ("ALT-WIN", "ALT\u200b-WIN\ufeff", "ALT-WIN"),
        ("first 8 rooms, then 8 rooms", "8 rooms", "8 rooms"),
        ("  lead", " lead ", "lead"),
        ("x \u00b4y", "x \u0301y", "x \u00b4y"),
    ],
)
def test_quote_is_found_and_its_offsets_cut_the_original(text, quote, cut):
    found = find(quote, text)
    assert (found.part, text[found.start : found.end]) == ("text", cut)


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Deluxe King", "deluxe king"),
        ("Deluxe King", "DeluxeKing"),
        ("Café", "Cafe"),
        ("12 rooms", "12 rooms 15"),
        ("anything", ""),
        ("any thing", " "),
        ("any thing", "\u200b\u3000\n"),
        ("", "x"),
    ],
)
def test_other_text_and_blank_quotes_are_not_found(text, quote):
    assert find(quote, text, text) is None


def test_text_part_comes_first_and_html_is_searched_by_its_readable_text():
    html = "<p>Row&nbsp;1: <b>12</b> rooms</p>"
    assert find("12 rooms", "12 rooms", html) == Found("text", 0, 8)
    assert find("Row 1: 12 rooms", "other", html) == Found("html", 0, 15)


def test_results_keep_pointer_text_and_order():
    quotes = [("/a", "two"), ("/b", "none"), ("/c", "in html")]
    assert search(quotes, body_text="one two", body_html="<i>in</i> html") == [
        EvidenceResult("/a", "two", True, "text", 4, 7),
        EvidenceResult("/b", "none", False, None, None, None),
        EvidenceResult("/c", "in html", True, "html", 0, 7),
    ]


def test_mail_without_parts_finds_nothing():
    assert search([("/a", "x")], body_text=None, body_html=None) == [EvidenceResult("/a", "x", False, None, None, None)]


def test_html_is_not_read_while_the_text_has_everything():
    mail = SearchableMail(body_text="one two", body_html="<p>x</p>")
    mail.find("two")
    assert "html" not in vars(mail)


@given(TRICKY | st.text(max_size=40))
@example("a \u00b4\u3000b")
@settings(max_examples=500, deadline=None)
def test_folded_text_is_the_fold_of_the_whole(text):
    mail = SearchableMail(body_text=text, body_html=None)
    assert re.sub(r"\s+", " ", mail.text._folded.text).strip() == fold(text)


@given(st.data(), TRICKY | st.text(max_size=60))
@settings(max_examples=500, deadline=None)
def test_any_piece_of_the_mail_is_found_where_its_fold_stands(data, text):
    start = data.draw(st.integers(0, len(text)))
    quote = text[start : start + data.draw(st.integers(0, 20))]
    found = find(quote, text)
    assert (found is None) == (fold(quote) == "")
    assert found is None or fold(text[found.start : found.end]) == fold(quote)


@given(TRICKY.filter(fold), TRICKY, TRICKY)
@settings(max_examples=500, deadline=None)
def test_folded_quote_between_blanks_is_found_in_the_unfolded_mail(quote, before, after):
    text = f"{before}\n{quote}\n{after}"
    found = find(f"\n{fold(quote)}", text)
    assert fold(quote) in fold(text[found.start : found.end])


def test_every_letter_that_may_join_the_one_before_is_known():
    """Derived from the Unicode data of this Python: last letters of everything that NFKC leaves composed."""
    characters = [chr(code) for code in range(sys.maxunicode + 1)]
    composed = [
        c for c in characters if unicodedata.is_normalized("NFKC", c) and not unicodedata.is_normalized("NFKD", c)
    ]
    seconds = {unicodedata.normalize("NFD", character)[-1] for character in composed}
    assert (len(composed) > 10_000, [letter for letter in sorted(seconds) if not _joins(letter)]) == (True, [])


def test_every_letter_held_stable_is_left_alone_by_folding():
    stable = _STABLE.findall("".join(chr(code) for code in range(0x10000)))
    letters = [letter for run in stable for letter in run]
    assert [c for c in letters if c != " " and (fold(c) != c or _joins(c))] == []


@pytest.mark.parametrize(
    "line",
    [
        "Please book 12 rooms for group NL-0910, CNY 680 per night.\r\n",
        "请预留团队ＮＬ－0910（秋叶团）：2026年９月10日入住，12 间，含双早。\n",
        "ｶﾞｲﾄﾞ 2名、㈱山川トラベル①\n",
        "สวัสดี e\u0301\u200b ",
    ],
)
def test_ten_quotes_in_a_large_mail_take_no_time(line):
    """R-43 runs on every card: 200 KB of ordinary text take 5 to 10 ms of an idle core, the worst mix 100."""
    text = line * (200_000 // len(line.encode()))
    quotes = [(f"/{n}", f"nowhere ｘ{n}") for n in range(10)]
    start = time.process_time()
    search(quotes, body_text=text, body_html=None)
    assert time.process_time() - start < 0.5
