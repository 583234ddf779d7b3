"""The P0 packages one by one, each on a desk of its own, through the door of the agents (R-78)."""

import json
import re
from email import message_from_bytes

import pytest

from reservations.domain.mail import parse_mail
from reservations.services.p0 import FOLDER, GROUPS, differences, read_packages
from tests import factories
from tests.cases import files
from tests.cases.capabilities import marks
from tests.cases.reservations.format import is_v4, names_a_mail
from tests.cases.reservations.transports import post_raw, validate

PACKAGES = read_packages()
POSTED = [package for package in PACKAGES if not package.is_candidates]
HANDED_IN = {"rest", "text/plain", "gate_validator"}


def body_of(package):
    return json.loads(package.content) if package.media_type == "application/json" else package.content.decode()


def parameters():
    for package in POSTED:
        body = body_of(package)
        needs = ["V4"] if is_v4(body) and names_a_mail(body) else []
        yield pytest.param(package, id=f"{package.group}-{package.name}", marks=marks(needs))


def put_into_inbox(hotel, package):
    mail = parse_mail(package.mail)
    message = factories.message(
        hotel, mail.external_message_id, body_text=mail.body_text, body_html=mail.body_html or ""
    )
    for attachment in mail.attachments:
        factories.attachment(message, attachment.external_id)


@pytest.mark.django_db
@pytest.mark.parametrize("package", list(parameters()))
def test_a_posted_package_comes_to_what_its_file_says(package, hotel, agent_client):
    if package.mail is not None:
        put_into_inbox(hotel, package)
    answer = post_raw(agent_client, package.content, package.media_type)
    assert answer.status == package.expected["status"], answer.body
    assert list(differences(actual=answer.body, expected=package.expected["body"])) == []


@pytest.mark.parametrize("package", [package for package in PACKAGES if package.is_candidates], ids=lambda p: p.name)
def test_candidates_are_judged_by_the_validator_as_their_file_says(package):
    """R-07"""
    assert validate(None, json.loads(package.content)).body == package.expected["gate"]


def test_every_group_has_packages():
    assert [group for group in GROUPS if group not in {package.group for package in PACKAGES}] == []


def test_every_file_of_a_group_belongs_to_a_package():
    stems = {(package.group, package.name) for package in PACKAGES}
    found = {(path.parent.name, path.name.partition(".")[0]) for path in FOLDER.glob("*/*")}
    assert found == stems


def test_the_mail_beside_a_package_is_the_one_it_names():
    named = {package.name: package for package in POSTED if package.mail is not None}
    ids = {name: message_from_bytes(package.mail)["Message-ID"].strip("<>") for name, package in named.items()}
    assert {name: identity_in(package) for name, package in named.items()} == ids
    assert len(set(ids.values())) == len(ids), "two packages share a mail"


def identity_in(package):
    body = body_of(package)
    return body.partition(",")[2].strip() if isinstance(body, str) else body["source_message"]["source_message_id"]


def test_the_packages_stand_for_every_case_below_a_hundred_that_hands_one_in():
    """Cases of one group with the same package have one package."""
    cases = files.parse((files.OWN_COPY / "reservations.json").read_bytes())["cases"]
    wanted = {
        case["id"] for case in cases if case["transport"] in HANDED_IN and not re.fullmatch(r"H\d{3}", case["id"])
    }
    standing_for = [name for package in PACKAGES for name in package.expected["cases"]]
    assert sorted(standing_for) == sorted(wanted)
