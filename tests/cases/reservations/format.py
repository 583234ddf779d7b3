"""The words of `reservations.json`. A word that stands in none of these tables fails the case that uses it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Field

from reservations.models import Order, Task

Case = Mapping[str, Any]

FILE = {"set", "status", "note", "groups", "mails", "packages", "cases"}
MAIL = {"external_message_id", "hotel", "subject", "attachments", "eml"}
MAIL_ATTACHMENT = {"id", "file_name", "media_type"}
CASE = {"id", "group", "mail", "transport", "hotel", "setup", "request", "expect", "steps", "basis", "note"}
SETUP = {"post", "insert_orders", "insert_task"}
STEP = {"do", "task_index", "order_ref", "card", "times", "send", "expect", "basis", "note"}


def _columns(model: type[Order] | type[Task]) -> set[str]:
    return {field.name for field in model._meta.get_fields() if isinstance(field, Field) and not field.is_relation}


INSERTED_ORDER = _columns(Order) - {"id", "kind"} | {"hotel", "order_type"}
INSERTED_TASK = _columns(Task) - {"id"}

# What each word needs besides ingest and reading: names of capabilities.
TRANSPORTS: dict[str, tuple[str, ...]] = {
    "rest": (),
    "text/plain": (),
    "mcp": ("MCP",),
    "gate_validator": (),
    "history": (),
}
STEPS: dict[str, tuple[str, ...]] = {
    "get_task": (),
    "post_again": (),
    "draft": ("draft",),
    "confirm": ("confirm",),
    "resolve": ("resolve",),
    "resolve_concurrently": ("resolve",),
    "v4_confirm": ("V4",),
    "v4_resolve": ("V4",),
    "v4_ack": ("V4",),
}
EXPECTATIONS: dict[str, tuple[str, ...]] = {
    "http_status": (),
    "error_code": (),
    "detail_code": (),
    "errors": (),
    "body_exact": (),
    "mcp": ("MCP",),
    "mapping": ("MCP",),
    "max_seconds": (),
    "tasks": (),
    "adapter_contract_errors": (),
    "unhandled_intents": (),
    "replayed": (),
    "order_of_tasks": (),
    "same_task_ids": (),
    "notices": (),
    "displayed_as": (),
    "order_tasks": (),
    "source_notifications": (),
    "basic_information_review": ("V4",),
    "transition_kinds": (),
    "transitions_unchanged": (),
    "listed_orders": (),
    "new_orders": (),
    "new_tasks": (),
    "active_orders_for": (),
    "tasks_total": (),
    "transitions_total": (),
    "orders_total": (),
    "audit_total": (),
    "order": (),
    "temporary_order": (),
    "order_execution_queue_unchanged": (),
    "stored": (),
    "notice_card": (),
    "display": (),
    "filter_option_absent": (),
    "html_escaped": ("card page",),
    "stored_payload_has_no": (),
    "payload_roundtrip": (),
    "payload_unchanged": (),
    "ai_payload_unchanged": (),
    "ai_triple_unchanged": (),
    "gate_valid": (),
    "gate_errors": (),
    "task_status": (),
    "review_status": (),
    "nothing_written": (),
    "statuses": (),
    "audit": (),
    "audit_count": (),
    "field": ("served fields",),
    "field_readonly": ("served fields",),
    "field_values": ("served fields",),
    "missing_paths": ("served fields",),
    "not_served": ("served fields",),
    "opera_operations": ("operations",),
    "opera_operation_ids": ("operations",),
    "confirmed_payload": ("confirm",),
    "field_values_contains": ("confirm",),
    "override": ("resolve",),
    "resolved_at_pattern": ("resolve",),
}
TASK_LINE = {
    "source_event_index",
    "route_code",
    "result_type",
    "task_type",
    "task_subtype",
    "task_status",
    "review_status",
    "case_keys_stored",
    "case_keys_effective",
}
# Members of an expectation that is an object, or a list of objects.
MEMBERS: dict[str, set[str]] = {
    "tasks": TASK_LINE,
    "adapter_contract_errors": {"source_event_index", "adapter_error_code"},
    "mcp": {"ok", "error_code", "detail_code"},
    "mapping": {"event_id", "source_event_index"},
    "order": {"kind", "status", "display_name", "group_code", "confirmation_number", "booking_code"},
    "order_tasks": {"order_ref", "order_context_index", "cards"},
    "active_orders_for": {"group_code", "confirmation_number", "booking_code", "count"},
    "display": {"task_type", "task_subtype"},
    "confirmed_payload": {"field_values_contains", "legacy_field_values_contains", "effective_payload_contains"},
}


def unknown_in_file(document: Mapping[str, Any]) -> list[str]:
    found = list(_strange("file", document, FILE))
    for key, mail in document["mails"].items():
        found += _strange(f"mail {key}", mail, MAIL)
        for attachment in mail["attachments"]:
            found += _strange(f"attachment of mail {key}", attachment, MAIL_ATTACHMENT)
    return found


def unknown_in_case(case: Case) -> list[str]:
    """Every word of the case that the harness does not know."""
    setup = case.get("setup") or {}
    found = [
        *_strange("case", case, CASE),
        *_strange("transport", [case["transport"]], TRANSPORTS),
        *_strange("setup", setup, SETUP),
        *_strange("insert_task", setup.get("insert_task") or {}, INSERTED_TASK),
        *_unknown_in_expect(case["expect"]),
    ]
    for order in setup.get("insert_orders") or []:
        found += _strange("insert_orders", order, INSERTED_ORDER)
    for step in case.get("steps") or []:
        found += _strange("step", step, STEP)
        found += _strange("do", [step["do"]], STEPS)
        found += _unknown_in_expect(step["expect"])
    return found


def needs_of(case: Case) -> set[str]:
    """The capabilities that a case asks for, by what it contains."""
    steps = case.get("steps") or []
    found = set(TRANSPORTS.get(case["transport"], ()))
    for step in steps:
        found.update(STEPS.get(step["do"], ()))
    for expected in (case["expect"], *(step["expect"] for step in steps)):
        for key, value in expected.items():
            found.update(EXPECTATIONS.get(key, ()))
            found.update(["served fields"] if key == "notice_card" and "fields" in value else ())
    packages = [case["request"], *((case.get("setup") or {}).get("post") or [])]
    if any(is_v4(package) and names_a_mail(package) for package in packages):
        found.add("V4")
    return found


def is_v4(package: Any) -> bool:
    """The V4 roots of reservations-domain.md section 6."""
    if not isinstance(package, Mapping):
        return False
    notice = package.get("route_code") in ("S10", "S99") and package.get("result_type") is None
    return package.get("order_contexts") is not None or notice


def names_a_mail(package: Mapping[str, Any]) -> bool:
    source = package.get("source_message")
    identity = source.get("source_message_id") if isinstance(source, Mapping) else None
    return isinstance(identity, str) and bool(identity.strip())


def _unknown_in_expect(expected: Mapping[str, Any]) -> Iterator[str]:
    yield from _strange("expect", expected, EXPECTATIONS)
    for key, members in MEMBERS.items():
        value = expected.get(key)
        for entry in value if isinstance(value, list) else [value]:
            if isinstance(entry, Mapping):
                yield from _strange(key, entry, members)


def _strange(place: str, words: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    return (f"{place}: {word}" for word in words if word not in set(known))
