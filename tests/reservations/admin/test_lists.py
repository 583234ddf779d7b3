"""Rules that hold for every list and detail page of the desk; no page can be forgotten."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from config.backoffice import base
from reservations.models import AdapterContractError
from tests.reservations.admin.pages import MADE_BY, a_mail, a_route, an_order, list_of, page_of, text_of

# Session and user, access, count, rows; a mail's tallies are two more.
STATEMENTS = {
    "reservations_sourcemessage": 7,
    "reservations_task": 5,
    "reservations_order": 5,
    "reservations_operaoperation": 5,
    "reservations_ordertask": 5,
    "reservations_taskcard": 5,
    "reservations_sourcenotification": 5,
    "reservations_submission": 5,
    "reservations_aitransition": 5,
    "reservations_adaptercontracterror": 5,
    "reservations_catalogentry": 5,
}
BY_MODEL = pytest.mark.parametrize("model", MADE_BY)


def test_every_page_of_the_desk_is_tested_here():
    registered = {
        f"reservations_{model._meta.model_name}"
        for model in admin.site._registry
        if model._meta.app_label == "reservations"
    }
    assert registered == {*MADE_BY, "reservations_route"}


@BY_MODEL
@pytest.mark.parametrize("rows", [1, 3])
def test_a_list_takes_the_same_statements_for_1_and_3_rows(model, rows, hotel, desk, django_assert_num_queries):
    for number in range(rows):
        MADE_BY[model](hotel, f"row{number}")
    with django_assert_num_queries(STATEMENTS[model]):
        answer = desk.get(list_of(model))
    assert answer.context["cl"].result_count == rows


@BY_MODEL
def test_a_list_and_its_details_name_it(model, hotel, desk):
    details = page_of(MADE_BY[model](hotel))
    listed = desk.get(list_of(model))
    name = str(listed.context["heading"])
    assert f"<h1>{name}</h1>" in listed.content.decode()
    assert (listed.context["title"], desk.get(details).context["crumbs"][0][0]) == (name, name)


@BY_MODEL
def test_a_list_holds_the_rows_of_ones_own_hotels_alone(model, hotel, other_hotel, desk):
    own, _foreign = MADE_BY[model](hotel), MADE_BY[model](other_hotel)
    assert [row.pk for row in desk.get(list_of(model)).context["cl"].result_list] == [own.pk]


@BY_MODEL
def test_a_search_finds_nothing_of_another_hotel(model, hotel, other_hotel, desk):
    own, _foreign = MADE_BY[model](hotel, "needle"), MADE_BY[model](other_hotel, "needle")
    found = desk.get(list_of(model), {"q": "needle"}).context["cl"].result_list
    assert [row.pk for row in found] == [own.pk]


@BY_MODEL
def test_a_detail_of_another_hotel_does_not_exist(model, hotel, other_hotel, desk):
    assert desk.get(page_of(MADE_BY[model](hotel))).status_code == 200
    assert desk.get(page_of(MADE_BY[model](other_hotel))).status_code == 404


@BY_MODEL
@pytest.mark.parametrize("key", ["nonsense", "0", "9" * 40, "_00", "00000000-0000-7000-8000-000000000000"])
def test_a_key_that_no_row_has_is_not_found(model, key, desk):
    assert desk.get(reverse(f"admin:{model}_change", args=[key])).status_code == 404


@BY_MODEL
def test_nothing_is_posted_to_lists_and_details(model, hotel, desk):
    row = MADE_BY[model](hotel)
    assert [desk.post(address, {"subject": "x"}).status_code for address in (list_of(model), page_of(row))] == [
        405,
        405,
    ]


@BY_MODEL
def test_there_is_no_page_to_add_change_or_delete(model, hotel, desk):
    row = MADE_BY[model](hotel)
    ends = [f"{list_of(model)}add/", *(page_of(row).replace("/change/", end) for end in ("/delete/", "/history/"))]
    assert [desk.get(address).status_code for address in ends] == [404, 404, 404]


@BY_MODEL
def test_without_a_login_every_page_leads_to_the_login(model, hotel, client):
    row = MADE_BY[model](hotel)
    answers = [client.get(address) for address in (list_of(model), page_of(row))]
    assert [answer.url.split("?")[0] for answer in answers] == [reverse("admin:login")] * 2


@BY_MODEL
@pytest.mark.parametrize("role", ["agent", "gateway"])
def test_agents_and_gateways_are_kept_out(model, role, hotel, user_of, desk_of):
    row = MADE_BY[model](hotel)
    browser = desk_of(user_of(role, hotel))
    answers = [browser.get(address) for address in (list_of(model), page_of(row))]
    assert [answer.status_code for answer in answers] == [302, 302]


@BY_MODEL
def test_staff_without_the_permission_is_refused(model, hotel, reviewer, desk_of):
    row = MADE_BY[model](hotel)
    reviewer.groups.clear()
    browser = desk_of(reviewer)
    assert [browser.get(address).status_code for address in (list_of(model), page_of(row))] == [403, 403]


@BY_MODEL
@pytest.mark.parametrize(
    "query", ["subject__regex=(", "payload__contains=x", "id__in=1", "_facets=1&x=1", "kind=nonsense"]
)
def test_a_lookup_that_is_not_offered_is_refused(model, query, desk):
    """A regular expression of a stranger would run in the database."""
    assert desk.get(f"{list_of(model)}?{query}").status_code in (302, 400)


@BY_MODEL
@pytest.mark.parametrize("query", ["p=9999", "p=x", "o=99.x", "q=%00", "q=" + "a%20" * 3000, "all=1", "e=1"])
def test_a_strange_query_is_answered(model, query, hotel, desk):
    MADE_BY[model](hotel)
    assert desk.get(f"{list_of(model)}?{query}").status_code in (200, 302)


def test_a_count_stops_at_its_bound(hotel, desk, monkeypatch):
    monkeypatch.setattr(base, "MOST_COUNTED", 2)
    for _number in range(4):
        an_order(hotel)
    answer = desk.get(list_of("reservations_order"))
    assert (answer.context["cl"].result_count, "More than 1,000" in text_of(answer)) == (2, True)


def test_the_hotel_is_a_column_and_a_filter_only_for_people_of_several(hotel, other_hotel, user_of, desk_of, desk):
    one = desk.get(list_of("reservations_order")).context["cl"]
    several = desk_of(user_of("lead", hotel, other_hotel)).get(list_of("reservations_order")).context["cl"]
    assert [("hotel_code" in cl.list_display, "hotel" in names(cl)) for cl in (one, several)] == [
        (False, False),
        (True, True),
    ]


def names(changelist):
    return [spec.parameter_name for spec in changelist.filter_specs]


def test_the_hotel_filter_shows_one_of_several(hotel, other_hotel, user_of, desk_of):
    first, _second = an_order(hotel), an_order(other_hotel)
    browser = desk_of(user_of("lead", hotel, other_hotel))
    found = browser.get(list_of("reservations_order"), {"hotel": hotel.pk}).context["cl"].result_list
    assert [row.pk for row in found] == [first.pk]


MAIL_HTML, PACKAGE = '"reservations_sourcemessage"."body_html"', '"reservations_submission"."payload"'


@pytest.mark.parametrize(
    ("model", "large"),
    [
        ("reservations_submission", [MAIL_HTML]),
        ("reservations_aitransition", [MAIL_HTML, PACKAGE]),
        ("reservations_adaptercontracterror", [MAIL_HTML, PACKAGE]),
        ("reservations_task", [PACKAGE]),
        ("reservations_operaoperation", [MAIL_HTML, PACKAGE]),
        ("reservations_ordertask", [PACKAGE]),
        ("reservations_taskcard", [MAIL_HTML, PACKAGE]),
        ("reservations_sourcenotification", [PACKAGE]),
        ("reservations_order", [MAIL_HTML, PACKAGE]),
    ],
)
def test_a_detail_leaves_the_large_texts_that_it_does_not_show(model, large, hotel, desk):
    row = MADE_BY[model](hotel)
    with CaptureQueriesContext(connection) as statements:
        desk.get(page_of(row))
    assert [text for text in large for statement in statements if text in statement["sql"]] == []


def test_routes_belong_to_nobody_and_are_read_by_everybody(desk):
    route = a_route()
    assert [desk.get(address).status_code for address in (list_of("reservations_route"), page_of(route))] == [200, 200]


def test_the_list_of_contract_errors_holds_nothing_else(hotel, desk):
    a_mail(hotel)
    MADE_BY["reservations_aitransition"](hotel)
    error = MADE_BY["reservations_adaptercontracterror"](hotel)
    found = desk.get(list_of("reservations_adaptercontracterror")).context["cl"].result_list
    assert (found, AdapterContractError.objects.count()) == ([error], 1)
