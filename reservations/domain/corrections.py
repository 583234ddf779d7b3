"""A second package for a mail: what of it is written, or where it disagrees with what was accepted (R-52).

The first verdict of an index stands once it is an acceptance. A notice is index 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from reservations.domain.contract.verdicts import PACKAGE_INDEX, Card, ContractFault, Intent, Judgement, Notice
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_array, as_object

Digest: TypeAlias = Callable[[JsonValue], str]


@dataclass(frozen=True, slots=True)
class History:
    """What was recorded for the mail before.

    accepted  digest of every accepted event by its one-based index
    notice    digest of the accepted notice, None without one
    intents   digests of the recorded intents
    """

    accepted: Mapping[int, str] = field(default_factory=dict)
    notice: str | None = None
    intents: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Digests:
    """Digests of what a package holds.

    events   of every event that is a card or a contract error, by index
    intents  in the order of `judgement.intents`
    notice   of the notice, None without one
    """

    events: Mapping[int, str] = field(default_factory=dict)
    intents: tuple[str, ...] = ()
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class IndexConflict:
    """No verdict is written. The indexes that disagree, ascending; 0 is the notice."""

    indexes: tuple[int, ...]


def read_indexes(stored: JsonValue) -> tuple[int, ...]:
    """The indexes of a conflict as a list keeps them; what is no list, as after a purge, has none."""
    return tuple(index for index in as_array(stored) or [] if isinstance(index, int))


@dataclass(frozen=True, slots=True)
class Plan:
    """What is written; what was accepted before stays and is not written again."""

    cards: tuple[Card, ...] = ()
    faults: tuple[ContractFault, ...] = ()
    intents: tuple[Intent, ...] = ()
    notice: Notice | None = None


def digests_of(judgement: Judgement, digest: Digest) -> Digests:
    """Digest everything of a package that may have been recorded before.

    digest  of one canonical JSON value. An event is digested without `source_event_index`, so that it is the same event
            through every door; a notice by its code and content, not by the mail it names.
    """
    verdicts: tuple[Card | ContractFault, ...] = (*judgement.cards, *judgement.faults)
    return Digests(
        events={
            verdict.source_event_index: digest(_without_index(verdict.event))
            for verdict in verdicts
            if verdict.source_event_index != PACKAGE_INDEX
        },
        intents=tuple(digest(intent.intent) for intent in judgement.intents),
        notice=digest(_notice_content(judgement.notice)) if judgement.notice is not None else None,
    )


def plan(history: History, judgement: Judgement, digests: Digests) -> Plan | IndexConflict:
    """Set a package against the history of its mail. A package that equals an earlier one never comes here (R-51).

    - A fault of the whole package writes its own verdict and nothing else, whatever was accepted.
    - A notice after accepted events leaves them out, so it is a conflict of each of them. A notice after an accepted
      notice is one of index 0, unless its code and content are the same: then it stands and is not written again.
    - Events: an accepted index must carry the same event, whatever today's verdict on it is; one that differs or is
      left out is a conflict. Every other index takes today's verdict. With nothing accepted that is the whole package.
    - An intent that is recorded already is not written again; two equal ones of one package both are.
    """
    if judgement.package_fault is not None:
        return Plan(faults=(judgement.package_fault,))
    if judgement.notice is not None:
        return _plan_notice(history, judgement, digests)
    conflicts = [index for index, digest in history.accepted.items() if digests.events.get(index) != digest]
    if conflicts:
        return IndexConflict(tuple(sorted(conflicts)))
    return Plan(
        cards=tuple(card for card in judgement.cards if card.source_event_index not in history.accepted),
        faults=tuple(fault for fault in judgement.faults if fault.source_event_index not in history.accepted),
        intents=_new_intents(history, judgement, digests),
    )


def _plan_notice(history: History, judgement: Judgement, digests: Digests) -> Plan | IndexConflict:
    if history.accepted:
        return IndexConflict(tuple(sorted(history.accepted)))
    if history.notice not in (None, digests.notice):
        return IndexConflict((PACKAGE_INDEX,))
    intents = _new_intents(history, judgement, digests)
    if history.notice is not None:
        return Plan(intents=intents)
    return Plan(notice=judgement.notice, intents=intents)


def _new_intents(history: History, judgement: Judgement, digests: Digests) -> tuple[Intent, ...]:
    pairs = zip(judgement.intents, digests.intents, strict=True)
    return tuple(intent for intent, digest in pairs if digest not in history.intents)


def _without_index(event: JsonValue) -> JsonValue:
    item = as_object(event)
    return event if item is None else {key: value for key, value in item.items() if key != "source_event_index"}


def _notice_content(notice: Notice) -> JsonObject:
    return {
        "route_code": notice.route_code,
        "agent_assessment": notice.agent_assessment,
        "notification": notice.notification,
        "manual_review": notice.manual_review,
    }
