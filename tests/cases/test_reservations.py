"""Every case of `reservations.json`, through the doors of the desk. How a case is read: reservations-domain.md section 13."""

from __future__ import annotations

import pytest

from tests.cases import files
from tests.cases.capabilities import marks
from tests.cases.reservations import expectations, steps, transports, world
from tests.cases.reservations.format import needs_of, unknown_in_case, unknown_in_file
from tests.cases.reservations.moments import Moment, summary_task_ids

DOCUMENT = files.read("reservations.json")
SIDE_BY_SIDE = "resolve_concurrently"

pytestmark = pytest.mark.cases


def database(case):
    """Calls side by side need transactions that are really committed."""
    side_by_side = any(step["do"] == SIDE_BY_SIDE for step in case.get("steps") or [])
    return pytest.mark.django_db(transaction=side_by_side, serialized_rollback=side_by_side)


CASES = [
    pytest.param(case, id=case["id"], marks=[database(case), *marks(needs_of(case))]) for case in DOCUMENT["cases"]
]


def test_the_file_holds_nothing_that_the_harness_does_not_know():
    assert unknown_in_file(DOCUMENT) == []


@pytest.mark.parametrize("case", CASES)
def test_case(case, client_of):
    assert unknown_in_case(case) == []
    at = submit(case, world.build(case, DOCUMENT["mails"], client_of))
    expectations.judge(at, case["expect"])
    for step in case.get("steps") or []:
        expectations.judge(steps.run(step, case, at), step["expect"])


def submit(case, desk):
    """Do what `setup` says, then hand in the request."""
    post = transports.TRANSPORTS[case["transport"]]
    setup = case.get("setup") or {}
    world.insert_orders(desk, setup.get("insert_orders") or [])
    if setup.get("insert_task"):
        world.insert_task(desk, setup["insert_task"], case["mail"])
    for package in setup.get("post") or []:
        answer = transports.post_json(desk, package)
        assert answer.status == 200, answer.body
    desk.settle()
    before = desk.snapshot()
    answer = post(desk, case["request"])
    task_ids = summary_task_ids(answer) or ([str(desk.inserted_task.pk)] if desk.inserted_task else [])
    return Moment(desk, answer, answer, before, before, case["request"], task_ids)
