"""What a person typed on the card page, and the body of the write it stands for. Text in, JSON out; no rows, no request.

A control is named `value:<path>`. Its hidden companion `shown:<path>` carries a fingerprint of what the control held
when the page was made: it says that the control was there at all (nothing checked is not posted), and whether a person
touched it. What nobody touched follows the card, not the page.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from config import jsontext
from config.backoffice.jsonview import scalar
from config.errors import JsonInvalid, PayloadLimitExceeded
from config.jsontext import JsonValue
from reservations.domain.fieldcontract import ServedField
from reservations.domain.jsonvalues import JsonObject, has_value, is_blank

VALUE: Final = "value:"
SHOWN: Final = "shown:"
MULTIPLE: Final = "string[]"
NUMBERS: Final = ("integer", "decimal")
TRUTHS: Final[Mapping[str, bool]] = {"true": True, "false": False}
MOST_ROUNDS: Final = 5

Texts = tuple[str, ...]
Serve = Callable[[Mapping[str, JsonValue]], Mapping[str, ServedField]]


@dataclass(frozen=True, slots=True)
class Typed:
    """One control as it came back. touched: it holds something else than when the page was made."""

    texts: Texts
    touched: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person says of one editable field.

    field  as the card serves it once all answers are given
    shown  the effective value on the card before them
    value  None for no value
    """

    field: ServedField
    shown: JsonValue
    value: JsonValue


@dataclass(frozen=True, slots=True)
class Answers:
    """given: by main path, in the order of the fields. left_out: fields somebody typed into that the card, with these
    answers, does not have any more."""

    given: Mapping[str, Answer]
    left_out: tuple[str, ...]


def read_form(posted: Mapping[str, Sequence[str]]) -> dict[str, Typed]:
    """Every control of the form, by main path. One that came without its companion counts as touched."""
    paths = {name.partition(":")[2]: None for name in posted if name.startswith((VALUE, SHOWN))}
    return {path: _typed(posted.get(VALUE + path, ()), posted.get(SHOWN + path, ())) for path in paths}


def fingerprint(texts: Iterable[str]) -> str:
    """The same for the same texts in any order, with any line ends."""
    ordered: list[JsonValue] = [*sorted(map(_unix, texts))]
    return hashlib.sha256(jsontext.canonical(ordered)).hexdigest()[:16]


def texts_of(field: ServedField, value: JsonValue) -> Texts:
    """What the control of this field holds for a value. Line ends are one character, as browsers have them."""
    if field.row.data_type == MULTIPLE:
        items = value if isinstance(value, list) else [value]
        return tuple(_unix(scalar(item)) for item in items if has_value(item))
    return (_unix(scalar(value)) if has_value(value) else "",)


def value_of(field: ServedField, texts: Texts, *references: JsonValue) -> JsonValue:
    """The value these texts stand for; None where there is none.

    A text that reads like a number is one in a number field, exactly; any other text stays, so that the refusal names
    the field. A reference that looks the same is returned as it is, so that nothing is lost by being shown.
    """
    for reference in references:
        if _is_kept(field, reference) and fingerprint(texts) == fingerprint(texts_of(field, reference)):
            return reference if has_value(reference) else None
    if field.row.data_type == MULTIPLE:
        return list(dict.fromkeys(texts)) or None
    text = texts[0] if texts else ""
    if is_blank(text):
        return None
    if field.row.data_type == "boolean":
        return TRUTHS.get(text, text)
    return _number(text) if field.row.data_type in NUMBERS else text


def same(a: JsonValue, b: JsonValue) -> bool:
    """Equal values; whatever is no value is equal to nothing sent. 1.0 is 1, "1" is not."""
    if not has_value(a) or not has_value(b):
        return has_value(a) == has_value(b)
    return jsontext.canonical(a) == jsontext.canonical(b)


def read_answers(typed: Mapping[str, Typed], present: Mapping[str, ServedField], serve: Serve) -> Answers:
    """The answers to the fields that the card has once they are given: one may show or hide others (R-29, R-40).

    present  the fields as the card stands
    serve    values by main path -> the fields of the card with them
    """
    fields, given = present, _given(typed, present, present)
    for _ in range(MOST_ROUNDS):
        served = serve({path: answer.value for path, answer in given.items()})
        settled = served.keys() == fields.keys()
        fields, given = served, _given(typed, served, present)
        if settled:
            break
    touched = (path for path, entry in typed.items() if entry.touched and any(not is_blank(t) for t in entry.texts))
    return Answers(given, tuple(path for path in touched if path not in fields))


def draft_body(answers: Answers) -> JsonObject:
    """All that differs from the agent's values, for a draft is replaced whole (R-36); null clears."""
    values = {path: item.value for path, item in answers.given.items() if not same(item.value, item.field.ai_value)}
    return {"field_values": values}


def confirmation_body(answers: Answers, reason: str) -> JsonObject:
    """All that differs from what the card shows, so that what is put back to the agent's value is sent (R-37)."""
    values = {path: item.value for path, item in answers.given.items() if not same(item.value, item.shown)}
    return {"field_values": values, "reason": reason}


def resolution_body(answers: Answers, order_id: str | None, reason: str) -> JsonObject:
    """Every missing field that has a value, and every other one that differs from the agent's (R-39). order_id None: a new order (R-60)."""
    overrides: list[JsonValue] = [
        {"field_path": path, "value": item.value} for path, item in answers.given.items() if _is_overridden(item)
    ]
    return {"confirmed_order_id": order_id, "reason": reason, "field_overrides": overrides}


def _is_overridden(answer: Answer) -> bool:
    if answer.field.missing:
        return has_value(answer.value)
    return not same(answer.value, answer.field.ai_value)


def _given(
    typed: Mapping[str, Typed], fields: Mapping[str, ServedField], present: Mapping[str, ServedField]
) -> dict[str, Answer]:
    return {
        path: _answer(field, typed[path], present.get(path))
        for path, field in fields.items()
        if path in typed and field.edit_scope != "readonly"
    }


def _answer(field: ServedField, typed: Typed, before: ServedField | None) -> Answer:
    shown = before.value if before is not None else field.ai_value
    texts = typed.texts if typed.touched else texts_of(field, shown)
    return Answer(field, shown, value_of(field, texts, shown, field.ai_value))


def _is_kept(field: ServedField, reference: JsonValue) -> bool:
    """Is this reference as good as what its text would be read as? A number written as a text is not: it is mended."""
    if isinstance(reference, str):
        return field.row.data_type not in (*NUMBERS, "boolean", MULTIPLE)
    return isinstance(reference, dict | list)


def _typed(texts: Sequence[str], shown: Sequence[str]) -> Typed:
    plain = tuple(_unix(text) for text in texts)
    return Typed(plain, not shown or fingerprint(plain) != shown[-1])


def _number(text: str) -> JsonValue:
    try:
        value = jsontext.read(text.strip().encode())
    except (JsonInvalid, PayloadLimitExceeded):
        return text
    return text if isinstance(value, bool | str | list | dict) else value


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
