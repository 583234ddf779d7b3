"""Whether the service is ready, and what it answers when it fails."""

import pytest
from django.db import InterfaceError, OperationalError


@pytest.mark.parametrize("fault", [OperationalError, InterfaceError])
def test_a_database_that_cannot_be_asked_is_no_failure_of_the_service(fault, client, monkeypatch):
    def ask(connection):
        raise fault

    monkeypatch.setattr("config.site.MigrationExecutor", ask)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable", "database": "down"})


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_probe_over_plain_http_gets_the_answer_itself(path, client, settings, db):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get(path).status_code == 200


def test_other_pages_over_plain_http_lead_to_https(client, settings, db):
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/")["Location"] == "https://testserver/"


@pytest.mark.parametrize(("fault", "status"), [(OperationalError, 503), (InterfaceError, 503), (RuntimeError, 500)])
def test_a_page_without_its_database_asks_to_be_tried_again(fault, status, client, reviewer, monkeypatch):
    def fail(*args):
        raise fault

    client.force_login(reviewer, backend="django.contrib.auth.backends.ModelBackend")
    monkeypatch.setattr("reservations.selectors.desk.start.newest_mails", fail)
    client.raise_request_exception = False
    answer = client.get("/admin/")
    assert (answer.status_code, "Retry-After" in answer) == (status, status == 503)
