"""The first page of the back-office."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from config.backoffice.base import access_of
from reservations.admin.mails import tally_pills
from reservations.models import TransitionKind
from reservations.selectors.desk import start


def start_page(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Counts by state and the newest mails of the person's hotels, each where the permission is there."""
    access = access_of(request)
    hotels = access.tenant_ids("hotel")
    return {
        **context,
        "title": _("Start"),
        "crumbs": [(_("Start"), None)],
        "counts": _counts(access, hotels),
        "newest": [(mail, tally_pills(tally)) for mail, tally in start.newest_mails(hotels)]
        if access.allows("reservations.view_sourcemessage")
        else None,
    }


def _counts(access: Any, hotels: tuple[int, ...]) -> list[tuple[str, start.Count, str]]:
    counts = []
    if access.allows("reservations.view_task"):
        tasks = reverse("admin:reservations_task_changelist")
        counts = [
            (str(state.label), count, f"{tasks}?task_status={state.value}") for state, count in start.states(hotels)
        ]
    if access.allows("reservations.view_adaptercontracterror"):
        errors = reverse("admin:reservations_adaptercontracterror_changelist")
        counts.append((_("Contract errors"), start.contract_errors(hotels), errors))
    if access.allows("reservations.view_aitransition"):
        verdicts = reverse("admin:reservations_aitransition_changelist")
        intents = f"{verdicts}?kind={TransitionKind.UNHANDLED_INTENT.value}"
        counts.append((_("Not supported"), start.unhandled_intents(hotels), intents))
    return counts
