"""R-50: what one package sends to the database does not depend on the number of its events."""

import itertools
import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reservations.domain.errors import SubmissionConflict
from tests import packages

FIND_MAIL = ["SELECT sourcemessage", "SELECT submission"]
WRITE = ["INSERT submission", "INSERT aitransition", "INSERT task", "INSERT auditevent"]
PLACE = ["SELECT attachment", "SELECT order", "INSERT order"]
HISTORY = ["SELECT aitransition", "SELECT task"]
TARGET = re.compile(r'^(SELECT|INSERT|UPDATE|DELETE).*?(?:FROM|INTO|UPDATE) "[a-z]+_([a-z]+)"', re.DOTALL)


def named(captured):
    """Verb and table of every statement; an INSERT that SQLite splits counts once."""
    found = [" ".join(match.groups()) for query in captured if (match := TARGET.match(query["sql"]))]
    return [
        name
        for name, following in itertools.pairwise([*found, ""])
        if not (name == following and name.startswith("INSERT"))
    ]


@pytest.fixture
def statements_of(desk):
    """statements_of(body): what posting it sends to the database."""

    def statements(body):
        with CaptureQueriesContext(connection) as captured:
            desk.post(body)
        return named(captured)

    return statements


def changed(body, place):
    document = json.loads(body)
    document["message_events"][place]["extracted_fields"] = {"changed": True}
    return json.dumps(document).encode()


def broken(body, place):
    document = json.loads(body)
    document["message_events"][place]["task_subtype"] = "no_such_subtype"
    return json.dumps(document).encode()


@pytest.mark.parametrize("events", [1, 5, 500])
def test_r50_a_package_takes_nine_statements_whatever_its_size(events, desk, statements_of):
    packages.mail(desk.hotel, "first")
    assert statements_of(packages.package("first", events=events)) == [*FIND_MAIL, *PLACE, *WRITE]


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite splits inserts")
@pytest.mark.parametrize("events", [1, 5, 500])
def test_r50_postgresql_gets_them_one_by_one_within_one_transaction(events, desk, django_assert_num_queries):
    packages.mail(desk.hotel, "first")
    body = packages.package("first", events=events)
    with django_assert_num_queries(11):  # nine, and the begin and end of the transaction
        desk.post(body)


@pytest.mark.parametrize("events", [1, 50])
def test_r25_orders_that_are_there_take_one_more_for_their_sender_domains(events, desk, statements_of):
    packages.mail(desk.hotel, "first")
    packages.mail(desk.hotel, "second")
    desk.post(packages.package("first", events=events))
    body = packages.package("first", events=events, message="second")
    assert statements_of(body) == [*FIND_MAIL, "SELECT attachment", "SELECT order", "SELECT task", *WRITE]


@pytest.mark.parametrize("events", [1, 50])
def test_r51_the_same_package_again_takes_three(events, desk, statements_of):
    packages.mail(desk.hotel, "first")
    desk.post(packages.package("first", events=events))
    assert statements_of(packages.package("first", events=events)) == [*FIND_MAIL, "SELECT submission"]


@pytest.mark.parametrize("events", [2, 50])
def test_r52_a_correction_takes_two_more_for_what_was_accepted(events, desk, statements_of):
    packages.mail(desk.hotel, "first")
    body = packages.package("first", events=events)
    desk.post(broken(body, 1))
    assert statements_of(body) == [*FIND_MAIL, *HISTORY, *PLACE, *WRITE]


@pytest.mark.parametrize("events", [1, 50])
def test_r52_a_conflict_takes_seven(events, desk, statements_of):
    packages.mail(desk.hotel, "first")
    body = packages.package("first", events=events)
    desk.post(body)
    with CaptureQueriesContext(connection) as captured, pytest.raises(SubmissionConflict):
        desk.post(changed(body, 0))
    assert named(captured) == [*FIND_MAIL, *HISTORY, "SELECT attachment", "INSERT submission", "INSERT auditevent"]
