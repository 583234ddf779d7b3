"""Every case of `context.json`: segments are parsed and assembled into one text (context-assembly.md section 11)."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.cases import files
from tests.cases.capabilities import marks, need
from tests.cases.compare import differences

CASES = files.read("context.json")
CASE = {"id", "why", "rules", "input", "expect"}
INPUT = {"segments", "inputs", "blackboard", "inputMerge", "workerId", "workerName", "outputTags"}
BOARD_ITEM = {"tag", "content", "updatedAt", "metadata"}
EXPECT = {"parsed_segments", "text"}

pytestmark = pytest.mark.cases


def assemble(given: dict[str, Any]) -> dict[str, Any]:
    """{"parsed_segments": […], "text": "…"} from the pure assembly of agentviews."""
    need("context assembly")
    raise AssertionError("Context assembly stands as built, and this harness does not call it.")


def unknown_in(case: dict[str, Any]) -> list[str]:
    strange = [*(set(case) - CASE), *(set(case["input"]) - INPUT), *(set(case["expect"]) - EXPECT)]
    strange += [key for item in case["input"]["blackboard"] for key in set(item) - BOARD_ITEM]
    return sorted(strange)


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case["id"], marks=marks(["context assembly"])) for case in CASES]
)
def test_case(case):
    assert unknown_in(case) == []
    given = copy.deepcopy(case["input"])
    outcome = assemble(given)
    assert differences(outcome, case["expect"]) == []
    assert differences(given, case["input"]) == [], "the input was changed"
