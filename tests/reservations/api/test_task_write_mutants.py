"""Bent bodies through every write on a card: never a 500, and what is refused changes nothing but the attempt's line."""

from random import Random

import pytest

from config.audit.models import AuditEvent
from reservations.models import OperaOperation, Task
from tests.reservations.api.test_ingest_mutants import rolled_back, splice, text_of
from tests.reservations.board import (
    MAPPED,
    RESOLVE,
    ROOM_POINTER,
    ROOM_TYPE,
    TASKS,
    fit,
    group,
    lines_since,
    note,
    override,
    resolution,
    rows,
    send,
    unkeyed,
    unmapped,
)
from tests.reservations.domain.builders import fallback
from tests.reservations.domain.mutants import mutate

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
ROUNDS = 150
VALUES = {"extracted_fields.adults": 3, "extracted_fields.arrival_date": "2026-08-04", ROOM_TYPE: "RM3"}
KEYS = {"case_keys.confirmation_number": "C-1", "case_keys.booking_code": "B-1"}
BODIES = {
    "draft": [{"field_values": VALUES}, {"field_values": KEYS}],
    "confirm": [{"field_values": VALUES, "reason": "checked"}, {"field_values": KEYS}],
    RESOLVE: [
        resolution("$order", MAPPED, {"field_pointer": ROOM_POINTER, "field_path": ROOM_TYPE, "value": "DLX"}),
        resolution("$order", override("case_keys.confirmation_number", "C-1")),
        resolution(
            "$order",
            override("review_decision.task_type", "Cancel Booking"),
            override("review_decision.task_subtype", "cancel_fit_booking"),
        ),
    ],
    **{name: [{"reason": "x"}] for name in ("terminate", "claim", "release", "execute", "retry", "acknowledge")},
}
EVENTS = [fit(), group(), note(), note(confirmation_number="C-9"), unmapped(), unkeyed(), fallback(case_keys={})]
STATUSES = {200, 400, 409, 412, 422}
DEEP = b"[" * 5000 + b"]" * 5000
BROKEN = [
    b"",
    b" ",
    b"null",
    b"true",
    b"7",
    b'"x"',
    b"[]",
    b"[{}]",
    b"{",
    b"{}{}",
    b"\xff\xfe",
    b"\xef\xbb\xbf{}",
    DEEP,
    b'{"field_values": ' + b'{"a":' * 40 + b"1" + b"}" * 41,
    b'{"a": 1, "a": 2}',
    b'{"reason": NaN}',
    b'{"reason": 1e400}',
    b'{"reason": ' + b"9" * 50 + b"}",
    b'{"reason": "\\ud800"}',
    b'{"reason": "\\u0000"}',
    b'{"\\ud800": 1}',
    b'{"reason": "' + b"x" * 300_000 + b'"}',
    b'{"field_values": {"extracted_fields.adults": 1e308}}',
    b'{"field_values": {"extracted_fields.adults": 123456789012345678901234567890}}',
    b'{"field_values": {"extracted_fields.adults": -0.0}}',
    b'{"field_values": {"extracted_fields.rate_amount": 1e-300}}',
    b'{"field_values": {"extracted_fields.guest_name": "\xe2\x80\xae\xd8\xb9"}}',
    b'{"field_values": {"__proto__": {}, "": null, "a..b": 1, ".": 2, "~": 3}}',
    b'{"field_overrides": [{"field_pointer": "/~3", "value": 1}], "confirmed_order_id": "\xd9\xa1"}',
]


@pytest.fixture
def cards(board):
    board.client.raise_request_exception = False
    made = [board.card(sent) for sent in EVENTS] + [board.notice()]
    ready = board.card(fit())
    board.confirm(ready)
    return [*made, ready]


def judged(client, card, action, body, **headers):
    """Send it, and look at what it left; all is put back."""
    with rolled_back():
        before, last = rows(), AuditEvent.objects.order_by("-id").values_list("id", flat=True).first()
        response = send(client, f"{TASKS}/{card}/{action}", body, **headers)
        detail = f"{action} {body[:200]!r} {response.content[:300]!r}"
        lines = lines_since(last)
        if response.status_code == 200:
            assert response["ETag"].startswith(f'"{response.json()["version"]}.'), detail
            assert len(lines) >= (0 if action in ("release", "acknowledge") else 1), detail
            decided = Task.objects.get(pk=card).task_status == "READY" and action in ("confirm", RESOLVE)
            assert not decided or OperaOperation.objects.filter(task_id=card).count() == 2, detail
        else:
            assert rows() == before, detail
            assert response["Content-Type"] == "application/problem+json", detail
            attempt = {"confirm": "TASK_CONFIRM_REFUSED", RESOLVE: "MANUAL_REVIEW_RESOLVE_REFUSED"}.get(action)
            assert lines in ([], [attempt]), detail
        return response.status_code, detail


def filled(body, order):
    return {**body, "confirmed_order_id": order} if body.get("confirmed_order_id") == "$order" else body


@pytest.mark.parametrize("action", BODIES)
def test_no_mutant_of_a_body_breaks_a_write(board, cards, action):
    random, seen = Random(action), set()
    orders = {card: board.get(card)["order_id"] for card in cards}
    for number in range(ROUNDS):
        card = random.choice(cards)
        body = mutate(filled(random.choice(BODIES[action]), orders[card]), random) if number % 5 else BODIES[action][0]
        raw = text_of(filled(body, orders[card]) if isinstance(body, dict) else body).encode()
        raw = splice(raw, random) if random.random() < 0.15 else raw
        headers = {"Idempotency_Key": f"k{number}"} if action != "draft" and random.random() < 0.2 else {}
        status, detail = judged(board.client, card, action, raw, **headers)
        assert status in STATUSES, detail
        seen.add(status)
    assert len(seen) > 1


@pytest.mark.parametrize("action", [*BODIES, "take-over"])
def test_no_broken_body_breaks_a_write(board, cards, lead, client_of, action):
    client = client_of(lead)
    client.raise_request_exception = False
    for card in (cards[0], cards[4], cards[-1]):
        for raw in BROKEN:
            status, detail = judged(client, card, action, raw)
            assert status in STATUSES | {413}, detail


def test_no_mutant_of_a_bulk_body_breaks_it(board, cards):
    random = Random(42)
    for _ in range(ROUNDS):
        sample = {"action": random.choice(["claim", "release", "terminate"]), "task_ids": random.sample(cards, 3)}
        raw = text_of(mutate(sample | {"reason": "x"}, random)).encode()
        raw = splice(raw, random) if random.random() < 0.15 else raw
        with rolled_back():
            before = rows()
            response = send(board.client, f"{TASKS}/bulk", raw)
            assert response.status_code in (200, 400), raw
            assert response.status_code == 200 or rows() == before, raw


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "application/xml", "x"]
)
@pytest.mark.parametrize("action", ["confirm", "draft", "claim", RESOLVE])
def test_a_body_of_another_media_type_is_415_and_does_nothing(board, kind, action):
    card = board.card(fit())
    before = rows()
    response = board.client.generic(
        "PUT" if action == "draft" else "POST", f"{TASKS}/{card}/{action}", '{"field_values": {}}', content_type=kind
    )
    assert (response.status_code, response.json()["error_code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert rows() == before
