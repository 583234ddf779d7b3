"""A desk with one mail, whose id every builder's package names."""

from __future__ import annotations

import pytest

from config.accounts.models import User
from reservations.models import Hotel, SourceMessage
from tests.reservations.services.desk import Desk


@pytest.fixture
def desk(hotel: Hotel, agent: User) -> Desk:
    return Desk(hotel, agent)


@pytest.fixture
def mail(desk: Desk) -> SourceMessage:
    return desk.mail()
