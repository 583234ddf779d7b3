"""One package of an agent, in one transaction: all of it or nothing (R-50).

Read the bytes, find the mail and lock it, judge the package (pure), set it against what was accepted before, attach
the cards to orders, insert everything in bulk, audit last. The number of statements does not depend on the number of
events. Cards come out of `reservations.services.verdicts`, orders out of `reservations.services.orders`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from config import jsontext
from config.accounts.models import User
from config.audit.services import Door
from config.errors import Fault
from config.render import json_bytes
from config.transactions import retried
from reservations import data
from reservations.domain.contract import (
    Generation,
    Judgement,
    MailFacts,
    Root,
    TextNotice,
    judge,
    judge_text,
)
from reservations.domain.corrections import IndexConflict, digests_of, plan, read_indexes
from reservations.domain.errors import (
    SourceMessageAmbiguous,
    SourceMessageNotFound,
    SubmissionConflict,
)
from reservations.domain.evidence import SearchableMail
from reservations.domain.jsonvalues import as_array
from reservations.models import (
    Attachment,
    SourceMessage,
    Submission,
    SubmissionOutcome,
)
from reservations.models.ids import new_id
from reservations.services.ingest.earlier import read_earlier
from reservations.services.ingest.reading import Package, read_package
from reservations.services.ingest.rows import Rows, audit_rows, build_rows, save_rows, summary_of
from reservations.services.verdicts import Source

_CONFLICT = "SUBMISSION_CONFLICT"


@dataclass(frozen=True, slots=True)
class Refused:
    """The package disagrees with what was accepted; it is kept and answered 409 (R-52)."""

    indexes: tuple[int, ...]


def ingest_package(
    *, hotel_id: int, caller: User, content: bytes, media_type: str, door: Door, at: datetime | None = None
) -> bytes:
    """Take one package. Returns the summary as JSON bytes (api.md); the same package again gives the first answer.

    content     the body as received; media_type says JSON or text (`text/plain`, with its charset)
    raises      JsonInvalid, PayloadLimitExceeded (R-54), IdentityMissing (R-02), InputErrorEchoed (R-06),
                AdapterContractRefused (R-05, R-20), SourceMessageNotFound, SourceMessageAmbiguous (R-03): nothing is written
                SubmissionConflict (R-52): the package is kept, no verdict is written
    """
    package = read_package(content=content, media_type=media_type)
    outcome = retried(lambda: _ingest(hotel_id, caller, package, door, at or timezone.now()))
    if isinstance(outcome, Refused):
        raise SubmissionConflict(errors=[_conflict_fault(index, package.root) for index in outcome.indexes])
    return outcome


@transaction.atomic
def _ingest(hotel_id: int, caller: User, package: Package, door: Door, at: datetime) -> bytes | Refused:
    message = _lock_message(hotel_id, package.source_message_id)
    earlier = read_earlier(message, package)
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
    rows = build_rows(source, planned, judgement.contexts, digests, earlier, package.payload)
    answer = json_bytes(summary_of(source, package, judgement, earlier, rows))
    submission = _submission(source, caller, package, judgement, answer.decode(), SubmissionOutcome.ACCEPTED)
    save_rows(submission, rows)
    audit_rows(submission, rows, caller, door)
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
    audit_rows(submission, Rows(), caller, door)


def _conflict_fault(index: int, root: Root) -> Fault:
    events = "ai_task_results" if root.generation is Generation.V2 else "message_events"
    what = f"Event {index}" if index else "The notice"
    detail = f"{what} was accepted before and is not the same here. Send it as it was, or leave the change to a person."
    return Fault(f"/{events}/{index - 1}" if index else "", _CONFLICT, detail, index)
