"""Whatever the bytes are, reading a mail gives a value or says that it is none."""

from __future__ import annotations

import time
from email import policy
from email.message import EmailMessage
from email.utils import formataddr
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reservations.domain.errors import MailUnreadable
from reservations.domain.mail import ParsedMail, address_of, clean_file_name, parse_mail, text_of_html

SAMPLES = [path.read_bytes() for path in sorted((Path(__file__).parents[1] / "mails").glob("*.eml"))]
HEAD = b"From: a@b.example\nMessage-ID: <1@b.example>\n"


def texts(mail: ParsedMail) -> list[str]:
    headers = [value for header in mail.headers for value in header]
    files = [text for one in mail.attachments for text in (one.file_name, one.media_type, one.content_id or "")]
    people = [mail.sender, *mail.recipients, mail.external_message_id, mail.conversation_id, mail.subject]
    return [*headers, *files, *people, mail.body_text or "", mail.body_html or ""]


def check(raw: bytes) -> None:
    """A value whose texts can be stored, or a refusal; never another exception."""
    try:
        mail = parse_mail(raw)
    except MailUnreadable:
        return
    for text in texts(mail):
        assert "\0" not in text
        text.encode("utf-8")
    assert 0 < len(mail.external_message_id) <= 512
    assert all(0 < len(one.file_name) <= 200 for one in mail.attachments)
    assert len({one.external_id for one in mail.attachments}) == len(mail.attachments)
    assert mail.received_at is None or mail.received_at.utcoffset().total_seconds() == 0
    text_of_html(mail.body_html or "")


@given(st.binary(max_size=2000))
@settings(max_examples=300, deadline=None)
def test_arbitrary_bytes(raw):
    check(raw)
    check(HEAD + raw)
    check(HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + raw)


@given(
    st.sampled_from(
        ["Subject", "From", "To", "Date", "Content-Type", "Content-Disposition", "References", "Content-ID"]
    ),
    st.one_of(st.binary(max_size=200), st.text(max_size=100).map(lambda text: text.encode("utf-8", "replace"))),
)
@settings(max_examples=300, deadline=None)
def test_arbitrary_header_values(name, value):
    check(HEAD + name.encode() + b": " + value + b"\n\nbody")


@given(
    st.sampled_from(
        ["utf-8", "gb2312", "big5", "iso-2022-jp", "euc-jp", "utf-7", "utf-16", "utf-32", "hz", "x", "koi8-r"]
    ),
    st.binary(max_size=200),
)
@example("utf-7", b"+2AA-")
@example("utf-16", b"\x00\xd8")
@settings(max_examples=300, deadline=None)
def test_arbitrary_bytes_in_every_charset(charset, data):
    check(HEAD + f"Content-Type: text/plain; charset={charset}\n\n".encode() + data)


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_damaged_samples(data):
    raw = bytearray(data.draw(st.sampled_from(SAMPLES)))
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, max(0, len(raw) - 1)))
        length = data.draw(st.integers(0, 40))
        raw[at : at + length] = data.draw(
            st.one_of(st.binary(max_size=20), st.sampled_from([b"\r\n", b"", b"=?", b'"']))
        )
    check(bytes(raw))


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_samples_cut_off_anywhere(data):
    raw = data.draw(st.sampled_from(SAMPLES))
    check(raw[: data.draw(st.integers(0, len(raw)))])


@given(st.text(max_size=500))
@settings(max_examples=200, deadline=None)
def test_arbitrary_html(source):
    text_of_html(source)
    text_of_html(f"<p a='{source}'>{source}<!--{source}")


@pytest.mark.parametrize(
    "raw",
    [
        b"Subject: " + b"=?a?b?" * 80_000,
        b"Subject: " + b"=?utf-8?Q?a" * 50_000 + b"?=",
        b"To: " + b"a@" * 250_000,
        b"To: " + b"<" * 500_000,
        b"To: " + b'"' * 500_001,
        b"To: " + b"(" * 500_000,
        b"Content-Type: text/plain;" + b" " * 500_000,
        b"Content-Type: text/plain;" + b" a" * 250_000,
        b"Content-Type: text/plain;" + b" a=" * 170_000,
        b"Content-Type: text/plain" + b"; a*1=b" * 70_000,
        b"References: " + b"<" * 500_000,
        b"References: " + b"<a" * 250_000,
        b"Date: " + b"(" * 500_000,
        b"Received: " + b"1 " * 250_000,
        b"Subject: a\n" + b"broken\n" * 70_000 + b"To: x",
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n" * 125_000,
        b"Content-Type: multipart/mixed\n\n" + b"--b:\n" * 100_000,
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + b"\n" * 500_000,
        b"Content-Type: text/html\n\n" + b"<meta " * 80_000,
        b"Content-Transfer-Encoding: base64\n\n" + b"=a" * 250_000,
        b"Content-Transfer-Encoding: quoted-printable\n\n" + b"= " * 250_000,
        b"Content-Transfer-Encoding: quoted-printable\n\n=" + b" " * 500_000,
        b"Content-Type: text/plain; charset=iso-2022-jp\n\n" + b"\x1b$B\xff" * 125_000,
        b"Content-Type: text/plain; charset=idna\n\n" + b"a" * 500_000,
    ],
    ids=range(24),
)
def test_time_is_linear_in_hostile_mails(raw):
    """Half a megabyte each; anything quadratic would take minutes."""
    start = time.process_time()
    check(HEAD + raw)
    assert time.process_time() - start < 5


WORDS = st.text(st.sampled_from("订房确认号予約예약 Ädé№①aZ019,;:()-_=?."), min_size=1, max_size=60).map(
    lambda text: " ".join(text.split()) or "x"
)


@given(
    subject=WORDS, name=WORDS, body=st.lists(WORDS).map("\n".join), file=WORDS, cte=st.sampled_from(["8bit", "base64"])
)
@settings(max_examples=200, deadline=None)
def test_what_the_standard_library_writes_is_read_back(subject, name, body, file, cte):
    message = EmailMessage(policy=policy.SMTP)
    message["From"] = "a@b.example"
    message["Subject"] = subject
    message.set_content(body, cte=cte)
    message.add_attachment(b"content", "application", "pdf", filename=f"{file}.pdf")
    to = formataddr((name, "c@d.example"), charset="utf-8")  # not through the message, which unquotes names
    mail = parse_mail(f"To: {to}\r\n".encode() + message.as_bytes())
    assert mail.subject.replace(" ", "") == subject.replace(" ", "")  # it loses blanks where it folds
    assert (mail.body_text or "").strip("\n") == body.strip("\n")
    assert [one.file_name for one in mail.attachments] == [clean_file_name(f"{file}.pdf")]
    assert [address_of(recipient) for recipient in mail.recipients] == ["c@d.example"]
