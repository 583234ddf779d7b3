"""The workbench: one list of all that people look at (R-63).

Tasks and notices of V2 and V3, order tasks of V4, notifications of V4. A V4 business task is inside its order task. The
order is (received_at, kind, id); none of them ever changes. A page is one statement: of each kind the rows of a page are
picked along an index of their own, then the three are put together; so it costs the same however many rows there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from operator import itemgetter
from typing import Any, ClassVar, Final

from django.db import connection
from django.db.models import Q, QuerySet

from reservations.domain.catalog import NOTICE_CODES
from reservations.models import OrderTaskStatusChoice, Task, TaskCard, TaskStatusChoice
from reservations.selectors import facets
from reservations.selectors.columns import Row
from reservations.selectors.facets import Dimension, Facet
from reservations.selectors.search import matching
from reservations.selectors.workbench.lists import Wanted, rows_of_kinds, with_card_of
from reservations.selectors.workbench.shape import ITEM, ItemKind, columns_of

__all__ = ["STATUSES", "ItemKind", "Place", "WorkItems"]

ORDER: Final = ("received_at", "kind", "id")
NOTHING_LEFT_OUT: Final = Wanted()
STATUSES: Final = tuple(dict([*OrderTaskStatusChoice.choices, *TaskStatusChoice.choices]).items())


@dataclass(frozen=True, slots=True)
class Place:
    """A place between two items."""

    received_at: datetime
    kind: str
    row_id: str


@dataclass(frozen=True, slots=True)
class WorkItems:
    """The workbench of some hotels, as far as it is asked for. Nothing is read before `page` or `facets`."""

    model: ClassVar[type[Task]] = Task
    hotel_ids: tuple[int, ...]
    wanted: Wanted = NOTHING_LEFT_OUT

    def all(self) -> WorkItems:
        return self

    def asking(self, **wanted: Any) -> WorkItems:
        return replace(self, wanted=replace(self.wanted, **wanted))

    def searching(self, text: str) -> WorkItems:
        """What has every word in its mail or in its order; a notification has no order."""
        return self.asking(search=matching(hotel_ids=self.hotel_ids, text=text))

    def page(self, *, beyond: Place | None, backwards: bool, limit: int) -> list[Row]:
        """The next items from a place on, or the last before it, nearest first; one statement."""
        kinds = rows_of_kinds(self.hotel_ids, self.wanted)
        lists = [_items(kind, rows, beyond, backwards=backwards, limit=limit) for kind, rows in kinds.items()]
        if len(lists) > 1:
            order = [f"-{name}" if backwards else name for name in ORDER]
            return list(lists[0].union(*lists[1:], all=True).order_by(*order)[:limit])
        found = [row for rows in lists for row in rows]
        return sorted(found, key=itemgetter(*ORDER), reverse=backwards)

    def facets(self) -> list[Facet]:
        """Numbers by kind, status, route and hotel: for each kind one statement, two where it is long; as many for the
        routes inside order tasks."""
        hotel = facets.by_hotel(self.hotel_ids)
        numbers: Counter[tuple[str, str]] = Counter()
        for kind, rows in rows_of_kinds(self.hotel_ids, self.wanted).items():
            found = facets.count(rows, [*_DIMENSIONS[kind], hotel])
            total = sum(number for (name, _), number in found.items() if name == hotel.name)
            numbers += found + Counter({("kind", str(kind)): total})
            if kind is ItemKind.NOTIFICATION:
                numbers["status", TaskStatusChoice.NOTICE.value] += total
            if kind is ItemKind.ORDER_TASK:
                numbers += _routes_inside(self.hotel_ids, rows)
        return facets.shown([_BY_KIND, _BY_STATUS, facets.by_route(), hotel], numbers)


def _routes_inside(hotel_ids: Collection[int], rows: QuerySet[Any]) -> Counter[tuple[str, str]]:
    """How many order tasks have a card of each route."""
    route = facets.by_route()
    cards = TaskCard.objects.filter(order_task__in=rows.order_by().values("pk"), task__isnull=False)
    pairs = list(cards.order_by().values_list("order_task_id", "task__route_code")[: facets.FEW + 1])
    if len(pairs) > facets.FEW:
        lists = [rows.filter(with_card_of(hotel_ids, codes)) for codes in route.values.values()]
        return Counter(dict(zip(((route.name, code) for code in route.values), facets.bounded(lists), strict=True)))
    shown = {stored: code for code, codes in route.values.items() for stored in codes}
    known = {(order_task, shown[stored]) for order_task, stored in pairs if stored in shown}
    return Counter((route.name, code) for _, code in known)


def _items(
    kind: ItemKind, rows: QuerySet[Any], beyond: Place | None, *, backwards: bool, limit: int
) -> QuerySet[Any, Row]:
    """The rows of one kind that a page may show, in the shape of all kinds."""
    if beyond is not None:
        rows = rows.filter(_beyond(kind, beyond, backwards=backwards))
    order = ("-received_at", "-id") if backwards else ("received_at", "id")
    if not connection.features.supports_slicing_ordering_in_compound:  # SQLite: the few are picked inside
        rows = rows.model._default_manager.filter(pk__in=rows.order_by(*order).values("pk")[:limit])
        return _shaped(kind, rows).order_by()
    return _shaped(kind, rows).order_by(*order)[:limit]


def _shaped(kind: ItemKind, rows: QuerySet[Any]) -> QuerySet[Any, Row]:
    shaped: QuerySet[Any, Row] = rows.annotate(**columns_of(kind)).values(*ITEM)
    return shaped


def _beyond(kind: ItemKind, place: Place, *, backwards: bool) -> Q:
    """Rows of this kind after (or before) a place: those of its moment if their kind comes later, or is its own."""
    side, step = ("lte", "lt") if backwards else ("gte", "gt")
    if kind == place.kind:
        in_tie = Q((f"received_at__{step}", place.received_at)) | Q((f"id__{step}", place.row_id))
        return Q((f"received_at__{side}", place.received_at)) & in_tie
    later = kind < place.kind if backwards else kind > place.kind
    return Q((f"received_at__{side if later else step}", place.received_at))


_BY_KIND = facets.by_choice("kind", ItemKind)
_BY_STATUS = facets.by_choice("status", [value for value, _ in STATUSES])
_DIMENSIONS: Mapping[ItemKind, tuple[Dimension, ...]] = {
    ItemKind.TASK: (facets.by_choice("status", TaskStatusChoice.values, "task_status"), facets.by_route()),
    ItemKind.ORDER_TASK: (facets.by_choice("status", OrderTaskStatusChoice.values),),
    ItemKind.NOTIFICATION: (facets.by_route(NOTICE_CODES),),
}
