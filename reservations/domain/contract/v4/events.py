"""One V4 event as a draft: steps 4a to 4c, with the event rows of contracts.md section 6."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reservations.domain.catalog import Catalog, Subtype
from reservations.domain.contract.events import Draft, Rules
from reservations.domain.contract.eventshape import check_explicit, check_shape, read_relations
from reservations.domain.contract.v4.fields import PAYMENT, derived_fields
from reservations.domain.contract.v4.subtypes import choose_subtype, subtypes_of
from reservations.domain.contract.verdicts import OrderContext
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_array, as_object, as_text
from reservations.domain.parents import read_indexes
from reservations.domain.routing import Claim, check_not_retired
from reservations.domain.shapes import V4EventShape

_FORBIDDEN_IN: Final = ("extracted_fields", "after")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What of the package an event is judged by.

    count           how many events there are
    flagged         indexes that root `contract_errors` name
    attachment_ids  of the package's own list
    """

    count: int
    flagged: frozenset[int]
    orders: Mapping[str, OrderContext]
    attachment_ids: frozenset[str]

    @classmethod
    def of(cls, body: JsonObject, orders: Iterable[OrderContext], flagged: frozenset[int]) -> Surroundings:
        """The surroundings in a package that passed its checks."""
        message = as_object(body.get("source_message")) or {}
        ids = ((as_object(item) or {}).get("id") for item in as_array(message.get("attachments")) or [])
        return cls(
            count=len(as_array(body.get("message_events")) or []),
            flagged=flagged,
            orders={order.order_ref: order for order in orders},
            attachment_ids=frozenset(text for text in ids if isinstance(text, str)),
        )


def read_event(event: JsonValue, array_index: int, *, around: Surroundings, rules: Rules) -> Draft:
    """The draft of one event.

    raises  EventFault: in this order, what the event says is wrong with it, a retired name, its shape, an unknown
            order, an unknown type, a forbidden rate code, an unknown attachment, a subtype that does not fit
    """
    sent = as_object(event) or {}
    check_explicit(sent, named_by_root=array_index + 1 in around.flagged)
    meant = subtypes_of(rules.catalog, as_text(sent.get("event_type")))
    _check_retired(sent, meant, rules.catalog)
    item = check_shape(event, V4EventShape, array_index + 1, around.count)
    order = around.orders.get(as_text(item["order_ref"]) or "")
    if order is None:
        raise EventFault(FaultCode.V4_ORDER_REF_UNKNOWN, "order_ref")
    if item["event_type"] not in rules.catalog.v4_event_types:
        raise EventFault(FaultCode.V4_EVENT_TYPE_UNKNOWN, "event_type")
    _check_forbidden(item, meant)
    _check_attachments(item, around.attachment_ids)
    return _draft(item, array_index, order, _subtype(item, order, meant), rules)


def _check_retired(event: JsonObject, meant: Sequence[Subtype], catalog: Catalog) -> None:
    """A retired name counts under the event type and under each type of the catalogue that it can mean (R-20)."""
    task_subtype = as_text(event.get("task_subtype"))
    check_not_retired(catalog, as_text(event.get("event_type")), task_subtype)
    for task_type in dict.fromkeys(subtype.task_type for subtype in meant):
        check_not_retired(catalog, task_type, task_subtype)


def _check_forbidden(event: JsonObject, meant: Sequence[Subtype]) -> None:
    """What the catalogue forbids to one subtype of an event type is forbidden to the event type, even null."""
    names = {path.rpartition(".")[2] for subtype in meant for path in subtype.v4.forbidden}
    holders = [("", event), *((f"{place}.", as_object(event.get(place)) or {}) for place in _FORBIDDEN_IN)]
    found = [place + name for place, holder in holders for name in sorted(names) if name in holder]
    if found:
        raise EventFault(FaultCode.V4_UPDATE_RATE_CODE_FORBIDDEN, ", ".join(found))


def _check_attachments(event: JsonObject, known: frozenset[str]) -> None:
    """The ids of a payment, on the event or in its `extracted_fields`."""
    if event["event_type"] != PAYMENT:
        return
    for place, holder in (("", event), ("extracted_fields.", as_object(event.get("extracted_fields")) or {})):
        named = as_array(holder.get("attachment_ids")) or []
        if not all(isinstance(item, str) and item in known for item in named):
            raise EventFault(FaultCode.V4_PAYMENT_ATTACHMENT_UNKNOWN, f"{place}attachment_ids")


def _subtype(event: JsonObject, order: OrderContext, meant: Sequence[Subtype]) -> Subtype:
    return choose_subtype(
        meant,
        order.order_type,
        named=as_text(event.get("task_subtype")),
        fields=derived_fields(event, order.order_type, None),
        event=event,
    )


def _draft(event: JsonObject, array_index: int, order: OrderContext, subtype: Subtype, rules: Rules) -> Draft:
    event_type, stated = as_text(event["event_type"]), as_text(event.get("task_type"))
    review = as_object(event["manual_review"])
    card = rules.matrix.card(subtype.task_type, subtype.task_subtype)
    return Draft(
        array_index=array_index,
        event=event,
        event_type=event_type,
        claim=Claim(
            task_type=subtype.task_type,
            task_subtype=subtype.task_subtype,
            reviewed=review is not None,
            stated_result_type=as_text(event.get("result_type")),
            stated_task_type=None if stated == event_type else stated,  # the type may be stated by either of its names
            stated_route_code=as_text(event.get("route_code")),
        ),
        manual_review=review,
        case_keys=as_object(event.get("case_keys")) or {},
        extracted_fields=derived_fields(event, order.order_type, card),
        relations=read_relations(event),
        applies_to=read_indexes(event.get("applies_to_event_indexes")) or (),
        order=order,
    )
