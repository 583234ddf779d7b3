"""V4: `order_contexts[]` and `message_events[]` (contracts.md section 6; R-55 to R-57, R-60).

An event of V4 becomes the same draft as one of V3, and from there goes the same way.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from reservations.domain.catalog import Catalog
from reservations.domain.contract.events import Rules, judge_events
from reservations.domain.contract.notice import read_notice
from reservations.domain.contract.ordercontexts import read_contexts
from reservations.domain.contract.packages import check_package, read_intents
from reservations.domain.contract.results import business_judgement
from reservations.domain.contract.v4.events import Surroundings, read_event
from reservations.domain.contract.v4.fields import derived_fields
from reservations.domain.contract.v4.roots import check_business_root, check_literals, check_notice_root
from reservations.domain.contract.verdicts import Generation, Judgement, RootKind, package_fault
from reservations.domain.faults import EventFault
from reservations.domain.jsonvalues import JsonObject, as_array

__all__ = ["derived_fields", "judge_v4", "judge_v4_notice"]


def judge_v4(body: JsonObject, rules: Rules) -> Judgement:
    """Judge a V4 business package. `contexts` are the orders of which at least one event was accepted (R-56).

    The package is checked in this order: types of the root members, root `contract_errors` and `missing_fields` (as
    V3), then the rows of contracts.md section 6 as they stand there: route code, literals and the shape of the order
    contexts, repeated `order_ref`.
    """
    try:
        flagged = check_package(body)
        check_business_root(body)
        check_literals(body)
        orders = read_contexts(body)
    except EventFault as fault:
        return package_fault(Generation.V4, RootKind.BUSINESS, fault.code, fault.detail)
    events = as_array(body.get("message_events")) or []
    read = partial(read_event, around=Surroundings.of(body, orders, flagged), rules=rules)
    judgement = business_judgement(Generation.V4, judge_events([*enumerate(events)], read, rules), read_intents(body))
    wanted = {card.order_ref for card in judgement.cards}
    return replace(judgement, contexts=tuple(order for order in orders if order.order_ref in wanted))


def judge_v4_notice(body: JsonObject, *, catalog: Catalog) -> Judgement:
    """Judge a V4 notice: S10 without a review, S99 with the nine fields, neither with orders or events (R-11, R-13)."""
    try:
        check_package(body)
        check_notice_root(body)
        check_literals(body)
        notice = read_notice(body, catalog)
    except EventFault as fault:
        return package_fault(Generation.V4, RootKind.NOTICE, fault.code, fault.detail)
    return Judgement(Generation.V4, RootKind.NOTICE, intents=read_intents(body), notice=notice)
