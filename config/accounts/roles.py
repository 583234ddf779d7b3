"""The roles (R-77). Each is a group made by a migration; every app grants its own permissions to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

GATEWAY, AGENT, REVIEWER, LEAD, AUDITOR, DEVELOPER = ROLES = (
    "gateway",
    "agent",
    "reviewer",
    "lead",
    "auditor",
    "developer",
)
READERS = (REVIEWER, LEAD, AUDITOR, DEVELOPER)
BACK_OFFICE = READERS


def grant(
    apps: Any, alias: str, *, app_label: str, model: str, permissions: Mapping[str, tuple[str, Sequence[str]]]
) -> None:
    """Give permissions of one model to roles, inside a migration.

    permissions  {codename: (name, roles)}. Django makes permissions only after all migrations, so they are made here
                 when they are not there yet; Django then finds them.
    """
    content_type, _ = (
        apps.get_model("contenttypes", "ContentType")
        .objects.using(alias)
        .get_or_create(app_label=app_label, model=model)
    )
    groups = {
        group.name: group for group in apps.get_model("auth", "Group").objects.using(alias).filter(name__in=ROLES)
    }
    for codename, (name, roles) in permissions.items():
        permission, _ = (
            apps.get_model("auth", "Permission")
            .objects.using(alias)
            .get_or_create(content_type=content_type, codename=codename, defaults={"name": name})
        )
        for role in roles:
            groups[role].permissions.add(permission)
