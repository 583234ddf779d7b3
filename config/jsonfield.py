"""A column of exact JSON (config.jsontext): numbers come back as they were sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

from config import jsontext

if TYPE_CHECKING:
    _Text = models.Field[Any, Any]
else:
    _Text = models.TextField

STORED_DEPTH = jsontext.MAX_DEPTH + 8  # what is stored holds what was received, a few levels down


class ExactJSONField(_Text):
    """JSON kept as text, read and written by config.jsontext; None is NULL. A text that a purge has emptied reads as None."""

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return None if not value else jsontext.read(value.encode(), max_depth=STORED_DEPTH)

    def to_python(self, value: Any) -> Any:
        return jsontext.read(value.encode()) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else jsontext.write(value)

    def value_to_string(self, obj: models.Model) -> str:
        return self.get_prep_value(self.value_from_object(obj)) or "null"
