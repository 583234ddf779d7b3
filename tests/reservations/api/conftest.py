"""Rows that several endpoints show."""

from types import SimpleNamespace

import pytest
from django.core.management import call_command

from tests import factories


@pytest.fixture
def reference(db):
    """The routes, and the catalogues of HOTEL1."""
    call_command("loaddata", "reference", verbosity=0)


@pytest.fixture
def desk(hotel, agent):
    """One mail of HOTEL1, a package for it, and an order: what cards are made on."""
    message = factories.message(hotel, "m1@mail.example", conversation_id="c/1@mail.example", subject="Two rooms")
    package = factories.submission(message, agent)
    order = factories.order(hotel, confirmation_number="8801")
    return SimpleNamespace(hotel=hotel, message=message, package=package, order=order)
