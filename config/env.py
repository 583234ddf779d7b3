"""Typed reading of the environment. A required value that is absent stops the start and is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

_env = environ.Env()


class MissingSetting(ImproperlyConfigured):
    """A required environment variable is not set."""


def read_file(path: Path) -> None:
    """Take variables from a .env file; what the environment already holds wins."""
    if path.is_file():
        environ.Env.read_env(str(path))


def text(name: str, *, default: str | None = None) -> str:
    """A text; required (MissingSetting) when there is no default."""
    if default is None and not _env.ENVIRON.get(name):
        raise MissingSetting(f"Set {name}. See .env.example for what it is.")
    return str(_env.str(name, default=default))


def flag(name: str, *, default: bool) -> bool:
    """True for 1, true, yes, on (any case)."""
    return bool(_env.bool(name, default=default))


def number(name: str, *, default: int) -> int:
    return int(_env.int(name, default=default))


def names(name: str, *, default: list[str] | None = None) -> list[str]:
    """A list separated by commas; blank parts are dropped."""
    return [part.strip() for part in _env.list(name, default=default or []) if part.strip()]


def database(name: str, *, default: str) -> dict[str, Any]:
    """A database URL as Django's settings. A socket directory is given as ?host=DIR."""
    return dict(_env.db_url(name, default=default))
