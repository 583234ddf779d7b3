"""JSON out, by orjson."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from rest_framework.renderers import BaseRenderer
from rest_framework.utils.encoders import JSONEncoder

_FALLBACK = JSONEncoder()


def raw_json(text: str | bytes) -> orjson.Fragment:
    """JSON text as it stands, to be put into an answer without being read again."""
    return orjson.Fragment(text)


def json_bytes(data: Any) -> bytes:
    """One JSON document. Times are UTC with Z."""
    return orjson.dumps(data, default=_FALLBACK.default, option=orjson.OPT_NON_STR_KEYS | orjson.OPT_UTC_Z)


class ORJSONRenderer(BaseRenderer):
    media_type = "application/json"
    format = "json"
    charset = None
    render_style = "text"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        return b"" if data is None else json_bytes(data)
