"""Mails of an mbox file (R-79)."""

from __future__ import annotations

import io

import pytest

from reservations.domain.mail import is_mbox, split_mbox

START = b"From a@b.example Mon Jul 20 09:12:00 2026\n"


def mails(content: bytes) -> list[bytes]:
    return list(split_mbox(io.BytesIO(content)))


def test_mails_are_told_apart_and_lose_their_separator():
    content = START + b"Subject: 1\n\none\n\n" + START + b"Subject: 2\n\ntwo\n"
    assert mails(content) == [b"Subject: 1\n\none\n", b"Subject: 2\n\ntwo\n"]


@pytest.mark.parametrize(
    "separator",
    [
        b"From - Mon Jul 20 09:12:00 2026",
        b"From 1771234567890@xxx Mon Jul 20 09:12:00 +0000 2026",
        b"From MAILER-DAEMON Mon Jul 20 9:12 2026 +0800",
    ],
)
def test_separators_of_several_programs_are_known(separator):
    assert mails(START + b"A: 1\n\n\n" + separator + b"\r\nB: 2\r\n\r\nx\r\n") == [b"A: 1\n\n", b"B: 2\r\n\r\nx\r\n"]


@pytest.mark.parametrize(
    "line",
    [
        b"From Monday on we need two rooms.\nNote: twin beds\n",
        b"From 10:30 on 3 August 2026 the guest waits\nin the lobby.\n",
        b"text\nFrom a@b.example Mon Jul 20 09:12:00 2026\nNote: no blank line before\n",
    ],
)
def test_sentence_that_begins_with_from_does_not_begin_a_mail(line):
    assert mails(START + b"A: 1\n\n" + line) == [b"A: 1\n\n" + line]


def test_quoted_from_lines_lose_one_mark():
    assert mails(START + b"A: 1\n\n>From x\n>>From y\n> From z\n") == [b"A: 1\n\nFrom x\n>From y\n> From z\n"]


def test_mail_without_separator_is_one_mail():
    assert mails(b"Subject: 1\n\nFrom here\n") == [b"Subject: 1\n\nFrom here\n"]
    assert mails(b"") == []


def test_file_is_an_mbox_when_it_begins_with_from_and_no_colon():
    assert (is_mbox(START), is_mbox(b"From: a@b\n"), is_mbox(b"")) == (True, False, False)


def test_a_large_mailbox_is_read_mail_by_mail():
    stream = io.BufferedReader(io.BytesIO((START + b"A: 1\n\n" + b"x\n" * 1000 + b"\n") * 1000), buffer_size=4096)
    mails = split_mbox(stream)
    assert (len(next(mails)), stream.tell() < 10_000) == (2006, True)
    assert sum(1 for _ in mails) == 999
