"""What a filled card must hold: values its fields take, dates in order, what is required (R-37, R-39)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from reservations.domain.fieldcontract.choices import taken_codes
from reservations.domain.fieldcontract.findings import Finding, Places
from reservations.domain.fieldcontract.sheet import Sheet
from reservations.domain.fieldcontract.values import Problem, calendar_day, problem_with
from reservations.domain.fields import SUBTYPE_OF_TYPE, DependencyCheck, FieldRow
from reservations.domain.jsonvalues import JsonValue, has_value


def wrong_values(sheet: Sheet, *, skip: Collection[str] = ()) -> Iterator[Finding]:
    """Values that their fields do not take, wherever they came from.

    Fields nobody can write are left alone, since nobody could mend them.
    skip  main paths that are not looked at
    """
    for row in sheet.rows:
        value = sheet.value(row)
        if has_value(value) and sheet.writable(row) and row.field_path not in skip:
            problem = problem_with(row, value, taken_codes(sheet, row))
            if problem is not None:
                yield Finding(row, problem)


def wrong_or_disagreeing(sheet: Sheet, places: Places, *, skip: Collection[str] = ()) -> list[Finding]:
    """Wrong values, and rules between two fields that do not hold. A rule is asked only of two valid values.

    A broken rule is reported at the field the request sends, else at the second date, or at the subtype.
    """
    wrong = list(wrong_values(sheet, skip=skip))
    unfit = {*skip, *(finding.row.field_path for finding in wrong)}
    return wrong + [
        finding
        for check in sheet.in_force.card.dependency_checks
        if not unfit & {check.a, check.b}
        for finding in _broken(sheet, check, places)
    ]


def absent_values(sheet: Sheet) -> Iterator[Finding]:
    """Required fields without a value, and groups of which none has one. What nobody can write is not asked for."""
    for row in sheet.rows:
        if row.required and sheet.writable(row) and not has_value(sheet.value(row)):
            yield Finding(row, Problem("REQUIRED", "This field needs a value."))
    for group in sheet.in_force.card.required_groups:
        rows = [row for row in sheet.rows if row.field_path in group.fields]
        if not any(has_value(sheet.value(row)) for row in rows):
            problem = Problem("REQUIRED_GROUP", "One of these fields needs a value.")
            yield from (Finding(row, problem) for row in rows if sheet.writable(row))


def _broken(sheet: Sheet, check: DependencyCheck, places: Places) -> Iterator[Finding]:
    a, b = sheet.served(check.a), sheet.served(check.b)
    if a is None or b is None:
        return
    holds, problem = _RULES[check.rule]
    first, second = sheet.value(a), sheet.value(b)
    if has_value(first) and has_value(second) and not holds(sheet, first, second):
        yield Finding(_blamed(check, a, b, places), problem)


def _blamed(check: DependencyCheck, a: FieldRow, b: FieldRow, places: Places) -> FieldRow:
    first, second = (a, b) if check.rule == SUBTYPE_OF_TYPE else (b, a)
    return second if second.field_path in places and first.field_path not in places else first


def _lies_before(sheet: Sheet, a: JsonValue, b: JsonValue) -> bool:
    first, second = calendar_day(a), calendar_day(b)
    return first is None or second is None or first < second


def _lies_not_after(sheet: Sheet, a: JsonValue, b: JsonValue) -> bool:
    first, second = calendar_day(a), calendar_day(b)
    return first is None or second is None or first <= second


def _belongs(sheet: Sheet, a: JsonValue, b: JsonValue) -> bool:
    return isinstance(a, str) and isinstance(b, str) and sheet.catalog.subtype(b, a) is not None


_RULES: Final[Mapping[str, tuple[Callable[[Sheet, JsonValue, JsonValue], bool], Problem]]] = MappingProxyType(
    {
        "date_before": (_lies_before, Problem("DATE_ORDER", "The first date must lie before the second.")),
        "date_not_after": (_lies_not_after, Problem("DATE_ORDER", "The first date must not lie after the second.")),
        SUBTYPE_OF_TYPE: (_belongs, Problem("SUBTYPE_OF_OTHER_TYPE", "The subtype belongs to another type.")),
    }
)
