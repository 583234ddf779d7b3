import dataclasses
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from config.accounts.models import User
from config.audit.models import AuditEvent
from reservations.models import Order, SourceMessage, Submission, Task
from reservations.services import p0
from reservations.services.p0 import Verdict, differences, load_packages, read_packages

KINDS = (SourceMessage, Submission, Task, Order, AuditEvent, User)


def load_p0(*arguments):
    output = StringIO()
    call_command("load_p0", *arguments, stdout=output)
    return output.getvalue().splitlines()


def counts():
    return [kind.objects.count() for kind in KINDS]


@pytest.mark.django_db
def test_every_package_comes_to_what_is_expected_on_one_desk(hotel):
    """R-78"""
    lines = load_p0()
    assert lines[-1] == "P0 mails: 33 new; packages: 42 as expected."
    assert len(lines) == len(read_packages()) + 1
    assert lines[0].split()[:6] == ["main_outcomes", "H01", "as", "expected", "1", "card"]


@pytest.mark.django_db
def test_loading_again_writes_nothing(hotel):
    load_p0()
    before = counts()
    assert load_p0("--summary") == ["P0 mails: 33 known; packages: 42 as expected."]
    assert counts() == before


@pytest.mark.django_db
def test_packages_come_in_the_name_of_the_demo_agent_who_has_no_password(hotel):
    load_p0("--summary")
    agent = User.objects.get()
    assert (agent.username, agent.has_usable_password()) == ("demo-agent", False)
    assert set(Submission.objects.values_list("caller", "hotel")) == {(agent.pk, hotel.pk)}


@pytest.mark.django_db
def test_another_hotel_can_have_the_same_desk(hotel, other_hotel):
    load_p0("--summary")
    load_p0("--summary", "--hotel", "HOTEL2")
    assert Task.objects.filter(hotel=other_hotel).count() == Task.objects.filter(hotel=hotel).count()


@pytest.mark.django_db
def test_an_unknown_hotel_is_refused_with_the_way_to_make_one():
    with pytest.raises(CommandError, match=r"^No hotel SEA\. Make one with add_hotel"):
        load_p0("--hotel", "SEA")


@pytest.fixture
def first_package_expects_two_cards(monkeypatch):
    first, *others = read_packages()
    body = first.expected["body"]
    wrong = dataclasses.replace(first, expected={**first.expected, "body": {**body, "tasks": body["tasks"] * 2}})
    monkeypatch.setattr("reservations.management.commands.load_p0.read_packages", lambda: (wrong, *others))


@pytest.mark.django_db
def test_an_outcome_that_differs_is_shown_with_its_place_and_fails_the_command(hotel, first_package_expects_two_cards):
    output = StringIO()
    with pytest.raises(CommandError, match=r"^1 package\(s\) came to something else"):
        call_command("load_p0", "--summary", stdout=output)
    shown, place, total = output.getvalue().splitlines()
    assert shown.split()[:3] == ["main_outcomes", "H01", "differs"]
    assert place.startswith('    /tasks is [{"task_id"')
    assert total.endswith("packages: 41 as expected, 1 differs.")


@pytest.mark.django_db
def test_a_package_whose_mail_is_missing_differs(hotel, agent):
    (outcome,) = load_packages(packages=read_packages()[:1], hotel=hotel, caller=agent, door="command")
    assert (outcome.verdict, outcome.came) == (Verdict.DIFFERS, "SOURCE_MESSAGE_NOT_FOUND")


@pytest.mark.parametrize(
    ("actual", "expected", "places"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, ["/a is 1"]),
        ({}, {"a": 1}, ["/a is null"]),
        ([1, 2], [1], ["/ is [1, 2]"]),
        ({"a": [{"b": "x", "c": 1}]}, {"a": [{"b": "y"}]}, ['/a/0/b is "x"']),
    ],
)
def test_what_came_is_compared_by_the_members_expected(actual, expected, places):
    assert list(differences(actual=actual, expected=expected)) == places


def test_the_groups_are_the_seven():
    assert [path.name for path in sorted(p0.FOLDER.iterdir()) if path.is_dir()] == sorted(p0.GROUPS)
