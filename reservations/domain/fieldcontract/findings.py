"""What is wrong on a filled card, and where it is reported: in the request if it stands there, else at the field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from config.errors import Fault
from reservations.domain.fieldcontract.sheet import Sheet
from reservations.domain.fieldcontract.values import Problem
from reservations.domain.fields import FieldRow

Places = Mapping[str, str]  # main path to the place of its value in the body, in the order of the request


class Finding(NamedTuple):
    row: FieldRow
    problem: Problem


def placed(findings: Iterable[Finding], places: Places, sheet: Sheet) -> list[Fault]:
    """The findings as `errors[]`: those about the request in its order, then the others in the order of the fields."""
    order = {path: at for at, path in enumerate(dict.fromkeys((*places, *(row.field_path for row in sheet.rows))))}
    ranked = sorted(findings, key=lambda finding: order[finding.row.field_path])
    return [
        Fault(places.get(row.field_path, row.field_pointer), problem.code, problem.detail) for row, problem in ranked
    ]
