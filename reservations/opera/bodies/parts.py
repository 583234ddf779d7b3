"""Pieces of a request body: a place, and what the card puts there.

A place is written as the catalogue writes `key_body_fields`: steps with dots between them, `[]` behind the name of an
array. Inside a place `[]` means its first element; at the end, what is put there is added to the array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from reservations.domain.jsonvalues import JsonArray, JsonObject, JsonValue, has_value
from reservations.opera.card import Card

Filling: TypeAlias = Callable[[Card], JsonValue]

_ANYWHERE: Final = "…"
_ARRAY: Final = "[]"


@dataclass(frozen=True, slots=True)
class Part:
    """`named_by`: it belongs to a body only if the call names one of these key fields; None: to every body.

    `unless`: it belongs to no body whose call names this key field.
    """

    place: str
    filling: Filling
    named_by: tuple[str, ...] | None = None
    unless: str | None = None

    def belongs_to(self, key_body_fields: Sequence[str]) -> bool:
        if self.unless is not None and named(self.unless, key_body_fields):
            return False
        return self.named_by is None or any(named(place, key_body_fields) for place in self.named_by)


def always(place: str, filling: Filling) -> Part:
    return Part(place, filling)


def keyed(place: str, filling: Filling, *named_by: str) -> Part:
    """A part that only a call which names its place carries; or one of `named_by`, where given."""
    return Part(place, filling, named_by or (place,))


def without(key_field: str, place: str, filling: Filling) -> Part:
    """A part of every call that does not name this key field."""
    return Part(place, filling, unless=key_field)


def named(place: str, key_body_fields: Sequence[str]) -> bool:
    """Is this place among the key fields? One that begins with `…` leaves the first steps out."""
    return any(_names(key, place) for key in key_body_fields)


def assemble(parts: Sequence[Part], card: Card, key_body_fields: Sequence[str]) -> JsonObject:
    """The body made of the parts that have a value. Where two lead to one place, the first stays."""
    body: JsonObject = {}
    for part in parts:
        value = part.filling(card) if part.belongs_to(key_body_fields) else None
        if has_value(value) and value != {}:
            _put(body, part.place, value)
    return body


def fixed(value: JsonValue) -> Filling:
    return lambda card: value


def text(path: str) -> Filling:
    return lambda card: card.text(path)


def integer(path: str) -> Filling:
    return lambda card: card.integer(path)


def hotel(card: Card) -> JsonValue:
    return card.hotel_code


def filled(**members: JsonValue) -> JsonObject:
    """An object of the members that have a value."""
    return {name: value for name, value in members.items() if has_value(value) and value != {}}


def _names(key: str, place: str) -> bool:
    tail = key.removeprefix(_ANYWHERE)
    return place == tail or (tail != key and place.endswith(f".{tail}"))


def _put(body: JsonObject, place: str, value: JsonValue) -> None:
    *way, last = place.split(".")
    node = body
    for step in way:
        node = _entered(node, step)
    if last.endswith(_ARRAY):
        entries = cast(JsonArray, node.setdefault(last.removesuffix(_ARRAY), []))
        entries.extend(value if isinstance(value, list) else [value])
    else:
        node.setdefault(last, value)


def _entered(node: JsonObject, step: str) -> JsonObject:
    name = step.removesuffix(_ARRAY)
    if name == step:
        return cast(JsonObject, node.setdefault(name, {}))
    entries = cast(JsonArray, node.setdefault(name, [{}]))
    return cast(JsonObject, entries[0])
