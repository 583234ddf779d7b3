"""What people do with a card: each act has an address, a permission, a service, and a sentence for when it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from config.jsontext import JsonValue
from reservations.admin.tasks.forms import Answers, confirmation_body, draft_body, resolution_body
from reservations.services.claims import claim_task, release_task, take_over_task
from reservations.services.confirmation import confirm_task
from reservations.services.drafts import save_draft
from reservations.services.execution import execute_task, retry_task
from reservations.services.review import resolve_review
from reservations.services.termination import acknowledge_notice, terminate_task
from reservations.services.writes import Writer

DECIDE: Final = "reservations.decide_task"
TAKE_OVER: Final = "reservations.take_over_task"

Body = Callable[[Answers, Mapping[str, Any]], JsonValue]
Service = Callable[[Writer, UUID, JsonValue], object]


@dataclass(frozen=True, slots=True)
class Act:
    """
    name         of the act; its address ends in it
    body         from the answers and the other inputs of the form to the body of the service
    done         what the person reads afterwards
    uses_fields  does the body carry what was typed into the fields? Else that stays on the page
    ends_work    is nothing to be typed any more once it is done?
    """

    name: str
    service: Service
    done: Any
    body: Body
    permission: str = DECIDE
    uses_fields: bool = False
    ends_work: bool = False

    @property
    def path(self) -> str:
        return self.name.replace("_", "-")


def _nothing(answers: Answers, form: Mapping[str, Any]) -> JsonValue:
    return {}


def _why(answers: Answers, form: Mapping[str, Any]) -> JsonValue:
    return {"reason": form.get("termination_reason", "")}


def draft_of(answers: Answers, form: Mapping[str, Any]) -> JsonValue:
    return draft_body(answers)


def confirmation_of(answers: Answers, form: Mapping[str, Any]) -> JsonValue:
    return confirmation_body(answers, form.get("reason", ""))


def _resolution(answers: Answers, form: Mapping[str, Any]) -> JsonValue:
    return resolution_body(answers, form.get("confirmed_order_id", ""), form.get("reason", ""))


def _bodiless(service: Callable[..., object]) -> Service:
    return lambda writer, key, body: service(writer=writer, task_id=key)


def _with_body(service: Callable[..., object]) -> Service:
    return lambda writer, key, body: service(writer=writer, task_id=key, body=body)


_ACTS: Final[Sequence[Act]] = (
    Act("draft", _with_body(save_draft), _("The draft is saved."), draft_of, uses_fields=True),
    Act(
        "confirm",
        _with_body(confirm_task),
        _("The card is confirmed and ready. Its two operations are written and wait to be executed."),
        confirmation_of,
        uses_fields=True,
        ends_work=True,
    ),
    Act(
        "resolve",
        _with_body(resolve_review),
        _("The review is resolved and the card is ready. Its two operations are written and wait to be executed."),
        _resolution,
        uses_fields=True,
        ends_work=True,
    ),
    Act("terminate", _with_body(terminate_task), _("The card is terminated."), _why, ends_work=True),
    Act("claim", _with_body(claim_task), _("You hold this card now."), _nothing),
    Act("release", _with_body(release_task), _("Nobody holds this card now."), _nothing),
    Act("take_over", _with_body(take_over_task), _("You hold this card now."), _nothing, permission=TAKE_OVER),
    Act("execute", _bodiless(execute_task), _("The operations are on their way."), _nothing, ends_work=True),
    Act("retry", _bodiless(retry_task), _("The operations are on their way again."), _nothing, ends_work=True),
    Act("acknowledge", _bodiless(acknowledge_notice), _("The notice is marked as seen."), _nothing, ends_work=True),
)
ACTS: Final[Mapping[str, Act]] = {act.name: act for act in _ACTS}
