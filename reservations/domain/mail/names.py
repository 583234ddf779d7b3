"""File names of attachments, safe to show, to store and to save."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote_to_bytes

MAX_LENGTH = 200
_JOINERS = "\u200c\u200d"  # needed to spell Persian and Indic words; every other format character is a trick
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Cn", "Zl", "Zp"})
_RESERVED = re.compile(r'[<>:"|?*]')
_PERCENT = re.compile(r"%[89A-Fa-f][0-9A-Fa-f]")
_EXTENSIONS = {
    "application/json": ".json",
    "application/msword": ".doc",
    "application/pdf": ".pdf",
    "application/rtf": ".rtf",
    "application/vnd.ms-excel": ".xls",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/zip": ".zip",
    "image/bmp": ".bmp",
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/tiff": ".tif",
    "image/webp": ".webp",
    "message/rfc822": ".eml",
    "text/calendar": ".ics",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/plain": ".txt",
    "text/vcard": ".vcf",
}


def clean_file_name(name: str) -> str:
    """The last part of a path without control, bidi and reserved characters, at most 200 characters; may be empty.

    The extension survives the cut: it is what tells a person what the file is.
    """
    whole = unicodedata.normalize("NFC", _percent_decoded(name))
    last = re.split(r"[/\\]", whole.rstrip("/\\ "))[-1]
    shown = "".join(c for c in last if c in _JOINERS or unicodedata.category(c) not in _DROPPED)
    tidy = re.sub(r"\s+", " ", _RESERVED.sub("_", shown)).strip(" .")
    return _cut(tidy)


def default_file_name(number: int, media_type: str) -> str:
    """A name for the `number`-th attachment, which came without one."""
    return f"attachment-{number}{_EXTENSIONS.get(media_type, '.bin')}"


def _cut(name: str) -> str:
    stem, dot, extension = name.rpartition(".")
    if len(name) <= MAX_LENGTH or not dot or len(extension) > 20:
        return name[:MAX_LENGTH].rstrip(" .")
    return f"{stem[: MAX_LENGTH - len(extension) - 1].rstrip(' .')}.{extension}"


def _percent_decoded(name: str) -> str:
    """Web mailers send UTF-8 file names percent-encoded without saying so."""
    if not name.isascii() or not _PERCENT.search(name):
        return name
    try:
        return unquote_to_bytes(name).decode("utf-8")
    except UnicodeDecodeError:
        return name
