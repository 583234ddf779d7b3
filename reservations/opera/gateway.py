"""The way to a PMS, whichever it is: one call out, one question what became of a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from config.jsontext import JsonValue


@dataclass(frozen=True, slots=True)
class Call:
    """One call. A PMS that gets the same external id again does nothing more and gives its first answer."""

    external_id: str
    hotel_code: str
    operation_id: str
    method: str
    path: str
    body: JsonValue


class CallRefused(Exception):
    """The PMS answered that it will not do this: no effect, now or later."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class AnswerLost(Exception):
    """No answer came in time: the call may have taken effect or not."""


class PmsUnavailable(Exception):
    """The PMS could not be reached: nothing was received."""


class Gateway(Protocol):
    """What an adapter does. It answers well within the lease of an operation (OPERA_LEASE_SECONDS)."""

    def send(self, call: Call) -> JsonValue:
        """Make the call; its receipt.

        raises  CallRefused, AnswerLost, PmsUnavailable; anything else counts as a lost answer
        """

    def find(self, call: Call) -> JsonValue:
        """The receipt of a call that was received; None: it was not.

        raises  AnswerLost, PmsUnavailable, or anything else: it remains open
        """


def gateway() -> Gateway:
    """The adapter that is set up (OPERA_GATEWAY)."""
    adapter: Gateway = import_string(settings.OPERA_GATEWAY)()
    return adapter
