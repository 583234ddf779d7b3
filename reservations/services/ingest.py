"""One package of an agent, in one transaction: all of it or nothing (R-50).

Read the bytes, find the mail and lock it, judge the package (pure), set it against what was accepted before, attach
the cards to orders, insert everything in bulk, audit last. The number of statements does not depend on the number of
events. Cards come out of `reservations.services.verdicts`, orders out of `reservations.services.orders`.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from typing import Any

from django.db import transaction
from django.utils import timezone

from config import jsontext
from config.accounts.models import User
from config.audit.services import Change, Door, record_many
from config.errors import Fault, JsonInvalid, PayloadLimitExceeded
from config.inserts import insert
from config.jsontext import JsonValue
from config.render import json_bytes
from config.transactions import retried
from reservations import data
from reservations.domain.contract import (
    Generation,
    Judgement,
    MailFacts,
    Root,
    RootKind,
    TextNotice,
    classify,
    judge,
    judge_text,
    read_identity,
    read_text,
)
from reservations.domain.corrections import Digests, History, IndexConflict, Plan, digests_of, plan, read_indexes
from reservations.domain.errors import (
    InputErrorEchoed,
    SourceMessageAmbiguous,
    SourceMessageNotFound,
    SubmissionConflict,
)
from reservations.domain.evidence import SearchableMail
from reservations.domain.jsonvalues import as_array
from reservations.models import (
    AiTransition,
    Attachment,
    SourceMessage,
    Submission,
    SubmissionOutcome,
    Task,
    TransitionKind,
)
from reservations.models.ids import new_id
from reservations.models.orders import Order
from reservations.services import verdicts
from reservations.services.audited import ORDER, SUBMISSION, TASK, order_state, submission_state, task_state
from reservations.services.orders import attach_cards, technical_order
from reservations.services.verdicts import Source

MAX_EVENTS = 500
COUNTED_LISTS = ("message_events", "ai_task_results", "unhandled_current_intents", "order_contexts")
TEXT_PLAIN = "text/plain"
NO_CHARSETS = ("punycode", "idna")  # codecs of domain names; the first takes quadratic time
_CONFLICT = "SUBMISSION_CONFLICT"


@dataclass(frozen=True, slots=True)
class Package:
    """A body that has an identity and a root. `payload` is the text as received."""

    source_message_id: str
    payload: str
    canonical_sha256: str
    root: Root
    content: JsonValue | TextNotice


@dataclass(frozen=True, slots=True)
class Earlier:
    """What is stored of earlier packages of the mail: the same package's answer, and what was accepted."""

    answer: str | None
    answer_is_conflict: bool
    history: History
    tasks: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Refused:
    """The package disagrees with what was accepted; it is kept and answered 409 (R-52)."""

    indexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """Everything one package adds."""

    transitions: list[AiTransition]
    orders: list[Order]
    unsaved_orders: list[Order]
    tasks: list[Task]


def ingest_package(
    *, hotel_id: int, caller: User, content: bytes, media_type: str, door: Door, at: datetime | None = None
) -> bytes:
    """Take one package. Returns the summary as JSON bytes (api.md); the same package again gives the first answer.

    content     the body as received; media_type says JSON or text (`text/plain`, with its charset)
    raises      JsonInvalid, PayloadLimitExceeded (R-54), IdentityMissing (R-02), InputErrorEchoed (R-06),
                AdapterContractRefused (R-05, R-20), SourceMessageNotFound, SourceMessageAmbiguous (R-03),
                GenerationNotSupported: nothing is written
                SubmissionConflict (R-52): the package is kept, no verdict is written
    """
    package = read_package(content=content, media_type=media_type)
    outcome = retried(lambda: _ingest(hotel_id, caller, package, door, at or timezone.now()))
    if isinstance(outcome, Refused):
        raise SubmissionConflict(errors=[_conflict_fault(index, package.root) for index in outcome.indexes])
    return outcome


def read_package(*, content: bytes, media_type: str) -> Package:
    """From bytes to a package with identity and root. Nothing of the database is needed."""
    header = Message()
    header["Content-Type"] = media_type
    if header.get_content_type() == TEXT_PLAIN:
        return _read_text_package(content, header.get_content_charset() or "utf-8")
    body = jsontext.read(content)
    source_message_id = read_identity(body)
    root = classify(body)
    if root.answer is not None:
        raise InputErrorEchoed(root.answer)
    _refuse_too_many(body)
    return Package(source_message_id, content.decode(), jsontext.digest(body), root, body)


def _read_text_package(content: bytes, charset: str) -> Package:
    try:
        if codecs.lookup(charset).name in NO_CHARSETS:
            raise LookupError(charset)
        text = content.decode(charset)
        text.encode()  # some charsets can spell lone surrogates, which no database column holds
    except (LookupError, ValueError):
        raise JsonInvalid(f"The text is not {charset[:40]}.") from None
    notice = read_text(text)
    digest = hashlib.sha256(notice.canonical.encode()).hexdigest()
    return Package(notice.source_message_id, text, digest, Root(Generation.TEXT, RootKind.NOTICE), notice)


def _refuse_too_many(body: JsonValue) -> None:
    members = body if isinstance(body, dict) else {}
    for key in COUNTED_LISTS:
        entries = members.get(key)
        if isinstance(entries, list) and len(entries) > MAX_EVENTS:
            raise PayloadLimitExceeded(f"{key} has more than {MAX_EVENTS} entries. Split the package.")


@transaction.atomic
def _ingest(hotel_id: int, caller: User, package: Package, door: Door, at: datetime) -> bytes | Refused:
    message = _lock_message(hotel_id, package.source_message_id)
    earlier = _read_earlier(message, package.canonical_sha256)
    if earlier.answer is not None:
        return _replay(earlier.answer, earlier.answer_is_conflict)
    judgement = _judge(package, message)
    digests = digests_of(judgement, jsontext.digest)
    planned = plan(earlier.history, judgement, digests)
    if isinstance(planned, IndexConflict):
        _keep_conflict(message, caller, package, judgement, planned, door, at)
        return Refused(planned.indexes)
    source = Source(
        message=message,
        submission_id=new_id(),
        generation=judgement.generation,
        at=at,
        mail=SearchableMail(body_text=message.body_text, body_html=message.body_html),
    )
    rows = _build_rows(source, planned, digests, earlier, package.payload)
    answer = json_bytes(_summary(source, package, judgement, earlier, rows))
    submission = _submission(source, caller, package, judgement, answer.decode(), SubmissionOutcome.ACCEPTED)
    _save(submission, rows)
    _audit(submission, rows, caller, door)
    return answer


def _lock_message(hotel_id: int, source_message_id: str) -> SourceMessage:
    """The mail with this outer id in the hotel's inbox, locked until the transaction ends (R-03, R-04, R-50)."""
    found = SourceMessage.objects.select_for_update().filter(hotel_id=hotel_id, external_message_id=source_message_id)
    messages = list(found.order_by("id")[:2])
    if not messages:
        raise SourceMessageNotFound
    if len(messages) > 1:
        raise SourceMessageAmbiguous
    return messages[0]


def _read_earlier(message: SourceMessage, canonical_sha256: str) -> Earlier:
    submissions = Submission.objects.filter(source_message=message)
    outcomes = dict(submissions.values_list("canonical_sha256", "outcome"))
    if not outcomes:
        return Earlier(None, False, History(), ())
    if canonical_sha256 in outcomes:
        answer = submissions.values_list("response", flat=True).get(canonical_sha256=canonical_sha256)
        return Earlier(answer, outcomes[canonical_sha256] == SubmissionOutcome.CONFLICT, History(), ())
    recorded = AiTransition.objects.filter(source_message=message).exclude(kind=TransitionKind.CONTRACT_ERROR)
    accepted, notice, intents = {}, None, set()
    for kind, index, digest in recorded.values_list("kind", "source_event_index", "event_sha256"):
        if kind == TransitionKind.BUSINESS_EVENT:
            accepted[index] = digest
        elif kind == TransitionKind.SOURCE_NOTIFICATION:
            notice = digest
        else:
            intents.add(digest)
    tasks = Task.objects.filter(source_message=message).order_by("source_event_index").values(*verdicts.TASK_COLUMNS)
    return Earlier(
        None, False, History(accepted, notice, frozenset(intents)), list(tasks) if accepted or notice else ()
    )


def _replay(answer: str, is_conflict: bool) -> bytes | Refused:
    """R-51: the stored first answer, marked; a conflict stays one (R-52)."""
    if is_conflict:
        return Refused(read_indexes(jsontext.read(answer.encode())))
    # Inside a JSON text a quote is escaped, so these characters can only be the member itself.
    return answer.replace('"replayed":false', '"replayed":true', 1).encode()


def _judge(package: Package, message: SourceMessage) -> Judgement:
    if isinstance(package.content, TextNotice):
        return judge_text(package.content, catalog=data.catalog())
    attachments = Attachment.objects.filter(message=message).values_list("external_id", flat=True)
    facts = MailFacts(frozenset(attachments))
    return judge(package.content, package.root, catalog=data.catalog(), matrix=data.matrix(), mail=facts)


def _build_rows(source: Source, planned: Plan, digests: Digests, earlier: Earlier, payload: str) -> Rows:
    rows = Rows([], [], [], [])
    attachment = attach_cards(
        hotel_id=source.message.hotel_id,
        cards=planned.cards,
        accepted_orders={
            task["source_event_index"]: task["order_id"] for task in earlier.tasks if task["source_event_index"]
        },
        sender_domain=source.message.sender_domain,
        at=source.at,
    )
    rows.orders.extend(attachment.new_orders)
    for card in planned.cards:
        transition = verdicts.card_transition(source, card, digests.events[card.source_event_index])
        rows.transitions.append(transition)
        rows.tasks.append(verdicts.card_task(source, card, transition, attachment.cards[card.array_index]))
    if planned.notice is not None:
        order = technical_order(hotel_id=source.message.hotel_id, display_name=source.message.subject, at=source.at)
        transition = verdicts.notice_transition(source, planned.notice, payload, digests.notice or "")
        rows.orders.append(order)
        rows.unsaved_orders.append(order)
        rows.transitions.append(transition)
        rows.tasks.append(verdicts.notice_task(source, planned.notice, transition, order.id))
    for fault in planned.faults:
        rows.transitions.append(
            verdicts.fault_transition(source, fault, digests.events.get(fault.source_event_index, ""))
        )
    for intent in planned.intents:
        rows.transitions.append(
            verdicts.intent_transition(source, intent, jsontext.digest(intent.intent), data.catalog())
        )
    return rows


def _summary(source: Source, package: Package, judgement: Judgement, earlier: Earlier, rows: Rows) -> dict[str, object]:
    """The verdict of every index, those accepted before with their first ids (R-52, api.md)."""
    tasks = sorted(
        [*earlier.tasks, *map(verdicts.task_values, rows.tasks)], key=lambda task: task["source_event_index"]
    )
    return {
        "accepted": True,
        "generation": judgement.generation,
        "submission_id": str(source.submission_id),
        "source_message_id": package.source_message_id,
        "replayed": False,
        "tasks": [verdicts.task_line(task) for task in tasks if task["source_event_index"]],
        "order_tasks": [],
        "notices": [verdicts.notice_line(task) for task in tasks if not task["source_event_index"]],
        "adapter_contract_errors": verdicts.error_lines(rows.transitions),
        "unhandled_intents": len(judgement.intents),
    }


def _submission(
    source: Source, caller: User, package: Package, judgement: Judgement, response: str, outcome: SubmissionOutcome
) -> Submission:
    members = package.content if isinstance(package.content, dict) else {}
    return Submission(
        id=source.submission_id,
        hotel_id=source.message.hotel_id,
        source_message=source.message,
        generation=judgement.generation,
        root_kind=judgement.root_kind,
        payload=package.payload,
        canonical_sha256=package.canonical_sha256,
        caller=caller,
        case_candidates=as_array(members.get("case_candidates")) or [],
        extraction_warnings=as_array(members.get("extraction_warnings")) or [],
        response=response,
        outcome=outcome,
        created_at=source.at,
    )


def _save(submission: Submission, rows: Rows) -> None:
    insert([submission])
    insert(rows.unsaved_orders)
    insert(rows.transitions)
    insert(rows.tasks)


def _keep_conflict(
    message: SourceMessage,
    caller: User,
    package: Package,
    judgement: Judgement,
    conflict: IndexConflict,
    door: Door,
    at: datetime,
) -> None:
    nothing = SearchableMail(body_text="", body_html="")
    source = Source(message=message, submission_id=new_id(), generation=judgement.generation, at=at, mail=nothing)
    answer = jsontext.write(list(conflict.indexes))
    submission = _submission(source, caller, package, judgement, answer, SubmissionOutcome.CONFLICT)
    submission.save(force_insert=True)
    _audit(submission, Rows([], [], [], []), caller, door)


def _conflict_fault(index: int, root: Root) -> Fault:
    events = "ai_task_results" if root.generation is Generation.V2 else "message_events"
    what = f"Event {index}" if index else "The notice"
    detail = f"{what} was accepted before and is not the same here. Send it as it was, or leave the change to a person."
    return Fault(f"/{events}/{index - 1}" if index else "", _CONFLICT, detail, index)


def _audit(submission: Submission, rows: Rows, caller: User, door: Door) -> None:
    """One line per row that people will see, after everything else (R-50)."""
    accepted = submission.outcome == SubmissionOutcome.ACCEPTED
    changes = [
        Change(
            action="PACKAGE_INGEST" if accepted else "PACKAGE_CONFLICT",
            object_type=SUBMISSION,
            object_id=str(submission.id),
            after=submission_state(submission, rows.transitions),
        )
    ]
    changes += [Change("ORDER_CREATE", ORDER, str(row.id), after=order_state(row)) for row in rows.orders]
    changes += [Change("TASK_CREATE", TASK, str(row.id), after=task_state(row)) for row in rows.tasks]
    record_many(tenant_id=submission.hotel_id, actor_id=caller.pk, door=door, changes=changes, at=submission.created_at)
