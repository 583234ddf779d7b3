"""The readable text of HTML parts."""

from __future__ import annotations

import time

import pytest

from reservations.domain.mail import text_of_html


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<div>one</div><div>two</div>", "one\ntwo"),
        ("one<br>two<BR/>three<br><br><br>four", "one\ntwo\nthree\n\nfour"),
        ("<b>bo</b>ld and <i>it</i>", "bold and it"),
        ("  a \n  b\t c  ", "a b c"),
        ("<pre>a\r\n  b</pre>c", "a\n  b\n\nc"),
        ("<table><tr><td>Room</td><td>2</td></tr><tr><th>x</th></tr></table>", "Room\t2\nx"),
        ("<ul><li>one<li>two</ul>", "one\ntwo"),
        ("<head><title>t</title><style>p > a {}</style></head><body>x<script>if (a<b) y()</script>z", "xz"),
        ("<STYLE type=x>a</STYLE >b", "b"),
        ("a<!-- hidden <p>no</p> -->b<!---->c<![if !mso]>d<![endif]>e<?xml?>f", "abcdef"),
        ("<a title='a > b' href=\"x>y\">link</a>", "link"),
        ("&lt;p&gt; &amp; &eacute;&#26085;&#x672C;&nbsp;x &bogus; &euro; &copy", "<p> & é日本\xa0x &bogus; € ©"),
        ("&#99999999999999999999;&#0;&#xD800;", "\ufffd\ufffd\ufffd"),
        ("1 < 2 and <3", "1 < 2 and <3"),
        ("<o:p></o:p>Hi<o:p>&nbsp;</o:p>", "Hi\xa0"),
        ('<div style="display:none">shown all the same</div>', "shown all the same"),
        ("", ""),
    ],
)
def test_text_is_what_a_reader_sees(source, text):
    assert text_of_html(source) == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("before <a href='x", "before <a href='x"),
        ("before <!-- never closed", "before <!-- never closed"),
        ("<style>p{} text", "p{} text"),
        ('<a b="c>d</a> e', "d e"),
        ("</p", "</p"),
        ("<", "<"),
    ],
)
def test_what_is_never_closed_hides_nothing(source, text):
    assert text_of_html(source) == text


@pytest.mark.parametrize(
    "unit",
    ["<", "<a ", "<a b='", "<a b='>'", '<a b="" ', "<!--", "</a", "<!", "<style>", "<title", "&#", "&", "<pre>", "<a>"],
)
def test_time_is_linear_in_hostile_html(unit):
    """Half a megabyte each; anything quadratic would take minutes."""
    source = unit * (500_000 // len(unit))
    start = time.process_time()
    text_of_html(source)
    text_of_html(source + ">")
    assert time.process_time() - start < 5
