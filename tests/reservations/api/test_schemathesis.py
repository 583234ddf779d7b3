"""Requests made from the OpenAPI description, good and bad, against the real WSGI application, with every check.

Rows have ids that the generator knows, so that details are reached and not only missed.
"""

import uuid

import pytest
import schemathesis
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig

from config.accounts.roles import ROLES
from config.accounts.services import add_user, issue_token
from config.audit.services import Door
from config.wsgi import application
from tests import factories

pytestmark = pytest.mark.slow

KNOWN_ID = uuid.UUID("01900000-0000-7000-8000-000000000001")
CONFIGURATION = {
    "generation": {"deterministic": True, "max-examples": 20, "database": "none"},
    # A text of the right form may still be none of ours: a cursor or a tag made up, a package that breaks the contract.
    "checks": {
        "positive_data_acceptance": {"expected-statuses": ["2xx", 400, 404, 409, 412, 422]},
        "negative_data_rejection": {"expected-statuses": [400, 401, 403, 404, 405, 409, 412, 415, 422, 429]},
    },
}
schemathesis.openapi.format("uuid", st.sampled_from([str(KNOWN_ID), str(uuid.UUID(int=0))]))


@pytest.fixture
def one_connection(db):
    """The application keeps the test's connection, as it does under Django's own test client."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def all_roles(one_connection, hotel, reference):
    """A token of a user who may everything that a role may, with one row of every kind to find."""
    user = add_user(username="everybody", password=None, roles=ROLES, tenants=[hotel], door=Door.COMMAND)
    known = {"id": KNOWN_ID}
    message = factories.message(hotel, "m1@mail.example", conversation_id="c-01@lakeside-travel.example", **known)
    factories.attachment(message, **known)
    package = factories.submission(message, user, **known)
    verdict = factories.transition(package, **known)
    factories.task(factories.order(hotel, **known), package, transition=verdict, **known)
    for _ in range(3):
        factories.notice(factories.package(hotel))
        factories.opened(hotel)
        factories.notification(factories.v4_package(hotel))
    row = factories.order_task(factories.order(hotel), factories.v4_package(hotel), **known)
    factories.task_card(row, **known)
    factories.business_card(row)
    factories.notification(factories.v4_package(hotel), **known)
    return issue_token(username=user.username, door=Door.COMMAND)


api = schemathesis.openapi.from_wsgi("/api/schema/", application, config=SchemathesisConfig.from_dict(CONFIGURATION))


@api.parametrize()
@settings(deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(case, all_roles):
    case.call_and_validate(headers={"Authorization": f"Token {all_roles}"})


@pytest.mark.parametrize(
    "name", ["source-messages", "submissions", "transitions", "orders", "tasks", "order-tasks", "source-notifications"]
)
def test_every_row_of_a_full_desk_is_as_described(name, all_roles):
    call_command("loaddata", "p0", verbosity=0)
    headers = {"Authorization": f"Token {all_roles}"}
    rows = api[f"/api/reservation/{name}"]["GET"].Case(query={"page_size": 200})
    one = api[f"/api/reservation/{name}/{{id}}"]["GET"]
    listed = rows.call_and_validate(headers=headers).json()["results"]
    assert len(listed) > 3
    for row in listed:
        one.Case(path_parameters={"id": row["id"]}).call_and_validate(headers=headers)
