"""One control of the card page for each field: what stands in it, what the agent said, what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.backoffice.jsonview import scalar
from config.errors import Fault
from config.jsontext import JsonValue
from reservations.admin.tasks.forms import SHOWN, VALUE, Texts, Typed, fingerprint, texts_of
from reservations.domain.fieldcontract import ServedField
from reservations.domain.fieldcontract.values import problem_with
from reservations.domain.jsonvalues import as_object, has_value

CHOICES = ("select", "multi_select")
PICKERS = ("date", "time")
FIXED = ("inert", "table")
WIDE_TEXT = 60


class Choice(NamedTuple):
    code: str
    label: str
    chosen: bool


class Quote(NamedTuple):
    text: str
    found: bool


@dataclass(frozen=True, slots=True)
class Control:
    """
    kind     text, textarea, number, date, time, select, multi_select, toggle, table or inert
    text     what stands in it; of a choice the code
    label    in the language of the page
    shown    fingerprint of what the card holds, for the hidden companion
    agent    the agent's value in words where it is another one; None where there is nothing to say
    kept     the same of the value that the card holds
    one_of   labels of the group of which one field needs a value
    lost     the card does not have the field with these answers; what was typed is kept on the page
    """

    path: str
    kind: str
    label: str
    hint: str
    text: str
    shown: str
    choices: Sequence[Choice] = ()
    head: Sequence[str] = ()
    lines: Sequence[Sequence[str]] = ()
    required: bool = False
    missing: bool = False
    agent: str | None = None
    kept: str | None = None
    one_of: str = ""
    quotes: Sequence[Quote] = ()
    faults: Sequence[Fault] = ()
    lost: bool = False
    decimal: bool = False

    name: str = field(init=False)
    companion: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", VALUE + self.path)
        object.__setattr__(self, "companion", SHOWN + self.path)

    @property
    def editable(self) -> bool:
        return self.kind not in FIXED

    @property
    def several(self) -> bool:
        """Is it made of several boxes or circles?"""
        return self.kind in ("multi_select", "toggle")

    @property
    def wide(self) -> bool:
        """Does it need the whole line of the form?"""
        return self.kind in ("textarea", "multi_select", "table") or len(self.text) > WIDE_TEXT


class Beside(NamedTuple):
    """What a control needs beside its field. present: the value on the card; typed: None when nobody typed."""

    present: JsonValue
    typed: Typed | None = None
    faults: Sequence[Fault] = ()
    one_of: str = ""
    writable: bool = True
    lost: bool = False


def control(row: ServedField, beside: Beside) -> Control:
    kept = texts_of(row, beside.present)
    typed = beside.typed if beside.writable else None
    texts = typed.texts if typed is not None and typed.touched else kept
    agent = texts_of(row, row.ai_value)
    kind = _kind(row, texts, beside.writable)
    head, lines = _table(beside.present) if kind == "table" else ((), ())
    unsaved = not _alike(texts, kept)
    differs = not _alike(texts, agent) and (kind not in FIXED or any(agent))
    return Control(
        path=row.row.field_path,
        kind=kind,
        label=in_words(row.row.label),
        hint=in_words(row.row.control_hint) if row.row.control_hint else "",
        text=_words(row, texts) if kind == "inert" else "".join(texts[:1]),
        shown=fingerprint(kept),
        choices=_choices(row, texts),
        head=head,
        lines=lines,
        required=row.required,
        missing=row.missing,
        agent=_words(row, agent) if differs else None,
        kept=_words(row, kept) if unsaved and not _alike(kept, agent) else None,
        one_of=beside.one_of,
        quotes=_quotes(row.evidence),
        faults=beside.faults,
        lost=beside.lost,
        decimal=row.row.data_type == "decimal",
    )


def groups(rows: Iterable[ServedField]) -> Mapping[str, str]:
    """By name of a required group: the labels of its fields."""
    found: dict[str, list[str]] = {}
    for row in rows:
        if row.row.required_group:
            found.setdefault(row.row.required_group, []).append(in_words(row.row.label))
    return {name: ", ".join(labels) for name, labels in found.items()}


def in_words(text: tuple[str, str]) -> str:
    """A text of the data files in the language of the page."""
    return text[1] if (get_language() or "").startswith("zh") else text[0]


def _kind(row: ServedField, texts: Texts, writable: bool) -> str:
    """What a browser would swallow (a date that is none, lines in a one-line input) gets a control that keeps it."""
    kind, text = row.control_type, "".join(texts[:1])
    if not writable or row.edit_scope == "readonly":
        return "table" if row.row.data_type == "object[]" else "inert"
    if kind == "toggle":
        return kind if text in ("", "true", "false") else "text"
    if kind in CHOICES:
        return kind if row.options is not None else "text"
    if kind in PICKERS and text and problem_with(row.row, text, None) is not None:
        return "text"
    return "textarea" if kind == "text" and "\n" in text else kind


def _choices(row: ServedField, texts: Texts) -> Sequence[Choice]:
    """The options in their order, then what stands in the field and is none of them."""
    if row.options is None:
        return ()
    offered = [Choice(option.code, _option_label(option), option.code in texts) for option in row.options]
    codes = {option.code for option in row.options}
    others = [Choice(text, _("%s (not offered)") % text, True) for text in texts if text and text not in codes]
    return [*offered, *others]


def _option_label(option: Any) -> str:
    label = in_words(option.label)
    named = label if label == option.code else f"{label} ({option.code})"
    return named if option.active else _("%s, no longer offered") % named


def _words(row: ServedField, texts: Texts) -> str:
    """Texts as a person reads them: options by their label; "" for no value."""
    labels = {option.code: _option_label(option) for option in row.options or ()}
    labels |= {"true": _("Yes"), "false": _("No")} if row.row.data_type == "boolean" else {}
    return ", ".join(labels.get(text, text) for text in texts if text)


def _alike(a: Texts, b: Texts) -> bool:
    return fingerprint(text for text in a if text) == fingerprint(text for text in b if text)


def _table(value: JsonValue) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    rows = [as_object(item) or {"": item} for item in (value if isinstance(value, list) else [])]
    head = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[scalar(row[name]) if has_value(row.get(name)) else "" for name in head] for row in rows]
    return head, cells


def _quotes(evidence: Sequence[JsonValue]) -> list[Quote]:
    items = [as_object(item) or {} for item in evidence]
    quotes = [Quote(scalar(item.get("text")), bool(item.get("found"))) for item in items if has_value(item.get("text"))]
    return list(dict.fromkeys(quotes))
