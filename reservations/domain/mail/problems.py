"""What was not as it should be in a mail that could still be read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ProblemCode(StrEnum):
    """Stable codes: programs branch on them, people read the sentence."""

    ATTACHMENT_UNNAMED = "ATTACHMENT_UNNAMED"
    BASE64_BROKEN = "BASE64_BROKEN"
    BODY_MISSING = "BODY_MISSING"
    BOUNDARY_MISSING = "BOUNDARY_MISSING"
    BOUNDARY_UNCLOSED = "BOUNDARY_UNCLOSED"
    CHARACTERS_REMOVED = "CHARACTERS_REMOVED"
    CHARSET_BROKEN = "CHARSET_BROKEN"
    CHARSET_GUESSED = "CHARSET_GUESSED"
    CHARSET_UNKNOWN = "CHARSET_UNKNOWN"
    DATE_MISSING = "DATE_MISSING"
    DATE_UNREADABLE = "DATE_UNREADABLE"
    FILE_NAME_CHANGED = "FILE_NAME_CHANGED"
    HEADER_BROKEN = "HEADER_BROKEN"
    HEADER_RAW_8BIT = "HEADER_RAW_8BIT"
    HTML_ONLY = "HTML_ONLY"
    MESSAGE_ID_MISSING = "MESSAGE_ID_MISSING"
    NESTED_TOO_DEEP = "NESTED_TOO_DEEP"
    QUOTED_PRINTABLE_BROKEN = "QUOTED_PRINTABLE_BROKEN"
    SENDER_MISSING = "SENDER_MISSING"
    SEPARATOR_MISSING = "SEPARATOR_MISSING"
    TOO_MANY_PARTS = "TOO_MANY_PARTS"
    TRANSFER_ENCODING_UNKNOWN = "TRANSFER_ENCODING_UNKNOWN"


SENTENCES = {
    ProblemCode.ATTACHMENT_UNNAMED: "An attachment has no file name; it was given one.",
    ProblemCode.BASE64_BROKEN: "Base64 content is damaged or cut off; what could be decoded was kept.",
    ProblemCode.BODY_MISSING: "The mail has neither a text nor an HTML part.",
    ProblemCode.BOUNDARY_MISSING: "The parts of the mail could not be told apart; the content was kept as text.",
    ProblemCode.BOUNDARY_UNCLOSED: "The mail ends before its last part is closed; it may be cut off.",
    ProblemCode.CHARACTERS_REMOVED: "Characters that cannot be stored (NUL, half surrogates) were removed.",
    ProblemCode.CHARSET_BROKEN: "Some characters do not exist in the charset of the text and were replaced.",
    ProblemCode.CHARSET_GUESSED: "The charset is missing or wrong and was guessed.",
    ProblemCode.CHARSET_UNKNOWN: "The charset named in the mail is not known; another one was guessed.",
    ProblemCode.DATE_MISSING: "The mail has no date of its own.",
    ProblemCode.DATE_UNREADABLE: "The date of the mail cannot be read.",
    ProblemCode.FILE_NAME_CHANGED: "A file name held a path or characters that are not allowed and was changed.",
    ProblemCode.HEADER_BROKEN: "A header is damaged; it was read as far as possible.",
    ProblemCode.HEADER_RAW_8BIT: "A header holds bytes without a declared charset; it was guessed.",
    ProblemCode.HTML_ONLY: "The mail has no text part, only HTML.",
    ProblemCode.MESSAGE_ID_MISSING: "The mail has no usable Message-ID; an id was made from its content.",
    ProblemCode.NESTED_TOO_DEEP: "Parts are nested too deeply; the innermost were kept as one file.",
    ProblemCode.QUOTED_PRINTABLE_BROKEN: "Quoted-printable content has broken escapes; they were left as they are.",
    ProblemCode.SENDER_MISSING: "The mail names no sender.",
    ProblemCode.SEPARATOR_MISSING: "The blank line between headers and content is missing.",
    ProblemCode.TOO_MANY_PARTS: "The mail has too many parts; the rest was kept as one file.",
    ProblemCode.TRANSFER_ENCODING_UNKNOWN: "The transfer encoding is not known; the content was kept as it came.",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing a reader of the mail should know: a stable code and a sentence for people."""

    code: ProblemCode
    sentence: str


class Notes:
    """Collects problems while one mail is read: each code once, in the order of discovery."""

    def __init__(self) -> None:
        self._codes: dict[ProblemCode, None] = {}

    def add(self, code: ProblemCode | None) -> None:
        if code is not None:
            self._codes.setdefault(code)

    def __contains__(self, code: ProblemCode) -> bool:
        return code in self._codes

    def extend(self, other: Notes) -> None:
        self._codes.update(other._codes)

    def problems(self) -> tuple[Problem, ...]:
        return tuple(Problem(code, SENTENCES[code]) for code in self._codes)
