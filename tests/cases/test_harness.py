"""The harness itself: unknown words fail, comparison is exact, marks follow the content, every check can say no."""

from __future__ import annotations

import copy
from decimal import Decimal

import pytest

from tests.cases import capabilities, files
from tests.cases.capabilities import NOT_BUILT, NotBuilt
from tests.cases.compare import differences, same
from tests.cases.reservations import format as words
from tests.cases.reservations import steps, transports, world
from tests.cases.reservations.expectations import CHECKS, judge
from tests.cases.test_comments import unknown_in as unknown_in_comments
from tests.cases.test_context import unknown_in as unknown_in_context
from tests.cases.test_reservations import DOCUMENT, database, submit
from tests.cases.toolviews import mismatches
from tests.cases.toolviews import unknown_in as unknown_in_toolviews

CASE = {
    "id": "X",
    "group": "main_outcomes",
    "mail": "M01",
    "transport": "rest",
    "request": {},
    "expect": {"http_status": 200},
    "steps": [],
    "basis": "",
}
# What a check refuses where the plain change of the value would not do.
WRONG = {"max_seconds": -1, "filter_option_absent": "R01_NEW", "not_served": ["/case_keys/group_code"]}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"strange": 1}, ["case: strange"]),
        ({"transport": "pigeon"}, ["transport: pigeon"]),
        ({"setup": {"post": [], "purge": True}}, ["setup: purge"]),
        ({"setup": {"insert_orders": [{"colour": "red"}]}}, ["insert_orders: colour"]),
        ({"setup": {"insert_task": {"colour": "red"}}}, ["insert_task: colour"]),
        ({"expect": {"happy": True}}, ["expect: happy"]),
        ({"expect": {"tasks": [{"source_event_index": 1, "mood": "good"}]}}, ["tasks: mood"]),
        ({"expect": {"order": {"colour": "red"}}}, ["order: colour"]),
        ({"steps": [{"do": "dance", "expect": {}}]}, ["do: dance"]),
        ({"steps": [{"do": "confirm", "why": "", "expect": {}}]}, ["step: why"]),
        ({"steps": [{"do": "confirm", "expect": {"happy": True}}]}, ["expect: happy"]),
    ],
)
def test_a_word_that_the_harness_does_not_know_is_named(change, found):
    assert words.unknown_in_case({**CASE, **change}) == found


def test_a_mail_with_a_strange_key_is_named():
    mail = {"external_message_id": "a", "attachments": [{"id": "1", "size": 3}], "eml": "", "colour": "red"}
    document = {"cases": [], "mails": {"M1": mail}}
    assert words.unknown_in_file(document) == ["mail M1: colour", "attachment of mail M1: size"]


def test_strange_words_of_the_other_files_are_named():
    comment = {"id": "c", "input": {"comments": [], "mood": 1}, "expect": {"payload": {}}, "harness": {"keys": "int"}}
    context = {"id": "x", "input": {"blackboard": [{"tag": "t", "mood": 1}]}, "expect": {"text": "", "tokens": 1}}
    view = {"id": "v", "input": {}, "expect": {"mood": 1, "expect_subset": {"result_view": {"$middle": 1}}}}
    assert unknown_in_comments(comment) == ["keys", "mood"]
    assert unknown_in_context(context) == ["mood", "tokens"]
    assert unknown_in_toolviews(view) == ["$middle", "mood"]


def test_every_word_has_the_function_that_carries_it_out():
    assert set(CHECKS) == set(words.EXPECTATIONS)
    assert set(transports.TRANSPORTS) == set(words.TRANSPORTS)
    assert set(steps.STEPS) == set(words.STEPS)


@pytest.mark.parametrize(
    ("one", "other"), [(1, True), (1, Decimal("1.0")), (1, "1"), (None, False), ([], {}), ([1, 2], [2, 1]), ("a", "A")]
)
def test_values_that_only_look_alike_differ(one, other):
    assert not same(one, other)
    assert not same({"k": [one]}, {"k": [other]})


def test_a_subset_may_leave_out_members_but_not_entries():
    assert differences({"a": 1, "b": [{"c": 2, "d": 3}]}, {"b": [{"c": 2}]}, subset=True) == []
    assert differences([1, 2], [1], subset=True) == ["/: 2 entries, not 1: [1, 2]"]


def test_the_ends_of_a_list_can_be_expected_alone():
    result = {"result_view": {"items": [{"a": 1}, {"a": 2}, {"a": 3}]}}

    def expecting(ends):
        return mismatches(result, {"expect_subset": {"result_view": {"items": ends}}})

    assert expecting({"$len": 3, "$first": {"a": 1}, "$last": {"a": 3}}) == []
    assert expecting({"$len": 2}) == ["/result_view/items: 3 members, not 2"]
    assert expecting({"$last": {"a": 2}}) == ["/result_view/items/$last/a: 3, not 2"]


@pytest.fixture
def nothing_is_confirmed(monkeypatch):
    monkeypatch.setattr(capabilities, "NOT_BUILT", {"confirm": "no confirmation"})


def test_a_case_is_expected_to_fail_by_what_it_contains(nothing_is_confirmed, monkeypatch):
    monkeypatch.delenv(files.VARIABLE, raising=False)
    confirming = {**CASE, "steps": [{"do": "confirm", "expect": {}}]}
    (mark,) = capabilities.marks(words.needs_of(confirming))
    assert (mark.name, mark.kwargs["raises"], mark.kwargs["strict"]) == ("xfail", NotBuilt, True)
    assert capabilities.marks(words.needs_of(CASE)) == []


def test_with_a_folder_given_every_case_has_to_pass(nothing_is_confirmed, monkeypatch, tmp_path):
    monkeypatch.setenv(files.VARIABLE, str(tmp_path))
    assert capabilities.marks(["confirm"]) == []


def test_the_folder_given_is_the_one_that_is_read(monkeypatch, tmp_path):
    (tmp_path / "context.json").write_text('[{"number": 1.50, "big": 12345678901234567890123}]')
    monkeypatch.setenv(files.VARIABLE, str(tmp_path))
    assert files.read("context.json") == [{"number": Decimal("1.50"), "big": 12345678901234567890123}]


def test_an_order_package_needs_its_generation_unless_it_names_no_mail():
    package = {"source_message": {"source_message_id": "m@x"}, "order_contexts": []}
    assert words.needs_of({**CASE, "request": package}) == {"V4"}
    assert words.needs_of({**CASE, "request": {**package, "source_message": {"source_message_id": " "}}}) == set()


def expectations_of(case):
    return {key for holder in (case, *case["steps"]) for key in holder["expect"]}


def telling_cases():
    """Cases that can be judged whole, as few as hold every expectation that any of them holds."""
    seen, chosen = set(), []
    for case in DOCUMENT["cases"]:
        if not words.needs_of(case) & NOT_BUILT.keys() and expectations_of(case) - seen:
            seen |= expectations_of(case)
            chosen.append(pytest.param(case, id=case["id"], marks=database(case)))
    return chosen


@pytest.mark.parametrize("case", telling_cases())
def test_every_expectation_refuses_a_wrong_value(case, client_of):
    at = submit(case, world.build(case, DOCUMENT["mails"], client_of))
    refuses_every_wrong_value(at, case["expect"])
    for step in case["steps"]:
        refuses_every_wrong_value(steps.run(step, case, at), step["expect"])


@pytest.mark.django_db
def test_the_payload_of_a_card_is_compared_with_what_was_sent_before_there_is_a_step(client_of):
    case = next(case for case in DOCUMENT["cases"] if case["id"] == "H01")
    at = submit(copy.deepcopy(case), world.build(case, DOCUMENT["mails"], client_of))
    kept = {"ai_payload_unchanged": True, "payload_unchanged": True, "ai_triple_unchanged": True}
    judge(at, kept)
    at.sent["message_events"][0]["relevant_message_excerpt"] += "."
    with pytest.raises(AssertionError):
        judge(at, {"ai_payload_unchanged": True})


def refuses_every_wrong_value(moment, expected):
    judge(moment, expected)
    for key, value in expected.items():
        with pytest.raises(AssertionError):
            judge(moment, {key: WRONG.get(key, wrong(value))})


def wrong(value):
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return value[:-1] if value else [{"source_event_index": 99}]
    if isinstance(value, dict):
        changed = copy.deepcopy(value)
        last = list(changed)[-1]
        changed[last] = wrong(changed[last])
        return changed
    return f"{value} and more"
