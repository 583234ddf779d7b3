"""The options of a select, as the hotels keep them."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet

from reservations.data import matrix
from reservations.domain.fields import OptionCatalog
from reservations.models import CatalogEntry
from reservations.selectors.columns import Row, rows_of

OPTION_ROW = ("hotel__code", "code", "label_en", "label_zh", "active")


def catalog_names() -> list[str]:
    """Every catalogue that a field knows."""
    return sorted(matrix().catalogs)


def find_catalog(*, name: str) -> OptionCatalog | None:
    """The catalogue as the fields know it; None for a name that no field knows."""
    return matrix().catalogs.get(name)


def list_options(*, hotel_ids: Collection[int], catalog: OptionCatalog) -> QuerySet[CatalogEntry, Row]:
    """What these hotels offer, in their order; nothing while the catalogue is not connected (R-32)."""
    entries = CatalogEntry.objects.filter(hotel_id__in=hotel_ids, catalog=catalog.name)
    connected = entries if catalog.connected else entries.none()
    return rows_of(connected.order_by("hotel__code", "position", "code"), *OPTION_ROW)
