"""Header values as text: bytes without a charset, and encoded words (RFC 2047) in the shapes real mailers send."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reservations.domain.mail.charsets import codecs_of, decode
from reservations.domain.mail.problems import Notes, ProblemCode
from reservations.domain.mail.transfer import decode_base64, decode_q

# The text of a word ends at the first "?="; a few question marks inside are a fault we read through.
_WORD = re.compile(r"=\?([^?\s]{1,80})\?([bBqQ])\?([^?]*(?:\?(?!=)[^?]*){0,8})\?=")
_WORD_BEGUN = re.compile(r"=\?[^?\s]{1,80}\?[bBqQ]\?")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SURROGATES = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads header values of one mail.

    hints   charsets named elsewhere in the mail, for bytes that come without one
    notes   where problems go
    """

    hints: Sequence[str]
    notes: Notes

    def text(self, raw: bytes) -> str:
        """A whole unstructured value: bytes, encoded words, no control characters, no blanks around."""
        return self.words(self.unicode(raw)).strip()

    def unicode(self, raw: bytes) -> str:
        """The value as text with its encoded words still encoded."""
        if not raw.isascii():
            self.notes.add(ProblemCode.HEADER_RAW_8BIT)
        decoded = decode(raw, None, self.hints)
        if decoded.problem is not ProblemCode.CHARSET_GUESSED:
            self.notes.add(decoded.problem)
        return decoded.text

    def words(self, text: str) -> str:
        """Decode the encoded words of a text and drop what no header may hold."""
        if "=?" in text:
            text = "".join(self._pieces(text))
        return self.tidy(text)

    def tidy(self, text: str) -> str:
        """Control characters become one blank; NUL and lone surrogates go."""
        tidied = _SURROGATES.sub("", text.replace("\0", ""))
        if len(tidied) != len(text):
            self.notes.add(ProblemCode.CHARACTERS_REMOVED)
        return _CONTROLS.sub(" ", tidied)

    def _pieces(self, text: str) -> Iterator[str]:
        at, run = 0, list[re.Match[str]]()
        for word in _WORD.finditer(text):
            between = text[at : word.start()]
            if not run or between.strip():
                yield self._run(run)
                yield self._plain(between)
                run = []
            run.append(word)
            at = word.end()
        yield self._run(run)
        yield self._plain(text[at:])

    def _plain(self, text: str) -> str:
        if _WORD_BEGUN.search(text):
            self.notes.add(ProblemCode.HEADER_BROKEN)
        return text

    def _run(self, words: list[re.Match[str]]) -> str:
        """Neighbouring words: those of one charset are joined as bytes, since mailers split inside characters."""
        text, label, parcel = "", "", list[tuple[str, str]]()
        for word in words:
            charset = word[1].split("*")[0]
            if parcel and charset.lower() != label.lower():
                text += self._decode(parcel, label)
                parcel = []
            label = charset
            parcel.append((word[2].upper(), word[3]))
        return text + self._decode(parcel, label) if parcel else text

    def _decode(self, parcel: list[tuple[str, str]], label: str) -> str:
        """Bytes of all words, then text. Words whose base64 was cut blindly are tried as one when they fail apart."""
        apart = Notes()
        decoded = decode(_payload(parcel, label, apart), label, self.hints)
        if decoded.problem is not None and len(parcel) > 1 and all(kind == "B" for kind, _ in parcel):
            whole = [("B", "".join(content for _, content in parcel))]
            together = Notes()
            again = decode(_payload(whole, label, together), label, self.hints)
            if again.problem is None:
                decoded, apart = again, together
        self.notes.extend(apart)
        self.notes.add(decoded.problem)
        return decoded.text


def _payload(parcel: list[tuple[str, str]], label: str, notes: Notes) -> bytes:
    return b"".join(
        decode_base64(_bytes_of(content, label), notes) if kind == "B" else decode_q(_bytes_of(content, label), notes)
        for kind, content in parcel
    )


def _bytes_of(content: str, label: str) -> bytes:
    for codec in (*codecs_of(label), "utf-8"):
        try:
            return content.encode("ascii" if content.isascii() else codec)
        except UnicodeError:
            continue
    return content.encode("utf-8", "replace")
