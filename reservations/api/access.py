"""What every view of the desk asks: whose rows are these, and is there one?"""

from __future__ import annotations

from typing import TypeVar

from django.http import Http404
from rest_framework.request import Request

from config.api.access import actor

HOTEL = "hotel"
Found = TypeVar("Found")


def hotel_ids(request: Request) -> tuple[int, ...]:
    """The hotels whose rows this caller may see (R-77)."""
    ids: tuple[int, ...] = actor(request).access.tenant_ids(HOTEL)
    return ids


def found(row: Found | None) -> Found:
    """The row; for the caller, what is another hotel's does not exist."""
    if row is None:
        raise Http404
    return row
