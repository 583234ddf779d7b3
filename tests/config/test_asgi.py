"""The application a server runs: bodies whose length is not known beforehand."""

import asyncio
import json

import pytest

from config.accounts.services import issue_token
from config.asgi import application
from config.audit.services import Door
from tests import factories
from tests.reservations.domain.builders import MESSAGE_ID, event, package
from tests.reservations.services.desk import raw

PATH = "/api/reservation/superagent/task-results"


@pytest.fixture
def post(committed_db):
    """post(chunks, headers...): status and body of the answer to a request whose body arrives in these chunks."""
    hotel = factories.hotel(is_default=True)
    factories.message(hotel, MESSAGE_ID)
    key = issue_token(username=factories.user("agent", hotel).username, door=Door.COMMAND).key
    identity = [(b"host", b"testserver"), (b"authorization", f"Token {key}".encode())]

    def answer(chunks, *headers):
        return asyncio.run(call([*identity, (b"content-type", b"application/json"), *headers], chunks))

    return answer


async def call(headers, chunks):
    waiting = [
        {"type": "http.request", "body": chunk, "more_body": place < len(chunks)}
        for place, chunk in enumerate(chunks, 1)
    ]
    sent = []

    async def receive():
        return waiting.pop(0) if waiting else {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": PATH,
        "raw_path": PATH.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    await application(scope, receive, send)
    return sent[0]["status"], json.loads(b"".join(message.get("body", b"") for message in sent[1:]))


BODY = raw(package(event()))


@pytest.mark.parametrize("size", [1, 100, 10_000])
def test_a_body_in_chunks_of_unknown_length_is_read_whole(post, size):
    chunks = [BODY[start : start + size] for start in range(0, len(BODY), size)]
    status, answer = post([*chunks, b""], (b"transfer-encoding", b"chunked"))
    assert (status, [line["source_event_index"] for line in answer["tasks"]]) == (200, [1])


def test_a_body_of_known_length_is_read_as_ever(post):
    status, answer = post([BODY[:10], BODY[10:]], (b"content-length", str(len(BODY)).encode()))
    assert (status, answer["replayed"]) == (200, False)


def test_no_body_at_all_is_no_json(post):
    status, answer = post([b""])
    assert (status, answer["error_code"]) == (400, "JSON_INVALID")


def test_r54_chunks_beyond_the_limit_are_413_without_being_kept(post):
    status, answer = post([b" " * 2**20] * 40, (b"transfer-encoding", b"chunked"))
    assert (status, answer["error_code"]) == (413, "PAYLOAD_TOO_LARGE")
