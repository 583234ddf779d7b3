"""The first page, the sidebar, and the way in."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from reservations.models import TaskStatusChoice, TransitionKind
from tests import factories
from tests.reservations.admin.pages import (
    a_contract_error,
    a_mail,
    a_notification,
    a_submission,
    a_task,
    a_verdict,
    an_order_task,
    text_of,
)

INDEX = reverse("admin:index")


def links(answer):
    return [item["link"].split("/")[-2] for group in answer.context["sidebar_navigation"] for item in group["items"]]


def test_it_counts_tasks_by_state_and_contract_errors_of_ones_own_hotels(hotel, other_hotel, desk):
    a_task(hotel), a_task(other_hotel), a_contract_error(hotel), a_contract_error(other_hotel)
    factories.task(factories.order(hotel), a_submission(hotel), task_status=TaskStatusChoice.READY)
    counts = {name: count.number for name, count, _address in desk.get(INDEX).context["counts"]}
    basic = {"Basic Information to confirm": 0, "Basic Information to review": 0, "Notifications to look at": 0}
    states = basic | {"To confirm": 1, "To review": 0, "Ready": 1, "Failed": 0, "Notice": 0}
    assert counts == states | {"Contract errors": 1, "Not supported": 0}


@pytest.mark.parametrize(
    ("name", "make", "other"),
    [
        ("Basic Information to confirm", {"status": "PENDING_CONFIRM"}, {"status": "IN_PROGRESS"}),
        ("Basic Information to review", {"status": "PENDING_REVIEW"}, {"status": "DONE"}),
    ],
)
def test_r59_waiting_basic_information_is_counted_and_found_from_there(name, make, other, hotel, other_hotel, desk):
    wanted, _done, _foreign = an_order_task(hotel, **make), an_order_task(hotel, **other), an_order_task(other_hotel)
    assert counted(desk, name) == (1, [wanted])


def test_r11_notifications_nobody_acknowledged_are_counted_and_found_from_there(hotel, other_hotel, desk, reviewer):
    seen = {"acknowledged_by": reviewer, "acknowledged_at": timezone.now()}
    wanted, _seen, _foreign = a_notification(hotel), a_notification(hotel, **seen), a_notification(other_hotel)
    assert counted(desk, "Notifications to look at") == (1, [wanted])


def counted(desk, name):
    """The number of this count, and the rows that its link leads to."""
    ((count, address),) = [
        (count, address) for shown, count, address in desk.get(INDEX).context["counts"] if shown == name
    ]
    return count.number, list(desk.get(address).context["cl"].result_list)


def test_what_no_card_covers_is_counted_and_found_from_there(hotel, other_hotel, desk):
    """R-09"""
    intent = {"kind": TransitionKind.UNHANDLED_INTENT}
    wanted, _other = a_verdict(hotel, **intent), a_verdict(other_hotel, **intent)
    found = [
        (count.number, address) for name, count, address in desk.get(INDEX).context["counts"] if name == "Not supported"
    ]
    assert [number for number, _address in found] == [1]
    assert list(desk.get(found[0][1]).context["cl"].result_list) == [wanted]


def test_it_shows_the_newest_mails_of_ones_own_hotels(hotel, other_hotel, desk):
    own = [a_mail(hotel) for _number in range(12)]
    a_mail(other_hotel)
    newest = [mail.pk for mail, _pills in desk.get(INDEX).context["newest"]]
    assert newest == [mail.pk for mail in reversed(own)][:10]


@pytest.mark.parametrize("mails", [1, 3])
def test_it_takes_the_same_statements_for_1_and_3_mails(mails, hotel, desk, django_assert_num_queries):
    for _number in range(mails):
        a_mail(hotel)
    with django_assert_num_queries(16):
        desk.get(INDEX)


@pytest.mark.parametrize(
    ("role", "beyond"), [("reviewer", []), ("developer", []), ("lead", ["auditevent"]), ("auditor", ["auditevent"])]
)
def test_the_sidebar_holds_what_the_role_may_read(role, beyond, hotel, user_of, desk_of):
    desk_and_agent = [
        "sourcemessage",
        "ordertask",
        "taskcard",
        "task",
        "sourcenotification",
        "order",
        "operaoperation",
        "submission",
        "aitransition",
        "adaptercontracterror",
    ]
    expected = ["admin", *desk_and_agent, "route", "catalogentry", *beyond]
    assert links(desk_of(user_of(role, hotel)).get(INDEX)) == expected


def test_whoever_may_read_nothing_is_told_so(reviewer, desk_of):
    reviewer.groups.clear()
    assert "There is nothing here that you may see." in text_of(desk_of(reviewer).get(INDEX))


def test_a_login_at_the_login_page_leads_to_the_start_page(client, reviewer):
    reviewer.set_password("a long enough passphrase")
    reviewer.save()
    data = {"username": reviewer.username, "password": "a long enough passphrase"}
    assert client.post(reverse("admin:login"), data).url == INDEX


@pytest.mark.parametrize("role", ["agent", "gateway"])
def test_agents_and_gateways_cannot_log_in(role, client, hotel, user_of):
    """R-67."""
    machine = user_of(role, hotel)
    machine.set_password("a long enough passphrase")
    machine.save()
    data = {"username": machine.username, "password": "a long enough passphrase"}
    answer = client.post(reverse("admin:login"), data)
    assert (answer.status_code, "_auth_user_id" in client.session) == (200, False)


@pytest.mark.parametrize("query", ["s=task", "s=a&page=x"])
def test_the_search_of_the_sidebar_is_not_offered(query, desk):
    assert desk.get(f"{INDEX}search/?{query}").status_code == 404
