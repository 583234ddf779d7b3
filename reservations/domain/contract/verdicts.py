"""The result of judging one package: values only, in array order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from reservations.domain.catalog import Route
from reservations.domain.faults import FaultCode
from reservations.domain.jsonvalues import JsonObject, JsonValue
from reservations.domain.orderkeys import OrderKeys, OrderKind
from reservations.domain.parents import Relation

NAME_LENGTH = 200  # of the name under which an order is shown
PACKAGE_INDEX = 0  # `source_event_index` of a verdict on the whole package or on a notice


class Generation(StrEnum):
    TEXT = "TEXT"
    V2 = "V2"
    V3 = "V3"
    V4 = "V4"


class RootKind(StrEnum):
    BUSINESS = "BUSINESS"
    NOTICE = "NOTICE"
    INFRASTRUCTURE_ERROR = "INFRASTRUCTURE_ERROR"


@dataclass(frozen=True, slots=True)
class MailFacts:
    """What the inbox knows of the mail; the package's own list of attachments proves nothing."""

    attachment_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One quote of the mail, and where in the event it stands."""

    pointer: str
    text: str


@dataclass(frozen=True, slots=True)
class OrderContext:
    """One order a V4 package speaks of (R-56).

    context        as sent
    keys           what finds the order, from the identifiers; the booking code in FIT contexts only
    keys_conflict  group code and block code differ: a TEMPORARY order, nothing picked; then there are no keys
    """

    order_ref: str
    order_context_index: int
    order_type: OrderKind
    context: JsonObject
    keys: OrderKeys
    keys_conflict: bool
    display_name: str


@dataclass(frozen=True, slots=True)
class Card:
    """An accepted event.

    event                as sent
    case_keys            as sent, {} when there were none
    effective_case_keys  the derived copy: completed, or without the parent keys while the target is unclear; of V4
                         with what the order context adds
    derived              the whole event with the derived case keys and the values the card derives
    missing_paths        main paths the pending review asks for, each once, in the order asked; () for a normal task
    order_keys           what finds the order
    keys_conflict        the keys do not name one order: a TEMPORARY order, nothing picked (R-25)
    order_kind           of a new order, if the card needs one
    order_ref            the order context of a V4 event; that one, not the card, finds the order
    warnings             {code, detail}: keys of a V4 event that disagree with its order context
    """

    array_index: int
    source_event_index: int
    event: JsonObject
    event_type: str | None
    route: Route
    case_keys: JsonObject
    effective_case_keys: JsonObject
    derived: JsonObject
    manual_review: JsonObject | None
    missing_paths: tuple[str, ...]
    relationships: tuple[Relation, ...]
    applies_to: tuple[int, ...]
    excerpts: tuple[Excerpt, ...]
    order_keys: OrderKeys
    keys_conflict: bool
    order_kind: OrderKind
    display_name: str
    order_ref: str | None = None
    warnings: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True)
class ContractFault:
    """A contract error; on the whole package `source_event_index` is 0, and place and event are None."""

    source_event_index: int
    array_index: int | None
    code: FaultCode
    event: JsonValue
    detail: str


@dataclass(frozen=True, slots=True)
class Intent:
    """Something the mail asks for that no card covers, as sent, whatever its shape (R-09)."""

    array_index: int
    intent: JsonValue


@dataclass(frozen=True, slots=True)
class Notice:
    """A mail for a person to look at.

    route_code  as received: S10, S99, S000 or S999
    route       the row under which it is shown (R-12)
    """

    route_code: str
    route: Route
    agent_assessment: JsonValue
    notification: JsonValue
    manual_review: JsonObject | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """Every verdict on one package. Each event has exactly one: a card, a fault, or (V2) an intent.

    contexts  V4: the orders with at least one card, in array order
    """

    generation: Generation
    root_kind: RootKind
    cards: tuple[Card, ...] = ()
    faults: tuple[ContractFault, ...] = ()
    intents: tuple[Intent, ...] = ()
    notice: Notice | None = None
    contexts: tuple[OrderContext, ...] = ()

    @property
    def package_fault(self) -> ContractFault | None:
        """The fault of the whole package, if that is the verdict; then there is nothing else."""
        return next((fault for fault in self.faults if fault.source_event_index == PACKAGE_INDEX), None)


def package_fault(generation: Generation, kind: RootKind, code: FaultCode, detail: str) -> Judgement:
    """The judgement "nothing of this package": one fault with index 0 (R-55 and step 3 of the routing)."""
    return Judgement(generation, kind, faults=(ContractFault(PACKAGE_INDEX, None, code, None, detail),))
