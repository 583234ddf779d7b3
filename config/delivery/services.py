"""Work that is tried until it is settled: who takes it, when it comes back, and who looks after what was left behind.

A row is due when `next_try_at` has passed. A background task makes one attempt: it claims the row with one conditional
UPDATE, works outside any transaction, and stores the outcome only while the lease is still its own. A worker that is
killed leaves a row which becomes due again when its lease ends. The queue only carries the news that a row is due; it
may lose it or tell it twice, because `reap` tells it again and the claim lets one attempt through.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from uuid import uuid4

from django.apps import apps
from django.utils.module_loading import import_string
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from config.delivery.domain import pause_after
from config.delivery.models import Delivery

OVERDUE = timedelta(seconds=5)  # due for so long: the news of it is lost, or the workers are busy
REAP_BATCH = 500
ABANDONED_AFTER = timedelta(minutes=10)  # a background task that still runs: its worker is dead
FINISHED_KEPT = timedelta(days=1)
MOST_ATTEMPTS = 32_767  # what the column holds
ABANDONED = "WORKER_GONE"


def claim(*, row: Delivery, at: datetime, lease: timedelta, **changes: object) -> bool:
    """Take a due row, as it was read, until the lease ends. False: it is not due, or somebody else was faster.

    row      has the lease, and the changes, when the answer is True
    changes  other columns that change with it
    """
    values = {
        "next_try_at": at + lease,
        "lease_token": uuid4(),
        "attempts": min(row.attempts + 1, MOST_ATTEMPTS),
        **changes,
    }
    as_read = {"next_try_at": row.next_try_at, "lease_token": row.lease_token}
    due = type(row)._base_manager.filter(pk=row.pk, next_try_at__lte=at, **as_read)
    if not due.update(**values):
        return False
    for name, value in values.items():
        setattr(row, name, value)
    return True


def call_up(*, row: Delivery, at: datetime | None = None) -> None:
    """Tell a worker that this row is due, now or at that moment. Part of the caller's transaction."""
    import_string(row.attempt_task).using(run_after=at).enqueue(str(row.pk))


def next_try(*, attempts: int, at: datetime) -> datetime:
    """When to try again after this many attempts."""
    return at + pause_after(attempts, chance=random.random())  # noqa: S311  # jitter, no secret


def reap(*, at: datetime) -> int:
    """Call up again what is overdue and in no queue. Returns how many rows."""
    overdue = [row for model in deliveries() for row in _uncalled(model, at)]
    for row in overdue:
        call_up(row=row)
    return len(overdue)


def tidy_queue(*, at: datetime) -> int:
    """Mark the background tasks of dead workers as failed, remove those that ended a day ago. Returns how many."""
    running = DBTaskResult.objects.running().filter(started_at__lte=at - ABANDONED_AFTER)
    abandoned = running.update(
        status=TaskResultStatus.FAILED, finished_at=at, exception_class_path=ABANDONED, traceback=""
    )
    removed, _ = DBTaskResult.objects.finished().filter(finished_at__lte=at - FINISHED_KEPT).delete()
    return abandoned + removed


def deliveries() -> Iterator[type[Delivery]]:
    """Every table of work."""
    return (model for model in apps.get_models() if issubclass(model, Delivery))


def _uncalled(model: type[Delivery], at: datetime) -> list[Delivery]:
    overdue = model._base_manager.filter(next_try_at__lte=at - OVERDUE).order_by("next_try_at")[:REAP_BATCH]
    rows: list[Delivery] = list(overdue)
    waiting = _waiting(model.attempt_task) if rows else set()
    return [row for row in rows if str(row.pk) not in waiting]


def _waiting(path: str) -> set[str]:
    """Keys of the rows whose background task no worker has taken yet."""
    tasks = DBTaskResult.objects.filter(status=TaskResultStatus.READY, task_path=path)
    return {str(call["args"][0]) for call in tasks.values_list("args_kwargs", flat=True)}
