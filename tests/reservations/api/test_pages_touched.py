"""On PostgreSQL a page of a list reads as much of a large table as of a small one."""

import json
import uuid
from datetime import timedelta

import pytest
from django.db import connection

from reservations.models import Order, SourceMessage, Submission
from reservations.selectors.inbox import list_messages
from reservations.selectors.orders import list_orders
from reservations.selectors.submissions import list_submissions
from tests import factories

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="reads PostgreSQL's own count"),
]
PAGE = 51


def grow(hotel, caller, count):
    """`count` mails with a submission and an order each, one a minute."""
    mails = SourceMessage.objects.bulk_create(
        SourceMessage(
            id=uuid.uuid4(),
            hotel=hotel,
            external_message_id=uuid.uuid4().hex,
            received_at=factories.NOON + timedelta(minutes=number),
            created_at=factories.NOON,
        )
        for number in range(count)
    )
    shared = {"hotel": hotel, "created_at": factories.NOON}
    Order.objects.bulk_create(Order(order_number=mail.pk.hex[:20], kind="FIT", **shared) for mail in mails)
    Submission.objects.bulk_create(
        Submission(source_message=mail, canonical_sha256=mail.pk.hex, caller=caller, outcome="ACCEPTED", **shared)
        for mail in mails
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def pages_touched(rows, key):
    """Shared buffers read for one page from the middle of the list."""
    middle = rows.order_by(key, "id")[rows.count() // 2]
    page = rows.filter(**{f"{key}__gte": middle[key]}).order_by(key, "id")[:PAGE]
    (plan,) = json.loads(page.explain(format="json", analyze=True, buffers=True))
    return plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"]


@pytest.mark.parametrize(
    ("selector", "key"),
    [(list_messages, "received_at"), (list_submissions, "created_at"), (list_orders, "created_at")],
)
def test_a_page_touches_as_much_of_ten_times_the_rows(selector, key, hotel, agent):
    grow(hotel, agent, 1_000)
    small = pages_touched(selector(hotel_ids=[hotel.pk]), key)
    grow(hotel, agent, 9_000)
    large = pages_touched(selector(hotel_ids=[hotel.pk]), key)
    assert large <= small * 1.2 + 4  # a level of an index is a page
