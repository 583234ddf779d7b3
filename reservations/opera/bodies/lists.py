"""Rooming lists: a new one as a body of its own, an amended one as reservations that change."""

from __future__ import annotations

import re
from typing import Final

from reservations.domain.jsonvalues import JsonArray, JsonObject, as_integer, filled_text
from reservations.opera.bodies import guests
from reservations.opera.bodies.parts import Part, always, filled, hotel
from reservations.opera.card import Card

_CODE_LIKE: Final = re.compile(r"[A-Z0-9]{1,20}")


def amended_reservations(card: Card) -> JsonArray:
    """One reservation per row of an amended rooming list; the remark on the list stands on the first."""
    rows = card.rows("extracted_fields.rooming_entries") or [{}]
    made = [
        filled(
            reservationIdList=[card.reservation_id(None if len(rows) == 1 else place)],
            hotelId=card.hotel_code,
            roomStay={"roomRates": [_block_rate(row, card)]},
            reservationGuests=_guests(row),
        )
        for place, row in enumerate(rows, start=1)
    ]
    _remark_on_first(made, card)
    return list(made)


def _block_rate(row: JsonObject, card: Card) -> JsonObject:
    return {**_room(row), "reservationBlock": {"blockIdList": [card.block_id()], "hotelId": card.hotel_code}}


def _room(row: JsonObject) -> JsonObject:
    """The room of a row. Its text is a code only if it looks like one; a text of another kind goes as information."""
    room = filled_text(row.get("room_type_raw"))
    if room is None:
        return {}
    return {"roomType": room} if _CODE_LIKE.fullmatch(room) else {"roomRateInfo": room}


def _remark_on_first(reservations: list[JsonObject], card: Card) -> None:
    remark = guests.comment(card, "extracted_fields.rooming_list_remark")
    if remark is not None and reservations:
        reservations[0]["comments"] = [remark]


def _listed_reservations(card: Card) -> JsonArray:
    """The rows of a new rooming list, numbered as the list numbers them."""
    rows = card.rows("extracted_fields.rooming_entries")
    made = [
        filled(
            hotelId=card.hotel_code,
            roomStay={"roomRates": [{**_room(row), "numberOfUnits": 1}]},
            reservationGuests=_guests(row),
        )
        for row in rows
    ]
    _remark_on_first(made, card)
    numbers = [as_integer(row.get("row")) for row in rows]
    return [
        {"roomingListSequence": place if number is None else number, "hotelReservation": reservation}
        for place, (number, reservation) in enumerate(zip(numbers, made, strict=True), start=1)
    ]


def _guests(row: JsonObject) -> JsonArray:
    """The guests of one row of a rooming list, the first of them primary."""
    names = row.get("names")
    texts = (
        [name.strip() for name in names if isinstance(name, str) and name.strip()] if isinstance(names, list) else []
    )
    return [guests.guest(name, primary=place == 0) for place, name in enumerate(texts)]


def _listed() -> tuple[Part, ...]:
    """The rooming list: what is validated first is what is posted then."""
    return (
        always("blockInfo.hotelId", hotel),
        always("blockInfo.blockIdList[]", Card.block_id),
        always("reservations.reservation[]", _listed_reservations),
    )


LISTS: Final = {
    "startRoomingListValidationProcess": _listed(),
    "postRoomingList": _listed(),
}
