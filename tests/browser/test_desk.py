"""A person reads mails and cards. The `page` fixture fails the test if any request leaves the server."""

from __future__ import annotations

import pytest

from tests import factories

PASSWORD = "a long enough passphrase"
HOSTILE_HTML = (
    "<p style='font-size:0'>Hidden order</p><script>window.parent.hacked = 1</script>"
    "<img src='http://evil.example/a.gif' onerror='window.parent.hacked = 1'>"
    "<a href='http://evil.example/'>a link</a><iframe src='http://evil.example/'></iframe>"
)


@pytest.fixture
def hotel(committed_db):
    return factories.hotel("HOTEL1", is_default=True)


@pytest.fixture
def complaints(page):
    """What the browser complains of: refused loads, script errors, alerts."""
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", lambda dialog: (heard.append(dialog.message), dialog.dismiss()))
    return heard


@pytest.fixture
def desk(hotel, live_server, page, user_of, complaints):
    """A reviewer's browser on the start page."""
    person = user_of("reviewer", hotel)
    person.set_password(PASSWORD)
    person.save()
    page.goto(f"{live_server.url}/admin/login/")
    page.get_by_label("Username").fill(person.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{live_server.url}/admin/")
    return page


def test_from_the_start_page_to_a_list_to_a_mail_to_its_card(hotel, desk, complaints):
    mail = factories.message(hotel, subject="Two rooms, please", body_text="Please book 2 rooms.")
    mark = {"pointer": "/p", "text": "book 2 rooms", "found": True, "part": "text", "start": 7, "end": 19}
    package = factories.submission(mail, factories.user("agent", hotel))
    factories.task(factories.order(hotel), package, evidence=[mark])
    desk.locator("#nav-sidebar a", has_text="Mails").click()
    desk.get_by_role("link", name="Two rooms, please").click()
    desk.get_by_role("link", name="New individual booking").click()
    assert desk.locator("mark").inner_text() == "book 2 rooms"
    assert complaints == []


def test_a_hostile_mail_does_nothing(hotel, desk, complaints):
    factories.message(hotel, subject="<script>alert(1)</script>", body_text="", body_html=HOSTILE_HTML)
    desk.reload()
    desk.get_by_role("link", name="<script>alert(1)</script>").click()
    frame = desk.frame_locator("iframe.mail-frame")
    assert frame.locator("p").inner_text() == "Hidden order"
    frame.get_by_text("a link").click()
    assert frame.locator("p").inner_text() == "Hidden order"
    assert (desk.evaluate("window.hacked"), complaints) == (None, [])


def test_choosing_a_filter_searches_and_leaves_empty_fields_out(hotel, desk, complaints, live_server):
    package = factories.submission(factories.message(hotel), factories.user("agent", hotel))
    factories.task(factories.order(hotel), package)
    desk.locator('#nav-sidebar a[href$="/reservations/task/"]').click()
    desk.get_by_label("Status").select_option("PENDING_CONFIRM")
    desk.wait_for_url(f"{live_server.url}/admin/reservations/task/?task_status=PENDING_CONFIRM")
    assert (desk.locator("#result_list tbody").count(), complaints) == (1, [])
