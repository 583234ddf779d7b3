"""Content-Type and Content-Disposition: the value and its parameters, RFC 2231 and the habits of mailers included."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from reservations.domain.mail.charsets import decode
from reservations.domain.mail.words import Reader

_PARAMETER = re.compile(r"""[;\s]\s*([^\s=;"]{1,80})\s*=\s*("(?:[^"\\]|\\.)*"?|[^;]*)""", re.DOTALL)
_SECTION = re.compile(r"([^*]+)(?:\*(\d{1,3}))?(\*)?")
_ESCAPED = re.compile(r'\\(["\\])')


@dataclass(frozen=True, slots=True)
class Parameters:
    """value: in lower case, without blanks ("text/plain"); parameters by lower-case name, decoded."""

    value: str
    by_name: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Section:
    number: int
    encoded: bool
    text: str


def read_parameters(raw: bytes | None, reader: Reader) -> Parameters:
    """Read `type/subtype; name=value; name*0*=charset'language'%XX`. Never raises; the first of two equals wins."""
    if raw is None:
        return Parameters("", {})
    text = re.sub(r"\s{4,}", "   ", reader.unicode(raw))  # long runs of blanks would make the search below slow
    value = re.split(r"[;\s]", text.strip(), maxsplit=1)[0].lower()
    sections: dict[str, list[_Section]] = {}
    plain: dict[str, str] = {}
    for name, quoted in _PARAMETER.findall(text):
        found = _SECTION.fullmatch(name.lower())
        content = _unquoted(quoted)
        if found is None or not (found[2] or found[3]):
            plain.setdefault(name.lower(), reader.words(content).strip())
        else:
            sections.setdefault(found[1], []).append(_Section(int(found[2] or 0), bool(found[3]), content))
    extended = {name: reader.tidy(_joined(parts, reader)).strip() for name, parts in sections.items()}
    return Parameters(value, plain | {name: text for name, text in extended.items() if text})


def _unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text.strip()
    inner = text[1:-1] if len(text) > 1 and text.endswith('"') else text[1:]
    return _ESCAPED.sub(r"\1", inner)


def _joined(sections: list[_Section], reader: Reader) -> str:
    ordered = sorted(sections, key=lambda section: section.number)
    if not any(section.encoded for section in ordered):
        # Not RFC 2231, yet sent: an encoded word cut into numbered sections.
        return reader.words("".join(section.text for section in ordered))
    charset, first = "", ordered[0].text
    if ordered[0].encoded and first.count("'") >= 2:
        charset, _, first = first.split("'", 2)
    texts = [first, *(section.text for section in ordered[1:])]
    parcels = [
        unquote_to_bytes(text) if section.encoded else text.encode("utf-8", "replace")
        for section, text in zip(ordered, texts, strict=True)
    ]
    decoded = decode(b"".join(parcels), charset or None, reader.hints)
    reader.notes.add(decoded.problem)
    return decoded.text
