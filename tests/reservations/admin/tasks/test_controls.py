"""Which control a field gets: one that gives back every value it is shown (R-32, R-33)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import translation

from reservations.admin.tasks.controls import Beside, Choice, control, groups
from reservations.admin.tasks.forms import Typed
from reservations.domain.fieldcontract import Option
from tests.reservations.admin.tasks.served import field

OPTIONS = (Option("A", ("First", "一")), Option("B", ("B", "B")), Option("C", ("Third", "三"), active=False))


def of(data_type="string", control_type="text", value=None, typed=None, *, writable=True, **members):
    served = field(data_type, control_type=control_type, value=value, **members)
    texts = None if typed is None else Typed((typed,), True)
    return control(served, Beside(present=value, typed=texts, writable=writable))


@pytest.mark.parametrize(
    ("data_type", "control_type", "value", "kind", "text"),
    [
        ("string", "text", "Guest A", "text", "Guest A"),
        ("string", "text", "two\r\nlines", "textarea", "two\nlines"),
        ("string", "textarea", None, "textarea", ""),
        ("date", "date", "2026-08-03", "date", "2026-08-03"),
        ("date", "date", "3 August", "text", "3 August"),
        ("time", "time", "14:30", "time", "14:30"),
        ("time", "time", "half past two", "text", "half past two"),
        ("boolean", "toggle", True, "toggle", "true"),
        ("boolean", "toggle", "yes", "text", "yes"),
        ("decimal", "number", 880, "number", "880"),
        ("string", "select", "A", "text", "A"),
        ("string", "text", {"a": 1}, "text", '{"a":1}'),
    ],
)
def test_a_browser_swallows_nothing(data_type, control_type, value, kind, text):
    made = of(data_type, control_type, value)
    assert (made.kind, made.text) == (kind, text)


def test_r32_a_field_that_is_to_be_read_only_is_no_control():
    assert of(value="x", edit_scope="readonly").kind == "inert"
    assert of(value="x", writable=False).kind == "inert"


def test_a_list_of_objects_is_a_table():
    made = of("object[]", "readonly_table", [{"a": 1}, {"b": None, "a": "x"}, "odd"], edit_scope="readonly")
    assert (made.kind, made.head, made.lines) == (
        "table",
        ["a", "b", ""],
        [["1", "", ""], ["x", "", ""], ["", "", "odd"]],
    )


def test_r32_options_come_in_order_then_what_is_none_of_them():
    made = of("string[]", "multi_select", ["B", "X"], options=OPTIONS)
    assert made.choices == [
        Choice("A", "First (A)", False),
        Choice("B", "B", True),
        Choice("C", "Third (C), no longer offered", False),
        Choice("X", "X (not offered)", True),
    ]


@pytest.mark.parametrize(
    ("value", "ai_value", "typed", "agent", "kept"),
    [
        (2, 2, None, None, None),
        (3, 2, None, "2", None),
        (3, 2, "4", "2", "3"),
        (2, 2, "4", "2", None),
        (3, 2, "2", None, "3"),
        (2, None, None, "", None),
        (None, 2, None, "2", None),
    ],
)
def test_the_values_of_agent_and_card_stand_beside_where_they_differ(value, ai_value, typed, agent, kept):
    made = of("integer", "number", value, typed, ai_value=ai_value)
    assert (made.agent, made.kept) == (agent, kept)


def test_the_agents_choice_is_said_in_words():
    assert of("string", "select", "B", options=OPTIONS, ai_value="A").agent == "First (A)"


@pytest.mark.parametrize(("language", "label"), [("en", "First (A)"), ("zh-hans", "一 (A)")])
def test_labels_are_in_the_language_of_the_page(language, label):
    with translation.override(language):
        assert of("string", "select", options=OPTIONS).choices[0].label == label


def test_a_quote_says_once_whether_it_stands_in_the_mail():
    mark = {"pointer": "/f/a", "text": "2 adults", "found": True}
    assert of(evidence=[mark, dict(mark), {"pointer": "/f/a", "text": ""}]).quotes == [("2 adults", True)]


def test_groups_name_their_fields():
    plain = field("string")
    rows = [
        replace(plain, row=replace(plain.row, label=(label, "字"), required_group=group))
        for label, group in (("Arrival", "change"), ("Departure", "change"), ("Remark", None))
    ]
    assert groups(rows) == {"change": "Arrival, Departure"}
