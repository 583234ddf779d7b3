"""`manage.py work`: a worker that outlives losses of its database."""

import logging

import pytest
from django.db import OperationalError

from config.management.commands import work


class Losing:
    """A worker that loses its database a few times and then ends."""

    def __init__(self, losses):
        self.running, self.runs, self.losses = True, 0, losses

    def run(self):
        self.runs += 1
        if self.runs <= self.losses:
            raise OperationalError("the server closed the connection")


@pytest.mark.django_db
def test_a_worker_goes_on_when_the_database_is_back(monkeypatch, caplog):
    monkeypatch.setattr(work, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(work.connection, "close", lambda: None)
    worker = Losing(losses=2)
    work.carry_on(worker)
    assert (worker.runs, [record.levelno for record in caplog.records]) == (3, [logging.WARNING] * 2)


def test_a_worker_that_was_told_to_stop_does_not_go_on(monkeypatch):
    worker = Losing(losses=1)
    worker.running = False
    work.carry_on(worker)
    assert worker.runs == 0
