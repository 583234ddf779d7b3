"""The request body of each call, built from the effective values of a card (R-48)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from reservations.domain.catalog import Operation
from reservations.domain.jsonvalues import JsonObject
from reservations.opera.bodies.accounts import ACCOUNTS
from reservations.opera.bodies.blocks import BLOCKS
from reservations.opera.bodies.lists import LISTS
from reservations.opera.bodies.parts import Part, assemble
from reservations.opera.bodies.stays import STAYS
from reservations.opera.card import Card

PARTS: Final[Mapping[str, tuple[Part, ...]]] = MappingProxyType({**STAYS, **BLOCKS, **LISTS, **ACCOUNTS})


def build_body(operation: Operation, card: Card) -> JsonObject | None:
    """The body of one call, None for a read. What the card has no value for is left out.

    raises  KeyError: a call with a body for which there are no parts
    """
    if operation.body_schema is None:
        return None
    return assemble(PARTS[operation.operation_id], card, operation.key_body_fields)
