"""Pieces of the OpenAPI description: the problem document, the credentials, raw JSON members.

`answers(Shape, 400, 404)` gives the responses of an operation, `errors(400, 404)` those that refuse; every operation may
also answer 401, 403, 405, 429 and 503. Views import it, and with it the credentials are known to the generator.
"""

from __future__ import annotations

from http import HTTPStatus
from threading import Lock
from typing import Any

from django.http import Http404
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView
from rest_framework import serializers
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import BaseContentNegotiation, DefaultContentNegotiation
from rest_framework.request import Request

from config.api.problems import MEDIA_TYPE
from config.render import ORJSONRenderer

ALWAYS = (401, 403, 405, 429, 503)
MEANINGS = {
    400: "The body cannot be read, or the query has an unknown filter or a bad value (`FILTER_INVALID`).",
    401: "No credential, or one that is unknown, expired or revoked.",
    403: "The credential may not do this.",
    404: "There is nothing here for this credential.",
    405: "The path does not take this method.",
    409: "The request does not fit the present state.",
    412: "`If-Match` does not name the present version (`PRECONDITION_FAILED`). Nothing was done.",
    413: "The body is larger than this endpoint takes (`PAYLOAD_TOO_LARGE`).",
    415: "The body is in a media type this path does not take.",
    422: "The body can be read, and its content is refused.",
    429: "Too many calls. `Retry-After` says how long to wait.",
    503: "The database does not answer at the moment. `Retry-After` says how long to wait.",
}
IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    "description": (
        "The same key and body again give back the first answer (2xx, 400 or 422), byte for byte, for 30 days. With another "
        "body: 422 `IDEMPOTENCY_KEY_REUSED`. While the first request has no answer: 409 `IDEMPOTENCY_IN_FLIGHT`."
    ),
}
IDEMPOTENCY_REPLAYED = {
    "schema": {"const": "true"},
    "description": "The answer is the stored one of an earlier request.",
}
EXAMPLES = {
    400: ("FILTER_INVALID", "The query has an unknown filter, a value that does not fit it, or a bad cursor."),
    404: ("NOT_FOUND", "There is nothing here for this credential. Check the path and the id."),
}


class FaultSerializer(serializers.Serializer):
    """One place that is wrong."""

    pointer = serializers.CharField(
        help_text="RFC 6901 pointer into the body; of a field the body does not name, its `field_pointer`; "
        "in a query, the name of the parameter."
    )
    error_code = serializers.CharField()
    detail = serializers.CharField()
    source_event_index = serializers.IntegerField(required=False, help_text="One-based index of the event.")


class ProblemSerializer(serializers.Serializer):
    """Why a request was refused (RFC 9457). Programs branch on `error_code`."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField(min_value=400, max_value=599)
    error_code = serializers.CharField()
    detail_code = serializers.CharField(required=False)
    detail = serializers.CharField()
    instance = serializers.CharField(help_text="The path that was called.")
    retryable = serializers.BooleanField()
    errors = FaultSerializer(many=True)  # type: ignore[assignment]  # a member of the answer, not of the class
    request_id = serializers.CharField(allow_null=True, help_text="Finds the request in the log.")


def errors(*statuses: int) -> dict[Any, OpenApiResponse]:
    """Responses for `extend_schema(responses=...)`: these statuses and those every operation has, as problems."""
    return {(status, MEDIA_TYPE): _problem(status) for status in sorted({*statuses, *ALWAYS})}


def answers(shape: Any, *refusals: int) -> dict[Any, Any]:
    """200 with this shape, and `errors(*refusals)`. Lists are recognised only when all keys have a media type."""
    return {(200, "application/json"): shape} | errors(*refusals)


def _problem(status: int) -> OpenApiResponse:
    return OpenApiResponse(ProblemSerializer, MEANINGS[status], [_example(status)] if status in EXAMPLES else None)


def _example(status: int) -> OpenApiExample:
    code, detail = EXAMPLES[status]
    value = {
        "type": f"urn:countersign:error:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "error_code": code,
        "detail": detail,
        "instance": "/api/reservation/tasks",
        "retryable": False,
        "errors": [],
        "request_id": "5a1b9c52-6f0d-4c8e-9a53-0d6c3a6d7c11",
    }
    return OpenApiExample(code, value=value)


def describe_idempotency(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
    """A hook of the generator: every POST takes an Idempotency-Key (config.idempotency)."""
    for operations in result["paths"].values():
        if operation := operations.get("post"):
            operation.setdefault("parameters", []).append(IDEMPOTENCY_KEY)
            _describe_keyed_answers(operation["responses"])
    return result


def _describe_keyed_answers(responses: dict[str, Any]) -> None:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for refusal in (400, 409, 422):
        responses.setdefault(str(refusal), {"content": content, "description": MEANINGS[refusal]})
    for status, response in responses.items():
        if status.startswith("2") or status in {"400", "422"}:
            response["headers"] = response.get("headers", {}) | {"Idempotency-Replayed": IDEMPOTENCY_REPLAYED}


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "config.api.access.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token <key>`. `manage.py issue_token USERNAME` prints a key.",
        }


class SessionScheme(OpenApiAuthenticationExtension):
    target_class = "config.api.access.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "A person who is logged in to the back-office. Writes also need the CSRF token.",
        }


class PreferredOrFirst(DefaultContentNegotiation):
    """The form a caller prefers (`Accept`, `?format=`); the first one for whoever asks for another."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        try:
            return super().select_renderer(request, renderers, format_suffix)
        except (NotAcceptable, Http404):
            return renderers[0], renderers[0].media_type


class RefusesInJSON:
    """Refusals are problem documents here too, whatever form the page itself has."""

    content_negotiation_class: type[BaseContentNegotiation] = PreferredOrFirst

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        if getattr(response, "exception", False):
            request.accepted_renderer, request.accepted_media_type = ORJSONRenderer(), MEDIA_TYPE
        return super().finalize_response(request, response, *args, **kwargs)  # type: ignore[misc]  # of the view it is mixed into


# The generator loads its extensions at first use, and threads that do so side by side break each other.
_generating = Lock()


class SchemaView(RefusesInJSON, SpectacularAPIView):
    """The OpenAPI description, as YAML or JSON."""

    def dispatch(self, *args: Any, **kwargs: Any) -> Any:
        with _generating:
            return super().dispatch(*args, **kwargs)


class DocsView(RefusesInJSON, SpectacularSwaggerView):
    """The description as a page, from local files."""
