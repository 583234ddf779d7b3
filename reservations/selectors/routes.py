"""Routes as people see them: what a code is shown under, and what a filter by a code finds (R-12, R-21)."""

from __future__ import annotations

from functools import cache

from django.db.models import QuerySet

from reservations.data import catalog
from reservations.models import Route


def list_routes() -> QuerySet[Route]:
    """The catalogue in its order: 40 active routes and the retired ones (R-15)."""
    return Route.objects.order_by("position")


def active_codes() -> tuple[str, ...]:
    """The codes a filter takes, in catalogue order."""
    return tuple(route.route_code for route in catalog().active)


@cache
def codes_shown_under(*, route_code: str) -> tuple[str, ...]:
    """Every stored code that is shown as this active one: S10 finds S000 too, a live pair its retired one (R-12)."""
    today = catalog()
    legacy = (old for old, shown in today.legacy_notices.items() if shown == route_code)
    retired = (
        route.route_code
        for route in today.routes
        if route.display_as and _code_of(route.result_type, *route.display_as) == route_code
    )
    return (route_code, *legacy, *retired)


def shown_pair(*, task_type: str, task_subtype: str) -> tuple[str, str]:
    """(type, subtype) as shown: of a retired pair, the one that took its place (R-21)."""
    return _retired_pairs().get((task_type, task_subtype), (task_type, task_subtype))


@cache
def _retired_pairs() -> dict[tuple[str, str], tuple[str, str]]:
    return {(route.task_type, route.task_subtype): route.display_as for route in catalog().routes if route.display_as}


def _code_of(result_type: str, task_type: str, task_subtype: str) -> str | None:
    route = catalog().find(result_type, task_type, task_subtype)
    return route.route_code if route else None
