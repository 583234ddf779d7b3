"""Pages on which people do something: each act has an address of its own, to be posted to, never done by reading it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, cast
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _now

from config import jsontext
from config.accounts.models import User
from config.audit.models import Door
from config.backoffice.base import access_of
from config.backoffice.marks import page_of
from config.errors import DomainError, Missing
from reservations.admin.base import DeskAdmin
from reservations.admin.tasks.acts import Act
from reservations.admin.tasks.filling import Attempt, answers_of, labels_of
from reservations.admin.tasks.forms import read_form
from reservations.domain.fieldcontract import CardState
from reservations.services.writes import Writer

INPUTS = ("reason", "termination_reason", "confirmed_order_id")


class ActingAdmin(DeskAdmin):
    """A subclass says its `acts`, which row they are done to (`subject_of`), and the fields of that (`state_of`)."""

    acts: ClassVar[Mapping[str, Act]] = {}

    def subject_of(self, row: Any) -> Any:
        """The row that is written to, by its key. Raises Http404 where there is none."""
        return row

    def state_of(self, subject: Any) -> CardState | None:
        return None

    def detail(self, request: HttpRequest, row: Any, attempt: Attempt | None = None) -> dict[str, Any]:
        raise NotImplementedError

    def extra_urls(self, name: str) -> list[URLPattern]:
        return [
            path(f"<uuid:row_id>/{act.path}/", self._door(partial(self.act_view, act=act)), name=f"{name}_{act.name}")
            for act in self.acts.values()
        ]

    def addresses_of(self, row: Any) -> dict[str, str]:
        name = f"admin:{self.opts.app_label}_{self.opts.model_name}"
        return {act: reverse(f"{name}_{act}", args=[row.pk]) for act in self.acts}

    def act_view(self, request: HttpRequest, row_id: UUID, act: Act) -> HttpResponse:
        """Do it and go back to the page; refused, show the page again with the reason and all that was typed.

        Read instead of posted to, as after a refusal or a login, the address leads to the page; nothing is done.
        raises  PermissionDenied, Http404 (none in the person's hotels)
        """
        if request.method not in ("POST", "GET", "HEAD"):
            return HttpResponseNotAllowed(["POST"])
        row = self.row(request, str(row_id))
        if request.method != "POST":
            return HttpResponseRedirect(page_of(row))
        if not access_of(request).allows(act.permission):
            raise PermissionDenied
        attempt = self._attempted(request, self.subject_of(row), act)
        if attempt is None:
            return HttpResponseRedirect(page_of(row))
        fresh = self.row(request, str(row_id))
        return self.detail_page(request, fresh, self.detail(request, fresh, attempt), status=attempt.status)

    def _attempted(self, request: HttpRequest, subject: Any, act: Act) -> Attempt | None:
        """None once it is done and nothing that was typed is left over."""
        form = {name: request.POST.get(name, "") for name in INPUTS}
        typed = read_form(dict(request.POST.lists()))
        state = self.state_of(subject) if act.uses_fields else None
        answers = answers_of(state, typed)
        body = act.body(answers, form)
        try:
            act.service(_writer(request), subject.pk, jsontext.read(jsontext.write(body).encode()))
        except Missing as refusal:
            raise Http404 from refusal
        except DomainError as refusal:
            return Attempt(act, form, typed, body, refusal)
        messages.success(request, act.done)
        if answers.left_out:
            names = ", ".join(labels_of(state, answers.left_out))
            messages.warning(request, _now("Left out, as the card has no such field with these values: %s.") % names)
        if not (act.uses_fields or act.ends_work) and any(entry.touched for entry in typed.values()):
            return Attempt(act, form, typed, body, None)
        return None


def _writer(request: HttpRequest) -> Writer:
    """Whoever is logged in, on the hotels of this person, having seen the version that the page showed (R-45)."""
    version = request.POST.get("version", "")
    seen = int(version) if version.isascii() and version.isdigit() and len(version) < 10 else 0
    person = cast(User, request.user)
    return Writer(person, Door.ADMIN, access_of(request).tenant_ids("hotel"), frozenset({seen}))
