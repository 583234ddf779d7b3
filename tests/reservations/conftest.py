"""A board of cards, for tests of what people do with them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from django.conf import settings
from rest_framework.test import APIClient

from config.accounts.models import User
from reservations.models import CatalogEntry, Hotel
from tests.reservations.board import Board
from tests.reservations.orderboard import OrderBoard


@cache
def _entries() -> list[dict[str, Any]]:
    """The catalogue entries of the reference fixture. Loading it whole takes longer than most tests."""
    rows = json.loads((settings.BASE_DIR / "fixtures" / "reference.json").read_text(encoding="utf-8"))
    entries = [row["fields"] for row in rows if row["model"] == "reservations.catalogentry"]
    return [{name: value for name, value in entry.items() if name != "hotel"} for entry in entries]


@pytest.fixture
def board(hotel: Hotel, agent: User, reviewer_client: APIClient) -> Board:
    """The cards of HOTEL1, its catalogues, and a reviewer."""
    CatalogEntry.objects.bulk_create(CatalogEntry(hotel=hotel, **entry) for entry in _entries())
    return Board(hotel, agent, reviewer_client)


@pytest.fixture
def orders(board: Board, hotel: Hotel, agent: User, reviewer_client: APIClient) -> OrderBoard:
    """The same desk with order tasks, for tests of the fourth generation."""
    return OrderBoard(hotel, agent, reviewer_client)
