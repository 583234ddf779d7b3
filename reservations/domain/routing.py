"""From what an event says of itself to its route (R-15 to R-17, R-20)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from reservations.domain.catalog import FALLBACK, MANUAL_REVIEW, NORMAL_TASK, Catalog, Route
from reservations.domain.faults import EventFault, FaultCode

TYPE_AND_SUBTYPE: Final = "type and subtype"  # the key of the type has another name in each generation


@dataclass(frozen=True, slots=True)
class Claim:
    """What one event says: its type and subtype, whether it asks for a review, and what it states outright."""

    task_type: str
    task_subtype: str
    reviewed: bool
    stated_result_type: str | None = None
    stated_task_type: str | None = None
    stated_route_code: str | None = None

    @property
    def result_type(self) -> str:
        return MANUAL_REVIEW if self.reviewed else NORMAL_TASK


def check_not_retired(catalog: Catalog, task_type: str | None, task_subtype: str | None) -> None:
    """raises  EventFault: the type, the subtype or the pair is history only (R-20)"""
    code = catalog.retired_code(task_type, task_subtype)
    if code is not None:
        raise EventFault(code, TYPE_AND_SUBTYPE)


def find_route(claim: Claim, catalog: Catalog) -> Route:
    """The one active route of the event.

    raises  EventFault: FALLBACK_WITHOUT_REVIEW, ROUTE_UNRESOLVED, or ROUTE_MISMATCH when the event states a result
            type, task type or route code that differs from what follows from it
    """
    if claim.task_type == FALLBACK and not claim.reviewed:
        raise EventFault(FaultCode.FALLBACK_WITHOUT_REVIEW, "manual_review")
    route = catalog.find(claim.result_type, claim.task_type, claim.task_subtype)
    if route is None:
        raise EventFault(FaultCode.ROUTE_UNRESOLVED, TYPE_AND_SUBTYPE)
    _check_statements(claim, route)
    return route


def _check_statements(claim: Claim, route: Route) -> None:
    stated = (
        ("result_type", claim.stated_result_type, route.result_type),
        ("task_type", claim.stated_task_type, route.task_type),
        ("route_code", claim.stated_route_code, route.route_code),
    )
    wrong = [name for name, said, derived in stated if said is not None and said != derived]
    if wrong:
        raise EventFault(FaultCode.ROUTE_MISMATCH, ", ".join(wrong))
