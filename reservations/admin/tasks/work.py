"""What the card page shows of the work on a card: its fields as controls, its operations, who holds it, what may be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from config.api.problems import status_of
from config.backoffice.base import Access
from config.errors import DomainError, Fault, FieldInvalid, JsonInvalid, PreconditionFailed
from config.jsontext import JsonValue
from reservations.admin.tasks.acts import ACTS, Act
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
from reservations.models import Order, Task
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


class Person(NamedTuple):
    """Who looks at the page, and when."""

    user_id: int
    access: Access
    at: datetime


@dataclass(slots=True)
class Work:
    """
    may         names of the acts offered
    controls    one for each field, in order
    leftovers   (label, text) typed into fields that are not on the page any more
    orders      (order, is it chosen?), the own one first; () where none is to be chosen
    faults      those without a place on the page
    placed      the others, by main path or name of the input
    """

    task: Task
    attempt: Attempt | None
    may: frozenset[str]
    held: bool
    mine: bool
    controls: Sequence[Control] = ()
    leftovers: Sequence[tuple[str, str]] = ()
    orders: Sequence[tuple[Order, bool]] = ()
    faults: Sequence[Fault] = ()
    placed: Mapping[str, Sequence[Fault]] = field(default_factory=dict)
    operations: Sequence[Any] = ()
    in_the_way: Task | None = None

    @property
    def writable(self) -> bool:
        return "draft" in self.may

    @property
    def steps(self) -> frozenset[str]:
        """What the bar below the card offers."""
        return self.may & STEPS


def answers_of(state: CardState | None, typed: Mapping[str, Typed]) -> Answers:
    """What was typed, as answers to the fields the card then has."""
    if state is None:
        return NO_ANSWERS
    return read_answers(typed, cards.served(state), lambda values: cards.served_with(state, values))


def labels_of(state: CardState | None, paths: Sequence[str]) -> list[str]:
    """How the fields are called; those that the card does not have by their path."""
    fields = cards.served(state) if state is not None and paths else {}
    return [in_words(fields[path].row.label) if path in fields else path for path in paths]


def work_on(task: Task, person: Person, attempt: Attempt | None = None) -> Work:
    """All of it. Statements: one for the fields, two where they name files; and for operations, orders, the queue."""
    state, held = cards.state_of(task), cards.is_held(task, person.at)
    work = Work(task, attempt, _offered(task, person, attempt, state), held, task.claimed_by_id == person.user_id)
    if state is not None:
        _fill(work, state)
    work.operations = cards.operations_of(task)
    work.in_the_way = cards.in_the_way(task)
    return work


def _offered(task: Task, person: Person, attempt: Attempt | None, state: CardState | None) -> frozenset[str]:
    """What state, holder and role allow. Whoever was refused may try the same again, with what was typed."""
    possible = set(cards.possible_actions(task, person.user_id, person.at))
    if attempt is not None and state is not None and state.open:
        possible |= {"draft"} | ({attempt.act.name} if attempt.act.uses_fields else set())
    return frozenset(name for name in possible if person.access.allows(ACTS[name].permission))


def _fill(work: Work, state: CardState) -> None:
    present = cards.served(state)
    typed = work.attempt.typed if work.attempt is not None else {}
    answers = answers_of(state, typed) if typed and work.writable else NO_ANSWERS
    values = {path: answer.value for path, answer in answers.given.items()}
    fields = cards.served_with(state, values) if values else present
    lost = {path: present[path] for path in answers.left_out if path in present and work.writable}
    shown = {**fields, **lost}
    if work.attempt is not None and work.attempt.refusal is not None:
        work.placed, work.faults = sorted_by_place(work.attempt.refusal.errors, work.attempt.body, shown)
    one_of = groups(shown.values())
    work.controls = [
        control(row, _beside(row, path, present, work, one_of, lost=path in lost)) for path, row in shown.items()
    ]
    work.leftovers = _leftovers(work, typed, present)
    if "resolve" in work.may:
        work.orders = _orders(work, {path: row.value for path, row in fields.items()})


def _beside(
    row: ServedField, path: str, present: cards.Fields, work: Work, one_of: Mapping[str, str], *, lost: bool
) -> Beside:
    return Beside(
        present=present[path].value if path in present else row.ai_value,
        typed=work.attempt.typed.get(path) if work.attempt is not None else None,
        faults=work.placed.get(path, ()),
        one_of=one_of.get(row.row.required_group or "", ""),
        writable=work.writable,
        lost=lost,
    )


def _leftovers(work: Work, typed: Mapping[str, Typed], present: cards.Fields) -> list[tuple[str, str]]:
    inputs = {item.path for item in work.controls if item.editable}
    return [
        (in_words(present[path].row.label) if path in present else path, "\n".join(entry.texts))
        for path, entry in typed.items()
        if entry.touched and path not in inputs and any(entry.texts)
    ]


def _orders(work: Work, values: Mapping[str, JsonValue]) -> list[tuple[Order, bool]]:
    offered = cards.orders_to_choose(work.task, values)
    wanted = work.attempt.form.get("confirmed_order_id") if work.attempt is not None else None
    chosen = wanted if wanted in {str(order.pk) for order in offered} else str(work.task.order_id)
    return [(order, str(order.pk) == chosen) for order in offered]
