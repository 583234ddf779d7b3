"""Keyset paging: walking loses and repeats nothing, whatever is added meanwhile; a page costs the same anywhere."""

import base64
import uuid
from datetime import timedelta

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reservations.models import SourceMessage
from tests import factories
from tests.reservations.api.rules import DESK

LIST = f"{DESK}/source-messages"
minutes = st.integers(0, 4)  # few, so that many rows have the same moment


def add(hotel, offsets):
    """Rows at these minutes; ids are random, so that their order says nothing of when they were made."""
    rows = [
        SourceMessage(
            id=uuid.uuid4(),
            hotel=hotel,
            external_message_id=uuid.uuid4().hex,
            received_at=factories.NOON + timedelta(minutes=offset),
            created_at=factories.NOON,
        )
        for offset in offsets
    ]
    return {str(row.pk) for row in SourceMessage.objects.bulk_create(rows)}


def walk(client, url, direction, between):
    """Ids of all pages from this one on; `between()` runs before each next page."""
    while url:
        page = client.get(url).json()
        yield [row["id"] for row in page["results"]], page
        between()
        url = page[direction]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.lists(minutes, min_size=1, max_size=12),
    added=st.lists(st.lists(minutes, max_size=3), max_size=6),
    size=st.integers(1, 4),
)
def test_walking_forward_and_back_loses_and_repeats_nothing(hotel, reviewer_client, before, added, size):
    SourceMessage.objects.all().delete()
    there, batches = add(hotel, before), iter(added)

    def between():
        add(hotel, next(batches, []))

    pages = list(walk(reviewer_client, f"{LIST}?page_size={size}", "next", between))
    forward = [row_id for ids, _ in pages for row_id in ids]
    last_page = pages[-1][1]
    back = [*reversed(pages[-1][0])]
    for ids, _ in walk(reviewer_client, last_page["previous"], "previous", between):
        back += reversed(ids)
    for walked in (forward, back):
        assert len(set(walked)) == len(walked)
        assert there - set(walked) == set()


def test_filters_stay_on_the_way(hotel, other_hotel, client_of):
    client = client_of(factories.user("reviewer", hotel, other_hotel))
    add(hotel, [0, 1, 2])
    add(other_hotel, [0, 1, 2])
    pages = walk(client, f"{LIST}?hotel=HOTEL2&page_size=2", "next", lambda: None)
    assert [row["hotel"] for _, page in pages for row in page["results"]] == ["HOTEL2"] * 3


def test_the_first_page_has_nothing_before_it_and_the_last_nothing_after(hotel, reviewer_client):
    add(hotel, [0, 1, 2])
    first, last = (page for _, page in walk(reviewer_client, f"{LIST}?page_size=2", "next", lambda: None))
    assert (first["previous"], last["next"]) == (None, None)


@pytest.mark.parametrize(
    "content",
    [
        [0, "2026-07-20T12:00:00", str(uuid.uuid4())],
        [0, "2026-W30-1", str(uuid.uuid4())],
        [0, "0001-01-01T00:00:00+23:59", str(uuid.uuid4())],
        [0, "2026-07-20T12:00:00Z", "7"],
        [0, 7, 7],
        {"a": 1},
        None,
    ],
)
def test_a_cursor_that_was_made_up_is_refused(content, hotel, reviewer_client):
    add(hotel, [0])
    cursor = base64.urlsafe_b64encode(orjson.dumps(content)).decode()
    response = reviewer_client.get(LIST, {"cursor": cursor})
    assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "cursor")
