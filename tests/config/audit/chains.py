"""Events of the audit for tests, and ways to change them behind the back of the triggers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from django.db import connection

from config.accounts.models import Tenant
from config.audit.models import AuditEvent
from config.audit.services import Change, Door, record_many

TRIGGERS = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_auditevent'",
    "postgresql": "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'audit_auditevent'::regclass AND NOT tgisinternal",
}


def write(tenant: Tenant | None, count: int = 1, **fields: Any) -> list[AuditEvent]:
    """Events of one tenant, as a service writes them."""
    known = set(AuditEvent.objects.values_list("pk", flat=True))
    plain = {"action": "TASK_CREATE", "object_type": "task", "before": None, "after": {"version": 1}, "reason": "why"}
    changes = [Change(**({"object_id": f"task-{number}"} | plain | fields)) for number in range(1, count + 1)]
    record_many(tenant_id=tenant.pk if tenant else None, actor_id=None, door=Door.API, changes=changes)
    return list(AuditEvent.objects.exclude(pk__in=known).order_by("pk"))


@contextlib.contextmanager
def without_triggers() -> Iterator[None]:
    """What somebody can do who may change the tables of the database itself."""
    suffix = " ON audit_auditevent" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(TRIGGERS[connection.vendor])
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}{suffix}")
        yield
        for _, definition in triggers:
            cursor.execute(definition)


def positions(tenant: Tenant | None) -> list[int | None]:
    """The positions of a tenant's events, in the order of their keys."""
    return list(AuditEvent.objects.filter(tenant=tenant).order_by("pk").values_list("position", flat=True))
