"""The application a server runs: Django in a bounded pool of threads, so that its database connections are bounded too."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from a2wsgi import WSGIMiddleware
from django.conf import settings

from config.env import number
from config.wsgi import application as django_application

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

WITHOUT_BODY = ("GET", "HEAD", "OPTIONS", "TRACE")

django_in_threads = WSGIMiddleware(
    django_application,  # type: ignore[arg-type]  # the stubs type its return more widely than WSGI does
    workers=number("WEB_THREADS", default=min(8, 2 * (os.cpu_count() or 1))),
)


async def application(scope: Message, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "http":

        async def received() -> Message:  # the server's own receive is awaitable, but no coroutine function
            return await receive()

        known, read = await _with_length(scope, received)
        await django_in_threads(known, read, send)  # type: ignore[arg-type]


async def _with_length(scope: Message, receive: Receive) -> tuple[Message, Receive]:
    """A body sent without its length, gathered: WSGI reads as much as Content-Length says, and without it nothing.

    Gathering ends where the body is larger than any path takes, so that the path can say so.
    """
    if scope["method"] in WITHOUT_BODY or any(name == b"content-length" for name, _ in scope["headers"]):
        return scope, receive
    body, more = bytearray(), True
    while more and len(body) <= settings.MAX_SOURCE_MESSAGE_BYTES:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)

    async def gathered() -> Message:
        return {"type": "http.request", "body": bytes(body), "more_body": False}

    return {**scope, "headers": [*scope["headers"], (b"content-length", b"%d" % len(body))]}, gathered


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
