"""Parts of mails: bodies, files, transfer encodings (R-79)."""

from __future__ import annotations

import pytest

from reservations.domain.mail import ParsedMail, ProblemCode, clean_file_name, parse_mail

HEAD = b"From: a@b.example\r\nDate: Mon, 20 Jul 2026 09:12:00 +0800\r\nMessage-ID: <1@b.example>\r\n"


def codes(mail: ParsedMail) -> list[ProblemCode]:
    return [problem.code for problem in mail.problems]


def files(mail: ParsedMail) -> list[tuple[str, str, str, bool]]:
    return [(one.external_id, one.file_name, one.media_type, one.inline) for one in mail.attachments]


def part(headers: str, content: str) -> bytes:
    return f"--b\r\n{headers}\r\n\r\n{content}\r\n".encode()


def mixed(*parts: bytes, kind: str = "mixed") -> ParsedMail:
    return parse_mail(
        HEAD + f"Content-Type: multipart/{kind}; boundary=b\r\n\r\n".encode() + b"".join(parts) + b"--b--"
    )


def test_html_names_its_own_charset_when_the_part_does_not():
    page = b'<meta charset="gb2312"><p>\xb6\xa9\xb7\xbf</p>'
    mail = parse_mail(HEAD + b"Content-Type: text/html\r\n\r\n" + page)
    assert mail.body_html == '<meta charset="gb2312"><p>订房</p>'


def test_missing_boundary_parameter_is_found_in_the_content():
    raw = HEAD + b"Content-Type: multipart/mixed\r\n\r\n--zz\r\nContent-Type: text/plain\r\n\r\nhello\r\n--zz--\r\n"
    assert (parse_mail(raw).body_text, codes(parse_mail(raw))) == ("hello", [])


def test_multipart_without_any_boundary_is_kept_as_text():
    mail = parse_mail(HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\nhello")
    assert (mail.body_text, codes(mail)) == ("hello", [ProblemCode.BOUNDARY_MISSING])


def test_inner_parts_end_with_the_outer_ones_when_they_are_not_closed():
    inner = part("Content-Type: multipart/alternative; boundary=i", "--i\r\nContent-Type: text/plain\r\n\r\nhi")
    mail = mixed(inner, part("Content-Type: text/csv; name=a.csv", "1,2"))
    assert (mail.body_text, files(mail)) == ("hi", [("att-1", "a.csv", "text/csv", False)])
    assert codes(mail) == [ProblemCode.BOUNDARY_UNCLOSED]


def test_boundary_that_begins_like_another_does_not_end_it():
    inner = part("Content-Type: multipart/alternative; boundary=b1", "--b1\r\n\r\nhi\r\n--b1--")
    assert (mixed(inner).body_text, codes(mixed(inner))) == ("hi", [])


def test_parts_after_a_closing_boundary_are_kept():
    mail = mixed(part("Content-Type: text/plain", "one"), b"--b--\r\n", part("Content-Type: text/csv; name=a.csv", "1"))
    assert (mail.body_text, [one.content for one in mail.attachments]) == ("one", [b"1"])


def test_named_text_is_a_file_and_named_alternatives_are_the_text():
    named = part('Content-Type: text/plain; name="note.txt"', "note")
    assert (mixed(named).body_text, files(mixed(named))[0][1]) == (None, "note.txt")
    assert mixed(named, kind="alternative").body_text == "note"


def test_calendar_beside_the_text_is_a_file():
    mail = mixed(part("Content-Type: text/plain", "hi"), part("Content-Type: text/calendar", "BEGIN:VCALENDAR"))
    assert files(mail) == [("att-1", "attachment-1.ics", "text/calendar", False)]


def test_picture_in_related_parts_is_inline_and_one_the_html_names_too():
    related = mixed(part("Content-Type: image/png; name=a.png\r\nContent-ID: <a>", "x"), kind="related")
    html = part("Content-Type: text/html", "<img src='cid:b%40x'>")
    named = mixed(html, part("Content-Type: image/png; name=b.png\r\nContent-ID: <b@x>", "x"))
    loose = mixed(html, part("Content-Type: image/png; name=c.png\r\nContent-ID: <c>", "x"))
    assert [files(mail)[0][3] for mail in (related, named, loose)] == [True, True, False]


@pytest.mark.parametrize(
    ("content", "expected", "broken"),
    [
        ("aGVsbG8=", b"hello", False),
        ("aGVs\r\nbG8=", b"hello", False),
        ("aGVsbG8", b"hello", False),
        ("aGVsbG8=aGk=", b"hellohi", False),
        ("aGVs!bG8=", b"hello", True),
        ("aGVsb", b"hel", True),
        ("", b"", False),
    ],
)
def test_base64_is_read_as_far_as_it_goes(content, expected, broken):
    mail = mixed(part("Content-Type: image/png; name=a.png\r\nContent-Transfer-Encoding: BASE64", content))
    assert mail.attachments[0].content == expected
    assert (ProblemCode.BASE64_BROKEN in codes(mail)) is broken


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a=3Db=\r\nc", "a=bc"),
        ("soft =  \r\nbreak", "soft break"),
        ("100=ZZ =e9=E8", "100=ZZ éè"),
        ("tail=", "tail"),
        ("==41", "=A"),
    ],
)
def test_quoted_printable_is_read_as_far_as_it_goes(content, expected):
    mail = parse_mail(
        HEAD + b"Content-Type: text/plain; charset=iso-8859-1\r\n"
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + content.encode()
    )
    assert mail.body_text == expected


def test_uuencoded_part_is_decoded():
    content = "begin 644 a.txt\r\n%:&5L;&\\\r\n`\r\nend"
    mail = mixed(part("Content-Type: image/png; name=a\r\nContent-Transfer-Encoding: x-uuencode", content))
    assert mail.attachments[0].content == b"hello"


def test_unknown_transfer_encoding_is_told_and_the_content_kept():
    mail = parse_mail(HEAD + b"Content-Transfer-Encoding: x-secret\r\n\r\nhello")
    assert (mail.body_text, codes(mail)) == ("hello", [ProblemCode.TRANSFER_ENCODING_UNKNOWN])


@pytest.mark.parametrize(
    ("disposition", "expected"),
    [
        ("filename*=utf-8''%E8%AE%A2.pdf", "订.pdf"),
        ("filename=\"fallback.pdf\"; filename*=UTF-8''%E8%AE%A2.pdf", "订.pdf"),
        ("filename*0*=gb2312'zh'%B6; filename*1*=%A9%B7%BF; filename*2=.pdf", "订房.pdf"),
        ("filename*1=b.pdf; filename*0=a", "ab.pdf"),
        ('filename="=?gb2312?B?tqm3vy5wZGY=?="', "订房.pdf"),
        ('filename*0="=?utf-8?B?6K6i"; filename*1="LnBkZg==?="', "订.pdf"),
        ("filename=My list of rooms.xls; size=3", "My list of rooms.xls"),
        ('filename="%E8%AE%A2.pdf"', "订.pdf"),
        ('filename="C:\\temp\\a.pdf"', "a.pdf"),
        ('filename="say \\"hi\\".txt"', "say _hi_.txt"),
        ("filename*=x-unknown''%E8%AE%A2.pdf", "订.pdf"),
        ("filename*=订.pdf", "订.pdf"),
        ('filename="订.pdf"', "订.pdf"),
    ],
)
def test_file_names_in_every_notation(disposition, expected):
    mail = mixed(part(f"Content-Type: application/pdf\r\nContent-Disposition: attachment; {disposition}", "x"))
    assert mail.attachments[0].file_name == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../../etc/passwd", "passwd"),
        ("a\\b\\c.txt", "c.txt"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("a\r\nb\x00.txt", "ab.txt"),
        ("..", ""),
        (" . ", ""),
        ("con<>:|?*.txt", "con______.txt"),
        ("می\u200cخواهم.pdf", "می\u200cخواهم.pdf"),
        ("x" * 300 + ".pdf", "x" * 196 + ".pdf"),
        ("x" * 300, "x" * 200),
        ("100%.txt", "100%.txt"),
    ],
)
def test_file_names_are_cleaned(name, expected):
    assert clean_file_name(name) == expected


def test_media_type_that_is_none_becomes_octet_stream():
    mail = mixed(part("Content-Type: nonsense; name=a", "x"), part("Content-Type: a/b/c; name=b", "x"))
    assert [one.media_type for one in mail.attachments] == ["application/octet-stream"] * 2


def test_deep_nesting_and_many_parts_end_in_one_file():
    deep = b"".join(b"Content-Type: multipart/mixed; boundary=n%d\r\n\r\n--n%d\r\n" % (n, n) for n in range(3000))
    mail = parse_mail(HEAD + deep + b"\r\nend")
    assert (len(mail.attachments), ProblemCode.NESTED_TOO_DEEP in codes(mail)) == (1, True)
    many = mixed(*[part("Content-Type: image/png; name=a", "x")] * 1500)
    assert (len(many.attachments), ProblemCode.TOO_MANY_PARTS in codes(many)) == (1000, True)
