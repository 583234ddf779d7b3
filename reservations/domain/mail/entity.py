"""One MIME entity (a mail or a part of it): its headers and its content, as bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reservations.domain.mail.problems import Notes, ProblemCode

_BLANK_LINE = re.compile(rb"(?:\A|\n)\r?\n")
_LINE = re.compile(rb"[^\n]*\n?")
_HEADER = re.compile(rb"([!-9;-~]+)[ \t]*:(.*)", re.DOTALL)
_MAIL_HEADER = re.compile(
    rb"(?i)(?:from|to|cc|bcc|date|subject|message-id|received|mime-version|content-[a-z-]+|x-[!-9;-~]+|reply-to|"
    rb"return-path|in-reply-to|references|sender|delivered-to)[ \t]*:"
)


@dataclass(frozen=True, slots=True)
class Entity:
    """headers: (name, unfolded value) in order, values without their line ends; body: everything after them."""

    headers: tuple[tuple[str, bytes], ...]
    body: bytes

    def all(self, name: str) -> list[bytes]:
        wanted = name.lower()
        return [value for key, value in self.headers if key.lower() == wanted]

    def first(self, name: str) -> bytes | None:
        return next(iter(self.all(name)), None)


def read_entity(raw: bytes, notes: Notes) -> Entity:
    """Split an entity at its first blank line.

    A line among the headers that is neither a header nor folded belongs to the header above when more mail headers
    follow (a badly folded header); else the blank line is missing and the content begins there.
    """
    blank = _BLANK_LINE.search(raw)
    block, body = (raw, b"") if blank is None else (raw[: blank.start() + 1], raw[blank.end() :])
    lines = _LINE.findall(block)[:-1]
    last_known = max((at for at, line in enumerate(lines) if _MAIL_HEADER.match(line)), default=-1)
    values: list[tuple[str, list[bytes]]] = []
    for at, line in enumerate(lines):
        header = _HEADER.match(line)
        if values and line[:1] in (b" ", b"\t"):
            values[-1][1].append(line.rstrip(b"\r\n"))
        elif header:
            values.append((header[1].decode("ascii"), [header[2].strip()]))
        elif line.strip() and at > last_known:
            notes.add(ProblemCode.SEPARATOR_MISSING)
            return _entity(values, raw[sum(map(len, lines[:at])) :])
        elif line.strip():
            _broken_line(values, line, notes)
    return _entity(values, body)


def _broken_line(values: list[tuple[str, list[bytes]]], line: bytes, notes: Notes) -> None:
    notes.add(ProblemCode.HEADER_BROKEN)
    if values:
        values[-1][1].append(b" " + line.strip())


def _entity(values: list[tuple[str, list[bytes]]], body: bytes) -> Entity:
    return Entity(tuple((name, b"".join(lines).replace(b"\r", b" ").strip()) for name, lines in values), body)


def split_parts(body: bytes, boundary: bytes, notes: Notes) -> list[bytes] | None:
    """The parts between the delimiter lines of `boundary`; None when there is no such line.

    What stands before the first delimiter and after a closing one is no part. Parts that go on after a closing
    delimiter are kept: mailers that glue mails together write such.
    """
    delimiter = re.compile(rb"(?:\A|\r?\n)--" + re.escape(boundary) + rb"(--)?[ \t]*(?=\r?\n|\r?\Z)")
    found = list(delimiter.finditer(body))
    if not found:
        return None
    if not found[-1][1]:
        notes.add(ProblemCode.BOUNDARY_UNCLOSED)
    ends = [*(match.start() for match in found[1:]), len(body)]
    return [
        body[match.end() : end].removeprefix(b"\r").removeprefix(b"\n")
        for match, end in zip(found, ends, strict=True)
        if not match[1] and end > match.end()
    ]


def find_boundary(body: bytes) -> bytes | None:
    """The boundary of a multipart that does not say it: the first `--` line that is followed by a content header."""
    found = re.search(rb"(?:\A|\n)--([^\r\n]{1,200}?)[ \t]*\r?\n(?:[!-9;-~]+:[^\n]*\n){0,20}?(?i:content-)", body)
    return found[1] if found else None
