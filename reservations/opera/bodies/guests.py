"""Guests, comments and amounts: the shapes that several bodies share."""

from __future__ import annotations

from typing import Final

from reservations.domain.jsonvalues import JsonObject, JsonValue
from reservations.opera.bodies.parts import filled
from reservations.opera.card import Card

GENERAL: Final = "GENERAL"

_NAME_LENGTH: Final = 40
_PHONE_LENGTH: Final = 40


def person_name(name: str | None) -> JsonObject:
    """Surname and given name of a name as written: `Guest/Anna`, `Guest, Anna`, `Anna Guest`, or a surname alone.

    OPERA takes 40 characters of each; a name that does not come apart so is cut at its fortieth character.
    """
    if name is None:
        return {}
    surname, given = _split(name)
    if len(surname) > _NAME_LENGTH or len(given) > _NAME_LENGTH:
        surname, given = name[:_NAME_LENGTH], name[_NAME_LENGTH:]
    return filled(surname=surname, givenName=given, nameType="Primary")


def _split(name: str) -> tuple[str, str]:
    for mark in ("/", ",", "，"):
        surname, found, given = name.partition(mark)
        if found and surname.strip() and given.strip():
            return surname.strip(), given.strip()
    *given_names, surname = name.split()
    return surname, " ".join(given_names)


def guest(name: str, *, primary: bool) -> JsonObject:
    return {"profileInfo": {"profile": {"customer": {"personName": [person_name(name)]}}}, "primary": primary}


def contact(card: Card) -> JsonObject:
    """A guest's contact as the part of a profile it belongs to: an address with @, else a telephone."""
    given = card.text("extracted_fields.guest_contact")
    if given is None:
        return {}
    if "@" in given:
        return {"emails": {"emailInfo": [{"email": {"emailAddress": given}}]}}
    if len(given) <= _PHONE_LENGTH:
        return {"telephones": {"telephoneInfo": [{"telephone": {"phoneNumber": given}}]}}
    return {}


def long_contact(card: Card) -> JsonValue:
    """A contact that fits neither place goes into a comment."""
    return None if contact(card) else comment(card, "extracted_fields.guest_contact")


def guest_counts(card: Card) -> JsonValue:
    return filled(
        adults=card.integer("extracted_fields.adults"),
        children=card.integer("extracted_fields.children"),
    )


def comment(card: Card, path: str) -> JsonValue:
    """The comment that carries this field, not internal; nothing without a text."""
    return comment_of(card.text(path))


def comment_of(value: str | None) -> JsonObject | None:
    if value is None:
        return None
    return {"comment": {"text": {"value": value}, "type": GENERAL, "internal": False}}


def change_reason(card: Card) -> JsonValue:
    return comment(card, "extracted_fields.change_reason")
