"""Mails of an mbox file, one at a time, so that a large mailbox never lies in memory whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

# "From sender Mon Jul 20 09:12:00 2026": a time and a year tell the separator from a sentence that begins with "From".
_SEPARATOR = re.compile(rb"From (?=.*\d{1,2}:\d\d)(?=.*\b(?:19|20)\d\d\b)")
_HEADER = re.compile(rb"[!-9;-~]+:|>From ")
_QUOTED = re.compile(rb">+From ")
_BLANK = (b"\n", b"\r\n")


def is_mbox(start: bytes) -> bool:
    """Whether a file that begins so is an mbox: a `From ` line, not a header."""
    return start.startswith(b"From ")


def split_mbox(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield each mail of an mbox without its `From ` line, with `>From ` unquoted once (mboxo and mboxrd).

    stream   opened in binary mode, read forward once; memory is that of the largest mail
    A `From ` line begins a mail when it follows a blank line, carries a time and a year, and a header comes next; the
    very first needs none of this. A stream without any is one mail.
    """
    lines: list[bytes] = []
    for line, begins in _marked(stream):
        if begins:
            if lines:
                yield _mail(lines)
            lines = []
        else:
            lines.append(line[1:] if _QUOTED.match(line) else line)
    if lines:
        yield _mail(lines)


def _marked(stream: IO[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Each line, and whether it is the `From ` line of a new mail."""
    before = b"\n"
    line = stream.readline()
    first = True
    while line:
        following = stream.readline()
        separates = before in _BLANK and bool(_SEPARATOR.match(line) and _HEADER.match(following))
        yield line, (line.startswith(b"From ") if first else separates)
        first, before, line = False, line, following


def _mail(lines: list[bytes]) -> bytes:
    if lines[-1] in _BLANK and len(lines) > 1:
        lines.pop()
    return b"".join(lines)
