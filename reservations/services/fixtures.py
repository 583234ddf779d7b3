"""The content of `fixtures/reference.json`: what a desk needs before its first mail (R-78).

Rows with a key made by the database are named by what makes them unique, so that loading the fixture finds what is
there already and never touches another row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.core import serializers
from django.db.models import Model

from config.accounts.models import Tenant, TenantKind
from reservations.data import catalog, matrix
from reservations.models import CatalogEntry, Hotel, Route

DEMO_HOTEL = "HOTEL1"
DEMO_HOTEL_NAME = "Willow Bay Hotel"
DEMO_TIME_ZONE = "Asia/Shanghai"


def reference_fixture() -> str:
    """Routes, the demo hotel, and the catalogues its selects offer, as Django's JSON."""
    named = {"kind": TenantKind.HOTEL, "code": DEMO_HOTEL, "name": DEMO_HOTEL_NAME, "time_zone": DEMO_TIME_ZONE}
    tenant, hotel = Tenant(**named, is_default=True), Hotel(**named)
    return fixture_text(rows=[*_routes(), tenant, *_entries(hotel)])


def fixture_text(*, rows: Iterable[Model]) -> str:
    """Rows as Django's JSON, one line per member, ending in a line end."""
    text: str = serializers.serialize(
        "json", rows, indent=1, use_natural_foreign_keys=True, use_natural_primary_keys=True
    )
    return text


def _routes() -> Iterator[Route]:
    for route in catalog().routes:
        yield Route(
            route_code=route.route_code,
            position=route.position,
            status="active" if route.active else "retired",
            result_type=route.result_type,
            task_type=route.task_type,
            task_subtype=route.task_subtype,
            system_process_category=route.system_process_category,
            system_task_type=route.system_task_type or "",
            queue_participation=route.queue_participation,
            readonly=route.readonly,
            card_display_type=route.card_display_type,
            card_title_code=route.card_title_code,
            route_display_code=route.route_display_code,
            title_en=route.title_en,
            title_zh=route.title_zh,
        )


def _entries(hotel: Hotel) -> Iterator[CatalogEntry]:
    """A catalogue that is not connected has no entries; the field matrix says so to its fields (R-32)."""
    for source in matrix().catalogs.values():
        for position, option in enumerate(source.options, start=1):
            yield CatalogEntry(
                hotel=hotel,
                catalog=source.name,
                code=option.code,
                label_en=option.label[0],
                label_zh=option.label[1],
                active=option.active,
                position=position,
            )
