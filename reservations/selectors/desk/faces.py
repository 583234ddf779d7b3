"""How routes, cards and contract errors are called on a page (R-12, R-18, R-19, R-21)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from reservations.data import catalog, matrix
from reservations.domain.catalog import FALLBACK, LEGACY_NOTICE_CODES, NOTIFICATION, UNHANDLED_INTENT, Route
from reservations.domain.contract.codes import SENTENCES
from reservations.domain.faults import FaultCode


@dataclass(frozen=True, slots=True)
class Face:
    """What people see of a route code.

    code        the active code it is shown under: S10 for S000, the Cancel Allotment route for a retired pair
    title       of the card, in English and in Chinese
    """

    code: str
    title: str
    title_zh: str
    task_type: str
    task_subtype: str
    result_type: str
    retired: bool


@dataclass(frozen=True, slots=True)
class Meaning:
    """The fixed sentences of an error code; a code that is no longer known has none."""

    code: str
    en: str
    zh: str


@cache
def face(route_code: str) -> Face | None:
    """How a stored route code is shown; None for a code that the catalogue does not know."""
    row = _row(route_code)
    if row is None:
        return None
    return Face(
        code=_shown(row).route_code,
        title=row.title_en,
        title_zh=row.title_zh,
        task_type=row.displayed_type,
        task_subtype=row.displayed_subtype,
        result_type=row.result_type,
        retired=not row.active,
    )


@cache
def shown_codes() -> tuple[Face, ...]:
    """The active routes that a task can be of, in catalogue order: what the route filter offers."""
    faces = (face(row.route_code) for row in catalog().active if row.result_type != UNHANDLED_INTENT)
    return tuple(found for found in faces if found)


@cache
def shown_types() -> tuple[str, ...]:
    """The task types a card can show; retired ones have none of their own (R-21)."""
    notice = next(row.task_type for row in catalog().active if row.result_type == NOTIFICATION)
    return (*catalog().task_types, FALLBACK, notice)


@cache
def codes_of_type(task_type: str) -> tuple[str, ...]:
    """Every stored code whose card shows this type."""
    return tuple(stored for stored in _stored_codes() if (found := face(stored)) and found.task_type == task_type)


def meaning(code: str) -> Meaning:
    sentence = SENTENCES.get(FaultCode(code)) if code in set(FaultCode) else None
    return Meaning(code, sentence.en if sentence else "", sentence.zh if sentence else "")


def field_label(face_of_card: Face | None, place: str) -> str | None:
    """The English label of a field by its pointer or dotted path in any spelling; None if the card has no such field."""
    card = matrix().card(face_of_card.task_type, face_of_card.task_subtype) if face_of_card else None
    row = (card.row_at(place) or card.row_of_path(place)) if card else None
    return row.label[0] if row else None


def _stored_codes() -> tuple[str, ...]:
    return (*(row.route_code for row in catalog().routes), *LEGACY_NOTICE_CODES)


def _row(route_code: str) -> Route | None:
    return catalog().notice(route_code) if route_code in LEGACY_NOTICE_CODES else catalog().route(route_code)


def _shown(row: Route) -> Route:
    instead = catalog().find(row.result_type, *row.display_as) if row.display_as else None
    return instead or row
