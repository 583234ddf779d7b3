"""Writers side by side wait for each other and never fail, on SQLite too."""

from collections import Counter

import pytest

from tests import packages
from tests.reliability.complete import tally, whole
from tests.reliability.crowd import crowd

pytestmark = pytest.mark.reliability


def test_eight_threads_ingesting_at_once_meet_no_lock_error(desk):
    names = [f"writer{number}" for number in range(160)]
    for name in names:
        packages.mail(desk.hotel, name)
    answers = crowd(desk.ingest, [packages.package(name) for name in names], size=8)
    assert Counter(answer["accepted"] for answer in answers) == {True: 160}
    assert tally() == {whole(5): 160}


@pytest.mark.slow
def test_two_server_processes_ingesting_at_once_meet_no_lock_error(desk, agents):
    names = [f"process{number}" for number in range(160)]
    for name in names:
        packages.mail(desk.hotel, name)
    answers = crowd(agents.post, [packages.package(name) for name in names], size=8)
    assert Counter(answer.status for answer in answers) == {200: 160}
    assert tally() == {whole(5): 160}
