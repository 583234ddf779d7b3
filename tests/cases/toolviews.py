"""How a case of `toolviews.json` is read: its words, its matching, and which strings of a card are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.cases.compare import same_scalar

CASE = {"id", "why", "derived", "input", "expect"}
INPUT = {"tool", "arguments", "observation_text", "state"}
EXPECT = {
    "status",
    "success",
    "summary",
    "error_code",
    "error_message",
    "arguments_preview",
    "argument_view",
    "expect_subset",
    "absent_in_shown",
}
EXPECT_SUBSET = {"result_view"}
LIST_WORDS = {"$len", "$first", "$last"}
ABSENT_WHEN_NULL = ("error_code", "error_message")
SHOWN_TEXTS = ("title", "summary", "subtitle", "status_label", "label", "value")
SHOWN_LISTS = ("tags", "detail_lines")
SHOWN_PARTS = ("metrics", "items", "sections", "fields", "collapsed", "expanded")


def unknown_in(case: dict[str, Any]) -> list[str]:
    expected = case["expect"]
    strange = [*(set(case) - CASE), *(set(case["input"]) - INPUT), *(set(expected) - EXPECT)]
    strange += set(expected.get("expect_subset", {})) - EXPECT_SUBSET
    return sorted([*strange, *_strange_words(expected)])


def mismatches(result: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """Where the result is not what the case expects."""
    found: list[str] = []
    for key, wanted in expected.items():
        if key == "expect_subset":
            found += match(result["result_view"], wanted["result_view"], "/result_view")
        elif key == "absent_in_shown":
            shown = list(shown_strings(result["result_view"]))
            found += [f"shown: {text!r}" for banned in wanted for text in shown if banned in text]
        elif key in ABSENT_WHEN_NULL and wanted is None:
            found += [f"/{key}: present"] if result.get(key) is not None else []
        else:
            found += match(result.get(key), wanted, f"/{key}")
    return found


def match(actual: Any, expected: Any, place: str) -> list[str]:
    """An object is a subset; a list has this length and matches member by member; a scalar is equal, with its type."""
    if isinstance(expected, dict) and set(expected) & LIST_WORDS:
        return _match_ends(actual, expected, place)
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            return [f"{place}: {actual!r}, no object"]
        absent = [f"{place}/{key}: absent" for key in expected if key not in actual]
        present = (key for key in expected if key in actual)
        return absent + [line for key in present for line in match(actual[key], expected[key], f"{place}/{key}")]
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            return [f"{place}: {actual!r}, not {len(expected)} members"]
        pairs = enumerate(zip(actual, expected, strict=True))
        return [line for n, (a, e) in pairs for line in match(a, e, f"{place}/{n}")]
    return [] if same_scalar(actual, expected) else [f"{place}: {actual!r}, not {expected!r}"]


def shown_strings(view: Any) -> Iterator[str]:
    """Every string that V-44 shows by default."""
    if isinstance(view, list):
        for entry in view:
            yield from shown_strings(entry)
    if not isinstance(view, dict):
        return
    for key, value in view.items():
        if key in SHOWN_TEXTS and isinstance(value, str):
            yield value
        elif key in SHOWN_LISTS:
            yield from (text for text in value if isinstance(text, str))
        elif key in SHOWN_PARTS:
            yield from shown_strings(value)


def _match_ends(actual: Any, expected: dict[str, Any], place: str) -> list[str]:
    if not isinstance(actual, list):
        return [f"{place}: {actual!r}, no list"]
    found = []
    if "$len" in expected and len(actual) != expected["$len"]:
        found.append(f"{place}: {len(actual)} members, not {expected['$len']}")
    for word, index in (("$first", 0), ("$last", -1)):
        if word in expected:
            found += match(actual[index], expected[word], f"{place}/{word}") if actual else [f"{place}: empty"]
    return found


def _strange_words(value: Any) -> Iterator[str]:
    """Words that begin with `$` and are none of the three."""
    if isinstance(value, dict):
        yield from (key for key in value if key.startswith("$") and key not in LIST_WORDS)
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strange_words(member)
