"""A clerk confirms the Basic Information of an order task, then its card (R-59)."""

from __future__ import annotations

import pytest

from reservations.models import OrderTask, Task
from tests import factories
from tests.decisions import offer_options
from tests.reservations.admin.pages import page_of
from tests.reservations.domain.builders import MESSAGE_ID
from tests.reservations.domain.orderpackages import order, order_event, order_package
from tests.reservations.services.desk import Desk

PASSWORD = "a long enough passphrase"
NOTE = {"note_type": "GENERAL", "note_text": "Late arrival"}


@pytest.fixture
def hotel(committed_db):
    return factories.hotel("HOTEL1", is_default=True)


@pytest.fixture
def order_task(hotel, user_of):
    """With one note, and an account that the hotel does not offer."""
    offer_options(hotel)
    desk = Desk(hotel, user_of("agent", hotel))
    desk.mail()
    source = {"source_message": {"source_message_id": MESSAGE_ID}}
    desk.post(order_package(order_event(extracted_fields=NOTE), orders=[order(account_code="AC999")], **source))
    return OrderTask.objects.get()


@pytest.fixture
def clerk_page(hotel, user_of, live_server, page):
    person = user_of("reviewer", hotel)
    person.set_password(PASSWORD)
    person.save()
    page.goto(f"{live_server.url}/admin/login/")
    page.get_by_label("Username").fill(person.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{live_server.url}/admin/")
    return page


def test_r59_a_clerk_confirms_basic_information_and_then_its_card(order_task, clerk_page, live_server):
    page, task = clerk_page, Task.objects.get()
    page.goto(f"{live_server.url}{page_of(task)}")
    page.get_by_role("button", name="Confirm", exact=True).click()
    assert page.locator(".refusal code").inner_text() == "V4_BASIC_INFORMATION_NOT_CONFIRMED"
    page.get_by_role("link", name="Confirm the Basic Information").click()
    page.get_by_label("Guest or group name").fill("Guest B")
    page.get_by_role("button", name="Confirm", exact=True).click()
    assert page.locator(".refusal li a").all_inner_texts() == ["Account"]
    assert page.get_by_label("Guest or group name").input_value() == "Guest B"
    page.get_by_label("Account").select_option("AC100")
    page.get_by_role("button", name="Confirm", exact=True).click()
    page.get_by_text("The Basic Information is confirmed.").wait_for()
    page.get_by_role("link", name="Add reservation note").click()
    page.get_by_role("button", name="Confirm", exact=True).click()
    page.get_by_text("The card is confirmed").wait_for()
    assert (Task.objects.get().task_status, OrderTask.objects.get().status) == ("READY", "IN_PROGRESS")
