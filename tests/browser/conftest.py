"""What browser tests share. They have a pytest run of their own: the variable below weakens Django's check against
database calls from an event loop for the whole process, and Playwright keeps one in the main thread."""

import os
import shutil

import pytest
from django.db import connection

os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",
]


def pytest_collection_modifyitems(items):
    """Every test of this folder is a browser test with a real, emptied database behind a live server."""
    for item in items:
        item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    if CHROMIUM is None:
        reason = "There is no Chromium on the PATH."
        pytest.fail(reason) if os.environ.get("REQUIRE_BROWSER") else pytest.skip(reason)
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": QUIET}


@pytest.fixture(scope="session", autouse=True)
def rows_of_the_migrations(django_db_setup):
    """Roles and permissions, as Django keeps them on the connection to put them back between tests."""
    return connection._test_serialized_contents


@pytest.fixture(autouse=True)
def roles_come_back(rows_of_the_migrations):
    """Once Playwright's loop runs, the main thread has another connection, which does not know them."""
    connection._test_serialized_contents = rows_of_the_migrations


@pytest.fixture
def page(page, live_server):
    """A page that may speak to the server of the test and to nobody else."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    yield page
    allowed = (f"{live_server.url}/", "data:", "blob:")
    assert [url for url in asked if not url.startswith(allowed)] == []
