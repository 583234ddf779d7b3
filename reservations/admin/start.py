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
    counts: list[tuple[str, start.Count, str]] = []
    if access.allows("reservations.view_ordertask"):
        address = _list_of("ordertask")
        found = start.basic_information(hotels)
        counts += [(str(state.label), count, f"{address}?status={state.value}") for state, count in found]
    if access.allows("reservations.view_task"):
        address, states = _list_of("task"), start.states(hotels)
        counts += [(str(state.label), count, f"{address}?task_status={state.value}") for state, count in states]
    if access.allows("reservations.view_sourcenotification"):
        waiting = f"{_list_of('sourcenotification')}?acknowledged=no"
        counts.append((_("Notifications to look at"), start.unacknowledged(hotels), waiting))
    if access.allows("reservations.view_adaptercontracterror"):
        counts.append((_("Contract errors"), start.contract_errors(hotels), _list_of("adaptercontracterror")))
    if access.allows("reservations.view_aitransition"):
        intents = f"{_list_of('aitransition')}?kind={TransitionKind.UNHANDLED_INTENT.value}"
        counts.append((_("Not supported"), start.unhandled_intents(hotels), intents))
    return counts


def _list_of(model: str) -> str:
    return reverse(f"admin:reservations_{model}_changelist")
