"""One V4 notification as its page shows it (R-11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from config.jsontext import JsonValue
from reservations.models import SourceNotification
from reservations.selectors.columns import Row
from reservations.selectors.desk.faces import Face, face
from reservations.selectors.desk.tasks import (
    HISTORY_SHOWN,
    Notice,
    Part,
    Value,
    highlighted,
    notice_of,
    review_rows,
)
from reservations.selectors.tasks import list_history


@dataclass(frozen=True, slots=True)
class Explained:
    """What a notification page shows beside the notification itself."""

    face: Face | None
    notice: Notice
    review: Sequence[tuple[str, JsonValue, Sequence[Value]]]
    parts: Sequence[Part]
    history: Sequence[Row]


def explained(row: SourceNotification) -> Explained:
    """One statement. The notification comes with its mail joined."""
    shown = face(row.route_code)
    return Explained(
        face=shown,
        notice=notice_of(row.agent_assessment, row.notification),
        review=review_rows(row.manual_review, shown),
        parts=highlighted(row.source_message, []),
        history=list_history(object_type="source_notification", object_id=str(row.pk))[-HISTORY_SHOWN:],
    )
