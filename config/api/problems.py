"""Refusals as RFC 9457 problem documents: the one place where an error becomes HTTP.

Every error body has `error_code`; programs branch on it and on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions
from rest_framework.response import Response

from config.errors import (
    Conflict,
    Denied,
    DomainError,
    Fault,
    Invalid,
    Malformed,
    Missing,
    Outdated,
    TooLarge,
    Unavailable,
)
from config.render import json_bytes

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_SECONDS = "2"

STATUS: dict[type[DomainError], int] = {
    Malformed: 400,
    Denied: 403,
    Missing: 404,
    Conflict: 409,
    Outdated: 412,
    TooLarge: 413,
    Invalid: 422,
    Unavailable: 503,
}

# What the framework refuses before a service is asked: class -> (code, what to do).
FRAMEWORK_CODES: dict[type[Exception], tuple[str, str]] = {
    exceptions.NotAuthenticated: ("NOT_AUTHENTICATED", "Send a credential: Authorization: Token <key>."),
    exceptions.AuthenticationFailed: ("AUTHENTICATION_FAILED", "The credential is unknown, expired or revoked."),
    exceptions.PermissionDenied: ("PERMISSION_DENIED", "This credential may not do that. Ask for the role that may."),
    exceptions.NotFound: ("NOT_FOUND", "There is nothing here for this credential. Check the path and the id."),
    exceptions.MethodNotAllowed: ("METHOD_NOT_ALLOWED", "This path does not take that method. See the Allow header."),
    exceptions.NotAcceptable: ("NOT_ACCEPTABLE", "Answers are JSON. Accept application/json."),
    exceptions.UnsupportedMediaType: ("UNSUPPORTED_MEDIA_TYPE", "Send the body in a media type this path takes."),
    exceptions.Throttled: ("THROTTLED", "Too many calls from this credential. Wait as Retry-After says."),
    exceptions.ParseError: ("JSON_INVALID", "The body cannot be read."),
    exceptions.ValidationError: ("FIELD_INVALID", "Correct the places named in errors."),
}
DATABASE_FAULTS = (OperationalError, InterfaceError)
DATABASE_UNAVAILABLE = ("DATABASE_UNAVAILABLE", "The database does not answer at the moment. Try again shortly.")
REQUEST_REFUSED = (
    "REQUEST_REFUSED",
    "The request cannot be taken as it is. Check its host name, its parameters and its headers.",
)
INTERNAL_ERROR = ("INTERNAL_ERROR", "The service failed. The request id finds it in the log.")


def status_of(refusal: DomainError) -> int:
    """The HTTP status of a refusal, by its kind."""
    return next(status for kind, status in STATUS.items() if isinstance(refusal, kind))


def problem(
    *,
    status: int,
    code: str,
    detail: str,
    instance: str,
    detail_code: str | None = None,
    retryable: bool = False,
    errors: Iterable[Fault] = (),
) -> dict[str, Any]:
    """The body of one problem document (RFC 9457)."""
    body: dict[str, Any] = {
        "type": f"urn:countersign:error:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "error_code": code,
    }
    if detail_code is not None:
        body["detail_code"] = detail_code
    return body | {
        "detail": detail,
        "instance": instance,
        "retryable": retryable,
        "errors": [_fault(fault) for fault in errors],
        "request_id": structlog.contextvars.get_contextvars().get("request_id"),
    }


def problem_response(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's exception handler. Anything that is no refusal is our own fault and stays one (None: Django's 500)."""
    request = context["request"]
    if isinstance(exc, DomainError):
        return _response(
            request,
            status=status_of(exc),
            code=exc.code,
            detail=exc.detail,
            detail_code=exc.detail_code,
            retryable=exc.retryable,
            errors=exc.errors,
        )
    if isinstance(exc, DATABASE_FAULTS):
        code, detail = DATABASE_UNAVAILABLE
        response = _response(request, status=503, code=code, detail=detail, retryable=True)
        response["Retry-After"] = RETRY_AFTER_SECONDS
        return response
    if isinstance(exc, Http404):
        exc = exceptions.NotFound()
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    return _framework_response(exc, request) if isinstance(exc, exceptions.APIException) else None


def page_problem(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse:
    """A problem document outside DRF (an unknown path, a failure)."""
    body = problem(status=status, code=code, detail=detail, instance=request.path, retryable=status >= 500)
    return HttpResponse(json_bytes(body), status=status, content_type=MEDIA_TYPE)


def _framework_response(exc: exceptions.APIException, request: Any) -> Response:
    code, detail = next(
        (FRAMEWORK_CODES[kind] for kind in type(exc).__mro__ if kind in FRAMEWORK_CODES),
        REQUEST_REFUSED,
    )
    if isinstance(exc, exceptions.UnsupportedMediaType):
        detail = f"Send the body as {' or '.join(parser.media_type for parser in request.parsers)}."
    errors = _validation_faults(exc.detail) if isinstance(exc, exceptions.ValidationError) else ()
    wait = getattr(exc, "wait", None)
    response = _response(
        request, status=exc.status_code, code=code, detail=detail, errors=errors, retryable=wait is not None
    )
    if header := getattr(exc, "auth_header", None):
        response["WWW-Authenticate"] = header
    if wait is not None:
        response["Retry-After"] = str(int(wait) + 1)
    return response


def _response(request: Any, *, status: int, **members: Any) -> Response:
    response = Response(problem(status=status, instance=request.path, **members), status=status)
    response.content_type = MEDIA_TYPE
    return response


def _validation_faults(detail: Any, pointer: str = "") -> list[Fault]:
    """DRF's nested messages as a flat list of places."""
    if isinstance(detail, Mapping):
        return [
            fault
            for key, item in detail.items()
            for fault in _validation_faults(item, f"{pointer}/{_escaped(str(key))}")
        ]
    if isinstance(detail, list):
        nested = any(isinstance(item, Mapping | list) for item in detail)
        return [
            fault
            for index, item in enumerate(detail)
            for fault in _validation_faults(item, f"{pointer}/{index}" if nested else pointer)
        ]
    return [Fault(pointer.removesuffix("/non_field_errors"), "FIELD_INVALID", str(detail))]


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _fault(fault: Fault) -> dict[str, Any]:
    body: dict[str, Any] = {"pointer": fault.pointer, "error_code": fault.code, "detail": fault.detail}
    if fault.source_event_index is not None:
        body["source_event_index"] = fault.source_event_index
    return body
