"""Bodies about blocks: made, changed, their rooms, status, cancellation and rooming list."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from reservations.domain.jsonvalues import JsonObject, JsonValue
from reservations.opera.bodies import guests
from reservations.opera.bodies.parts import Part, always, filled, fixed, hotel, keyed, text, without
from reservations.opera.bodies.stays import (
    ARRIVAL,
    CURRENCY,
    DEPARTURE,
    MEAL_PLAN,
    RATE,
    ROOM_TYPE,
    ROOMS,
    booking_reference,
)
from reservations.opera.card import BLOCK, PROFILE, Card, day_before, placeholder_id

_ROOM_ONLY: Final = "RO"
_CUT_OFF: Final = "extracted_fields.cut_off_date"
_LIST_DUE: Final = "extracted_fields.rooming_list_due_date"
_PARENT: Final = "case_keys.parent_group_code"


def _time_span(card: Card) -> JsonValue:
    return filled(startDate=card.text(ARRIVAL), endDate=card.text(DEPARTURE))


def _status(card: Card) -> JsonValue:
    code = card.text("extracted_fields.block_status")
    return None if code is None else {"bookingStatus": {"status": {"code": code}}}


def _classification(card: Card) -> JsonValue:
    """A group that was split from a parent is a sub block of it."""
    return "SubBlock" if card.text(_PARENT) else "RegularBooking"


def _master(card: Card) -> JsonValue:
    parent = card.text(_PARENT)
    if parent is None:
        return None
    return {"blockIdList": [placeholder_id(BLOCK, parent)], "hotelId": card.hotel_code}


def _rate_plan(card: Card) -> JsonValue:
    code = card.text("extracted_fields.rate_code")
    return None if code is None else {"ratePlanCode": code, "hotelId": card.hotel_code}


def _account(card: Card) -> JsonValue:
    account = card.text("extracted_fields.account_name")
    if account is None:
        return None
    return {"profileIdList": [placeholder_id(PROFILE, account)], "blockProfileType": "Company"}


def _breakfast(card: Card) -> JsonValue:
    plan = card.text(MEAL_PLAN)
    return None if plan is None else {"breakfastIncluded": plan != _ROOM_ONLY}


def _package(card: Card) -> JsonValue:
    return filled(packageCode=card.text(MEAL_PLAN))


def _rate_comment(card: Card) -> JsonValue:
    """A block has no place for a rate that holds for all its room types."""
    amount = card.number(RATE)
    if amount is None:
        return None
    return guests.comment_of(" ".join(filter(None, ("Rate", str(amount), card.text(CURRENCY)))))


def _created() -> tuple[Part, ...]:
    """postBlock."""
    block = "blocks.blockInfo[].block"
    details, terms = f"{block}.blockDetails", f"{block}.reservationDetails"
    return (
        always(f"{block}.hotelId", hotel),
        always(f"{block}.externalReferences[]", booking_reference),
        always(f"{details}.blockCode", lambda card: card.key("group_code") or card.key("block_code")),
        always(f"{details}.blockName", text("extracted_fields.group_name")),
        always(f"{details}.blockClassification", _classification),
        always(f"{details}.timeSpan", _time_span),
        always(f"{details}.blockStatus", _status),
        always(f"{details}.marketCode.marketCode", text("extracted_fields.market_code")),
        always(f"{details}.sourceOfSale.sourceCode.sourceCode", text("extracted_fields.source_code")),
        always(f"{details}.currencyCode", text(CURRENCY)),
        always(f"{block}.masterBlockInfo", _master),
        always(f"{terms}.cutOffDate", text(_CUT_OFF)),
        always(f"{terms}.roomingListDueDate", text(_LIST_DUE)),
        always(f"{terms}.ratePlanCode[]", _rate_plan),
        always(f"{terms}.breakfast", _breakfast),
        always(f"{block}.blockPackages[]", _package),
        always(f"{block}.blockProfiles.blockProfile[]", _account),
        always(
            f"{block}.comments.commentInfo[]", lambda card: guests.comment(card, "extracted_fields.special_requests")
        ),
    )


def _changed() -> tuple[Part, ...]:
    """putBlock: what the call names is changed, and nothing else that the mail may say."""
    block = "blocks[]"
    details, terms = f"{block}.blockDetails", f"{block}.reservationDetails"
    span, name, packages = f"{details}.timeSpan", f"{details}.blockName", f"{block}.blockPackages[]"
    comments = f"{block}.comments.commentInfo[]"
    return (
        always(f"{block}.blockIdList[]", Card.block_id),
        always(f"{block}.hotelId", hotel),
        keyed(span, _time_span),
        keyed(name, text("extracted_fields.group_name")),
        keyed(f"{terms}.cutOffDate", text(_CUT_OFF)),
        keyed(f"{terms}.decisionDate", text("extracted_fields.decision_date")),
        keyed(f"{terms}.roomingListDueDate", text(_LIST_DUE)),
        keyed(packages, _package),
        keyed(f"{terms}.breakfast", _breakfast),
        keyed(comments, _rate_comment, packages),
        keyed(comments, guests.change_reason, span, name, packages),
    )


def _two_persons(rooms: int | Decimal | None) -> JsonObject:
    """Rooms and rates are given for two persons, because a card says nothing of the occupancy."""
    return filled(twoPerson=rooms)


def _released_rooms(card: Card) -> JsonValue:
    rooms = card.integer("extracted_fields.cancelled_room_quantity")
    return _two_persons(None if rooms is None else -rooms)


def _last_night(card: Card) -> JsonValue:
    departure = card.text(DEPARTURE)
    return None if departure is None else day_before(departure)


def _allocated() -> tuple[Part, ...]:
    """putBlockAllocationRange. A call that names the increment flag takes rooms back; the others set them.

    Only the first allocation of a block names its type; it alone carries rates and a cut-off date.
    """
    to = "blockAllocationRange"
    takes_back, begin, end, rooms = f"{to}.incrementFlag", f"{to}.beginDate", f"{to}.endDate", f"{to}.blockInventory"
    first = f"{to}.allocationType"
    return (
        always(f"{to}.hotelId", hotel),
        always(f"{to}.blockId", Card.block_id),
        always(f"{to}.roomTypes[]", text(ROOM_TYPE)),
        always(first, fixed("Initial")),
        always(f"{to}.rangeMode", fixed("Core")),
        keyed(takes_back, fixed(True)),
        keyed(begin, text("extracted_fields.affected_from"), takes_back),
        keyed(end, text("extracted_fields.affected_to"), takes_back),
        keyed(rooms, _released_rooms, takes_back),
        without(takes_back, takes_back, fixed(False)),
        without(takes_back, begin, text(ARRIVAL)),
        without(takes_back, end, _last_night),
        without(takes_back, rooms, lambda card: _two_persons(card.integer(ROOMS))),
        keyed(f"{to}.blockRates", lambda card: _two_persons(card.number(RATE)), first),
        keyed(f"{to}.cutoffDate", text(_CUT_OFF), first),
    )


def _cancellation(card: Card) -> JsonValue:
    code = card.text("extracted_fields.cancel_reason_code")
    return filled(
        cancellationCode=None if code is None else {"code": code},
        cancellationDate=card.text("extracted_fields.cancel_effective_date"),
        cancellationInfo=card.text("extracted_fields.cancel_reason_text"),
    )


def _cancelled() -> tuple[Part, ...]:
    """postCancelBlock: the rooms of its posting masters go with the block, for the same reason."""
    block = "cancelBlock"
    return (
        always(f"{block}.hotelId", hotel),
        always(f"{block}.blockIdList[]", Card.block_id),
        always(f"{block}.cancellationDetails", _cancellation),
        always(f"{block}.pMReservationsCancellationDetails", _cancellation),
    )


def _moved() -> tuple[Part, ...]:
    """putBlockStatus."""
    block = "changeBlockStatus"
    return (
        always(f"{block}.hotelId", hotel),
        always(f"{block}.blockId", Card.block_id),
        always(f"{block}.newBlockStatus", text("extracted_fields.block_status")),
    )


BLOCKS: Final = {
    "postBlock": _created(),
    "putBlock": _changed(),
    "putBlockAllocationRange": _allocated(),
    "putBlockStatus": _moved(),
    "postCancelBlock": _cancelled(),
}
