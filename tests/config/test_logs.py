"""What the log says of a request, and what it does not."""

import io
import json
import logging

import pytest


@pytest.fixture
def log():
    """log(): the lines written so far, as the handler of a server writes them."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.root.handlers[0].formatter)
    level = logging.root.level
    logging.root.addHandler(handler)
    logging.root.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    logging.root.setLevel(level)
    logging.root.removeHandler(handler)


def test_a_request_leaves_its_path_and_not_what_was_searched_for(log, client, db):
    client.get("/admin/login/", {"q": "Guest A"})
    assert {line["request"] for line in log()} == {"GET /admin/login/"}


def test_a_refused_request_leaves_the_same_two_lines_as_another(log, client, db):
    client.get("/api/reservation/tasks")
    assert [line["event"] for line in log()] == ["request_started", "request_finished"]


def test_a_failure_leaves_its_traceback(log, client, db, monkeypatch):
    monkeypatch.setattr("config.site.MigrationExecutor", lambda connection: 1 / 0)
    client.raise_request_exception = False
    client.get("/readyz")
    failed = next(line for line in log() if line["event"] == "request_failed")
    assert failed["exception"].endswith("ZeroDivisionError: division by zero")
