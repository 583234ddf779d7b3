"""What the door answered: status, codes, and the summary of an ingest."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.cases.compare import differences
from tests.cases.reservations.moments import Moment, summary_task_ids

SUMMARY_NAMES = {"task_type": "ai_task_type", "task_subtype": "ai_task_subtype"}
DETAIL_NAMES = {"case_keys_stored", "case_keys_effective"}
JSON_TYPES = {"application/json", "application/problem+json"}


def http_status(moment: Moment, expected: Any) -> None:
    assert moment.answer.status == expected, moment.answer.body
    assert moment.answer.media_type in JSON_TYPES


def member(name: str) -> Callable[[Moment, Any], None]:
    """The member of the body with this name."""

    def check(moment: Moment, expected: Any) -> None:
        assert differences(moment.body.get(name), expected) == [], moment.body

    return check


def whole_list(name: str) -> Callable[[Moment, Any], None]:
    """All entries in order, compared on the keys given."""

    def check(moment: Moment, expected: Any) -> None:
        assert differences(moment.body.get(name), expected, subset=True) == []

    return check


def body_exact(moment: Moment, expected: Any) -> None:
    assert differences(moment.answer.body, expected) == []
    assert moment.answer.media_type == "application/json"


def mcp(moment: Moment, expected: Any) -> None:
    """`isError` and `structuredContent` of the tool's answer (contracts.md section 9)."""
    envelope = moment.answer.envelope
    assert envelope["isError"] is not expected["ok"]
    assert differences(envelope["structuredContent"], expected, subset=True) == []


def mapping(moment: Moment, expected: Any) -> None:
    diagnostics = moment.answer.envelope["structuredContent"]["mapping_diagnostics"]
    assert differences(diagnostics["source_event_index_mapping"], expected) == []


def max_seconds(moment: Moment, expected: Any) -> None:
    assert moment.answer.seconds <= expected


def tasks(moment: Moment, expected: Any) -> None:
    lines = moment.body["tasks"]
    wanted = [{SUMMARY_NAMES.get(k, k): v for k, v in line.items() if k not in DETAIL_NAMES} for line in expected]
    assert differences(lines, wanted, subset=True) == []
    for line, task in zip(expected, lines, strict=True):
        _case_keys(moment, task["task_id"], line)


def order_of_tasks(moment: Moment, expected: Any) -> None:
    indexes = [line["source_event_index"] for line in moment.body["tasks"]]
    assert (indexes == sorted(indexes)) is expected


def same_task_ids(moment: Moment, expected: Any) -> None:
    assert (summary_task_ids(moment.answer) == summary_task_ids(moment.first)) is expected


def notices(moment: Moment, expected: Any) -> None:
    assert differences([notice["route_code"] for notice in moment.body["notices"]], expected) == []


def displayed_as(moment: Moment, expected: Any) -> None:
    shown = [notice["route_display_code"].removeprefix("NOTICE.") for notice in moment.body["notices"]]
    assert differences(shown, expected) == []


def order_tasks(moment: Moment, expected: Any) -> None:
    lines = [dict(line) for line in moment.body["order_tasks"]]
    if any("cards" in line for line in expected):
        for line in lines:
            detail = moment.read(f"order-tasks/{line['order_task_id']}")
            line["cards"] = [card["card_key"] for card in detail["cards"]]
    assert differences(lines, expected, subset=True) == []


def statuses(moment: Moment, expected: Any) -> None:
    assert moment.statuses == expected


def state(name: str) -> Callable[[Moment, Any], None]:
    """A state in the answer; after a refusal, of the task."""

    def check(moment: Moment, expected: Any) -> None:
        holder = moment.task if moment.answer.status >= 400 else moment.body
        assert differences(holder.get(name), expected) == []

    return check


def confirmed_payload(moment: Moment, expected: Any) -> None:
    payload = moment.body["confirmed_payload"]
    for name, wanted in expected.items():
        assert differences(payload[name.removesuffix("_contains")], wanted, subset=True) == []


def field_values_contains(moment: Moment, expected: Any) -> None:
    assert differences(moment.body["confirmed_payload"]["field_values"], expected, subset=True) == []


def override(moment: Moment, expected: Any) -> None:
    overrides = moment.body["review_resolution"]["field_overrides"]
    assert any(differences(entry, expected, subset=True) == [] for entry in overrides), overrides


def resolved_at_pattern(moment: Moment, expected: Any) -> None:
    assert re.search(expected, moment.body["review_resolution"]["resolved_at"])


def _case_keys(moment: Moment, task_id: str, line: Any) -> None:
    if "case_keys_stored" in line:
        assert differences(moment.detail(task_id)["case_keys"], line["case_keys_stored"]) == []
    if "case_keys_effective" in line:
        effective = moment.detail(task_id)["effective_payload"]["case_keys"]
        assert differences(effective, line["case_keys_effective"], subset=True) == []


CHECKS: dict[str, Callable[[Moment, Any], None]] = {
    "http_status": http_status,
    "error_code": member("error_code"),
    "detail_code": member("detail_code"),
    "errors": whole_list("errors"),
    "body_exact": body_exact,
    "mcp": mcp,
    "mapping": mapping,
    "max_seconds": max_seconds,
    "tasks": tasks,
    "adapter_contract_errors": whole_list("adapter_contract_errors"),
    "unhandled_intents": member("unhandled_intents"),
    "replayed": member("replayed"),
    "order_of_tasks": order_of_tasks,
    "same_task_ids": same_task_ids,
    "notices": notices,
    "displayed_as": displayed_as,
    "order_tasks": order_tasks,
    "statuses": statuses,
    "task_status": state("task_status"),
    "review_status": state("review_status"),
    "confirmed_payload": confirmed_payload,
    "field_values_contains": field_values_contains,
    "override": override,
    "resolved_at_pattern": resolved_at_pattern,
}
