"""A board of cards, for tests of what people do with them."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from config.accounts.models import User
from reservations.models import Hotel
from tests.reservations.board import Board


@pytest.fixture
def board(hotel: Hotel, agent: User, reviewer_client: APIClient) -> Board:
    """The cards of HOTEL1, its catalogues, and a reviewer."""
    call_command("loaddata", "reference", verbosity=0)
    return Board(hotel, agent, reviewer_client)
