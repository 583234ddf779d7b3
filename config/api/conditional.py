"""Conditional requests (R-45): entity tags, `If-Match` on writes, `If-None-Match` on reads.

A tag is `"<version>.<digest of the answer>"`. `If-Match` asks about the version alone, since one row is served in several
bodies; `If-None-Match` asks about the whole, since an answer may change while the version stands still.

    @extend_schema(parameters=CONDITIONAL_READ, responses=conditional_answers(Shape, 404))     detail_response(...)
    @extend_schema(parameters=CONDITIONAL_WRITE, responses=answers(Shape, 404, 409, 412))      written_response(...)
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from config.api.schema import errors
from config.render import json_bytes, raw_json

DIGEST_BYTES = 8  # of one row's answers: enough to tell them apart, nothing to protect
CACHE_CONTROL = "private, no-cache"  # of one caller, who may keep it and asks every time whether it still holds
_ELEMENT = re.compile(r'[ \t]*(?:(?:W/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|\Z)')
_VERSIONED = re.compile(r"([0-9]{1,18})(?:\..*)?")

CONDITIONAL_READ = [
    OpenApiParameter(
        "If-None-Match",
        str,
        OpenApiParameter.HEADER,
        description="Tags of answers the caller has. Where one still holds the answer is 304, without a body.",
    ),
    OpenApiParameter(
        "ETag", str, OpenApiParameter.HEADER, response=[200, 304], description='`"<version>.<digest of the answer>"`'
    ),
]
CONDITIONAL_WRITE = [
    OpenApiParameter(
        "If-Match",
        str,
        OpenApiParameter.HEADER,
        description=(
            "Tags of what the caller has seen; their versions are compared. Where none is the present one the answer is "
            "412 `PRECONDITION_FAILED`, and nothing is done. Without it the write is checked against the state only."
        ),
    ),
    OpenApiParameter(
        "ETag",
        str,
        OpenApiParameter.HEADER,
        response=[200, 201],
        description="The tag of what the write has left.",
    ),
]


def etag(version: int, body: bytes) -> str:
    """The entity tag of an answer, with its quotes."""
    return f'"{version}.{hashlib.blake2b(body, digest_size=DIGEST_BYTES).hexdigest()}"'


def seen_versions(request: Request) -> frozenset[int] | None:
    """The versions the caller has seen, by `If-Match`; None where any will do (no header, or `*`).

    A header that cannot be read, or names no version, matches nothing: the caller asked for a check. Weak tags count
    too: proxies that compress an answer weaken its tag.
    """
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    found = (_VERSIONED.fullmatch(tag) for tag in _tags(header) or ())
    return frozenset(int(match[1]) for match in found if match)


def not_modified(request: Request, tag: str) -> bool:
    """True where `If-None-Match` names this tag, strong or weak, or is `*`. What cannot be read names nothing."""
    header = request.headers.get("If-None-Match")
    if header is None:
        return False
    return header.strip() == "*" or tag[1:-1] in (_tags(header) or ())


def detail_response(request: Request, version: int, data: Any) -> Response:
    """The answer of a detail, rendered once; 304 without a body where the caller has it already."""
    body = json_bytes(data)
    headers = {"ETag": etag(version, body), "Cache-Control": CACHE_CONTROL}
    if not_modified(request, headers["ETag"]):
        return Response(status=304, headers=headers)
    return Response(raw_json(body), headers=headers)


def written_response(version: int, data: Any, status: int = 200) -> Response:
    """The answer of a write, with the tag of what it left; the detail has the same tag where it shows the same."""
    body = json_bytes(data)
    return Response(raw_json(body), status=status, headers={"ETag": etag(version, body)})


def conditional_answers(shape: Any, *refusals: int) -> dict[Any, Any]:
    """As `answers`, and 304."""
    unchanged = OpenApiResponse(description="The caller has the present answer.")
    return {(200, "application/json"): shape, 304: unchanged} | errors(*refusals)


def _tags(header: str) -> tuple[str, ...] | None:
    """What stands between the quotes of a list of tags (RFC 9110, 8.8.3); None where it is no such list."""
    tags: list[str] = []
    position = 0
    while position < len(header):
        element = _ELEMENT.match(header, position)
        if element is None:
            return None
        if element[1] is not None:
            tags.append(element[1])
        position = element.end()
    return tuple(tags)
