"""Content transfer encodings, read as far as they can be read. None of these functions raises."""

from __future__ import annotations

import binascii
import re

from reservations.domain.mail.problems import Notes, ProblemCode

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NOT_BASE64 = bytes(set(range(256)) - set(_ALPHABET + b"="))
_NOT_BASE64_NOR_SPACE = bytes(set(_NOT_BASE64) - set(b" \t\r\n\0"))
_KEEP_STRAY = bytes(set(range(256)) - set(_NOT_BASE64_NOR_SPACE))
_SOFT_BREAK = re.compile(rb"=[ \t]*(?:\r\n|\n|\r)")
_BROKEN_ESCAPE = re.compile(rb"=(?![0-9A-Fa-f]{2}|\n|\Z)")
_UU_BEGIN = re.compile(rb"^begin [0-7]{3,4} ")


def decode_transfer(data: bytes, encoding: str, notes: Notes) -> bytes:
    """Undo the Content-Transfer-Encoding `encoding` (lower case); damage is noted, and what is left is kept."""
    if encoding == "base64":
        return decode_base64(data, notes)
    if encoding == "quoted-printable":
        return decode_quoted_printable(data, notes)
    if encoding in ("x-uuencode", "uuencode", "x-uue", "uue"):
        return _decode_uu(data)
    if encoding not in ("", "7bit", "8bit", "binary", "none", "7-bit", "8-bit", "utf-8", "unicode-1-1-utf-7"):
        notes.add(ProblemCode.TRANSFER_ENCODING_UNKNOWN)
    return data


def decode_base64(data: bytes, notes: Notes) -> bytes:
    """Decode base64 with stray characters, without padding, cut off, or made of several padded blocks."""
    if data.translate(None, _KEEP_STRAY):
        notes.add(ProblemCode.BASE64_BROKEN)
    packed = data.translate(None, _NOT_BASE64)
    return b"".join(_base64_block(block, notes) for block in packed.split(b"=") if block)


def _base64_block(block: bytes, notes: Notes) -> bytes:
    left = len(block) % 4
    if left == 1:
        notes.add(ProblemCode.BASE64_BROKEN)
        block = block[:-1]
    return binascii.a2b_base64(block + b"=" * (-len(block) % 4))


def decode_quoted_printable(data: bytes, notes: Notes) -> bytes:
    """Decode quoted-printable; an escape that is none stays as it is."""
    joined = _SOFT_BREAK.sub(b"=\n", data)
    if _BROKEN_ESCAPE.search(joined):
        notes.add(ProblemCode.QUOTED_PRINTABLE_BROKEN)
        joined = _BROKEN_ESCAPE.sub(b"=3D", joined)
    return binascii.a2b_qp(joined)


def decode_q(text: bytes, notes: Notes) -> bytes:
    """Decode the Q encoding of header words: quoted-printable with `_` for a blank (RFC 2047 section 4.2)."""
    return decode_quoted_printable(text.replace(b"_", b"=20"), notes)


def _decode_uu(data: bytes) -> bytes:
    lines = data.splitlines()
    start = next((at + 1 for at, line in enumerate(lines) if _UU_BEGIN.match(line)), 0)
    decoded = bytearray()
    for line in lines[start:]:
        if line.strip() in (b"end", b"`"):
            break
        decoded += _uu_line(line)
    return bytes(decoded)


def _uu_line(line: bytes) -> bytes:
    if not line:
        return b""
    length = (line[0] - 32) & 63
    try:
        return binascii.a2b_uu(line[: 1 + (length * 4 + 2) // 3])
    except binascii.Error:
        return b""
