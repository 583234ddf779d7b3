"""One task with everything that explains it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from config import jsontext
from config.jsontext import JsonValue
from reservations.domain.mail import text_of_html
from reservations.models import (
    SourceMessage,
    Submission,
    SubmissionOutcome,
    Task,
    TaskStatusChoice,
)
from reservations.selectors.columns import Row
from reservations.selectors.desk.faces import Face, face, field_label
from reservations.selectors.desk.mails import CARD_COLUMNS
from reservations.selectors.relations import Sibling, links_of, unfinished_children
from reservations.selectors.submissions import Batch, find_batch
from reservations.selectors.tasks import OBJECT_TYPE, list_history

HISTORY_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the mail; `pointers` names the quotes that it answers, none for plain text."""

    text: str
    pointers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One readable part of the mail (`text` or `html`), cut into plain and quoted stretches."""

    name: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """One value of the event: its dotted path, the label the card gives it, the value as sent."""

    path: str
    label: str | None
    value: JsonValue


@dataclass(frozen=True, slots=True)
class Relation:
    """One relationship and the cards it leads to; indexes without a card are named."""

    relationship_type: str
    role: str | None
    cards: tuple[Task, ...]
    without_card: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """What a notice says; a notification of another shape than an object has one member without a name."""

    assessment: JsonValue
    notification: Sequence[tuple[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class Explained:
    """What a card page shows beside the task itself."""

    face: Face | None
    notice: Notice | None
    values: Sequence[Value]
    review: Sequence[tuple[str, JsonValue, Sequence[Value]]]
    parts: Sequence[Part]
    relations: Sequence[Relation]
    unfinished_children: Sequence[int]
    batch: Batch
    newer: Submission | None
    history: Sequence[Row]


REVIEW_FIELDS = (
    "review_type",
    "reason_code",
    "reason_summary",
    "missing_fields",
    "uncertain_fields",
    "evidence",
    "context_used",
    "suggested_actions",
    "confidence",
)
POINTER_FIELDS = ("missing_fields", "uncertain_fields")


def explained(task: Task) -> Explained:
    """Everything beside the task, with four statements. The task comes with its mail and submission joined."""
    shown = face(task.route_code)
    payload = _object(task.ai_payload_json)
    relations, unfinished = _relations(task)
    return Explained(
        face=shown,
        notice=(
            notice_of(payload.get("agent_assessment"), payload.get("notification"))
            if task.task_status == TaskStatusChoice.NOTICE
            else None
        ),
        values=[
            Value(path, field_label(shown, path), value)
            for path, value in flattened(payload.get("extracted_fields"), "extracted_fields")
        ],
        review=review_rows(task.manual_review, shown),
        parts=highlighted(task.source_message, task.evidence),
        relations=relations,
        unfinished_children=unfinished,
        batch=find_batch(submission_id=task.submission_id, source_message_id=task.source_message_id),
        newer=_newer(task),
        history=list_history(object_type=OBJECT_TYPE, object_id=str(task.pk))[-HISTORY_SHOWN:],
    )


def notice_of(assessment: JsonValue, notification: JsonValue) -> Notice:
    if isinstance(notification, dict):
        return Notice(assessment, list(notification.items()))
    return Notice(assessment, [] if notification is None else [("", notification)])


def flattened(value: JsonValue, path: str) -> list[tuple[str, JsonValue]]:
    """The leaves of a document as (dotted path, value), in its order. An absent document has none."""
    if isinstance(value, dict) and value:
        return [leaf for key, inner in value.items() for leaf in flattened(inner, f"{path}.{key}")]
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        return [leaf for place, inner in enumerate(value) for leaf in flattened(inner, f"{path}.{place}")]
    return [] if value in (None, {}) and "." not in path else [(path, value)]


def highlighted(message: SourceMessage, evidence: Iterable[Any]) -> list[Part]:
    """The readable parts of the mail with the quotes that were found in them (R-43)."""
    marks = [mark for mark in evidence if isinstance(mark, dict) and mark.get("found")]
    parts = []
    for name, text in (("text", message.body_text), ("html", _html_text(message, marks))):
        spans = [(mark["start"], mark["end"], mark["pointer"]) for mark in marks if mark.get("part") == name]
        if text:
            parts.append(Part(name, cut(text, spans)))
    return parts


def cut(text: str, spans: Iterable[tuple[int, int, str]]) -> tuple[Piece, ...]:
    """The text in pieces at the edges of the spans (start, end, pointer), which may overlap. Joined it is the text."""
    inside = [(max(start, 0), min(end, len(text)), pointer) for start, end, pointer in spans]
    inside = [span for span in inside if span[0] < span[1]]
    edges = sorted({0, len(text), *(edge for start, end, _pointer in inside for edge in (start, end))})
    return tuple(
        Piece(
            text[start:end],
            tuple(pointer for first, last, pointer in inside if first <= start and end <= last),
        )
        for start, end in itertools.pairwise(edges)
    )


def _html_text(message: SourceMessage, marks: Sequence[dict[str, Any]]) -> str:
    needed = not message.body_text or any(mark.get("part") == "html" for mark in marks)
    return text_of_html(message.body_html) if needed and message.body_html else ""


def _object(text: str) -> dict[str, Any]:
    """The event as sent; a notice of the text form, or a purged payload, is none."""
    value = jsontext.read(text.encode()) if text.startswith("{") else None
    return value if isinstance(value, dict) else {}


def review_rows(review: JsonValue, shown: Face | None) -> list[tuple[str, JsonValue, list[Value]]]:
    """The nine fields in order, then whatever else was sent. Pointers come with the label of the field they mean."""
    if not isinstance(review, dict):
        return []
    names = [*REVIEW_FIELDS, *(name for name in review if name not in REVIEW_FIELDS)]
    return [(name, review.get(name), _pointed(name, review.get(name), shown)) for name in names]


def _pointed(name: str, value: JsonValue, shown: Face | None) -> list[Value]:
    if name not in POINTER_FIELDS or not isinstance(value, list):
        return []
    return [Value(str(pointer), field_label(shown, str(pointer)), None) for pointer in value]


def _relations(task: Task) -> tuple[list[Relation], list[int]]:
    """The links of the card in both directions (R-22), and the children of a split that are not done."""
    rows = list(
        Task.objects.filter(source_message_id=task.source_message_id, source_event_index__gt=0)
        .defer(*CARD_COLUMNS)
        .order_by("source_event_index")
    )
    cards = {row.pk: row for row in rows}
    links = links_of(card=_sibling(task), siblings=[_sibling(row) for row in rows if row.pk != task.pk])
    relations = [
        Relation(
            relationship_type=link.relationship_type,
            role=link.role,
            cards=tuple(cards[other.task_id] for other in link.cards),
            without_card=tuple(set(link.source_event_indexes) - {other.source_event_index for other in link.cards}),
        )
        for link in links
    ]
    return relations, unfinished_children(links)


def _sibling(task: Task) -> Sibling:
    return Sibling(task.pk, task.source_event_index, task.task_status, jsontext.write(task.relationships))


def _newer(task: Task) -> Submission | None:
    """The latest package that says something else of the same mail and was only kept (R-52)."""
    kept = Submission.objects.filter(source_message_id=task.source_message_id, outcome=SubmissionOutcome.CONFLICT)
    return kept.only("id", "created_at").order_by("-created_at", "-id").first()
