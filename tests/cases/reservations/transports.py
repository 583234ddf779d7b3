"""How a package is handed in, and how the desk is read: the real doors."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml  # comes with drf-spectacular, which writes the description
from django.core.management import call_command
from rest_framework.test import APIClient

from config import jsontext
from tests.cases import files
from tests.cases.capabilities import need
from tests.cases.reservations.world import World

API = "/api/reservation"
INBOUND = f"{API}/superagent/task-results"
PAGE_SIZE = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """What a door said. `envelope` is the whole MCP answer, of which `body` is the result."""

    status: int
    media_type: str
    body: Any
    seconds: float
    envelope: Any = None


def post_json(world: World, request: Any) -> Answer:
    return post_raw(world.agent_client, jsontext.write(request).encode(), "application/json")


def post_text(world: World, request: Any) -> Answer:
    return post_raw(world.agent_client, str(request).encode(), "text/plain")


def call_tool(world: World, request: Any) -> Answer:
    """`th_hotel_submit_task_results` with {"payload": request} (contracts.md section 9)."""
    need("MCP")
    raise AssertionError("MCP stands as built, and this transport has no client for it.")


def validate(world: World | None, request: Any) -> Answer:
    """`manage.py validate_candidates FILE` (contracts.md section 10)."""
    output = StringIO()
    code: Any = 0
    with TemporaryDirectory() as folder:
        file = Path(folder) / "candidates.json"
        file.write_text(jsontext.write(request), encoding="utf-8")
        try:
            call_command("validate_candidates", str(file), stdout=output)
        except SystemExit as end:
            code = end.code
    return Answer(int(code or 0), "application/json", json.loads(output.getvalue()), 0.0)


def post_nothing(world: World, request: Any) -> Answer:
    return Answer(0, "", None, 0.0)


TRANSPORTS: Mapping[str, Callable[[World, Any], Answer]] = {
    "rest": post_json,
    "text/plain": post_text,
    "mcp": call_tool,
    "gate_validator": validate,
    "history": post_nothing,
}


def read(client: APIClient, path: str) -> Any:
    """The body of a GET that has to be answered 200."""
    response = client.get(path)
    assert response.status_code == 200, f"GET {path}: {response.status_code} {response.content[:300]!r}"
    return files.parse(response.content)


def read_schema(client: APIClient) -> Any:
    """The description of the interface."""
    response = client.get("/api/schema/")
    assert response.status_code == 200
    return yaml.safe_load(response.content)


def read_all(client: APIClient, path: str) -> list[Any]:
    """Every row of a list, page by page."""
    rows: list[Any] = []
    address: str | None = f"{path}?page_size={PAGE_SIZE}"
    while address:
        page = read(client, address)
        rows += page["results"]
        address = page["next"]
    return rows


def send(client: APIClient, method: str, path: str, body: Any) -> Answer:
    started = time.monotonic()
    response = client.generic(method, path, jsontext.write(body), content_type="application/json")
    return _answer(response, time.monotonic() - started)


def post_raw(client: APIClient, content: bytes, media_type: str) -> Answer:
    """Bytes as they are, to the inbound endpoint."""
    started = time.monotonic()
    response = client.generic("POST", INBOUND, content, content_type=media_type)
    return _answer(response, time.monotonic() - started)


def _answer(response: Any, seconds: float) -> Answer:
    media_type = response.headers.get("Content-Type", "").partition(";")[0]
    body = files.parse(response.content) if response.content and "json" in media_type else None
    return Answer(response.status_code, media_type, body, seconds)
