"""Cards that can be decided: the options their hotel offers, packages that lead to them, bodies that decide them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from reservations.data import matrix
from reservations.models import CatalogEntry, Hotel
from tests import packages

CONFIRM, RESOLVE, CLAIM, EXECUTE = "confirm", "manual-review-resolutions", "claim", "execute"
ASKED = {
    "extracted_fields.room_items.0.pms_room_type_code": "DLX",
    "extracted_fields.group_name": "Autumn Leaves",
}


def path(task_id: object, action: str) -> str:
    """Where a write on a card is sent."""
    return f"/api/reservation/tasks/{task_id}/{action}"


def offer_options(hotel: Hotel) -> None:
    """Every option of the field matrix, as the demo hotel has them."""
    CatalogEntry.objects.bulk_create(
        CatalogEntry(
            hotel=hotel,
            catalog=source.name,
            code=option.code,
            label_en=option.label[0],
            label_zh=option.label[1],
            active=option.active,
            position=position,
        )
        for source in matrix().catalogs.values()
        for position, option in enumerate(source.options, start=1)
    )


def review_package(name: str, case_keys: Mapping[str, str] | None = None) -> bytes:
    """One event that asks for a room type. Without keys its order is TEMPORARY, and the review may give it some."""
    document: dict[str, Any] = json.loads(packages.package(name))
    event = document["message_events"][-1] | {"case_keys": dict(case_keys or {}), "source_event_index": 1}
    return json.dumps(document | {"message_events": [event]}, ensure_ascii=False).encode()


def confirmation(values: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The body that confirms a card of `packages.package`."""
    return {"field_values": dict(values or {})}


def resolution(order_id: object, overrides: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The body that resolves the card of `review_package`, with further overrides."""
    values = {**ASKED, **(overrides or {})}
    return {
        "confirmed_order_id": str(order_id),
        "reason": "Asked the guest.",
        "field_overrides": [{"field_path": path, "value": value} for path, value in values.items()],
    }
