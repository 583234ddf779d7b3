"""`Idempotency-Key` on POST: the same request again gives back the first answer, byte for byte.

Marker, work and answer: the marker is committed first; handler, rendering and storing of the answer share one
transaction, which is repeated as a whole when the database gives it up for others (the service's own repetition rests
inside it). A refusal rolls back to where its service began, and what it left beside that is committed with it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, cast

from django.db import Error as DatabaseFault
from django.db import transaction
from django.http import HttpResponse, HttpResponseBase
from django.http.request import RawPostDataException
from django.utils import timezone
from django.utils.encoding import escape_uri_path
from rest_framework.request import Empty, Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.api.access import actor
from config.api.bodies import bounded
from config.api.problems import DATABASE_FAULTS, RETRY_AFTER_SECONDS
from config.idempotency.errors import KeyInFlight, KeyInvalid
from config.idempotency.services import Answer, Hold, Scope, claim, keep, let_go
from config.transactions import retried

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEPT_REFUSALS = (400, 422)  # the content will be refused again; all other refusals may pass
_KEY = re.compile(r"[\x21-\x7e]{1,255}")

Handler = Callable[..., HttpResponseBase]


class Unkept(Response):
    """An answer that no key keeps, whatever its status: sent again, the request is looked at anew."""


class Idempotent(APIView):
    """A view whose POST takes an Idempotency-Key. Stands before other bases; costs nothing where no key is sent.

    The handler runs inside a transaction then: what it catches from the database, it catches around an atomic block.
    """

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        key = request.headers.get(HEADER)
        handler = getattr(self, "post", None)
        if key is None or handler is None or request.method != "POST":
            return
        if _KEY.fullmatch(key) is None:
            raise KeyInvalid
        self.post = partial(self._keyed, handler, key)

    def handle_exception(self, exc: Exception) -> Response:
        response = super().handle_exception(exc)
        if isinstance(exc, KeyInFlight):
            response["Retry-After"] = RETRY_AFTER_SECONDS
        return response

    def _keyed(self, handler: Handler, key: str, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        scope = Scope(actor(request).pk, "POST", escape_uri_path(request.path), key)
        found = claim(scope=scope, request_sha256=_fingerprint(request), at=timezone.now())
        if isinstance(found, Answer):
            return _replay(found)
        try:
            return retried(lambda: self._work(found, partial(handler, request, *args, **kwargs)))
        except Exception:
            with suppress(DatabaseFault):  # else it is free by itself after a minute
                let_go(hold=found)
            raise

    def _work(self, hold: Hold, handler: Callable[[], HttpResponseBase]) -> HttpResponseBase:
        """Everything that is committed together. Raises KeyInFlight when the key was taken over meanwhile."""
        with transaction.atomic():
            response = self._respond(handler)
            if _is_kept(response):
                keep(hold=hold, answer=_stored(response))
            elif not let_go(hold=hold):
                raise KeyInFlight
        return response

    def _respond(self, handler: Callable[[], HttpResponseBase]) -> HttpResponseBase:
        """The finished answer, refusals included. What the database gives up is no answer: the work is repeated."""
        _unread(self.request)
        self.headers = self.default_response_headers
        try:
            response = handler()
        except DATABASE_FAULTS:
            raise
        except Exception as exc:
            response = self.handle_exception(exc)
        response = self.finalize_response(self.request, cast(Response, response), *self.args, **self.kwargs)
        if isinstance(response, Response):
            response.render()
        return response


def _fingerprint(request: Request) -> str:
    """Of the body and of how it wants to be read. The parser gets the same bytes again."""
    content = b""
    with suppress(RawPostDataException):  # a form, read already for its CSRF token; no path takes one
        if request.stream is not None:
            content = bounded(request.stream, request.parser_context)
            request._request._body = content
    kind = (request.content_type or "").strip().lower()
    return hashlib.sha256(kind.encode() + b"\n" + content).hexdigest()


def _unread(request: Any) -> None:
    """As if nothing had been parsed yet: a body that could not be read counts as empty from then on."""
    request._data = request._files = request._full_data = request._stream = Empty


def _is_kept(response: HttpResponseBase) -> bool:
    lasting = 200 <= response.status_code < 300 or response.status_code in KEPT_REFUSALS
    return lasting and isinstance(response, HttpResponse) and not isinstance(response, Unkept)


def _stored(response: Any) -> Answer:
    return Answer(response.status_code, tuple(response.items()), response.content)


def _replay(answer: Answer) -> HttpResponse:
    response = HttpResponse(answer.body, status=answer.status)
    del response["Content-Type"]
    for name, value in (*answer.headers, (REPLAYED, "true")):
        response[name] = value
    return response
