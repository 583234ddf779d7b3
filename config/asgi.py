"""The application a server runs: Django in a bounded pool of threads, so that its database connections are bounded too."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from a2wsgi import WSGIMiddleware

from config.env import number
from config.wsgi import application as django_application

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

django_in_threads = WSGIMiddleware(
    django_application, workers=number("WEB_THREADS", default=min(8, 2 * (os.cpu_count() or 1)))
)


async def application(scope: Message, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
    elif scope["type"] == "http":

        async def received() -> Message:  # the server's own receive is awaitable, but no coroutine function
            return await receive()

        await django_in_threads(scope, received, send)  # type: ignore[arg-type]


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
