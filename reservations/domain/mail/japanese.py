"""Japanese text as old mailers really write it: vendor characters and half-width kana under JIS labels.

Python's own codecs know the standards only. These readers turn each JIS pair into its Shift_JIS pair and read that as
Windows-31J (cp932), which has the vendor rows. They never raise: what nobody knows becomes U+FFFD.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_Convert = Callable[[bytes], bytes]
_ESCAPE = re.compile(rb"\x1b(\(B|\(J|\(H|\(I|\$\(D|\$\(B|\$\(@|\$B|\$@)")
_SHIFTED_OUT = re.compile(rb"\x0e([^\x0f\x1b]*)\x0f?")
_JIS_PAIRS = re.compile(rb"(?:[\x21-\x7e]{2})+")
_EUC_UNIT = re.compile(rb"\x8f[\xa1-\xfe]{2}|\x8e[\xa1-\xdf]|(?:[\xa1-\xfe]{2})+|[\x00-\x7f]+|.", re.DOTALL)
_SINGLE_BYTE = frozenset({b"(B", b"(J", b"(H"})


def decode_iso_2022_jp(data: bytes) -> str:
    """Read ISO-2022-JP with half-width kana (escape, shift or raw 8 bit) and vendor characters, as cp50220 does."""
    pieces = _ESCAPE.split(data)
    text = [_single_bytes(pieces[0])]
    for escape, segment in zip(pieces[1::2], pieces[2::2], strict=True):
        text.append(_segment(escape, segment))
    return "".join(text)


def decode_euc_jp(data: bytes) -> str:
    """Read EUC-JP with the vendor rows of eucJP-ms."""
    return "".join(_euc_unit(unit) for unit in _EUC_UNIT.findall(data))


def _segment(escape: bytes, segment: bytes) -> str:
    if escape in _SINGLE_BYTE:
        return _single_bytes(segment)
    if escape == b"(I":
        return _kana(segment)
    if escape == b"$(D":
        return _by_pairs(segment, lambda pair: b"\x8f" + _high(pair), "euc_jp")
    return _by_pairs(segment, _shift_jis_pair, "cp932")


def _single_bytes(segment: bytes) -> str:
    return _SHIFTED_OUT.sub(lambda found: _high(found[1]), segment).decode("cp932", "replace")


def _kana(segment: bytes) -> str:
    return bytes(byte | 0x80 if 0x21 <= byte <= 0x5F else byte for byte in segment).decode("cp932", "replace")


def _high(data: bytes) -> bytes:
    return bytes(byte | 0x80 for byte in data)


def _by_pairs(segment: bytes, convert: _Convert, codec: str) -> str:
    def run(found: re.Match[bytes]) -> bytes:
        pairs = found[0]
        return b"".join(convert(pairs[at : at + 2]) for at in range(0, len(pairs), 2))

    return _JIS_PAIRS.sub(run, segment).decode(codec, "replace")


def _shift_jis_pair(pair: bytes) -> bytes:
    row, cell = pair
    lead = ((row + 1) >> 1) + (0x70 if row <= 0x5E else 0xB0)
    trail = cell + 0x7E if row % 2 == 0 else cell + 0x1F + (cell >= 0x60)
    return bytes((lead, trail))


def _euc_unit(unit: bytes) -> str:
    if unit[0] == 0x8F:
        return unit.decode("euc_jp", "replace")
    if unit[0] == 0x8E:
        return unit[1:].decode("cp932", "replace")
    if unit[0] >= 0xA1 and len(unit) > 1:
        return _by_pairs(bytes(byte & 0x7F for byte in unit), _shift_jis_pair, "cp932")
    return unit.decode("ascii", "replace")
