"""Keyset paging: a page costs the same at ten thousand and at a million rows, and no row is lost or repeated.

A view names its order by `keyset = "created_at"`; the id breaks ties. `IdPage` is for rows whose id is their order.
Answers are `{next, previous, results}`.
"""

from __future__ import annotations

import base64
import binascii
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import orjson
from django.db.models import Q, QuerySet
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response

from config.errors import Fault, FilterInvalid

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 200
MAX_ID = 2**63 - 1
MAX_SECOND = 40
PARAMETERS = ("cursor", "page_size")


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place between two rows: everything after (or before) the row with this key and id."""

    backwards: bool
    key: datetime
    row_id: str

    def encode(self) -> str:
        text = orjson.dumps([int(self.backwards), self.key.isoformat(), self.row_id])
        return base64.urlsafe_b64encode(text).decode().rstrip("=")


def decode_cursor(text: str) -> Cursor:
    """Raises FilterInvalid for anything this service has not made."""
    try:
        backwards, key, row_id = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        moment = datetime.fromisoformat(key)
        if moment.tzinfo is None:
            raise ValueError("a moment without its zone")
        return Cursor(bool(backwards), moment.astimezone(UTC), str(uuid.UUID(row_id)))
    except (ValueError, TypeError, AttributeError, OverflowError, binascii.Error):
        raise _no_cursor() from None


@dataclass(frozen=True, slots=True)
class IdCursor:
    """A place after (or before) the row with this whole-number id."""

    backwards: bool
    row_id: int

    def encode(self) -> str:
        return base64.urlsafe_b64encode(orjson.dumps([int(self.backwards), self.row_id])).decode().rstrip("=")


def decode_id_cursor(text: str) -> IdCursor:
    """Raises FilterInvalid for anything this service has not made."""
    try:
        backwards, row_id = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if type(row_id) is not int or abs(row_id) > MAX_ID:
            raise ValueError("no id")
        return IdCursor(bool(backwards), row_id)
    except (ValueError, TypeError, binascii.Error):
        raise _no_cursor() from None


def _no_cursor() -> FilterInvalid:
    return FilterInvalid(errors=[Fault("cursor", "FILTER_INVALID", "No cursor of this list. Start without one.")])


@dataclass(frozen=True, slots=True)
class TiedCursor:
    """A place after (or before) the row with this key, this second key among rows of one moment, and this id."""

    backwards: bool
    key: datetime
    second: str | int
    row_id: str

    def encode(self) -> str:
        text = orjson.dumps([int(self.backwards), self.key.isoformat(), self.second, self.row_id])
        return base64.urlsafe_b64encode(text).decode().rstrip("=")


def decode_tied_cursor(text: str, kind: type[str] | type[int]) -> TiedCursor:
    """A cursor whose second key is of this kind, text or whole number.

    raises  FilterInvalid for anything this service has not made
    """
    try:
        backwards, key, second, row_id = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        moment = datetime.fromisoformat(key)
        if moment.tzinfo is None or type(second) is not kind or len(str(second)) > MAX_SECOND:
            raise ValueError("a moment without its zone, or no second key")
        return TiedCursor(bool(backwards), moment.astimezone(UTC), kind(second), str(uuid.UUID(row_id)))
    except (ValueError, TypeError, AttributeError, OverflowError, binascii.Error):
        raise _no_cursor() from None


class KeysetPage(BasePagination):
    """Pages of rows that are dicts (`.values()`) or model instances."""

    cursor: Cursor | IdCursor | TiedCursor | None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        self.request = request
        self.key = getattr(view, "keyset", "created_at")
        self.size = _page_size(request.query_params.get("page_size"))
        text = request.query_params.get("cursor")
        self.cursor = self._decoded(text) if text is not None else None
        rows = list(self._slice(queryset))
        self.more = len(rows) > self.size
        self.rows = rows[: self.size]
        if self.cursor and self.cursor.backwards:
            self.rows.reverse()
        return self.rows

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"next": self._link(forwards=True), "previous": self._link(forwards=False), "results": data})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        link = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {"next": link, "previous": link, "results": schema},
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        size = {"type": "integer", "minimum": 1, "maximum": MAX_PAGE_SIZE, "default": DEFAULT_PAGE_SIZE}
        return [
            {
                "name": "cursor",
                "in": "query",
                "required": False,
                "description": "A place in the list, as `next` and `previous` give it.",
                "schema": {"type": "string", "format": "cursor"},
            },
            {"name": "page_size", "in": "query", "required": False, "schema": size, "description": "Rows on a page."},
        ]

    def _decoded(self, text: str) -> Cursor | IdCursor | TiedCursor:
        return decode_cursor(text)

    def _cursor_at(self, row: Any, *, backwards: bool) -> Cursor | IdCursor | TiedCursor:
        return Cursor(backwards, _member(row, self.key), str(_member(row, "id")))

    def _slice(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        backwards = self.cursor is not None and self.cursor.backwards
        if isinstance(self.cursor, Cursor):
            queryset = queryset.filter(_beyond(self.key, self.cursor))
        order = (f"-{self.key}", "-id") if backwards else (self.key, "id")
        return queryset.order_by(*order)[: self.size + 1]

    def _link(self, *, forwards: bool) -> str | None:
        backwards = self.cursor is not None and self.cursor.backwards
        there_is_more = self.more if forwards != backwards else self.cursor is not None
        if not there_is_more or not self.rows:
            return None
        row = self.rows[-1 if forwards else 0]
        cursor = self._cursor_at(row, backwards=not forwards)
        others = [
            (name, value) for name, values in self.request.query_params.lists() for value in values if name != "cursor"
        ]
        return self.request.build_absolute_uri(
            f"{self.request.path}?{urlencode([*others, ('cursor', cursor.encode())])}"
        )


class IdPage(KeysetPage):
    """Pages of rows in the order of their ids, which are whole numbers."""

    def _decoded(self, text: str) -> IdCursor:
        return decode_id_cursor(text)

    def _cursor_at(self, row: Any, *, backwards: bool) -> IdCursor:
        return IdCursor(backwards, _member(row, "id"))

    def _slice(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        backwards = self.cursor is not None and self.cursor.backwards
        if isinstance(self.cursor, IdCursor):
            queryset = queryset.filter(**{f"id__{'lt' if backwards else 'gt'}": self.cursor.row_id})
        return queryset.order_by("-id" if backwards else "id")[: self.size + 1]


class TiedPage(KeysetPage):
    """Pages in the order of a moment, of a second key that never changes either (`second` of the view), and of the id."""

    second_kind: type[str] | type[int] = int

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        self.second = getattr(view, "second", "kind")
        return super().paginate_queryset(queryset, request, view)

    def _decoded(self, text: str) -> TiedCursor:
        return decode_tied_cursor(text, self.second_kind)

    def _cursor_at(self, row: Any, *, backwards: bool) -> TiedCursor:
        return TiedCursor(backwards, _member(row, self.key), _member(row, self.second), str(_member(row, "id")))

    def _slice(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        backwards = self.cursor is not None and self.cursor.backwards
        if isinstance(self.cursor, TiedCursor):
            queryset = queryset.filter(_beyond_tie(self.key, self.second, self.cursor))
        order = [f"-{name}" if backwards else name for name in (self.key, self.second, "id")]
        return queryset.order_by(*order)[: self.size + 1]


def _beyond_tie(key: str, second: str, cursor: TiedCursor) -> Q:
    side, step = ("lte", "lt") if cursor.backwards else ("gte", "gt")
    in_tie = Q((f"{second}__{step}", cursor.second)) | Q((second, cursor.second), (f"id__{step}", cursor.row_id))
    return Q((f"{key}__{side}", cursor.key)) & (Q((f"{key}__{step}", cursor.key)) | in_tie)


def _beyond(key: str, cursor: Cursor) -> Q:
    # The outer bound lets the index find the place; the inner condition drops the rows with the same key.
    side, step = ("lte", "lt") if cursor.backwards else ("gte", "gt")
    return Q((f"{key}__{side}", cursor.key)) & (Q((f"{key}__{step}", cursor.key)) | Q((f"id__{step}", cursor.row_id)))


def _page_size(text: str | None) -> int:
    if text is None:
        return DEFAULT_PAGE_SIZE
    if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= MAX_PAGE_SIZE:
        return int(text)
    raise FilterInvalid(errors=[Fault("page_size", "FILTER_INVALID", f"A whole number from 1 to {MAX_PAGE_SIZE}.")])


def _member(row: Any, name: str) -> Any:
    return row[name] if isinstance(row, dict) else getattr(row, name)


def whole_list(rows: Sequence[Any]) -> dict[str, Any]:
    """The list shape for a list that is short by nature and has one page."""
    return {"next": None, "previous": None, "results": list(rows)}
