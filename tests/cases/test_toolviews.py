"""Every case of `toolviews.json`: a tool's text becomes a card (tool-views.md section 15)."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from tests.cases import files
from tests.cases.capabilities import marks, need
from tests.cases.compare import differences
from tests.cases.toolviews import mismatches, shown_strings, unknown_in

CASES = files.read("toolviews.json")
LEGACY = "legacy_text"

pytestmark = pytest.mark.cases


def run_tool(given: dict[str, Any]) -> dict[str, Any]:
    """The ToolExecutionResult, as JSON, of {tool, arguments, observation_text, state}, through the registry."""
    need("tool views")
    raise AssertionError("Tool views stand as built, and this harness does not call them.")


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"], marks=marks(["tool views"])) for case in CASES])
def test_case(case):
    assert unknown_in(case) == []
    given = copy.deepcopy(case["input"])
    result = run_tool(given)
    assert differences(given, case["input"]) == [], "the input was changed"
    assert mismatches(result, case["expect"]) == []
    assert rules_broken(result, case["input"]["observation_text"]) == []


def rules_broken(result: dict[str, Any], observation: str) -> list[str]:
    """What holds for every result, whatever the case expects."""
    view = result["result_view"]
    collapsed, raw_text = view["collapsed"], view["expanded"]["raw_text"]
    rules = {
        "observation_text is what came in": result["observation_text"] == observation,
        "raw_text is the observation": raw_text == observation,
        "one status": result["status"] == collapsed["status"],
        "success is status done": result["success"] is (result["status"] == "done"),
        "the summary is the title": view["view_type"] == LEGACY or result["summary"] == collapsed["title"],
        "it is JSON": differences(files.parse(json.dumps(result, default=float).encode()), result) == [],
    }
    return [rule for rule, holds in rules.items() if not holds]


def test_shown_strings_leave_machine_halves_out():
    """V-44, V-45"""
    item = {"title": "t", "subtitle": "s", "tags": ["g"], "detail_lines": ["d"], "meta": {"task_id": "never"}}
    fields = [{"label": "l", "value": "v", "key": "never"}]
    view = {
        "collapsed": {"title": "T", "status": "never", "status_label": "L", "metrics": [{"label": "m", "value": "n"}]},
        "expanded": {
            "items": [item],
            "sections": [{"type": "never", "title": "k", "fields": fields}],
            "raw_text": "never",
            "machine_payload": {"a": "never"},
        },
    }
    assert sorted(shown_strings(view)) == ["L", "T", "d", "g", "k", "l", "m", "n", "s", "t", "v"]
