"""Machine-made changes of valid packages: drop, add, retype, swap, repeat, bad pointers, deep, huge, odd Unicode."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal
from random import Random
from typing import Any

from tests.reservations.domain.builders import (
    entry_review,
    event,
    every_event,
    fallback,
    item,
    notice,
    old_package,
    package,
    parent,
    split,
    unclear,
)

Json = Any


def deep(levels: int = 200) -> Json:
    value: Json = "deep"
    for level in range(levels):
        value = [value] if level % 2 else {"deep": value}
    return value


ODD_VALUES: tuple[Json, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2**70,
    10**400,
    Decimal("1.0"),
    Decimal("1.5"),
    Decimal("1e308"),
    Decimal("-1e-308"),
    "",
    " ",
    "1",
    "\u202e客\U0001f600\u0301",
    "\ud800",
    "ﬁ\u3000ＡＬＴ－lks",
    "/",
    "/~",
    "/case_keys/group_code",
    "/extracted_fields/room_items/1/room_quantity",
    "#/case_keys",
    "S10",
    "normal_task",
    "Fallback",
    "Cancel Allotment",
    "linked_parent_release_after_child_split",
    "x" * 100_000,
    [],
    {},
    [None],
    [1, 1],
    ["/case_keys/group_code", "/case_keys/group_code"],
    [[]],
    {"": None},
    {"group_code": 5},
    {"\u0000~/.": [{}]},
    deep,
)
ODD_KEYS = (
    "",
    "preflight",
    "fix_charge_code",
    "rate_code_source",
    "missing_fields",
    "contract_errors",
    "order_contexts",
    "ai_task_results",
    "block_code",
    "source_event_index",
    "applies_to_event_indexes",
    "relationships",
    "a/b~c.d",
    "\u202e",
    "k" * 10_000,
)


def odd_value(random: Random) -> Json:
    """A new one each time: later changes of it must not reach other mutants, nor itself."""
    value = random.choice(ODD_VALUES)
    return value() if callable(value) else deepcopy(value)


def seeds() -> list[Json]:
    """Valid packages of every kind."""
    conflict = parent(
        case_keys={"group_code": "ALT-SPR", "block_code": "BLK-SUM"}, manual_review=unclear("/case_keys/group_code")
    )
    trace = event(applies_to_event_indexes=[1], source_row={"attachment_id": "att-1", "row_number": 1})
    unhandled = item(
        "Unhandled Current Intent",
        "requires_business_approval_or_unsupported_task_card",
        result_type="unhandled_current_intent",
    )
    return [
        package(*every_event()),
        package(*split(), trace, fallback()),
        package(conflict, parent(), event(), unhandled_current_intents=[{"intent": "x"}, 5]),
        package(event(), contract_errors=[{"source_event_index": 1}]),
        old_package(item(), item("Payment", "record_deposit_payment"), unhandled),
        notice(),
        notice("S99", manual_review=entry_review()),
    ]


def places(body: Json) -> list[tuple[Json, Any]]:
    """Every (container, key) of a body, without the deep ones a mutation put there."""
    found, waiting = [], [(body, 0)]
    while waiting:
        holder, depth = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list) and depth < 12:
                waiting.append((holder[key], depth + 1))
    return found


def mutate(seed: Json, random: Random) -> Json:
    """One to four changes of a copy of the seed."""
    body = deepcopy(seed)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        spots = places(body)
        if spots:
            random.choice(CHANGES)(*random.choice(spots), random, spots)
    return body


def _drop(holder: Json, key: Any, _random: Random, _spots: Json) -> None:
    del holder[key]


def _retype(holder: Json, key: Any, random: Random, _spots: Json) -> None:
    holder[key] = odd_value(random)


def _add(holder: Json, _key: Any, random: Random, _spots: Json) -> None:
    if isinstance(holder, dict):
        holder[random.choice(ODD_KEYS)] = odd_value(random)
    else:
        holder.insert(random.randrange(len(holder) + 1), odd_value(random))


def _swap(holder: Json, key: Any, random: Random, spots: Json) -> None:
    other, place = random.choice(spots)
    holder[key], other[place] = deepcopy(other[place]), deepcopy(holder[key])


def _repeat(holder: Json, key: Any, _random: Random, _spots: Json) -> None:
    if isinstance(holder, list):
        holder.append(deepcopy(holder[key]))
    else:
        holder[f"{key} "] = holder[key]


def _number(holder: Json, key: Any, random: Random, _spots: Json) -> None:
    """Another spelling of the same number, or its text."""
    if isinstance(holder[key], int) and not isinstance(holder[key], bool):
        holder[key] = random.choice((Decimal(holder[key]), Decimal(f"{holder[key]}.0"), str(holder[key]), -holder[key]))


CHANGES: tuple[Callable[[Json, Any, Random, Json], None], ...] = (
    _drop,
    _retype,
    _retype,
    _add,
    _swap,
    _repeat,
    _number,
)
