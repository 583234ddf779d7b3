"""A committed desk: what threads and other processes see."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from config.accounts.models import User
from config.accounts.roles import AGENT
from config.accounts.services import issue_token
from config.audit.services import Door
from reservations.models import Hotel
from reservations.services.ingest import ingest_package
from tests import factories
from tests.servers import INGEST_PATH, Answer, Client, Served, serving


@dataclass(frozen=True, slots=True)
class Desk:
    hotel: Hotel
    agent: User

    def ingest(self, body: bytes) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(
            ingest_package(
                hotel_id=self.hotel.pk, caller=self.agent, content=body, media_type="application/json", door=Door.API
            )
        )
        return answer


@dataclass(frozen=True, slots=True)
class Agents:
    """Posts packages to a server; every thread has a persistent connection of its own."""

    served: Served
    token: str
    local: threading.local = field(default_factory=threading.local)

    def post(self, body: bytes) -> Answer:
        if not hasattr(self.local, "client"):
            self.local.client = Client(self.served.port, self.token)
        return self.local.client.post(INGEST_PATH, body)


@pytest.fixture
def desk(committed_db: None) -> Desk:
    hotel = factories.hotel("HOTEL1", is_default=True)
    return Desk(hotel, factories.user(AGENT, hotel))


@pytest.fixture
def agents(desk: Desk) -> Iterator[Agents]:
    """Agents in front of a server with two worker processes."""
    token = issue_token(username=desk.agent.username, door=Door.COMMAND)
    with serving(workers=2) as served:
        yield Agents(served, token)
