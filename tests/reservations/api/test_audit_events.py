"""GET /audit-events: what was done, and whether anybody changed the record of it."""

import pytest
from django.db.models import Value

from config.accounts.roles import AUDITOR, DEVELOPER, LEAD, REVIEWER
from config.audit.models import AuditEvent
from config.audit.services import Door, record, seal
from tests import factories
from tests.config.audit.chains import without_triggers, write
from tests.reservations.api.rules import DESK, SESSION_STATEMENTS

LIST = f"{DESK}/audit-events"
VERIFY = f"{LIST}/verify"


@pytest.fixture
def event(hotel, reviewer):
    record(
        tenant=hotel,
        actor=reviewer,
        door=Door.API,
        action="TASK_CONFIRM",
        object_type="task",
        object_id="t-1",
        before={"version": 1},
        after={"version": 2},
        reason="fine",
        at=factories.NOON,
    )
    return AuditEvent.objects.get(object_id="t-1")


@pytest.fixture
def client(auditor_client):
    return auditor_client


def ids(client, **query):
    return [int(row["id"]) for row in client.get(LIST, query).json()["results"]]


@pytest.mark.parametrize("path", [LIST, VERIFY])
@pytest.mark.parametrize(
    ("role", "status"),
    [(AUDITOR, 200), (LEAD, 200), (REVIEWER, 403), (DEVELOPER, 403), ("agent", 403), ("gateway", 403)],
)
def test_leads_and_auditors_read_it(path, role, status, hotel, client_of):
    assert client_of(factories.user(role, hotel)).get(path).status_code == status


@pytest.mark.parametrize("path", [LIST, f"{LIST}/1", VERIFY])
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nobody_writes_it(path, method, client):
    answer = getattr(client, method)(path)
    assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")


def test_an_event_says_who_when_where_and_what(hotel, reviewer, event, client):
    seal()
    event.refresh_from_db()
    assert client.get(f"{LIST}/{event.pk}").json() == {
        "id": str(event.pk),
        "tenant": "HOTEL1",
        "at": "2026-07-20T12:00:00Z",
        "actor": reviewer.username,
        "door": "api",
        "action": "TASK_CONFIRM",
        "object_type": "task",
        "object_id": "t-1",
        "before": {"version": 1},
        "after": {"version": 2},
        "reason": "fine",
        "request_id": "",
        "position": 1,
        "previous_hash": "0" * 64,
        "content_sha256": event.content_sha256,
        "hash": event.hash,
    }


def test_the_list_has_the_same_rows(event, client):
    assert client.get(LIST).json()["results"] == [client.get(f"{LIST}/{event.pk}").json()]


def test_an_event_that_is_not_sealed_has_no_position(event, client):
    shown = client.get(f"{LIST}/{event.pk}").json()
    assert (shown["position"], shown["previous_hash"], shown["hash"]) == (None, None, None)


def test_what_was_purged_is_null(event, client):
    AuditEvent.objects.filter(pk=event.pk).update(before=Value(""), after=Value(""), reason=Value(""))
    shown = client.get(f"{LIST}/{event.pk}").json()
    assert (shown["before"], shown["after"], shown["reason"]) == (None, None, "")


def test_numbers_keep_every_digit(hotel, client):
    (event,) = write(hotel, after={"amount": 12345678901234567890123})
    assert b'"after":{"amount":12345678901234567890123}' in client.get(f"{LIST}/{event.pk}").content


@pytest.mark.parametrize("place", ["another hotel", "no hotel", "an organisation"])
def test_events_of_other_places_do_not_exist(place, hotel, other_hotel, client):
    other_hotel.kind = "organisation" if place == "an organisation" else "hotel"
    other_hotel.save()
    (event,) = write(None if place == "no hotel" else other_hotel)
    assert ids(client) == []
    assert client.get(f"{LIST}/{event.pk}").status_code == 404


@pytest.mark.parametrize("row_id", ["0", "99999999999999999999999999", "x", "-1", "%00"])
def test_an_id_of_no_event_is_404(row_id, client):
    assert client.get(f"{LIST}/{row_id}").status_code == 404


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"object": "t-1"}, True),
        ({"object": "T-1"}, False),
        ({"object_type": "task"}, True),
        ({"object_type": "order"}, False),
        ({"action": "TASK_CONFIRM"}, True),
        ({"action": "TASK"}, False),
        ({"door": "api"}, True),
        ({"door": "admin"}, False),
        ({"since": "2026-07-20T12:00:00Z"}, True),
        ({"since": "2026-07-20T12:00:01Z"}, False),
        ({"actor": "nobody"}, False),
    ],
)
def test_filters_find_exactly_their_events(query, found, event, client):
    assert ids(client, **query) == [event.pk] * found


def test_the_filter_by_actor_finds_the_events_of_a_person(event, reviewer, hotel, client):
    write(hotel)
    assert ids(client, actor=reviewer.username) == [event.pk]


@pytest.mark.parametrize("page_size", [1, 2, 3, 5])
def test_pages_lead_through_all_events_once_and_back(page_size, hotel, client):
    events = [event.pk for event in write(hotel, 5)]
    pages, address = [], f"{LIST}?page_size={page_size}"
    while address:
        pages.append(client.get(address).json())
        address = pages[-1]["next"]
    assert [int(row["id"]) for page in pages for row in page["results"]] == events
    address = pages[-1]["previous"]
    for page in pages[-2::-1]:
        back = client.get(address).json()
        assert back["results"] == page["results"]
        address = back["previous"]
    assert address is None


def test_events_that_are_added_do_not_shift_the_next_page(hotel, client):
    events = [event.pk for event in write(hotel, 3)]
    first = client.get(LIST, {"page_size": 2}).json()
    events += [event.pk for event in write(hotel, 1)]
    rest = client.get(first["next"]).json()
    assert [int(row["id"]) for row in [*first["results"], *rest["results"]]] == events


@pytest.mark.parametrize(
    "query",
    [
        "unheard=1",
        "cursor=nonsense",
        "cursor=",
        "cursor=WzAsMS41XQ",  # [0,1.5]
        "cursor=WzAsdHJ1ZV0",  # [0,true]
        "cursor=WzAsMV0x",  # [0,1]1
        "cursor=WzAsOTk5OTk5OTk5OTk5OTk5OTk5OTk5XQ",  # [0,99999999999999999999]
        "cursor=WzAsMTg0NDY3NDQwNzM3MDk1NTE2MTVd",  # [0,18446744073709551615]
        "page_size=0",
        "door=window",
        "since=yesterday",
        "object=%00",
    ],
)
def test_a_bad_query_is_refused_with_its_place(query, client):
    response = client.get(f"{LIST}?{query}")
    assert (response.status_code, response.json()["error_code"]) == (400, "FILTER_INVALID")
    assert [fault["pointer"] for fault in response.json()["errors"]] == [query.partition("=")[0]]


@pytest.mark.parametrize("count", [1, 3])
def test_the_number_of_statements_does_not_depend_on_the_events(count, hotel, client, django_assert_num_queries):
    write(hotel, count)
    with django_assert_num_queries(SESSION_STATEMENTS + 1):
        assert len(ids(client)) == count


def test_a_detail_takes_one_statement(event, client, django_assert_num_queries):
    with django_assert_num_queries(SESSION_STATEMENTS + 1):
        client.get(f"{LIST}/{event.pk}")


def test_verify_reports_the_chain_of_every_hotel_of_the_caller(hotel, other_hotel, client_of):
    write(hotel, 2)
    seal()
    write(hotel, 1)
    answer = client_of(factories.user("auditor", hotel, other_hotel)).get(VERIFY).json()
    sealed = AuditEvent.objects.get(tenant=hotel, position=2)
    assert answer == {
        "next": None,
        "previous": None,
        "results": [
            {
                "tenant": "HOTEL1",
                "valid": True,
                "sealed_length": 2,
                "unsealed_tail": 1,
                "purged": 0,
                "head_hash": sealed.hash,
                "fault": None,
            },
            {
                "tenant": "HOTEL2",
                "valid": True,
                "sealed_length": 0,
                "unsealed_tail": 0,
                "purged": 0,
                "head_hash": "0" * 64,
                "fault": None,
            },
        ],
    }


def test_verify_leaves_out_the_hotels_of_others(hotel, other_hotel, client):
    write(other_hotel)
    assert [report["tenant"] for report in client.get(VERIFY).json()["results"]] == ["HOTEL1"]


def test_verify_names_the_broken_place(hotel, event, client):
    seal()
    with without_triggers():
        AuditEvent.objects.filter(pk=event.pk).update(action="TASK_TERMINATE")
    (report,) = client.get(VERIFY).json()["results"]
    assert (report["valid"], report["fault"]) == (False, {"position": 1, "event_id": str(event.pk), "what": "hash"})


@pytest.mark.parametrize("query", ["unheard=1", "cursor=x", "object=t-1"])
def test_verify_takes_no_parameters(query, client):
    assert client.get(f"{VERIFY}?{query}").status_code == 400
