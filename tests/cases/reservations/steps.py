"""What a person does after the package: each `do` of the format, through the API as the reviewer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from django.db import connections
from rest_framework.test import APIClient

from tests.cases.capabilities import need
from tests.cases.reservations import transports
from tests.cases.reservations.moments import Moment, notice_task_id, summary_task_ids
from tests.cases.reservations.transports import API, TRANSPORTS, Answer
from tests.cases.reservations.world import World

Step = Mapping[str, Any]
WAIT_SECONDS = 30


def run(step: Step, case: Mapping[str, Any], at: Moment) -> Moment:
    """Do one step; `at` is the moment after the request of the case."""
    before = at.world.snapshot()
    task_ids = _task_ids(step, at)
    answer, statuses = STEPS[step["do"]](step, case, at, task_ids)
    return Moment(at.world, answer, at.first, before, at.before_all, at.sent, task_ids, statuses)


def _task_ids(step: Step, at: Moment) -> list[str]:
    """`task_index` counts the tasks of the summary from 1; 0 is the V3 notice. Without it: all, or the card's task."""
    index = step.get("task_index")
    if index == 0:
        return [notice_task_id(at.first)]
    if index is not None:
        return [at.task_ids[index - 1]]
    return list(at.task_ids)


def _sent(step: Step, world: World, task_ids: list[str], at: Moment) -> Any:
    return _filled(step.get("send", {}), world, lambda: at.read(f"tasks/{task_ids[0]}")["order_id"])


def _filled(value: Any, world: World, own_order: Callable[[], Any]) -> Any:
    """`$task.order_id` and `$order.N` replaced."""
    if isinstance(value, dict):
        return {key: _filled(member, world, own_order) for key, member in value.items()}
    if isinstance(value, list):
        return [_filled(entry, world, own_order) for entry in value]
    if value == "$task.order_id":
        return own_order()
    if isinstance(value, str) and value.startswith("$order."):
        return str(world.orders[int(value.removeprefix("$order.")) - 1].pk)
    return value


def _get_task(step: Step, case: Mapping[str, Any], at: Moment, task_ids: list[str]) -> tuple[Answer, list[int]]:
    body = at.read(f"tasks/{task_ids[0]}")
    return Answer(200, "application/json", body, 0.0), []


def _post_again(step: Step, case: Mapping[str, Any], at: Moment, task_ids: list[str]) -> tuple[Answer, list[int]]:
    answer = TRANSPORTS[case["transport"]](at.world, case["request"])
    task_ids[:] = summary_task_ids(answer)
    return answer, []


def _write(method: str, action: str) -> Callable[..., tuple[Answer, list[int]]]:
    def do(step: Step, case: Mapping[str, Any], at: Moment, task_ids: list[str]) -> tuple[Answer, list[int]]:
        need(str(step["do"]))
        body = _sent(step, at.world, task_ids, at)
        path = f"{API}/tasks/{task_ids[0]}/{action}"
        return transports.send(at.world.reviewer_client, method, path, body), []

    return do


def _resolve_concurrently(
    step: Step, case: Mapping[str, Any], at: Moment, task_ids: list[str]
) -> tuple[Answer, list[int]]:
    """The same resolution `times` at once, each from a client and a connection of its own."""
    need("resolve")
    path = f"{API}/tasks/{task_ids[0]}/manual-review-resolutions"
    answers = at_once(at.world.reviewer_client, step["times"], path, _sent(step, at.world, task_ids, at))
    return answers[0], sorted(answer.status for answer in answers)


def at_once(client: APIClient, times: int, path: str, body: Any) -> list[Answer]:
    answers: list[Answer] = []
    start = threading.Barrier(times)

    def call() -> None:
        own = APIClient()
        own.credentials(**client._credentials)
        try:
            start.wait(WAIT_SECONDS)
            answers.append(transports.send(own, "POST", path, body))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=call) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_SECONDS)
    assert len(answers) == times, f"{len(answers)} of {times} calls were answered"
    return answers


def _on_card(action: str) -> Callable[..., tuple[Answer, list[int]]]:
    def do(step: Step, case: Mapping[str, Any], at: Moment, task_ids: list[str]) -> tuple[Answer, list[int]]:
        need("V4")
        order_task = next(line for line in at.first.body["order_tasks"] if line["order_ref"] == step["order_ref"])
        address = f"order-tasks/{order_task['order_task_id']}"
        card = next(card for card in at.read(address)["cards"] if card["card_key"] == step["card"])
        task_ids[:] = [card["task_id"]] if card["task_id"] else task_ids
        body = _sent(step, at.world, task_ids, at)
        path = f"{API}/{address}/cards/{card['card_id']}/{action}"
        return transports.send(at.world.reviewer_client, "POST", path, body), []

    return do


def _acknowledge(step: Step, case: Mapping[str, Any], at: Moment, task_ids: list[str]) -> tuple[Answer, list[int]]:
    need("V4")
    (notification,) = at.read_all("source-notifications")
    path = f"{API}/source-notifications/{notification['id']}/acknowledge"
    return transports.send(at.world.reviewer_client, "POST", path, step.get("send", {})), []


STEPS: Mapping[str, Callable[..., tuple[Answer, list[int]]]] = {
    "get_task": _get_task,
    "post_again": _post_again,
    "draft": _write("PUT", "draft"),
    "confirm": _write("POST", "confirm"),
    "resolve": _write("POST", "manual-review-resolutions"),
    "resolve_concurrently": _resolve_concurrently,
    "v4_confirm": _on_card("confirm"),
    "v4_resolve": _on_card("manual-review-resolutions"),
    "v4_ack": _acknowledge,
}
