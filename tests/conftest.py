"""What all tests share: hotels, people, clients, and a database that can be emptied although it refuses deletion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, settings
from rest_framework.test import APIClient

from config.accounts.models import Tenant, User
from config.accounts.roles import AGENT, AUDITOR, DEVELOPER, GATEWAY, LEAD, REVIEWER
from config.accounts.services import issue_token
from config.audit.services import Door
from reservations.models import Hotel
from tests import factories

settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])  # no timed tests
settings.load_profile("suite")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start processes of their own run one after the other, whatever runs beside them."""
    for item in items:
        if item.get_closest_marker("reliability") is not None:
            item.add_marker(pytest.mark.xdist_group("processes"))


@pytest.fixture(autouse=True, scope="session")
def emptying_sqlite_lifts_its_triggers() -> Iterator[None]:
    """Django empties SQLite with DELETE, which the append-only tables refuse; PostgreSQL is truncated, which they allow."""
    operations = type(connection.ops)
    if connection.vendor != "sqlite":
        yield
        return
    plain = operations.execute_sql_flush

    def flush(self: Any, statements: list[str]) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f"DROP TRIGGER {name}")
            plain(self, statements)
            for _, definition in triggers:
                cursor.execute(definition)

    operations.execute_sql_flush = flush
    yield
    operations.execute_sql_flush = plain


@pytest.fixture
def committed_db(django_db_serialized_rollback: None, transactional_db: None) -> None:
    """A database whose transactions are real: for threads, processes and browsers. Roles are put back afterwards."""


@pytest.fixture
def hotel(db: None) -> Hotel:
    return factories.hotel("HOTEL1", is_default=True)


@pytest.fixture
def other_hotel(db: None) -> Hotel:
    return factories.hotel("HOTEL2")


@pytest.fixture
def user_of(db: None) -> Callable[..., User]:
    """user_of("reviewer", hotel): a user with this role who belongs to these hotels."""
    return factories.user


@pytest.fixture
def client_of(db: None) -> Callable[[User], APIClient]:
    """client_of(user): an HTTP client with a token of that user."""

    def client(user: User) -> APIClient:
        api = APIClient()
        api.credentials(HTTP_AUTHORIZATION=f"Token {issue_token(username=user.username, door=Door.COMMAND)}")
        return api

    return client


def _person(role: str) -> Any:
    def fixture(hotel: Tenant) -> User:
        return factories.user(role, hotel)

    return pytest.fixture(name=role)(fixture)


def _client(role: str) -> Any:
    # `db` is named so that pytest-django sees it: tests of the shared database run before those that empty it.
    def fixture(request: pytest.FixtureRequest, db: None, client_of: Callable[[User], APIClient]) -> APIClient:
        return client_of(request.getfixturevalue(role))

    return pytest.fixture(name=f"{role}_client")(fixture)


gateway, gateway_client = _person(GATEWAY), _client(GATEWAY)
agent, agent_client = _person(AGENT), _client(AGENT)
reviewer, reviewer_client = _person(REVIEWER), _client(REVIEWER)
lead, lead_client = _person(LEAD), _client(LEAD)
auditor, auditor_client = _person(AUDITOR), _client(AUDITOR)
developer, developer_client = _person(DEVELOPER), _client(DEVELOPER)
