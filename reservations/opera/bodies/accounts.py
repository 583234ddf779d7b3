"""Bodies about money and departments: deposits, vouchers, routing, traces."""

from __future__ import annotations

from typing import Final

from reservations.domain.jsonvalues import JsonArray, JsonObject, JsonValue
from reservations.opera.bodies.parts import Part, always, filled, fixed, hotel, integer, text
from reservations.opera.card import PROFILE, Card, placeholder_code, placeholder_id

_VOUCHER_METHOD: Final = "VO"
_FIRST_WINDOW: Final = 1
_AMOUNT: Final = "extracted_fields.payment_amount"


def _amount(card: Card) -> JsonValue:
    amount = card.number(_AMOUNT)
    if amount is None:
        return None
    return filled(amount=amount, currencyCode=card.text("extracted_fields.currency_code"))


def _payment_date(card: Card) -> JsonValue:
    day = card.text("extracted_fields.payment_date")
    return None if day is None else f"Payment date {day}"


def _deposit() -> tuple[Part, ...]:
    """postDepositPayment."""
    one = "criteria"
    return (
        always(f"{one}.hotelId", hotel),
        always(f"{one}.reservationId", Card.reservation_id),
        always(f"{one}.paymentMethod.paymentMethod", text("extracted_fields.payment_method")),
        always(f"{one}.postingAmount", _amount),
        always(f"{one}.postingReference", text("extracted_fields.payment_reference")),
        always(f"{one}.comments", _payment_date),
        always(f"{one}.action", fixed("Deposit")),
    )


def _voucher_text(card: Card) -> JsonValue:
    """Number, issuer and validity of the voucher in one line."""
    said = (
        ("Voucher", "extracted_fields.voucher_number"),
        ("issued by", "extracted_fields.voucher_issuer"),
        ("valid from", "extracted_fields.voucher_valid_from"),
        ("valid to", "extracted_fields.voucher_valid_to"),
    )
    return ", ".join(f"{word} {value}" for word, path in said if (value := card.text(path)))


def _voucher() -> tuple[Part, ...]:
    """putPaymentMethods."""
    one = "reservationPaymentMethods[]"
    return (
        always("hotelId", hotel),
        always("reservationId", Card.reservation_id),
        always(f"{one}.paymentMethod", fixed(_VOUCHER_METHOD)),
        always(f"{one}.folioView", fixed(_FIRST_WINDOW)),
        always(f"{one}.description", _voucher_text),
        always(f"{one}.balance", _amount),
    )


def _payee(card: Card) -> JsonValue:
    """Who pays: the profile is the PMS's own and is named by the kind of payee."""
    kind = card.text("extracted_fields.payee_type")
    return filled(
        payeeId=None if kind is None else placeholder_id(PROFILE, kind),
        payeeName=card.text("extracted_fields.payee_name"),
    )


def _instructions(card: Card) -> JsonArray:
    """One per group of charges; which transaction codes a group has is the PMS's own configuration."""
    return [_instruction(code, card.hotel_code) for code in card.texts("extracted_fields.charge_groups")]


def _instruction(code: str, hotel_code: str) -> JsonObject:
    return {
        "transactionCodes": [{"transactionCode": placeholder_code(code), "hotelId": hotel_code}],
        "billingInstructions": [{"billingCode": code, "hotelId": hotel_code}],
    }


def _routing() -> tuple[Part, ...]:
    """postRoutingInstructions."""
    folio = "criteria.folio"
    return (
        always("criteria.hotelId", hotel),
        always("criteria.reservationId", Card.reservation_id),
        always(f"{folio}.payeeInfo", _payee),
        always(f"{folio}.aRNumber", text("extracted_fields.ar_account")),
        always(f"{folio}.folioWindowNo", integer("extracted_fields.folio_window")),
        always(f"{folio}.instructions[]", _instructions),
    )


def _trace_day(card: Card) -> JsonValue:
    day = card.text("extracted_fields.trace_date")
    if day is None:
        return None
    moment = f"{day}T00:00:00Z"
    return {"startDateTime": moment, "endDateTime": moment}


def _traces() -> tuple[Part, ...]:
    """startTracesMassUpdateProcess: a trace has a day of its own, so its frequency is a range of dates."""
    return (
        always("reservationIds[]", Card.reservation_id),
        always("departmentIds[]", lambda card: list(card.texts("extracted_fields.departments"))),
        always("traceText", text("extracted_fields.trace_text")),
        always("timeInfo.dateTimeSpan", _trace_day),
        always("timeInfo.traceTime", text("extracted_fields.trace_time")),
        always("frequency", fixed("DateRange")),
    )


ACCOUNTS: Final = {
    "postDepositPayment": _deposit(),
    "putPaymentMethods": _voucher(),
    "postRoutingInstructions": _routing(),
    "startTracesMassUpdateProcess": _traces(),
}
