"""A worker: carries out background tasks until it is told to stop."""

from __future__ import annotations

import time
from argparse import ArgumentParser

import structlog
from django.core.management.base import BaseCommand
from django.db import Error, connection
from django.utils.crypto import get_random_string
from django_tasks_db.management.commands.db_worker import Worker

LONGEST_INTERVAL = 60.0
PAUSE_SECONDS = 1.0  # while the database does not answer

log = structlog.get_logger(__name__)


class Command(BaseCommand):
    requires_system_checks = ()  # the start that migrates has made them
    help = "Carry out background tasks until SIGTERM or Ctrl-C; a task that runs is finished first. Start any number."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--interval", type=float, default=0.5, help="seconds between looks at an empty queue")
        parser.add_argument("--until-empty", action="store_true", help="stop when nothing is left to do now")

    def handle(self, *args: object, interval: float, until_empty: bool, **options: object) -> None:
        worker = Worker(
            queue_names=["*"],
            excluded_queue_names=[],
            interval=min(max(interval, 0.01), LONGEST_INTERVAL),
            batch=until_empty,
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id=get_random_string(32),
        )
        worker.configure_signals()
        carry_on(worker)


def carry_on(worker: Worker) -> None:
    """Work through losses of the database: what was begun then becomes due again by itself."""
    while worker.running:
        try:
            worker.run()
        except Error as fault:
            log.warning("worker_lost_database", fault=type(fault).__name__)
            connection.close()
            time.sleep(PAUSE_SECONDS)
        else:
            return
