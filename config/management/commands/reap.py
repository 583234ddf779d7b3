"""What has to happen again and again, whoever works or does not: the composition of the apps' chores."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from config.audit import services as audit
from config.delivery import services as delivery
from config.idempotency import services as idempotency
from reservations.services.claims import expire_claims

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Chore:
    """One thing to do; `pause` is the least number of seconds from one time to the next."""

    name: str
    work: Callable[[datetime], int]
    pause: float = 0


CHORES = (
    Chore("overdue work called up again", lambda at: delivery.reap(at=at)),
    Chore("audit events sealed", lambda at: audit.seal()),
    Chore("claims ended", lambda at: expire_claims(at=at)),
    Chore("rows of the queue tidied", lambda at: delivery.tidy_queue(at=at), pause=60),
    Chore("idempotency keys expired", lambda at: idempotency.purge_expired(at=at), pause=60),
)


class Command(BaseCommand):
    requires_system_checks = ()  # the start that migrates has made them
    help = "Call up overdue work, seal the audit, end claims, tidy up: once, or until stopped with --every."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--every", type=float, metavar="SECONDS", help="again after so many seconds, until stopped")

    def handle(self, *args: object, every: float | None, **options: object) -> None:
        if every is None:
            failed = self.once()
            if failed:
                raise CommandError(f"Not done: {', '.join(failed)}. The log says why.")
            return
        try:
            repeat(every)
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")

    def once(self) -> list[str]:
        """Do everything, say what there was to do, and name what failed."""
        failed = []
        for chore in CHORES:
            count = done(chore)
            if count is None:
                failed.append(chore.name)
            elif count:
                self.stdout.write(f"{count} {chore.name}")
        return failed


def repeat(every: float) -> None:
    """Until something stops the process. It may be killed at any moment: each chore is a transaction, or several."""
    due = {chore: time.monotonic() for chore in CHORES}
    while True:
        for chore in CHORES:
            if due[chore] <= time.monotonic():
                due[chore] = time.monotonic() + chore.pause
                done(chore)
        time.sleep(every)


def done(chore: Chore) -> int | None:
    """How much there was; None where it failed, which the log says and the other chores do not mind."""
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()
    try:
        return chore.work(timezone.now())
    except Exception as fault:
        log.error("chore_failed", chore=chore.name, fault=type(fault).__name__, exc_info=fault)
        return None
