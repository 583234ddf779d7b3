"""The sidebar of the back-office: what a person may see, grouped in plain words."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from config.backoffice.base import access_of

# (group, ((title, icon, app, model), ...)); the permission to view the model decides.
GROUPS: tuple[tuple[Any, tuple[tuple[Any, str, str, str], ...]], ...] = (
    (
        gettext_lazy("Desk"),
        (
            (gettext_lazy("Mails"), "mail", "reservations", "sourcemessage"),
            (gettext_lazy("Order tasks"), "assignment", "reservations", "ordertask"),
            (gettext_lazy("Cards"), "ballot", "reservations", "taskcard"),
            (gettext_lazy("Tasks"), "task_alt", "reservations", "task"),
            (gettext_lazy("Notifications"), "notifications", "reservations", "sourcenotification"),
            (gettext_lazy("Orders"), "hotel", "reservations", "order"),
            (gettext_lazy("Operations"), "send", "reservations", "operaoperation"),
        ),
    ),
    (
        gettext_lazy("Agent"),
        (
            (gettext_lazy("Submissions"), "inventory_2", "reservations", "submission"),
            (gettext_lazy("Verdicts"), "gavel", "reservations", "aitransition"),
            (gettext_lazy("Contract errors"), "error", "reservations", "adaptercontracterror"),
        ),
    ),
    (
        gettext_lazy("Reference"),
        (
            (gettext_lazy("Routes"), "alt_route", "reservations", "route"),
            (gettext_lazy("Catalogues"), "list_alt", "reservations", "catalogentry"),
        ),
    ),
    (
        gettext_lazy("People"),
        (
            (gettext_lazy("Users"), "group", "accounts", "user"),
            (gettext_lazy("Hotels and organisations"), "apartment", "accounts", "tenant"),
            (gettext_lazy("Memberships"), "badge", "accounts", "membership"),
            (gettext_lazy("Tokens"), "key", "knox", "authtoken"),
            (gettext_lazy("Audit"), "history", "audit", "auditevent"),
        ),
    ),
)


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """Groups and links in unfold's shape; a group without a permitted link is left out."""
    access = access_of(request)
    groups: list[dict[str, Any]] = [
        {"title": "", "items": [{"title": _("Start"), "icon": "home", "link": reverse("admin:index")}]}
    ]
    for title, places in GROUPS:
        items: list[dict[str, Any]] = [
            {"title": str(name), "icon": icon, "link": reverse(f"admin:{app}_{model}_changelist")}
            for name, icon, app, model in places
            if access.allows(f"{app}.view_{model}")
        ]
        groups.append({"title": str(title), "separator": True, "items": items})
    return [group for group in groups if group["items"]]
