"""The two calls of a confirmed card, planned: nothing is sent here (R-47, R-48)."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from reservations.domain.catalog import Operation, Subtype
from reservations.domain.jsonvalues import JsonObject
from reservations.opera.bodies import build_body
from reservations.opera.card import Card, OrderFacts
from reservations.opera.dry_run import dry_run
from reservations.opera.picks import pick_operations

__all__ = ["OrderFacts", "PlannedOperation", "plan_operations"]


@dataclass(frozen=True, slots=True)
class PlannedOperation:
    """One call as it would be sent.

    `path` has the hotel filled in; `{reservationId}` and `{blockId}` stay, because only a PMS could supply them. In the
    body such an id begins with PLACEHOLDER and names the booking it stands for. `dry_run` is `{valid, errors[]}`.
    """

    sequence: int
    operation_id: str
    role: str
    spec: str
    method: str
    path: str
    body_schema: str | None
    request_body: JsonObject | None
    dry_run: JsonObject


def plan_operations(
    *, subtype: Subtype, effective_payload: JsonObject, hotel_code: str, order: OrderFacts
) -> tuple[PlannedOperation, PlannedOperation]:
    """The two calls of a card in the order in which they are sent, each with its body and its dry run.

    A body that fails its dry run is planned all the same and says what is wrong with it.

    raises  ValueError: the catalogue leads to another number of calls than two
    """
    card = Card(effective_payload, hotel_code, order)
    first, second = pick_operations(subtype, card)
    return _planned(1, first, card), _planned(2, second, card)


def _planned(sequence: int, operation: Operation, card: Card) -> PlannedOperation:
    body = build_body(operation, card)
    return PlannedOperation(
        sequence=sequence,
        operation_id=operation.operation_id,
        role=operation.role,
        spec=operation.spec,
        method=operation.method,
        path=operation.base_path + operation.path.replace("{hotelId}", quote(card.hotel_code, safe="")),
        body_schema=operation.body_schema,
        request_body=body,
        dry_run=dry_run(operation.spec, operation.body_schema, body),
    )
