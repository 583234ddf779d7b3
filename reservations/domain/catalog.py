"""The route catalogue as frozen values (R-15, R-19, R-21).

The catalogue is data: code asks it by what a route is, never by a name that the data may replace. The names that stand
here are those fixed from outside: the notices, Fallback, the unhandled intent, the retired pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from reservations.domain.conditions import Condition, load_condition
from reservations.domain.faults import FaultCode

NORMAL_TASK: Final = "normal_task"
MANUAL_REVIEW: Final = "manual_review"
UNHANDLED_INTENT: Final = "unhandled_current_intent"
NOTIFICATION: Final = "source_message_review_notification"
FALLBACK: Final = "Fallback"
NOTICE_CODES: Final = ("S10", "S99")
LEGACY_NOTICE_CODES: Final = ("S000", "S999")

_ACTIVE: Final = "active"


@dataclass(frozen=True, slots=True)
class Route:
    """One row of the catalogue: what the agent says, how the system treats it, how it is shown (R-19)."""

    position: int
    route_code: str
    result_type: str
    task_type: str
    task_subtype: str
    active: bool
    system_process_category: str
    system_task_type: str | None
    queue_participation: bool
    readonly: bool
    confirmable: bool
    card_display_type: str
    card_title_code: str
    route_display_code: str
    title_en: str
    title_zh: str
    display_as: tuple[str, str] | None
    retired_in: str | None

    @property
    def displayed_type(self) -> str:
        """The type shown to people; of a retired pair, the one that took its place (R-21)."""
        return self.display_as[0] if self.display_as else self.task_type

    @property
    def displayed_subtype(self) -> str:
        return self.display_as[1] if self.display_as else self.task_subtype


@dataclass(frozen=True, slots=True)
class Operation:
    """One OHIP call of a subtype; `when` picks it by the effective values, None always."""

    spec: str
    operation_id: str
    method: str
    base_path: str
    path: str
    body_schema: str | None
    role: str
    when: Condition | None
    key_body_fields: tuple[str, ...]
    spec_version: str


@dataclass(frozen=True, slots=True)
class V4Rule:
    """How an event of an order package names this subtype."""

    event_type: str
    order_types: tuple[str, ...]
    after_keys: tuple[str, ...]
    discriminator: Condition | None
    forbidden: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Subtype:
    """One of the business subtypes."""

    index: int
    task_type: str
    task_type_zh: str
    task_subtype: str
    title_en: str
    title_zh: str
    purpose: str
    v4: V4Rule
    case_keys_any_of: tuple[tuple[str, ...], ...]
    case_keys_optional: tuple[str, ...]
    route_codes: Mapping[str, str]
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Retired:
    """What new data may not use: a pair, a type, or a subtype under any type. None stands for any."""

    task_type: str | None
    task_subtype: str | None
    code: FaultCode

    def covers(self, task_type: str | None, task_subtype: str | None) -> bool:
        return self.task_type in (None, task_type) and self.task_subtype in (None, task_subtype)


@dataclass(frozen=True, slots=True)
class Catalog:
    """All routes, retired ones included, with the look-ups the rules need."""

    version: str
    routes: tuple[Route, ...]
    subtypes: tuple[Subtype, ...]
    retired: tuple[Retired, ...]
    legacy_notices: Mapping[str, str]
    v4_event_types: tuple[str, ...]
    v4_order_types: tuple[str, ...]
    _by_code: Mapping[str, Route]
    _by_triple: Mapping[tuple[str, str, str], Route]
    _subtypes: Mapping[tuple[str, str], Subtype]

    @property
    def active(self) -> tuple[Route, ...]:
        return tuple(route for route in self.routes if route.active)

    @property
    def task_types(self) -> tuple[str, ...]:
        """The types of the business subtypes, each once, in catalogue order."""
        return tuple(dict.fromkeys(subtype.task_type for subtype in self.subtypes))

    @property
    def unhandled(self) -> Route:
        """R42, the route of every intent that no card covers (R-09)."""
        return next(route for route in self.active if route.result_type == UNHANDLED_INTENT)

    @property
    def fallback(self) -> Route:
        """R41, the review of an event whose type is not known."""
        return next(route for route in self.active if route.task_type == FALLBACK)

    def route(self, route_code: str) -> Route | None:
        """The row of this code, active or retired."""
        return self._by_code.get(route_code)

    def find(self, result_type: str, task_type: str, task_subtype: str) -> Route | None:
        """The active route of this triple, compared exactly (R-17)."""
        return self._by_triple.get((result_type, task_type, task_subtype))

    def notice(self, route_code: str) -> Route:
        """The row under which a notice is shown: S10 for S10 and S000, S99 for S99 and S999 (R-12).

        raises  KeyError: the code is none of the four
        """
        return self._by_code[self.legacy_notices.get(route_code, route_code)]

    def subtype(self, task_type: str, task_subtype: str) -> Subtype | None:
        return self._subtypes.get((task_type, task_subtype))

    def retired_code(self, task_type: str | None, task_subtype: str | None) -> FaultCode | None:
        """Why this type and subtype are refused as retired, or None (R-20)."""
        return next((row.code for row in self.retired if row.covers(task_type, task_subtype)), None)


def load_catalog(document: Mapping[str, Any]) -> Catalog:
    """Build the frozen catalogue from the parsed `route_catalog.json`. A key that is missing is a KeyError."""
    subtypes = tuple(_subtype(row) for row in document["subtypes"])
    by_pair = {(subtype.task_type, subtype.task_subtype): subtype for subtype in subtypes}
    routes = tuple(_route(row, by_pair) for row in document["routes"])
    triples = {(route.result_type, route.task_type, route.task_subtype): route for route in routes if route.active}
    return Catalog(
        version=document["catalog_version"],
        routes=routes,
        subtypes=subtypes,
        retired=tuple(_retired(row) for row in document["retired"]),
        legacy_notices=MappingProxyType({row["route_code"]: row["display_as"] for row in document["legacy_results"]}),
        v4_event_types=tuple(document["v4_event_types"]),
        v4_order_types=tuple(document["v4_order_types"]),
        _by_code=MappingProxyType({route.route_code: route for route in routes}),
        _by_triple=MappingProxyType(triples),
        _subtypes=MappingProxyType(by_pair),
    )


def _route(row: Mapping[str, Any], subtypes: Mapping[tuple[str, str], Subtype]) -> Route:
    shown = row.get("display_as")
    display_as = (shown["task_type"], shown["task_subtype"]) if shown else None
    title_en, title_zh = _titles(row, subtypes.get(display_as or (row["task_type"], row["task_subtype"])))
    return Route(
        position=row["position"],
        route_code=row["route_code"],
        result_type=row["result_type"],
        task_type=row["task_type"],
        task_subtype=row["task_subtype"],
        active=row["status"] == _ACTIVE,
        system_process_category=row["system_process_category"],
        system_task_type=row["system_task_type"],
        queue_participation=row["queue_participation"],
        readonly=row["readonly"],
        confirmable=row["confirmable"],
        card_display_type=row["card_display_type"],
        card_title_code=row["card_title_code"],
        route_display_code=row["route_display_code"],
        title_en=title_en,
        title_zh=title_zh,
        display_as=display_as,
        retired_in=row.get("retired_in"),
    )


def _titles(row: Mapping[str, Any], subtype: Subtype | None) -> tuple[str, str]:
    if subtype is not None:
        return subtype.title_en, subtype.title_zh
    title = row.get("title")
    return (title["en"], title["zh"]) if title else (row["task_type"], row["task_type"])


def _subtype(row: Mapping[str, Any]) -> Subtype:
    v4, keys = row["v4"], row["case_keys"]
    return Subtype(
        index=row["index"],
        task_type=row["task_type"],
        task_type_zh=row["task_type_zh"],
        task_subtype=row["task_subtype"],
        title_en=row["title"]["en"],
        title_zh=row["title"]["zh"],
        purpose=row["purpose"],
        v4=V4Rule(
            event_type=v4["event_type"],
            order_types=tuple(v4["order_types"]),
            after_keys=tuple(v4.get("after_keys", ())),
            discriminator=load_condition(v4.get("discriminator")),
            forbidden=tuple(v4.get("forbidden", ())),
        ),
        case_keys_any_of=tuple(tuple(group) for group in keys["any_of"]),
        case_keys_optional=tuple(keys["optional"]),
        route_codes=MappingProxyType(dict(row["route_codes"])),
        operations=tuple(_operation(operation) for operation in row["ohip_operations"]),
    )


def _operation(row: Mapping[str, Any]) -> Operation:
    return Operation(
        spec=row["spec"],
        operation_id=row["operation_id"],
        method=row["method"],
        base_path=row["base_path"],
        path=row["path"],
        body_schema=row["body_schema"],
        role=row["role"],
        when=load_condition(row["when"]),
        key_body_fields=tuple(row["key_body_fields"]),
        spec_version=row["spec_version"],
    )


def _retired(row: Mapping[str, Any]) -> Retired:
    pair = row["kind"] == "triple"
    code = FaultCode.RETIRED_PARENT_CANCEL_BOOKING if pair else FaultCode.RETIRED_TASK
    return Retired(row.get("task_type"), row.get("task_subtype"), code)
