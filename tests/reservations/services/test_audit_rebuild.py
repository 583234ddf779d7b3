"""The last state of every object in the audit is the state of its row, whatever was done, refusals included."""

import random
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from config import jsontext
from config.audit.models import AuditEvent
from reservations.models import OperaOperation, Order, SimulatedOutcome, SimulatorScript, Task
from reservations.services.audited import OPERATION, ORDER, TASK, operation_state, order_state, task_state
from reservations.services.claims import expire_claims
from tests import background, factories
from tests.reliability.crowd import at_once
from tests.reservations.board import (
    MAPPED,
    RESOLVE,
    TASKS,
    fit,
    group,
    note,
    override,
    resolution,
    send,
    unkeyed,
    unmapped,
)
from tests.reservations.domain.builders import event, fallback, item

pytestmark = pytest.mark.django_db
STATES = {TASK: (Task, task_state), ORDER: (Order, order_state), OPERATION: (OperaOperation, operation_state)}
# What is not in the states: identity, what came with the package, copies in folded form, and leases of the delivery.
NEVER_CHANGED = {
    TASK: {
        *("id", "hotel", "transition", "array_index", "event_type", "ai_result_type", "ai_task_type"),
        *("ai_task_subtype", "system_process_category", "queue_participation", "readonly", "card_display_type"),
        *("card_title_code", "route_display_code", "case_keys", "derived_case_keys", "relationships"),
        *(
            "manual_review",
            "evidence",
            "ai_payload_json",
            "catalog_code",
            "skill_id",
            "queue_key",
            "received_at",
            "created_at",
        ),
    },
    ORDER: {"id", "hotel", "created_at"},
    OPERATION: {
        *("id", "hotel", "role", "spec", "method", "path", "body_schema", "request_body", "dry_run", "created_at"),
    },
}
DERIVED = {
    TASK: set(),
    ORDER: {"group_key", "confirmation_key", "booking_key"},
    OPERATION: {"next_try_at", "lease_token"},
}
CANCEL = event(
    "Cancel Booking",
    "cancel_fit_booking",
    case_keys={"confirmation_number": "C-1"},
    extracted_fields={"cancel_scope": "whole_booking", "cancel_reason_code": "PLAN"},
)
EVENTS = [
    fit(),
    group(),
    note(),
    unkeyed(),
    unmapped(),
    fallback(case_keys={}),
    note(confirmation_number="C-1"),
    CANCEL,
]
PATHS = [
    "case_keys.confirmation_number",
    "case_keys.group_code",
    "case_keys.booking_code",
    "extracted_fields.adults",
    "extracted_fields.guest_name",
    "nothing",
]
VALUES = ["C-1", "C-2", "c-1", "G-1", 3, "x", None]
ANYTHING = (
    "claim",
    "release",
    "take-over",
    "execute",
    "retry",
    "acknowledge",
    "draft",
    "confirm",
    RESOLVE,
    "terminate",
)
NEXT = {
    "PENDING_CONFIRM": ("draft", "confirm", "confirm"),
    "PENDING_REVIEW": ("draft", RESOLVE, RESOLVE),
    "READY": ("execute",),
    "FAILED": ("retry",),
    "NOTICE": ("acknowledge",),
}
DECISION = [
    override("review_decision.task_type", "Cancel Booking"),
    override("review_decision.task_subtype", "cancel_fit_booking"),
    override("extracted_fields.cancel_scope", "whole_booking"),
    override("extracted_fields.cancel_reason_code", "PLAN"),
    override("case_keys.confirmation_number", "C-1"),
]


def differences():
    """Objects whose row is not what the audit last said, with both."""
    said = {}
    for line in AuditEvent.objects.exclude(action__endswith="_REFUSED").order_by("id"):
        said[line.object_type, line.object_id] = line.after
    return {
        (kind, str(row.pk)): (said.get((kind, str(row.pk))), state(row))
        for kind, (model, state) in STATES.items()
        for row in model._default_manager.all()
        if jsontext.write(said.get((kind, str(row.pk)))) != jsontext.write(state(row))
    }


def gaps(*kinds):
    """Lines whose state before is not what the line before left."""
    left, found = {}, []
    for line in AuditEvent.objects.filter(object_type__in=kinds).exclude(action__endswith="_REFUSED").order_by("id"):
        if jsontext.write(line.before) != jsontext.write(left.get(line.object_id)):
            found.append((line.action, line.before, left.get(line.object_id)))
        left[line.object_id] = line.after
    return found


def fixed():
    """What is said never to change, of every row."""
    return {
        (kind, row["id"]): row
        for kind, (model, _) in STATES.items()
        for row in model._default_manager.values(*NEVER_CHANGED[kind])
    }


class Anybody:
    """Does something to some card, sensible or not."""

    def __init__(self, board, clients, seed):
        self.board, self.clients, self.random = board, clients, random.Random(seed)
        self.cards = [board.card(sent) for sent in EVENTS] + [board.old_card(item()), board.notice()]
        self.cards += board.cards(note(group_code="G-1"), note(group_code="G-1"), fit(case_keys={"booking_code": "B"}))

    def act(self):
        getattr(self, self.random.choice(["write"] * 12 + ["work"] * 3 + ["script", "expire", "arrive", "bulk"]))()

    def write(self):
        random, card = self.random, self.random.choice(self.cards)
        sensible = NEXT.get(Task.objects.get(pk=card).task_status, ()) if random.random() < 0.6 else ()
        action = random.choice(sensible or ANYTHING)
        body = self.body(action, card)
        headers = {"If_Match": '"1.x"'} if random.random() < 0.1 else {}
        if random.random() < 0.1 and action != "draft":
            headers["Idempotency_Key"] = f"k{random.randrange(10**9)}"
        response = send(random.choice(self.clients), f"{TASKS}/{card}/{action}", body, **headers)
        assert response.status_code < 500, response.content

    def body(self, action, card):
        if action in ("draft", "confirm"):
            return {"field_values": self.values()}
        if action == RESOLVE:
            return resolution(self.order(card), *self.overrides())
        return {"reason": "x"} if action == "terminate" and self.random.random() < 0.3 else {}

    def values(self):
        return {path: self.random.choice(VALUES) for path in self.random.sample(PATHS, self.random.randrange(3))}

    def overrides(self):
        plain = [override(path, value) for path, value in self.values().items()]
        return self.random.choice([[MAPPED], [MAPPED, *plain], DECISION, plain])

    def order(self, card):
        own = str(Task.objects.get(pk=card).order_id)
        return self.random.choice([own, own, str(Order.objects.order_by("?").first().pk)])

    def bulk(self):
        action = self.random.choice(["claim", "release"])
        body = {"action": action, "task_ids": self.random.sample(self.cards, 3)}
        assert send(self.random.choice(self.clients), f"{TASKS}/bulk", body).status_code == 200

    def arrive(self):
        self.cards.append(self.board.card(self.random.choice(EVENTS)))

    def work(self):
        background.work(patiently=self.random.random() < 0.7)

    def script(self):
        SimulatorScript.objects.create(
            operation_id="", remaining=1, outcome=self.random.choice(SimulatedOutcome.values)
        )

    def expire(self):
        """As if an hour had passed for every lease."""
        expire_claims(at=timezone.now() + timedelta(hours=1))


@pytest.mark.parametrize("kind", STATES)
def test_every_column_is_in_the_state_or_never_changes(kind, hotel):
    model, state = STATES[kind]
    named = {field.name for field in model._meta.concrete_fields} - NEVER_CHANGED[kind] - DERIVED[kind]
    card = background.ready(hotel)
    row = {TASK: card, ORDER: card.order, OPERATION: card.operations.first()}[kind]
    for field in model._meta.concrete_fields:
        if getattr(row, field.attname) is None:
            setattr(row, field.attname, factories.NOON if "Date" in type(field).__name__ else 7)
    row.last_error = "x"
    shown = {name.removesuffix("_id") if name not in ("operation_id", "external_id") else name for name in state(row)}
    assert shown == named | ({"source_event_index", "route_code", "ai_payload_sha256"} if kind == TASK else set())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_tables_can_be_rebuilt_from_the_audit(board, hotel, lead, client_of, seed):
    clients = [board.client, client_of(lead), client_of(factories.user("reviewer", hotel))]
    somebody = Anybody(board, clients, seed)
    before = fixed()
    for _ in range(200):
        somebody.act()
    background.work()
    assert (differences(), gaps(TASK, ORDER)) == ({}, [])
    after = fixed()
    assert {key: after[key] for key in before} == before
    assert {"DONE", "READY"} <= set(Task.objects.values_list("task_status", flat=True))


@pytest.mark.slow
def test_r45_writes_side_by_side_are_one_history_and_no_version_is_lost(committed_db, board, hotel, client_of):
    clients = [client_of(factories.user("lead", hotel)) for _ in range(4)]
    for number in range(8):
        card, chance = board.card(fit()), random.Random(number)
        calls = []
        for client in clients * 3:
            action = chance.choice(["claim", "release", "take-over", "draft", "draft", "confirm"])
            body = {"field_values": {"extracted_fields.adults": chance.randrange(9)}} if action == "draft" else {}
            calls.append(partial(send, client, f"{TASKS}/{card}/{action}", body))
        statuses = [answer.status_code for answer in at_once(calls)]
        assert set(statuses) <= {200, 409}
        written = AuditEvent.objects.filter(object_type=TASK, object_id=card).exclude(action__endswith="_REFUSED")
        assert Task.objects.get(pk=card).version == written.count()
        assert [line.after["version"] for line in written.order_by("id")] == list(range(1, written.count() + 1))
    assert (differences(), gaps(TASK, ORDER)) == ({}, [])
