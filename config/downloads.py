"""What others wrote, as a file to save: neither its name nor its type decides what a browser does with it."""

from __future__ import annotations

from typing import IO

from django.http import FileResponse

from config.csp import HEADER

POLICY = "default-src 'none'; sandbox"


def download(content: IO[bytes], name: str) -> FileResponse:
    """The bytes under this name, never shown inline."""
    response = FileResponse(content, as_attachment=True, filename=name, content_type="application/octet-stream")
    response["X-Content-Type-Options"] = "nosniff"
    response[HEADER] = POLICY
    return response
