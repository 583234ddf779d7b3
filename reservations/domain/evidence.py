"""Whether a quote of the agent stands in the mail, and where (R-43)."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from reservations.domain.mail import text_of_html

Part = Literal["text", "html"]

# Invisible characters that mailers put between letters and agents leave out: soft hyphen, grapheme joiner, zero-width
# and direction marks, variation selectors, byte order mark. They are neither a letter nor a blank.
_INVISIBLE = "\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
_IGNORED = re.compile(f"[{_INVISIBLE}]+")
# A lone blank stays inside a stretch, so that an ordinary paragraph is one stretch.
_GAP = re.compile(f" [ {_INVISIBLE}]+")
_WORD = re.compile(" ?[^ ]+| ")
# Letters that folding leaves alone, whatever stands before them; everything else is looked at one by one.
_STABLE = re.compile(
    "[ -~\u00c0-\u00ff\u0410-\u044f\u0621-\u064a\u0e01-\u0e30\u2018-\u201f\u3001-\u3003\u3008-\u3011"
    "\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+"
)
# Letters that NFKC may join to the letter before them although they are no combining marks (a test derives the set).
_JOINING = frozenset(
    "\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf\u102e\u1b35"
    "\U00011127\U0001133e\U00011357\U000114b0\U000114ba\U000114bd\U000115af\U00011930"
    "\U000113b8\U000113c2\U000113c9\U0001611e\U0001611f\U00016120\U00016129\U00016d67"  # Unicode 16
) | {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}


@dataclass(frozen=True, slots=True)
class Found:
    """start, end: code points of the original text of that part (of `text_of_html` for HTML), end exclusive."""

    part: Part
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EvidenceResult:
    """One quote and where it stands; part, start and end are None when it was not found."""

    pointer: str
    text: str
    found: bool
    part: Part | None
    start: int | None
    end: int | None


class SearchableMail:
    """The two parts of one mail, each prepared at most once and only when a quote needs it."""

    def __init__(self, *, body_text: str | None, body_html: str | None) -> None:
        self._body_text = body_text or ""
        self._body_html = body_html or ""

    @cached_property
    def text(self) -> SearchableText:
        return SearchableText(self._body_text)

    @cached_property
    def html(self) -> SearchableText:
        """The HTML part as its readable text: what offsets of part "html" count in."""
        return SearchableText(text_of_html(self._body_html))

    def find(self, quote: str) -> Found | None:
        """The quote in the text part, else in the text of the HTML part, else None. A blank quote is never found."""
        folded = fold(quote)
        if not folded:
            return None
        span = self.text.find(quote, folded)
        if span is not None:
            return Found("text", *span)
        span = self.html.find(quote, folded)
        return Found("html", *span) if span is not None else None


def search(quotes: Iterable[tuple[str, str]], *, body_text: str | None, body_html: str | None) -> list[EvidenceResult]:
    """Look every (pointer, text) up in one mail, in the order given (R-43). Pure; not finding is a result, no error.

    Texts compare with runs of Unicode white space (no-break and ideographic blanks included) as one blank, without
    invisible characters, in NFKC; case counts. Time is linear in the mail and, per quote, in the mail's length.
    """
    mail = SearchableMail(body_text=body_text, body_html=body_html)
    return [_result(pointer, text, mail.find(text)) for pointer, text in quotes]


def fold(text: str) -> str:
    """The form in which quotes and mails are compared."""
    return " ".join(unicodedata.normalize("NFKC", _IGNORED.sub("", text)).split())


class SearchableText:
    """A text, and its folded form with the way back to the original offsets."""

    def __init__(self, original: str) -> None:
        self.original = original

    def find(self, quote: str, folded: str) -> tuple[int, int] | None:
        """(start, end) in the original: where the quote stands letter by letter, else where its folded form does."""
        at = self.original.find(quote)
        return (at, at + len(quote)) if at >= 0 else self._folded.find(folded)

    @cached_property
    def _folded(self) -> _Folded:
        return _Folded(self.original)


class _SameLength(dict[int, str | int]):
    """A translation table that fills itself: white space to a blank, and NFKC where it is one letter for one letter."""

    def __missing__(self, code: int) -> str | int:
        character = chr(code)
        normal = " " if character.isspace() else unicodedata.normalize("NFKC", character)
        folded = normal if len(normal) == 1 else code
        if code <= 0xFFFF:  # no mail may make the table grow without end
            self[code] = folded
        return folded


_SAME_LENGTH = _SameLength()


class _Folded:
    """The folded text, and for each stretch of it where it begins there and in the original, and ends in the latter.

    A piece is either a copy, letter by letter, or one cluster that folding changed as a whole: an offset inside such a
    cluster means all of it.
    """

    def __init__(self, original: str) -> None:
        self._out: list[str] = []
        self._length = 0
        self._after_blank = True
        self._starts: list[int] = []
        self._pieces: list[tuple[int, int, bool]] = []
        source = original.translate(_SAME_LENGTH)
        at = 0
        for gap in _GAP.finditer(source):
            self._stretch(source, at, gap.start())
            self._piece(" ", gap.start(), gap.end(), copied=False)
            at = gap.end()
        self._stretch(source, at, len(source))
        self.text = "".join(self._out)

    def find(self, folded: str) -> tuple[int, int] | None:
        at = self.text.find(folded)
        if at < 0:
            return None
        return self._original(at, end=False), self._original(at + len(folded) - 1, end=True)

    def _original(self, offset: int, *, end: bool) -> int:
        piece = bisect_right(self._starts, offset) - 1
        start, stop, copied = self._pieces[piece]
        if copied:
            return start + offset - self._starts[piece] + end
        return stop if end else start

    def _stretch(self, source: str, start: int, stop: int) -> None:
        if _is_folded(source[start:stop]):
            self._piece(source[start:stop], start, stop, copied=True)
            return
        for word in _WORD.finditer(source, start, stop):
            if _is_folded(word[0]):
                self._piece(word[0], word.start(), word.end(), copied=True)
            else:
                self._letters(source, word.start(), word.end())

    def _letters(self, source: str, start: int, stop: int) -> None:
        at = start
        while at < stop:
            stable = _STABLE.match(source, at, stop)
            end = stable.end() if stable else at
            if end < stop and _joins(source[end]):
                end -= 1
            if end > at:
                self._piece(source[at:end], at, end, copied=True)
                at = end
            if at < stop:
                at = self._cluster(source, at, stop)

    def _cluster(self, source: str, start: int, stop: int) -> int:
        end = start + 1
        while end < stop and _joins(source[end]):
            end += 1
        cluster = source[start:end]
        normal = unicodedata.normalize("NFKC", _IGNORED.sub("", cluster))
        self._piece(normal, start, end, copied=normal == cluster)
        return end

    def _piece(self, text: str, start: int, stop: int, *, copied: bool) -> None:
        if self._after_blank and text.startswith(" "):
            text, start = text[1:], start + copied
        if not text:
            return
        if not (copied and self._pieces and self._pieces[-1][1:] == (start, True)):
            self._starts.append(self._length)
            self._pieces.append((start, stop, copied))
        else:
            self._pieces[-1] = (self._pieces[-1][0], stop, True)
        self._out.append(text)
        self._length += len(text)
        self._after_blank = text.endswith(" ")


def _is_folded(text: str) -> bool:
    return text.isascii() or (unicodedata.is_normalized("NFKC", text) and not _IGNORED.search(text))


@lru_cache(maxsize=8192)
def _joins(character: str) -> bool:
    """Whether folding may join a character to the one before it."""
    if _IGNORED.match(character):
        return True
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.combining(first) != 0 or first in _JOINING


def _result(pointer: str, text: str, found: Found | None) -> EvidenceResult:
    if found is None:
        return EvidenceResult(pointer, text, False, None, None, None)
    return EvidenceResult(pointer, text, True, found.part, found.start, found.end)
