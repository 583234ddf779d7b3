"""Bodies about reservations: made, changed, cancelled."""

from __future__ import annotations

from typing import Final

from reservations.domain.jsonvalues import JsonArray, JsonValue
from reservations.opera.bodies import guests
from reservations.opera.bodies.lists import amended_reservations
from reservations.opera.bodies.parts import Part, always, filled, fixed, hotel, integer, keyed, text
from reservations.opera.card import PROFILE, Card, placeholder_id

ARRIVAL: Final = "extracted_fields.arrival_date"
DEPARTURE: Final = "extracted_fields.departure_date"
ROOM_TYPE: Final = "extracted_fields.room_items.0.pms_room_type_code"
ROOMS: Final = "extracted_fields.room_items.0.room_quantity"
RATE: Final = "extracted_fields.rate_amount"
CURRENCY: Final = "extracted_fields.currency_code"
MEAL_PLAN: Final = "extracted_fields.meal_plan"

_MOST_CANCELLED: Final = 4001  # one more than OPERA takes: the dry run then says so, and the body stays small
_PERSON: Final = "profileInfo.profile.customer.personName[]"


def amount_before_tax(card: Card) -> JsonValue:
    amount = card.number(RATE)
    return None if amount is None else filled(amountBeforeTax=amount, currencyCode=card.text(CURRENCY))


def account_profile(card: Card) -> JsonValue:
    """The account's profile: its id is the PMS's own."""
    account = card.text("extracted_fields.account_name")
    if account is None:
        return None
    return {"profileIdList": [placeholder_id(PROFILE, account)], "reservationProfileType": "Company"}


def booking_reference(card: Card) -> JsonValue:
    code = card.key("booking_code")
    return None if code is None else {"id": code, "idContext": "BOOKING_CODE"}


def _guest_name(card: Card) -> JsonValue:
    return guests.person_name(card.text("extracted_fields.guest_name"))


def _primary(card: Card) -> JsonValue:
    return True if card.text("extracted_fields.guest_name") else None


def _created() -> tuple[Part, ...]:
    """postReservation."""
    one = "reservations.reservation[]"
    stay, guest = f"{one}.roomStay", f"{one}.reservationGuests[]"
    rate = f"{stay}.roomRates[]"
    return (
        always(f"{one}.hotelId", hotel),
        always(f"{one}.reservationStatus", fixed("Reserved")),
        always(f"{one}.externalReferences[]", booking_reference),
        always(f"{one}.sourceOfSale.sourceCode", text("extracted_fields.source_code")),
        always(f"{stay}.arrivalDate", text(ARRIVAL)),
        always(f"{stay}.departureDate", text(DEPARTURE)),
        always(f"{stay}.guestCounts", guests.guest_counts),
        always(f"{rate}.roomType", text(ROOM_TYPE)),
        always(f"{rate}.ratePlanCode", text("extracted_fields.rate_code")),
        always(f"{rate}.numberOfUnits", integer(ROOMS)),
        always(f"{rate}.start", text(ARRIVAL)),
        always(f"{rate}.end", text(DEPARTURE)),
        always(f"{rate}.marketCode", text("extracted_fields.market_code")),
        always(f"{rate}.sourceCode", text("extracted_fields.source_code")),
        always(f"{rate}.rates.rate[].base", amount_before_tax),
        always(f"{rate}.total", amount_before_tax),
        always(f"{stay}.guarantee.guaranteeCode", text("extracted_fields.guarantee_type")),
        always(f"{guest}.{_PERSON}", _guest_name),
        always(f"{guest}.primary", _primary),
        always(f"{one}.reservationProfiles.reservationProfile[]", account_profile),
        always(f"{one}.reservationPackages[].packageCode", text(MEAL_PLAN)),
        always(f"{one}.comments[]", lambda card: guests.comment(card, "extracted_fields.special_requests")),
    )


def _changed() -> tuple[Part, ...]:
    """putReservation: what the call names is changed, and nothing else that the mail may say."""
    one = "reservations[]"
    stay, person = f"{one}.roomStay", f"{one}.reservationGuests[].{_PERSON}"
    rate, note = f"{stay}.roomRates[]", f"{one}.comments[].comment"
    arrival, departure = f"{stay}.arrivalDate", f"{stay}.departureDate"
    counts, base, list_guests = f"{stay}.guestCounts", f"{rate}.rates.rate[].base", f"{one}.reservationGuests[]"
    profile, transport = f"{one}.reservationGuests[].profileInfo.profile", f"{one}.reservationGuests[].arrivalTransport"
    note_text = f"{note}.text.value"
    return (
        keyed(one, amended_reservations, list_guests),
        always(f"{one}.reservationIdList[].id", lambda card: card.reservation_id()["id"]),
        always(f"{one}.reservationIdList[].type", lambda card: card.reservation_id()["type"]),
        always(f"{one}.hotelId", hotel),
        keyed(arrival, text(ARRIVAL)),
        keyed(departure, text(DEPARTURE)),
        keyed(f"{rate}.roomType", text(ROOM_TYPE)),
        keyed(f"{rate}.numberOfUnits", integer(ROOMS)),
        keyed(base, amount_before_tax),
        keyed(f"{rate}.total", amount_before_tax),
        keyed(f"{one}.reservationPackages[].packageCode", text(MEAL_PLAN)),
        keyed(person, _guest_name),
        keyed(f"{one}.reservationGuests[].primary", _primary, person),
        keyed(f"{profile}.emails", lambda card: guests.contact(card).get("emails"), person),
        keyed(f"{profile}.telephones", lambda card: guests.contact(card).get("telephones"), person),
        keyed(counts, guests.guest_counts),
        keyed(note_text, text("extracted_fields.note_text")),
        keyed(f"{note}.type", text("extracted_fields.note_type")),
        keyed(f"{note}.internal", lambda card: card.flag("extracted_fields.note_internal")),
        keyed(f"{transport}.transportCode", text("extracted_fields.arrival_flight"), note_text),
        keyed(f"{transport}.comments", _arrival_time, note_text),
        keyed(f"{one}.comments[]", guests.long_contact, person),
        keyed(f"{one}.comments[]", guests.change_reason, arrival, f"{rate}.roomType", counts, base),
    )


def _arrival_time(card: Card) -> JsonValue:
    time = card.text("extracted_fields.arrival_time")
    return None if time is None else f"Arrival time {time}"


def _cancelled() -> tuple[Part, ...]:
    """postCancelReservation."""
    one = "reservations[]"
    return (
        always("reason.code", text("extracted_fields.cancel_reason_code")),
        always("reason.description", text("extracted_fields.cancel_reason_text")),
        always(f"{one}.reservationIdList[]", Card.reservation_id),
        always(f"{one}.hotelId", hotel),
        always(f"{one}.cancellationInfo.date", text("extracted_fields.cancel_effective_date")),
    )


def _rooms_cancelled() -> tuple[Part, ...]:
    """postCancelReservations."""
    all_of_them = "cancelReservations"
    return (
        always(f"{all_of_them}.hotelId", hotel),
        always(f"{all_of_them}.reservations[]", _one_per_room),
        always(f"{all_of_them}.reason.code", text("extracted_fields.cancel_reason_code")),
        always(f"{all_of_them}.reason.description", text("extracted_fields.cancel_reason_text")),
    )


def _one_per_room(card: Card) -> JsonArray:
    rooms = card.integer("extracted_fields.cancelled_room_quantity") or 1
    if rooms <= 1:
        return [card.reservation_id()]
    return [card.reservation_id(number) for number in range(1, min(rooms, _MOST_CANCELLED) + 1)]


STAYS: Final = {
    "postReservation": _created(),
    "putReservation": _changed(),
    "postCancelReservation": _cancelled(),
    "postCancelReservations": _rooms_cancelled(),
}
