"""The structured notices S10 and S99 (R-10, R-11, R-13)."""

from __future__ import annotations

from reservations.domain.catalog import NOTICE_CODES, Catalog
from reservations.domain.contract.packages import check_package, read_intents
from reservations.domain.contract.review import ReviewType, has_well_formed_pointers, incomplete_fields
from reservations.domain.contract.verdicts import Generation, Judgement, Notice, RootKind, package_fault
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_object


def judge_notice(body: JsonObject, *, catalog: Catalog) -> Judgement:
    """Judge a V3 notice: S10 without a review, S99 with the nine fields of an entry review.

    Package checks hold here too. What stands in `agent_assessment` and `notification` is shown, not checked; unhandled
    intents beside a notice are recorded like everywhere (R-09).
    """
    try:
        check_package(body)
        notice = read_notice(body, catalog)
    except EventFault as fault:
        return package_fault(Generation.V3, RootKind.NOTICE, fault.code, fault.detail)
    return Judgement(Generation.V3, RootKind.NOTICE, intents=read_intents(body), notice=notice)


def read_notice(body: JsonObject, catalog: Catalog) -> Notice:
    """The notice of a root, of whatever generation.

    raises  EventFault NOTICE_REVIEW_INVALID: its route code is none of a notice, or its review does not fit (R-13)
    """
    route_code = _route_code(body)
    _check_review(route_code, body.get("manual_review"))
    return Notice(
        route_code=route_code,
        route=catalog.notice(route_code),
        agent_assessment=body.get("agent_assessment"),
        notification=body.get("notification"),
        manual_review=as_object(body.get("manual_review")),
    )


def _route_code(body: JsonObject) -> str:
    route_code = body.get("route_code")
    if not isinstance(route_code, str) or route_code not in NOTICE_CODES:
        raise _fault("route_code")
    return route_code


def _check_review(route_code: str, review: JsonValue) -> None:
    if route_code == "S10":
        if review is not None:
            raise _fault("manual_review")
        return
    if not isinstance(review, dict):
        raise _fault("manual_review")
    wrong = incomplete_fields(review, ReviewType.ENTRY)
    if wrong or not has_well_formed_pointers(review):
        raise _fault("manual_review: " + (", ".join(wrong) or "missing_fields"))


def _fault(place: str) -> EventFault:
    return EventFault(FaultCode.NOTICE_REVIEW_INVALID, place)
