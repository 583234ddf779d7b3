"""From bytes to text: the charset a mail declares, what mailers mean by that label, and what to try when it is wrong."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reservations.domain.mail.japanese import decode_euc_jp, decode_iso_2022_jp
from reservations.domain.mail.problems import ProblemCode

# Labels whose everyday meaning is wider than the standard of that name.
_MEANING = {
    "gb2312": ("gb18030",),
    "gb231280": ("gb18030",),
    "gbk": ("gb18030",),
    "xgbk": ("gb18030",),
    "cp936": ("gb18030",),
    "ms936": ("gb18030",),
    "windows936": ("gb18030",),
    "euccn": ("gb18030",),
    "cngb": ("gb18030",),
    "hzgb2312": ("hz",),
    "big5": ("cp950", "big5hkscs"),
    "cnbig5": ("cp950", "big5hkscs"),
    "xxbig5": ("cp950", "big5hkscs"),
    "big5hkscs": ("big5hkscs", "cp950"),
    "euckr": ("cp949",),
    "ksc56011987": ("cp949",),
    "ksc5601": ("cp949",),
    "ks5601": ("cp949",),
    "windows949": ("cp949",),
    "shiftjis": ("cp932",),
    "sjis": ("cp932",),
    "xsjis": ("cp932",),
    "windows31j": ("cp932",),
    "ms932": ("cp932",),
    "windows932": ("cp932",),
    "eucjp": ("euc_jp",),
    "xeucjp": ("euc_jp",),
    "cp51932": ("euc_jp",),
    "eucjpms": ("euc_jp",),
    "cp50220": ("iso2022_jp",),
    "cp50221": ("iso2022_jp",),
    "cp50222": ("iso2022_jp",),
    "iso88591": ("cp1252",),
    "latin1": ("cp1252",),
    "l1": ("cp1252",),
    "iso88599": ("cp1254",),
    "iso885911": ("cp874",),
    "tis620": ("cp874",),
    "iso88598i": ("iso8859-8",),
    "iso88596i": ("iso8859-6",),
    "unicode11utf8": ("utf-8",),
    "unicode": ("utf-16",),
    "unicode11utf7": ("utf-7",),
    "xunicode20utf7": ("utf-7",),
    "usascii": ("ascii",),
    "ansix341968": ("ascii",),
    "xmaccyrillic": ("mac_cyrillic",),
    "macintosh": ("mac_roman",),
}
# Only text codecs may be looked up: a label is the sender's, and Python also has codecs such as "idna" and "rot13".
_TEXT_CODEC = re.compile(
    r"ascii|utf-(?:7|8|8-sig|16|16-le|16-be|32|32-le|32-be)|iso8859-\d+|cp\d+|koi8-[rtu]|mac-[a-z]+|big5\w*|gb\w+|hz|"
    r"euc_\w+|iso2022_\w+|shift_jis\w*|johab|tis-620|ptcp154|kz1048"
)
_WESTERN = frozenset({"ascii", "cp1252", "iso8859-15", "cp1254", "cp1250", "iso8859-2"})
_JIS_ESCAPE = re.compile(rb"\x1b(?:\$[@B]|\([JI])")
_LOW = bytes(range(0x80))
_COMMON_HANZI = re.compile(rb"[\xa1-\xd7][\xa1-\xfe]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, and what was wrong with its charset (None: nothing)."""

    text: str
    problem: ProblemCode | None


def decode(data: bytes, label: str | None, hints: Sequence[str] = ()) -> Decoded:
    """Decode text whose charset is called `label` by its sender (None: not said). Never raises.

    hints   other charsets named in the same mail, tried when the label is missing or wrong
    A label is believed if the bytes fit it, with two exceptions: a Western label over bytes that are clearly UTF-8 or
    Chinese, and any label over ISO-2022-JP escapes. Else: UTF-8, the hints, the label with replacements if few are
    needed, GB18030 if the bytes look like it, Windows-1252, UTF-8 with replacements.
    """
    meanings = codecs_of(label) if label else ()
    mismatch = _mismatch(data, meanings)
    if mismatch is not None:
        return Decoded(_clean(mismatch), ProblemCode.CHARSET_GUESSED)
    for codec in meanings or ("ascii",):
        text = _strict(data, codec)
        if text is not None:
            return Decoded(_clean(text), ProblemCode.CHARSET_UNKNOWN if label and not meanings else None)
    guess = _guess(data, meanings, hints)
    unknown = bool(label) and not meanings
    return Decoded(_clean(guess.text), ProblemCode.CHARSET_UNKNOWN if unknown else guess.problem)


@lru_cache(maxsize=256)
def codecs_of(label: str) -> tuple[str, ...]:
    """Python codecs to try for a charset label of a mail; empty when the label is not known."""
    key = re.sub(r"[^a-z0-9]", "", label[:80].lower())
    if key in _MEANING:
        return _MEANING[key]
    for spelling in (label.strip("\"' ;\t").lower()[:40], key, re.sub(r"^(?:windows|ibm|win)-?(?=\d)", "cp", key)):
        name = _lookup(spelling)
        if name:
            return (name,)
    return ()


def _lookup(spelling: str) -> str | None:
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", spelling):
        return None
    try:
        name = codecs.lookup(spelling).name
    except (LookupError, ValueError):
        return None
    return name if _TEXT_CODEC.fullmatch(name) else None


def _mismatch(data: bytes, meanings: Sequence[str]) -> str | None:
    """The text, when the bytes speak clearly against the label although they would fit it."""
    declared = meanings[0] if meanings else "ascii"
    has_high = bool(data.translate(None, _LOW))
    if not has_high and not declared.startswith(("iso2022", "utf-16", "utf-32")) and _JIS_ESCAPE.search(data):
        return decode_iso_2022_jp(data)
    if declared.startswith("utf-16") and b"\0" not in data and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _strict(data, "utf-8")
    if has_high and meanings and declared in _WESTERN:
        return _strict(data, "utf-8") or (_strict(data, "gb18030") if _looks_chinese(data, share=0.95) else None)
    return None


def _strict(data: bytes, codec: str) -> str | None:
    if codec.startswith("iso2022_jp") and b"\x0e" in data:
        return _undamaged(decode_iso_2022_jp(data))  # half-width kana by shift, which the codec passes through
    try:
        return data.decode(_byte_order(data, codec))
    except (UnicodeError, ValueError):
        pass
    if codec.startswith("iso2022_jp") and not data.translate(None, _LOW):
        return _undamaged(decode_iso_2022_jp(data))
    return _undamaged(decode_euc_jp(data)) if codec == "euc_jp" else None


def _undamaged(text: str) -> str | None:
    return None if "\ufffd" in text else text


def _byte_order(data: bytes, codec: str) -> str:
    """UTF-16 without a byte order mark: the half with more zero bytes holds the high bytes of Latin text."""
    if codec != "utf-16" or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return codec
    return "utf-16-le" if data[1::2].count(0) > data[0::2].count(0) else "utf-16-be"


def _guess(data: bytes, meanings: Sequence[str], hints: Sequence[str]) -> Decoded:
    for codec in ("utf-8", *(codec for hint in hints for codec in codecs_of(hint))):
        text = _strict(data, codec)
        if text is not None:
            return Decoded(text, ProblemCode.CHARSET_GUESSED)
    for codec in (*meanings, "utf-8"):
        text = _replacing(data, codec)
        if _lightly_damaged(text):
            return Decoded(text, ProblemCode.CHARSET_BROKEN)
    for text in _last_candidates(data):
        return Decoded(text, ProblemCode.CHARSET_GUESSED)
    return Decoded(_replacing(data, meanings[0] if meanings else "utf-8"), ProblemCode.CHARSET_BROKEN)


def _last_candidates(data: bytes) -> Iterator[str]:
    chinese = _strict(data, "gb18030")
    if chinese is not None and _looks_chinese(data, share=0.7):
        yield chinese
    western = _strict(data, "cp1252")
    if western is not None:
        yield western
    if chinese is not None:
        yield chinese


def _replacing(data: bytes, codec: str) -> str:
    if codec.startswith("iso2022_jp"):
        return decode_iso_2022_jp(data)
    if codec == "euc_jp":
        return decode_euc_jp(data)
    return data.decode(_byte_order(data, codec), "replace")


def _lightly_damaged(text: str) -> bool:
    lost = text.count("\ufffd")
    return lost * 20 <= len(text) - len(text.encode("ascii", "ignore"))


def _looks_chinese(data: bytes, *, share: float) -> bool:
    """Whether the bytes above 0x7F come in pairs of common GB 2312 characters; accented Latin letters do not."""
    high = len(data.translate(None, _LOW))
    pairs = len(_COMMON_HANZI.findall(data))
    return pairs >= 2 and 2 * pairs >= share * high


def _clean(text: str) -> str:
    return text.removeprefix("\ufeff")
