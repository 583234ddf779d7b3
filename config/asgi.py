"""The application a server runs: Django in a bounded pool of threads, so that its database connections are bounded too.

A thread is taken when the body of a request is there: a client that sends slowly, or never ends, waits by itself.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AsyncExitStack, suppress
from typing import Any
from urllib.parse import quote_from_bytes

from a2wsgi import WSGIMiddleware
from django.conf import settings

from config.env import number
from config.errors import BodyIncomplete
from config.wsgi import application as django_application

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

WITHOUT_BODY = ("GET", "HEAD", "OPTIONS", "TRACE")
BODY_SECONDS = 60  # in which a body has to arrive
DRAINED_BYTES = 4 * settings.MAX_SOURCE_MESSAGE_BYTES  # of a body that is refused by its length
LARGE_BODIES = 8  # held at once; the memory of the rest is bounded by the size of a package
WEB_THREADS = number("WEB_THREADS", default=min(8, 2 * (os.cpu_count() or 1)))
ASCII = "".join(map(chr, range(128)))

django_in_threads = WSGIMiddleware(django_application, workers=WEB_THREADS)  # type: ignore[arg-type]  # the stubs type its return more widely than WSGI does
large_bodies = asyncio.Semaphore(LARGE_BODIES)


async def application(scope: Message, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "http":
        # Whatever stands raw in the query is a character of UTF-8, as browsers send it.
        query = quote_from_bytes(scope["query_string"], safe=ASCII).encode()
        await _answer({**scope, "query_string": query}, receive, send)


async def _answer(scope: Message, receive: Receive, send: Send) -> None:
    announced = _announced_length(scope)
    if scope["method"] in WITHOUT_BODY:
        await _django(scope, b"", send)
        return
    if announced is not None and announced > settings.MAX_SOURCE_MESSAGE_BYTES:
        await _django(scope, b"", send)
        await _drain(receive)
        return
    async with AsyncExitStack() as held:
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _gather(receive, held)
        except TimeoutError:
            body = None
        if body is None or (announced is not None and len(body) < announced):
            await _refuse(scope, send)
            return
        await _django(_with_length(scope, len(body)), body, send)


async def _django(scope: Message, body: bytes, send: Send) -> None:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    await django_in_threads(scope, receive, send)  # type: ignore[arg-type]  # a2wsgi types each message by itself


def _announced_length(scope: Message) -> int | None:
    """What Content-Length says; the server has refused one that is no number."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length"), None)


async def _gather(receive: Receive, held: AsyncExitStack) -> bytes | None:
    """The whole body, or None when the client left before its end.

    Gathering ends where the body is larger than any path takes, so that the path can say so.
    """
    body, more, large = bytearray(), True, False
    while more and len(body) <= settings.MAX_SOURCE_MESSAGE_BYTES:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if not large and len(body) > settings.MAX_PACKAGE_BYTES:
            large = True
            await held.enter_async_context(large_bodies)
    return bytes(body)


async def _drain(receive: Receive) -> None:
    """Let a client that was answered early finish sending, within limits: many read an answer only then."""
    drained, more = 0, True
    with suppress(TimeoutError):
        async with asyncio.timeout(BODY_SECONDS):
            while more and drained <= DRAINED_BYTES:
                message = await receive()
                drained += len(message.get("body", b""))
                more = message.get("more_body", False)


def _with_length(scope: Message, length: int) -> Message:
    """WSGI reads as much as Content-Length says, and without it nothing."""
    headers = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
    return {**scope, "headers": [*headers, (b"content-length", b"%d" % length)]}


async def _refuse(scope: Message, send: Send) -> None:
    """A body that did not arrive whole is not read at all: what came may look complete and be half of what was meant."""
    content = {
        "type": f"urn:countersign:error:{BodyIncomplete.code}",
        "title": "Bad Request",
        "status": 400,
        "error_code": BodyIncomplete.code,
        "detail": BodyIncomplete.sentence,
        "instance": scope["path"],
        "retryable": BodyIncomplete.retryable,
        "errors": [],
        "request_id": None,
    }
    headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(content).encode()})


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
