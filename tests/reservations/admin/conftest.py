"""What the tests of the back-office share: browsers of people."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from config.accounts.models import User


@pytest.fixture
def desk_of() -> Callable[[User], Client]:
    """desk_of(user): a browser in which this person is logged in."""

    def desk(user: User) -> Client:
        browser = Client()
        browser.force_login(user)
        return browser

    return desk


@pytest.fixture
def desk(desk_of: Callable[[User], Client], reviewer: User) -> Client:
    """The browser of a reviewer of HOTEL1."""
    return desk_of(reviewer)
