"""Charsets of mails (R-79). The bytes are written out by hand, so that no codec is tested against itself."""

from __future__ import annotations

import pytest

from reservations.domain.mail import ProblemCode, parse_mail


def mail(body: bytes, charset: str | None) -> bytes:
    content_type = b"Content-Type: text/plain" + (f"; charset={charset}".encode() if charset else b"")
    return b"From: a@b.example\r\nMessage-ID: <1@b.example>\r\n" + content_type + b"\r\n\r\n" + body


def body(data: bytes, charset: str | None) -> str | None:
    return parse_mail(mail(data, charset)).body_text


def codes(data: bytes, charset: str | None) -> list[ProblemCode]:
    problems = parse_mail(mail(data, charset)).problems
    return [problem.code for problem in problems if problem.code is not ProblemCode.DATE_MISSING]


@pytest.mark.parametrize(
    ("charset", "data", "text"),
    [
        ("utf-8", b"\xe8\xae\xa2\xe6\x88\xbf", "订房"),
        ("UTF8", b"\xef\xbb\xbf\xe8\xae\xa2", "订"),
        ("gb2312", b"\xd4\xa4\xb6\xa9 \xe9F", "预订 镕"),
        ("GBK", b"\xd6\xec\xe9F", "朱镕"),
        ("gb18030", b"\x81\x39\xee\x39", "㐀"),
        ("hz-gb-2312", b"~{VPND~}", "中文"),
        ("big5", b"\xad\x71\xa9\xd0 \xb3\x5c\xa5\x5c\xbb\x5c", "訂房 許功蓋"),
        ("big5", b"\xf9\xd6", "碁"),
        ("iso-2022-jp", b"\x1b$BM=Ls\x1b(B", "予約"),
        ("iso-2022-jp", b"\x1b$B-!-j\x1b(B", "①㈱"),
        ("iso-2022-jp", b"\x1b(I4^DJ\x1b(B", "ｴﾞﾄﾊ"),
        ("iso-2022-jp", b"\x0e4^\x0f ok", "ｴﾞ ok"),
        ("iso-2022-jp", b"\x1b$B-!\x1b(B \xb4\xde", "① ｴﾞ"),
        ("iso-2022-jp", b"\x1b$B-!\x1b$(D0!\x1b(B", "①丂"),
        ("cp50220", b"\x1b$B-!\x1b(B", "①"),
        ("euc-jp", b"\xcd\xbd\xcc\xf3 \xad\xa1 \x8e\xb4\x8e\xde", "予約 ① ｴﾞ"),
        ("shift_jis", b"\x97\x5c\x96\xf1 \x87\x40 \xb4\xde", "予約 ① ｴﾞ"),
        ("x-sjis", b"\xfb\xfc", "髙"),
        ("euc-kr", b"\xbf\xb9\xbe\xe0", "예약"),
        ("ks_c_5601-1987", b"\x8c\x63", "똠"),
        ("koi8-r", b"\xf0\xd2\xc9\xd7\xc5\xd4", "Привет"),
        ("windows-1251", b"\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"),
        ("windows-1252", b"\x93caf\xe9\x94 \x96 95 \x80", "“café” – 95 €"),
        ("iso-8859-1", b"caf\xe9 \x96 ok", "café – ok"),
        ("iso-8859-2", b"\xa3\xf3d\xbc", "Łódź"),
        ("iso-8859-15", b"95 \xa4", "95 €"),
        ("windows-1256", b"\xe3\xd1\xcd\xc8\xc7", "مرحبا"),
        ("tis-620", b"\xca\xc7\xd1\xca\xb4\xd5", "สวัสดี"),
        ("utf-7", b"95 +IKw-", "95 €"),
        ("utf-16", b"\xff\xfeA\x00\x2d\x4e", "A中"),
        ("utf-16", b"\x00A\x00B\x4e\x2d", "AB中"),
        ("utf-16", b"A\x00B\x00\x2d\x4e", "AB中"),
        ("'gb2312'", b"\xd4\xa4\xb6\xa9", "预订"),
    ],
)
def test_text_in_a_declared_charset_is_read(charset, data, text):
    assert body(data, charset) == text


@pytest.mark.parametrize(
    ("charset", "data", "text"),
    [
        (None, b"\xe8\xae\xa2\xe6\x88\xbf", "订房"),
        (None, b"\xd4\xa4\xb6\xa9\xbe\xc6\xb5\xea", "预订酒店"),
        (None, b"caf\xe9 r\xe9servation", "café réservation"),
        (None, b"\x1b$BM=Ls\x1b(B", "予約"),
        ("us-ascii", b"\xd4\xa4\xb6\xa9\xbe\xc6\xb5\xea", "预订酒店"),
        ("utf-8", b"\xd4\xa4\xb6\xa9\xbe\xc6\xb5\xea", "预订酒店"),
        ("iso-8859-1", b"\xe8\xae\xa2\xe6\x88\xbf", "订房"),
        ("iso-8859-1", b"\xd4\xa4\xb6\xa9\xbe\xc6\xb5\xea", "预订酒店"),
        ("iso-2022-jp", b"\xe4\xba\x88\xe7\xb4\x84", "予約"),
        ("utf-8", b"\x1b$BM=Ls\x1b(B", "予約"),
        ("utf-16", b"plain ascii!", "plain ascii!"),
    ],
)
def test_a_missing_or_wrong_charset_is_guessed_and_told(charset, data, text):
    assert (body(data, charset), codes(data, charset)) == (text, [ProblemCode.CHARSET_GUESSED])


@pytest.mark.parametrize(
    "charset", ["x-unknown", "rot13", "base64", "idna", "unicode_escape", "zlib", "undefined", "mbcs"]
)
def test_a_label_that_is_no_text_charset_is_told_and_the_text_is_kept(charset):
    data = b"\xe8\xae\xa2 \\u0041"
    assert (body(data, charset), codes(data, charset)) == ("订 \\u0041", [ProblemCode.CHARSET_UNKNOWN])


@pytest.mark.parametrize("charset", ["iso-8859-1", "iso-8859-15", "windows-1252"])
def test_accented_western_text_is_not_taken_for_chinese(charset):
    assert body(b"\xe0 bient\xf4t, d\xe9j\xe0 r\xe9serv\xe9", charset) == "à bientôt, déjà réservé"


def test_one_broken_character_is_replaced_and_the_rest_survives():
    data = b"\xd4\xa4\xb6\xa9\xbe\xc6\xb5\xea" * 10 + b"\xff end"
    assert (body(data, "gbk"), codes(data, "gbk")) == ("预订酒店" * 10 + "\ufffd end", [ProblemCode.CHARSET_BROKEN])


def test_another_charset_named_in_the_mail_helps_to_guess():
    subject = b"Subject: =?koi8-r?B?8NLJ18XU?=\r\n"
    assert parse_mail(subject + mail(b"\xf0\xd2\xc9\xd7\xc5\xd4", None)).body_text == "Привет"


def test_nul_and_half_surrogates_are_taken_out_and_told():
    data = b"a\x00b"
    assert (body(data, "utf-8"), codes(data, "utf-8")) == ("ab", [ProblemCode.CHARACTERS_REMOVED])
    assert body(b"+2AA-b", "utf-7") == "b"


def test_line_ends_become_line_feeds():
    assert body(b"a\r\nb\rc\n", "utf-8") == "a\nb\nc\n"
