"""Reading request bodies: bounded in size, strict in form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser

from config import jsontext
from config.errors import PayloadTooLarge


@dataclass(frozen=True, slots=True)
class RawBody:
    """A body as received."""

    content: bytes
    media_type: str


class StrictJSONParser(BaseParser):
    """application/json by config.jsontext: numbers stay exact, duplicate keys are refused."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        return jsontext.read(bounded(stream, parser_context))


class RawJSONParser(BaseParser):
    """The bytes themselves: the service reads, hashes and stores what was received."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        return RawBody(bounded(stream, parser_context), media_type or self.media_type)


class RawTextParser(RawJSONParser):
    media_type = "text/plain"


class JSONOnly(BaseContentNegotiation):
    """Answers are JSON, whatever is accepted: a client that cannot read it can still read the status."""

    def select_parser(self, request: Any, parsers: Any) -> Any:
        offered = (request.content_type or "").partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == offered), None)

    def select_renderer(self, request: Any, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type


def bounded(stream: Any, parser_context: Mapping[str, Any] | None) -> bytes:
    """All of a body, or PayloadTooLarge; the limit is the view's `max_body_bytes`, else MAX_BODY_BYTES."""
    view = (parser_context or {}).get("view")
    limit: int = getattr(view, "max_body_bytes", None) or settings.MAX_BODY_BYTES
    too_large = PayloadTooLarge(f"The body is larger than {limit} bytes.")
    if _announced(parser_context) > limit:
        raise too_large
    content: bytes = stream.read(limit + 1)
    if len(content) > limit:
        raise too_large
    return content


def _announced(parser_context: Mapping[str, Any] | None) -> int:
    """Content-Length as the client states it: what is too large by its own word need not be read."""
    request = (parser_context or {}).get("request")
    stated = str(request.META.get("CONTENT_LENGTH") or "") if request is not None else ""
    return int(stated) if stated.isdecimal() else 0
