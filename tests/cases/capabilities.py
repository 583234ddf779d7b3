"""What the cases ask for that is not built. A case that contains such a thing is expected to fail, for that reason only.

The mark and the failure are found apart: the mark by what stands in the case, the failure (`NotBuilt`) where the
harness cannot go on. So a case that fails for another reason fails the run, and so does one that passes: build the
thing, take its line out. Only the own copy of the files is marked; with COUNTERSIGN_CASES set every case must pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tests.cases import files

NOT_BUILT = {
    "MCP": "there is no MCP server",
    "comments": "there is no comments desk",
    "context assembly": "there is no agentviews app",
    "tool views": "there is no agentviews app",
}


class NotBuilt(Exception):
    """The harness came to a thing of the table above."""


def need(capability: str) -> None:
    """Go on only where it is built."""
    if capability in NOT_BUILT:
        raise NotBuilt(f"{capability}: {NOT_BUILT[capability]}")


def marks(needs: Iterable[str]) -> list[Any]:
    """The marks of a case that needs these capabilities."""
    missing = sorted(set(needs) & NOT_BUILT.keys())
    if missing and files.is_own_copy():
        return [pytest.mark.xfail(raises=NotBuilt, strict=True, reason=f"not built: {', '.join(missing)}")]
    return []
