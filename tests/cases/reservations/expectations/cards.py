"""What the reviewer sees: the order and the detail of a task, its fields, its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import Any

from tests.cases.capabilities import need
from tests.cases.compare import differences
from tests.cases.reservations.moments import Moment, notice_task_id

READONLY = {"edit_scope": "readonly", "write_target": "none"}
TASK_LIST = "/api/reservation/tasks"


def order(moment: Moment, expected: Any) -> None:
    assert differences(moment.order(), expected, subset=True) == []


def temporary_order(moment: Moment, expected: Any) -> None:
    assert (moment.order()["kind"] == "TEMPORARY") is expected


def stored(moment: Moment, expected: Any) -> None:
    """Of every task made; in a step, of its task."""
    assert moment.task_ids, "there is no task"
    for task_id in moment.task_ids:
        assert differences(moment.detail(task_id), expected, subset=True) == []


def notice_card(moment: Moment, expected: Any) -> None:
    stored_members = {key: value for key, value in expected.items() if key != "fields"}
    detail = moment.detail(notice_task_id(moment.first))
    assert differences(detail, stored_members, subset=True) == []
    if "fields" in expected:
        need("served fields")
        assert differences(detail["fields"], expected["fields"], subset=True) == []


def display(moment: Moment, expected: Any) -> None:
    """Shown type and subtype, in the detail and in the row of the list."""
    assert differences(moment.task, expected, subset=True) == []
    row = next(row for row in moment.read_all("tasks") if row["id"] == moment.task_id)
    assert differences({key: row[key] for key in expected}, expected) == []


def filter_option_absent(moment: Moment, expected: Any) -> None:
    options = [str(option) for option in _options(moment.schema()["paths"][TASK_LIST]["get"]["parameters"])]
    assert options, "the task list offers no options at all"
    assert [option for option in options if expected.lower() in option.lower()] == []


def html_escaped(moment: Moment, expected: Any) -> None:
    """Every text value of the fields stands on the page escaped, and never as mark-up."""
    page = moment.card_page()
    marked = [value for value in moment.task["field_values"].values() if isinstance(value, str) and "<" in value]
    assert marked, "no value of this card holds mark-up"
    assert all(escape(value) in page and value not in page for value in marked) is expected


def field(moment: Moment, expected: Any) -> None:
    row = _row(moment, expected["field_pointer"])
    assert row is not None, f"{expected['field_pointer']} is not served"
    assert differences(row, expected, subset=True) == []


def field_readonly(moment: Moment, expected: Any) -> None:
    row = _row(moment, expected)
    assert row is not None, f"{expected} is not served"
    assert differences(row, READONLY, subset=True) == []


def field_values(moment: Moment, expected: Any) -> None:
    values = {row["field_path"]: row["value"] for row in moment.task["fields"]}
    assert differences(values, expected, subset=True) == []


def missing_paths(moment: Moment, expected: Any) -> None:
    assert [row["field_path"] for row in moment.task["fields"] if row["missing"]] == expected


def not_served(moment: Moment, expected: Any) -> None:
    assert [pointer for pointer in expected if _row(moment, pointer) is not None] == []


def opera_operations(moment: Moment, expected: Any) -> None:
    assert len(_operations(moment)) == expected


def opera_operation_ids(moment: Moment, expected: Any) -> None:
    assert [operation["operation_id"] for operation in _operations(moment)] == expected


def _operations(moment: Moment) -> list[Any]:
    """Of the answer; after a refusal and after calls side by side, of the task."""
    own = moment.answer.status < 400 and not moment.statuses
    operations: list[Any] = (
        moment.body["opera_operations"] if own else moment.read_all(f"tasks/{moment.task_id}/opera-operations")
    )
    return operations


def _row(moment: Moment, pointer: str) -> Any:
    return next((row for row in moment.task["fields"] if row["field_pointer"] == pointer), None)


def _options(schema: Any) -> Iterator[Any]:
    """Every value of every `enum`, at any depth."""
    if isinstance(schema, dict):
        yield from schema.get("enum", [])
    for member in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _options(member)


CHECKS: dict[str, Callable[[Moment, Any], None]] = {
    "order": order,
    "temporary_order": temporary_order,
    "stored": stored,
    "notice_card": notice_card,
    "display": display,
    "filter_option_absent": filter_option_absent,
    "html_escaped": html_escaped,
    "field": field,
    "field_readonly": field_readonly,
    "field_values": field_values,
    "missing_paths": missing_paths,
    "not_served": not_served,
    "opera_operations": opera_operations,
    "opera_operation_ids": opera_operation_ids,
}
