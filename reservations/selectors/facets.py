"""How many rows of a list there are by state, route and hotel, counted no further than MOST_COUNTED of each.

A list of up to FEW rows is read and counted. Of a longer one every value is counted by itself, in one statement; each of
those counts stops at its bound, and finds its rows by the index that the filter of the same name uses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Q, QuerySet

from reservations.models import Hotel
from reservations.selectors.routes import active_codes, codes_shown_under

MOST_COUNTED: Final = 1_000
FEW: Final = 2_000


@dataclass(frozen=True, slots=True)
class Dimension:
    """One thing to count by: the filter that takes its values, the column, and what each value covers there.

    where  which rows have a value, for a column that is computed
    """

    name: str
    column: str
    values: Mapping[str, tuple[Any, ...]]
    where: Mapping[str, Q] = field(default_factory=dict)

    def rows_with(self, value: str) -> Q:
        return self.where.get(value) or Q((f"{self.column}__in", self.values[value]))


@dataclass(frozen=True, slots=True)
class Counted:
    """One value and how many rows have it; `capped`: there are more."""

    value: str
    count: int
    capped: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """The values that occur, in the order of the filter's options."""

    name: str
    values: tuple[Counted, ...]


def by_choice(name: str, values: Iterable[str], column: str = "") -> Dimension:
    return Dimension(name, column or name, {str(value): (str(value),) for value in values})


def by_flag(name: str, is_set: Q) -> Dimension:
    """Whether; the rows are annotated with it under this name."""
    return Dimension(name, name, {"true": (True,), "false": (False,)}, {"true": is_set, "false": ~is_set})


def by_route(codes: Iterable[str] = ()) -> Dimension:
    """By the active code a row is shown under (R-12). codes: the only ones that the rows can have."""
    shown_under = {code: codes_shown_under(route_code=code) for code in codes or active_codes()}
    return Dimension("route", "route_code", shown_under)


def by_hotel(hotel_ids: Collection[int]) -> Dimension:
    """By the hotels of the caller; one statement."""
    hotels = Hotel.objects.filter(pk__in=hotel_ids).order_by("code").values_list("code", "pk")
    return Dimension("hotel", "hotel_id", {code: (key,) for code, key in hotels})


def facets_of(rows: QuerySet[Any, Any], dimensions: Sequence[Dimension]) -> list[Facet]:
    """The facets of one list; one statement, two where it is long."""
    return shown(dimensions, count(rows, dimensions))


def count(rows: QuerySet[Any, Any], dimensions: Sequence[Dimension]) -> Counter[tuple[str, str]]:
    """(dimension, value) to number, never more than MOST_COUNTED + 1."""
    columns = [dimension.column for dimension in dimensions]
    read = list(rows.order_by().values_list(*columns)[: FEW + 1])
    return _of_few(read, dimensions) if len(read) <= FEW else _of_many(rows, dimensions)


def shown(dimensions: Iterable[Dimension], numbers: Mapping[tuple[str, str], int]) -> list[Facet]:
    return [
        Facet(
            dimension.name,
            tuple(
                Counted(value, min(number, MOST_COUNTED), number > MOST_COUNTED)
                for value in dimension.values
                if (number := numbers.get((dimension.name, value), 0))
            ),
        )
        for dimension in dimensions
    ]


def _of_few(read: Iterable[tuple[Any, ...]], dimensions: Sequence[Dimension]) -> Counter[tuple[str, str]]:
    names = [
        {stored: value for value, covered in dimension.values.items() for stored in covered} for dimension in dimensions
    ]
    numbers: Counter[tuple[str, str]] = Counter()
    for row in read:
        for dimension, known, stored in zip(dimensions, names, row, strict=True):
            if stored in known:
                numbers[dimension.name, known[stored]] += 1
    return numbers


def _of_many(rows: QuerySet[Any, Any], dimensions: Sequence[Dimension]) -> Counter[tuple[str, str]]:
    asked = [
        ((dimension.name, value), rows.filter(dimension.rows_with(value)))
        for dimension in dimensions
        for value in dimension.values
    ]
    return Counter(dict(zip((key for key, _ in asked), bounded([found for _, found in asked]), strict=True)))


def bounded(lists: Sequence[QuerySet[Any, Any]]) -> list[int]:
    """How many rows each list has, as far as MOST_COUNTED + 1; one statement."""
    numbers = [0] * len(lists)
    parts: list[str] = []
    parameters: list[Any] = []
    for place, rows in enumerate(lists):
        try:
            statement, values = rows.order_by().values("pk")[: MOST_COUNTED + 1].query.sql_with_params()
        except EmptyResultSet:
            continue
        parts.append(f"SELECT {place}, COUNT(*) FROM ({statement}) AS counted")  # noqa: S608  # the ORM's own text
        parameters += values
    if parts:
        with connection.cursor() as cursor:
            cursor.execute(" UNION ALL ".join(parts), parameters)
            for place, number in cursor.fetchall():
                numbers[place] = number
    return numbers
