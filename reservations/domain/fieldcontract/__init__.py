"""The field contract of a card: which fields it serves, what they hold, and what a person may write (R-29 to R-40).

One set of served fields for reading, draft, confirmation and resolution, for every generation and for Basic
Information. Reading order: `state` (what is known of a card), `inforce` (which card of the matrix), `sheet` (its
values and fields), `choices` and `values` (what one field takes), `checks` (what the whole must hold), then `reading`,
`confirming`, `resolving`; `requests` reads the bodies.
"""

from __future__ import annotations

from reservations.domain.fieldcontract.confirming import check_confirmation, check_draft
from reservations.domain.fieldcontract.givenkeys import given_keys, version_once_written
from reservations.domain.fieldcontract.options import Option, Options
from reservations.domain.fieldcontract.reading import FieldSet, ServedField, read_fields
from reservations.domain.fieldcontract.requests import (
    BulkAction,
    BulkRequest,
    ConfirmRequest,
    ResolveRequest,
    read_bulk,
    read_confirmation,
    read_draft,
    read_notification_bulk,
    read_reason,
    read_resolution,
)
from reservations.domain.fieldcontract.resolving import Override, Resolved, check_resolution
from reservations.domain.fieldcontract.results import Confirmed
from reservations.domain.fieldcontract.state import CardState

__all__ = [
    "BulkAction",
    "BulkRequest",
    "CardState",
    "ConfirmRequest",
    "Confirmed",
    "FieldSet",
    "Option",
    "Options",
    "Override",
    "ResolveRequest",
    "Resolved",
    "ServedField",
    "check_confirmation",
    "check_draft",
    "check_resolution",
    "given_keys",
    "read_bulk",
    "read_confirmation",
    "read_draft",
    "read_fields",
    "read_notification_bulk",
    "read_reason",
    "read_resolution",
    "version_once_written",
]
