"""What people do with the Basic Information of an order task (R-59, R-60)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from config.jsontext import JsonValue
from reservations.admin.tasks.acts import Act, Service, confirmation_of, draft_of
from reservations.admin.tasks.forms import Answers, resolution_body
from reservations.services.basicinformation import (
    confirm_basic_information,
    draft_basic_information,
    resolve_basic_information,
)

NEW_ORDER: Final = "new"


def _resolution(answers: Answers, form: Mapping[str, Any]) -> JsonValue:
    """Nothing picked is sent as it is, and refused at its place."""
    picked = form.get("confirmed_order_id", "")
    return resolution_body(answers, None if picked == NEW_ORDER else picked, form.get("reason", ""))


def _on_card(service: Callable[..., object]) -> Service:
    return lambda writer, key, body: service(writer=writer, card_id=key, body=body)


_DONE: Final = _("The Basic Information is confirmed. The other cards of this order task can be decided now.")
ACTS: Final[Mapping[str, Act]] = {
    act.name: act
    for act in (
        Act("draft", _on_card(draft_basic_information), _("The draft is saved."), draft_of, uses_fields=True),
        Act(
            "confirm",
            _on_card(confirm_basic_information),
            _DONE,
            confirmation_of,
            uses_fields=True,
            ends_work=True,
        ),
        Act("resolve", _on_card(resolve_basic_information), _DONE, _resolution, uses_fields=True, ends_work=True),
    )
}
