"""The form of a card: its fields as controls, with what was typed when a write leads back to the page. Of tasks and of
Basic Information alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from config.api.problems import status_of
from config.errors import DomainError, Fault, FieldInvalid, JsonInvalid, PreconditionFailed
from config.jsontext import JsonValue
from reservations.admin.tasks.acts import Act
from reservations.admin.tasks.controls import Beside, Control, control, groups, in_words
from reservations.admin.tasks.faults import sorted_by_place
from reservations.admin.tasks.forms import Answers, Typed, read_answers
from reservations.domain.errors import (
    TaskFieldPathInvalid,
    TaskFieldsIncomplete,
    TaskFieldValueInvalid,
    TaskReviewFieldsIncomplete,
    TaskReviewOrderInvalid,
    TaskReviewPointerInvalid,
)
from reservations.domain.fieldcontract import CardState, ServedField
from reservations.models import Order
from reservations.selectors.desk import cards

NO_ANSWERS = Answers({}, ())
MARKED = _("Something does not fit yet. Nothing was done; the places are marked.")
SENTENCES: Mapping[type[DomainError], Any] = {
    PreconditionFailed: _(
        "The card was changed in the meantime, and nothing was done. What you typed is still here, next to what the "
        "card holds now. Look at it, then send it again."
    ),
    FieldInvalid: MARKED,
    JsonInvalid: _("A text holds a character that cannot be kept. Nothing was done."),
    TaskFieldPathInvalid: MARKED,
    TaskFieldValueInvalid: MARKED,
    TaskFieldsIncomplete: _("Something is still missing. Nothing was done; the fields are marked."),
    TaskReviewFieldsIncomplete: _("The review still lacks a value. Nothing was done; the fields are marked."),
    TaskReviewPointerInvalid: MARKED,
    TaskReviewOrderInvalid: _("The card cannot have this order. Nothing was done; the place is marked."),
}
STEPS = frozenset({"draft", "confirm", "resolve", "execute", "retry", "acknowledge"})


@dataclass(frozen=True, slots=True)
class Attempt:
    """A write that leads back to the page. refusal: None when it was done, and something typed is still to be saved."""

    act: Act
    form: Mapping[str, str]
    typed: Mapping[str, Typed]
    body: JsonValue
    refusal: DomainError | None

    @property
    def status(self) -> int:
        return 200 if self.refusal is None else status_of(self.refusal)

    @property
    def sentence(self) -> str:
        """In the words of the page: the sentences of the API speak to programs."""
        if self.refusal is None:
            return ""
        return str(SENTENCES.get(type(self.refusal), self.refusal.detail))


@dataclass(slots=True, kw_only=True)
class Form:
    """
    may         names of the acts offered
    addresses   where each act is posted to
    controls    one for each field, in order
    leftovers   (label, text) typed into fields that are not on the page any more
    orders      (order, is it chosen?), the own one first; () where none is to be chosen
    faults      those without a place on the page
    placed      the others, by main path or name of the input
    picks_order must a person pick one of the orders, or a new one, with none picked beforehand?
    new_order   did the person pick a new one?
    varies      may a field appear once another one has a value?
    """

    varies: ClassVar[bool] = False

    attempt: Attempt | None
    may: frozenset[str]
    addresses: Mapping[str, str]
    controls: Sequence[Control] = ()
    leftovers: Sequence[tuple[str, str]] = ()
    orders: Sequence[tuple[Order, bool]] = ()
    faults: Sequence[Fault] = ()
    placed: Mapping[str, Sequence[Fault]] = field(default_factory=dict)
    picks_order: bool = False
    new_order: bool = False

    @property
    def writable(self) -> bool:
        return "draft" in self.may

    @property
    def steps(self) -> frozenset[str]:
        """What the bar below the card offers."""
        return self.may & STEPS

    def typed_into(self, name: str) -> str:
        """What stood in this input when the page was sent."""
        return self.attempt.form.get(name, "") if self.attempt is not None else ""


def answers_of(state: CardState | None, typed: Mapping[str, Typed]) -> Answers:
    """What was typed, as answers to the fields the card then has."""
    if state is None:
        return NO_ANSWERS
    return read_answers(typed, cards.served(state), lambda values: cards.served_with(state, values))


def labels_of(state: CardState | None, paths: Sequence[str]) -> list[str]:
    """How the fields are called; those that the card does not have by their path."""
    fields = cards.served(state) if state is not None and paths else {}
    return [in_words(fields[path].row.label) if path in fields else path for path in paths]


def fill(form: Form, state: CardState) -> Mapping[str, JsonValue]:
    """Give the form its controls, leftovers and faults; the values that its fields then hold, by main path."""
    present = cards.served(state)
    typed = form.attempt.typed if form.attempt is not None else {}
    answers = answers_of(state, typed) if typed and form.writable else NO_ANSWERS
    values = {path: answer.value for path, answer in answers.given.items()}
    fields = cards.served_with(state, values) if values else present
    lost = {path: present[path] for path in answers.left_out if path in present and form.writable}
    shown = {**fields, **lost}
    if form.attempt is not None and form.attempt.refusal is not None:
        form.placed, form.faults = sorted_by_place(form.attempt.refusal.errors, form.attempt.body, shown)
    one_of = groups(shown.values())
    form.controls = [
        control(row, _beside(row, path, present, form, one_of, lost=path in lost)) for path, row in shown.items()
    ]
    form.leftovers = _leftovers(form, typed, present)
    return {path: row.value for path, row in fields.items()}


def _beside(
    row: ServedField, path: str, present: cards.Fields, form: Form, one_of: Mapping[str, str], *, lost: bool
) -> Beside:
    return Beside(
        present=present[path].value if path in present else row.ai_value,
        typed=form.attempt.typed.get(path) if form.attempt is not None else None,
        faults=form.placed.get(path, ()),
        one_of=one_of.get(row.row.required_group or "", ""),
        writable=form.writable,
        lost=lost,
    )


def _leftovers(form: Form, typed: Mapping[str, Typed], present: cards.Fields) -> list[tuple[str, str]]:
    inputs = {item.path for item in form.controls if item.editable}
    return [
        (in_words(present[path].row.label) if path in present else path, "\n".join(entry.texts))
        for path, entry in typed.items()
        if entry.touched and path not in inputs and any(entry.texts)
    ]
