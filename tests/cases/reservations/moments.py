"""The moment an expectation is judged at: after the request of the case, or after one of its steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.cases.reservations import transports
from tests.cases.reservations.transports import API, Answer
from tests.cases.reservations.world import Snapshot, World

ADMIN_CARD = "/admin/reservations/task/{}/change/"


@dataclass(slots=True)
class Moment:
    """What was answered, what the tables were before, and which tasks it is about.

    task_ids     of the case: all tasks of the summary (or the inserted one); of a step: its task
    first        the answer to the request of the case
    sent         the package, as it was sent
    before_all   the tables before the request of the case
    """

    world: World
    answer: Answer
    first: Answer
    before: Snapshot
    before_all: Snapshot
    sent: Any
    task_ids: list[str]
    statuses: list[int] = field(default_factory=list)
    _details: dict[str, Any] = field(default_factory=dict)

    @property
    def body(self) -> dict[str, Any]:
        assert isinstance(self.answer.body, dict), f"{self.answer.status} with no JSON object: {self.answer.body!r}"
        return self.answer.body

    @property
    def task_id(self) -> str:
        assert self.task_ids, "there is no task here"
        return self.task_ids[0]

    @property
    def task(self) -> dict[str, Any]:
        return self.detail(self.task_id)

    def detail(self, task_id: str) -> dict[str, Any]:
        """A task as the reviewer sees it now."""
        if task_id not in self._details:
            self._details[task_id] = self.read(f"tasks/{task_id}")
        detail: dict[str, Any] = self._details[task_id]
        return detail

    def read(self, path: str) -> Any:
        return transports.read(self.world.reviewer_client, f"{API}/{path}")

    def read_all(self, path: str) -> list[Any]:
        return transports.read_all(self.world.reviewer_client, f"{API}/{path}")

    def order(self) -> dict[str, Any]:
        """The order of the first task, as it stands now."""
        order: dict[str, Any] = self.read(f"orders/{self.task['order_id']}")
        return order

    def card_page(self) -> str:
        """The back-office page of the task, as the reviewer sees it."""
        browser = type(self.world.reviewer_client)()
        browser.force_login(self.world.reviewer)
        response = browser.get(ADMIN_CARD.format(self.task_id))
        assert response.status_code == 200, response.status_code
        text: str = response.content.decode()
        return text

    def schema(self) -> dict[str, Any]:
        document: dict[str, Any] = transports.read_schema(self.world.reviewer_client)
        return document


def summary_task_ids(answer: Answer) -> list[str]:
    """The tasks of a summary in its order; none for a refusal."""
    body = answer.body if isinstance(answer.body, dict) else {}
    return [line["task_id"] for line in body.get("tasks", [])]


def notice_task_id(answer: Answer) -> str:
    notices = answer.body["notices"]
    assert notices, "there is no notice"
    task_id: str = notices[0]["task_id"]
    return task_id
