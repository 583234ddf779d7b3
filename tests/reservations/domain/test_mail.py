"""Who, when, what about: the headers of mails (R-79)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reservations.domain.errors import MailUnreadable
from reservations.domain.mail import ParsedMail, ProblemCode, address_of, domain_of, parse_mail

HEAD = b"From: a@b.example\r\nDate: Mon, 20 Jul 2026 09:12:00 +0800\r\nMessage-ID: <1@b.example>\r\n"


def codes(mail: ParsedMail) -> list[ProblemCode]:
    return [problem.code for problem in mail.problems]


def with_header(line: bytes) -> ParsedMail:
    return parse_mail(HEAD + line + b"\r\n\r\nbody")


# Unreadable


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "EMPTY"),
        (b"\r\n \r\n\t\0", "EMPTY"),
        (b"just a sentence\n", "NO_HEADERS"),
        (b"def f(x):\n    return x\n", "NO_HEADERS"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "NO_HEADERS"),
        (b"http://a.example/\n\nFrom: too late\n", "NO_HEADERS"),
    ],
)
def test_what_is_no_mail_is_refused_with_its_reason(raw, reason):
    with pytest.raises(MailUnreadable) as refusal:
        parse_mail(raw)
    assert refusal.value.facts == {"reason": reason}


# Identity and time


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"<A.b+c@D.example>", "A.b+c@D.example"),
        (b"\r\n <folded@d.example>", "folded@d.example"),
        (b"no-brackets@d.example ", "no-brackets@d.example"),
        (b"<<twice@d.example>>", "twice@d.example"),
        (b"<id@d.example> (added by the relay)", "id@d.example"),
        (b"<not an address>", "not an address"),
        ("<订单@d.example>".encode(), "订单@d.example"),
    ],
)
def test_message_id_is_kept_exactly_without_its_brackets(line, expected):
    assert parse_mail(b"From: a@b.example\r\nMessage-Id: " + line + b"\r\n\r\nx").external_message_id == expected


@pytest.mark.parametrize("line", [b"", b"<>", b"<" + b"x" * 600 + b">"])
def test_unusable_message_id_counts_as_none(line):
    mail = parse_mail(b"From: a@b.example\r\nMessage-ID: " + line + b"\r\n\r\nx")
    assert mail.external_message_id.endswith("@no-message-id.invalid")
    assert mail.conversation_id == mail.external_message_id


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"References: <a@x> <b@x>\r\nIn-Reply-To: <b@x>", "a@x"),
        (b"In-Reply-To: Your mail of Monday <b@x>", "b@x"),
        (b"In-Reply-To: bare@x", "bare@x"),
        (b"References: garbage", "1@b.example"),
        (b"X-Nothing: 1", "1@b.example"),
    ],
)
def test_conversation_is_the_root_of_the_thread(line, expected):
    assert with_header(line).conversation_id == expected


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("Mon, 20 Jul 2026 09:12:00 +0800", datetime(2026, 7, 20, 1, 12, tzinfo=UTC)),
        ("20 Jul 26 09:12 EST", datetime(2026, 7, 20, 14, 12, tzinfo=UTC)),
        ("Mon, 20 Jul 2026 09:12:00 -0000", datetime(2026, 7, 20, 9, 12, tzinfo=UTC)),
        ("2026-07-20 09:12:00+08:00", datetime(2026, 7, 20, 1, 12, tzinfo=UTC)),
        ("yesterday", None),
        ("Mon, 99 Jul 2026 09:12:00 +0800", None),
        ("Fri, 31 Dec 9999 23:00:00 -1400", None),
    ],
)
def test_date_is_read_in_utc(date, expected):
    mail = parse_mail(f"From: a@b.example\r\nMessage-ID: <1@b>\r\nDate: {date}\r\n\r\nx".encode())
    assert (mail.received_at, codes(mail)) == (expected, [] if expected else [ProblemCode.DATE_UNREADABLE])


# People


def test_sender_falls_back_and_its_absence_is_told():
    assert parse_mail(b"Sender: s@b.example\nMessage-ID: <1@b>\n\nx").sender == "s@b.example"
    missing = parse_mail(b"Message-ID: <1@b>\nDate: Mon, 20 Jul 2026 09:12:00 +0800\n\nx")
    assert (missing.sender, codes(missing)) == ("", [ProblemCode.SENDER_MISSING])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"To: undisclosed-recipients:;", ()),
        (b"To: a@x, a@x\r\nCc: b@x\r\nBcc: c@x", ("a@x", "b@x", "c@x")),
        (b"Delivered-To: box@x", ("box@x",)),
        (b'To: "a@x" <a@x>', ("a@x",)),
        (b"To: Open <a@x", ("Open <a@x>",)),
        (b'To: "open quote <a@x>', ('"open quote <a@x>"',)),
        (b"To: ((((((((((", ('"(((((((((("',)),
    ],
)
def test_recipients_of_every_kind(line, expected):
    recipients = with_header(line).recipients
    assert tuple(r.strip('"') for r in recipients) == tuple(e.strip('"') for e in expected)


@pytest.mark.parametrize(
    ("mailbox", "address", "domain"),
    [
        ('"Müller, J" <J@Alpen.Example>', "J@Alpen.Example", "alpen.example"),
        ("a@b.example", "a@b.example", "b.example"),
        ("MAILER-DAEMON", "MAILER-DAEMON", ""),
        ("", "", ""),
    ],
)
def test_address_and_domain_of_a_mailbox(mailbox, address, domain):
    assert (address_of(mailbox), domain_of(mailbox)) == (address, domain)


# Headers


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        (b"=?utf-8?B?6K6i?= =?utf-8?B?5oi/?=", "订房"),
        (b"=?utf-8?B?6K4=?= =?utf-8?B?og==?=", "订"),
        (b"=?utf-8?B?6K?= =?utf-8?B?6i?=", "订"),
        (b"=?utf-8?Q?=E8=AE?=\r\n =?UTF-8?Q?=A2?=", "订"),
        (b"Re:=?utf-8?Q?=E8=AE=A2?=NL-1", "Re:订NL-1"),
        (b"=?utf-8*zh?Q?=E8=AE=A2?=", "订"),
        (b"=?utf-8?Q?with blank_and=3F?=", "with blank and?"),
        (b"=?gb2312?B?tqk=?= =?utf-8?B?5oi/?=", "订房"),
        (b"=?utf-8?Q?line=0Abreak=00?=", "line break"),
        (b"a =?utf-8?Q?b?= c", "a b c"),
        (b"plain\ttab", "plain tab"),
        (b"\x1b$BM=Ls\x1b(B", "予約"),
    ],
)
def test_subject_words_are_decoded(subject, expected):
    assert with_header(b"Subject: " + subject).subject == expected


def test_word_that_is_never_closed_is_left_and_told():
    mail = with_header(b"Subject: =?utf-8?B?6K6i")
    assert (mail.subject, codes(mail)) == ("=?utf-8?B?6K6i", [ProblemCode.HEADER_BROKEN])


def test_headers_are_listed_in_order_with_their_decoded_values():
    mail = parse_mail(b"Subject: =?utf-8?B?6K6i?=\r\nX-A: 1\r\nX-A: 2\r\n\r\nx")
    assert mail.headers == [["Subject", "订"], ["X-A", "1"], ["X-A", "2"]]


def test_missing_blank_line_is_told_and_the_text_kept():
    mail = parse_mail(HEAD + b"Dear desk\r\nsecond line")
    assert (mail.body_text, codes(mail)) == ("Dear desk\nsecond line", [ProblemCode.SEPARATOR_MISSING])


@pytest.mark.parametrize("before", [b"\r\n\r\n", b"\xef\xbb\xbf", b"From a@b Mon Jul 20 09:12:00 2026\n", b">From x\n"])
def test_what_exports_put_before_a_mail_is_ignored(before):
    assert parse_mail(before + HEAD + b"\r\nx").external_message_id == "1@b.example"


def test_mail_with_carriage_returns_only():
    assert parse_mail((HEAD + b"\r\nx\r\ny").replace(b"\r\n", b"\r")).body_text == "x\ny"
