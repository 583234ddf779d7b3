"""Typed reading of the environment. A value that is missing or cannot be read stops the start and is named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

_env = environ.Env()


YES = ("true", "yes", "on", "1")
NO = ("false", "no", "off", "0")
DATABASES = ("sqlite", "postgres", "postgresql")


class BadSetting(ImproperlyConfigured):
    """An environment variable is missing or cannot be read. Says which and what it takes, never its value."""


def read_file(path: Path) -> None:
    """Take variables from a .env file; what the environment already holds wins."""
    if path.is_file():
        environ.Env.read_env(str(path))


def text(name: str, *, default: str | None = None) -> str:
    """A text; required (BadSetting) when there is no default."""
    if default is None and not _env.ENVIRON.get(name):
        raise BadSetting(f"Set {name}. See .env.example for what it is.")
    return str(_env.str(name, default=default))


def flag(name: str, *, default: bool) -> bool:
    """True for 1, true, yes, on, false for 0, false, no, off (any case)."""
    word = _filled(name, str(default)).lower()
    if word not in (*YES, *NO):
        raise BadSetting(f"{name} takes true or false.")
    return word in YES


def number(name: str, *, default: int) -> int:
    """A whole number, at least 1."""
    digits = _filled(name, str(default))
    if not (digits.isascii() and digits.isdigit() and int(digits)):
        raise BadSetting(f"{name} takes a whole number from 1.")
    return int(digits)


def choice(name: str, options: Sequence[str], *, default: str) -> str:
    """One of these words, in any case."""
    word = _filled(name, default).lower()
    found = next((option for option in options if option.lower() == word), None)
    if found is None:
        raise BadSetting(f"{name} takes one of {', '.join(options)}.")
    return found


def names(name: str, *, default: list[str] | None = None) -> list[str]:
    """A list separated by commas; blank parts are dropped."""
    return [part.strip() for part in _env.list(name, default=default or []) if part.strip()]


def database(name: str, *, default: str) -> dict[str, Any]:
    """A database URL as Django's settings. A socket directory is given as ?host=DIR."""
    url = _filled(name, default)
    if url.partition("://")[0] not in DATABASES or "://" not in url:
        raise BadSetting(f"{name} takes postgres://user:password@host:5432/name or sqlite:///path.")
    return dict(_env.db_url_config(url))


def _filled(name: str, default: str) -> str:
    """An empty value stands for the default."""
    return text(name, default=default).strip() or default
