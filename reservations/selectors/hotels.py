"""Hotels."""

from __future__ import annotations

from reservations.models import Hotel


def find_hotel(*, hotel_id: int) -> Hotel:
    """The hotel a call is for, by the id that the caller's access gave."""
    return Hotel.objects.get(pk=hotel_id)
