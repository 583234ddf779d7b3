"""What others wrote is shown whole and does nothing."""

from __future__ import annotations

from html import unescape

import pytest

from config.backoffice.untrusted import breakable, entered, frame_document, hides, shortened, spelled, visible


def body_of(html):
    return frame_document(html).split("<body>")[1].removesuffix("</body></html>")


def test_text_is_escaped_and_a_control_becomes_a_label_with_its_code_point():
    assert visible("<b>\u202e") == '&lt;b&gt;<span class="hidden-character" title="U+202E">RLO</span>'


def test_a_run_of_one_control_is_one_label():
    assert spelled("a\u200b\u200b\u200bb\x07") == "a⟦ZWSP ×3⟧b⟦U+0007⟧"


@pytest.mark.parametrize("text", ["line\nline\ttab", "नमस्\u200dते", "👩\u200d👩\u200d👧", "中文"])
def test_what_scripts_need_stays(text):
    assert visible(text) == text


@pytest.mark.parametrize("text", ['<b>"a"\'', "a\u202e\u202eb", "\ufeff中文\u200d"])
def test_a_control_gives_back_what_it_was_given_and_shows_nothing_raw(text):
    assert unescape(entered(text)) == text
    assert ("<" in entered(text), "\u202e" in entered(text)) == (False, False)


def test_c0_is_a_reference_and_c1_is_none_for_html_reads_those_as_other_characters():
    assert entered("\x07\x85") == "&#x7;\x85"


def test_hidden_characters_are_found():
    assert [hides(text) for text in ("a\tb\n中\u200d", "a\u200bb")] == [False, True]


def test_markup_stays_whole_where_codes_may_break():
    assert breakable("a_b.</x>") == "a_<wbr>b.&lt;/<wbr>x&gt;"


def test_a_shortened_text_is_one_line():
    assert shortened("a\n b" + "c" * 10, 6) == "a bcc…"


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<script>alert(1)</script>x", "x"),
        ("<img src=x onerror=alert(1)>", "<img>"),
        ('<img src="http://evil.example/a.gif" alt="logo">', '<img alt="logo">'),
        ('<img src="//evil.example/a.gif">', "<img>"),
        ('<img src="data:image/svg+xml,<svg onload=alert(1)>">', "<img>"),
        ('<img src="data:image/png;base64,AAAA">', '<img src="data:image/png;base64,AAAA">'),
        ('<a href="javascript:alert(1)">a</a><a href="http://evil.example">b</a>', "<a>a</a><a>b</a>"),
        ('<p style="display:none" hidden class="x">seen</p>', "<p>seen</p>"),
        ("<style>p{display:none}</style><p>seen</p>", "<p>seen</p>"),
        ('<form action="http://evil.example"><input name="a">x</form>', "x"),
        ('<iframe src="http://evil.example"></iframe><object data="x"></object><embed src="x">y', "y"),
        (
            '<base href="http://evil.example"><meta http-equiv="refresh" content="0"><link rel="stylesheet" href="x">z',
            "z",
        ),
        ("<details><summary>s</summary>folded</details>", "sfolded"),
        (
            "<table background='http://evil.example'><tr><td colspan=2 onclick=x>c",
            '<table><tbody><tr><td colspan="2">c</td></tr></tbody></table>',
        ),
        ("a&#8238;b", "a⟦RLO⟧b"),
        ("</body></html><script>alert(1)</script>", ""),
        ("<svg><script>alert(1)</script></svg><math><mtext></mtext></math>m", "m"),
        ("<!-- c --><noscript><img src=x></noscript>n", "n"),
    ],
)
def test_html_keeps_its_content_and_nothing_that_acts_loads_or_hides(html, shown):
    assert body_of(html) == shown


def test_the_frame_has_a_policy_of_its_own():
    assert "default-src 'none'; img-src data:; style-src 'unsafe-inline'" in frame_document("x").split("<body>")[0]


def test_a_huge_html_is_cut():
    assert len(frame_document("x" * 3_000_000)) < 250_000
