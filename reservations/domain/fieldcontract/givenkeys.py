"""What a decision says of its order and of its contract version (R-28, R-80)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from reservations.domain.fieldcontract.inforce import own_card
from reservations.domain.fieldcontract.results import Confirmed
from reservations.domain.fieldcontract.state import CardState
from reservations.domain.fields import FieldMatrix
from reservations.domain.jsonvalues import JsonObject, JsonValue
from reservations.domain.orderkeys import OrderKeys, read_key

FIRST_VERSION: Final = "code-v1"
_ROOTS: Final = ("case_keys", "order_context")


def given_keys(confirmed: Confirmed) -> OrderKeys:
    """The order keys among the confirmed values, the agent's included, trimmed (R-28)."""
    return keys_among(confirmed.field_values)


def keys_among(values: Mapping[str, JsonValue]) -> OrderKeys:
    """The order keys among values by main path.

    Those of a business card stand under `case_keys`, those of Basic Information under `order_context`.
    """
    keys: JsonObject = {}
    for path, value in values.items():
        root, _, name = path.partition(".")
        if root in _ROOTS:
            keys[name] = value
    return OrderKeys(
        group_code=read_key(keys, "group_code"),
        confirmation_number=read_key(keys, "confirmation_number"),
        booking_code=read_key(keys, "booking_code"),
    )


def version_once_written(version: str, state: CardState, *, matrix: FieldMatrix) -> str:
    """The contract version of a card that is saved or confirmed: a card of the first one takes the matrix's (R-80)."""
    return (own_card(state, matrix).field_contract_version or version) if version == FIRST_VERSION else version
