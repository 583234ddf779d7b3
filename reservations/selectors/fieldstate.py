"""What the field contract has to know of one card, read from its row (R-29)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from config import jsontext
from reservations.data import matrix
from reservations.domain.catalog import FALLBACK, MANUAL_REVIEW, NORMAL_TASK
from reservations.domain.contract import Generation
from reservations.domain.contract.v4 import derived_fields
from reservations.domain.fieldcontract import CardState, Option, Options
from reservations.domain.fields import MAIL_ATTACHMENTS, FieldCard
from reservations.domain.jsonvalues import JsonObject, as_array, as_object
from reservations.domain.orderkeys import OrderKind, fold, read_key
from reservations.domain.states import ReviewStatus, TaskStatus
from reservations.models import Attachment, CardStatusChoice, CatalogEntry, OrderTask, Task, TaskCard
from reservations.selectors.routes import shown_pair

CODE_V1 = "code-v1"
OPEN = (TaskStatus.PENDING_CONFIRM, TaskStatus.PENDING_REVIEW)
IDENTIFIERS: Final = (
    ("booking_code", ("BOOKING_CODE",)),
    ("group_code", ("GROUP_CODE", "BLOCK_CODE")),
    ("confirmation_number", ("CONFIRMATION_NUMBER",)),
)


def task_card_state(task: Task) -> CardState:
    """The state of a card with the options of its hotel and mail: one statement, two where the card names files."""
    pair = shown_pair(task_type=task.ai_task_type, task_subtype=task.ai_task_subtype)
    files = _files(task) if _needs(pair, MAIL_ATTACHMENTS) else ()
    return card_state(
        columns={name: getattr(task, name) for name in STATE_COLUMNS},
        generation=task.submission.generation,
        options=read_options(hotel_id=task.hotel_id, pair=pair, files=files),
        order_type=task.order_task.order_type if task.order_task else None,
    )


STATE_COLUMNS = (
    "ai_task_type",
    "ai_task_subtype",
    "ai_result_type",
    "ai_payload_json",
    "derived_case_keys",
    "manual_review",
    "task_status",
    "review_status",
    "readonly",
    "draft_payload_json",
    "confirmed_payload_json",
    "field_contract_version",
    "evidence",
)


def card_state(
    *, columns: Mapping[str, Any], generation: str, options: Options, order_type: str | None = None
) -> CardState:
    """The state from the columns of STATE_COLUMNS, JSON ones parsed (the payload is text).

    order_type  of the order task; with it the event is one of V4, whose fields are read as it says (R-57)
    """
    task_type, task_subtype = shown_pair(task_type=columns["ai_task_type"], task_subtype=columns["ai_task_subtype"])
    event = _event(columns["ai_payload_json"])
    if order_type is not None and event:
        card = matrix().card(task_type, task_subtype)
        event = {**event, "extracted_fields": derived_fields(event, OrderKind(order_type), card)}
    is_open = columns["task_status"] in OPEN and not columns["readonly"]
    confirmed = as_object((as_object(columns["confirmed_payload_json"]) or {}).get("effective_payload"))
    return CardState(
        task_type=task_type,
        task_subtype=task_subtype,
        result_type=columns["ai_result_type"],
        event=event,
        derived_case_keys=as_object(columns["derived_case_keys"]) or {},
        manual_review=as_object(columns["manual_review"]),
        pending_review=is_open and columns["review_status"] == ReviewStatus.PENDING,
        open=is_open,
        draft=as_object(columns["draft_payload_json"]) or {},
        confirmed=confirmed,
        decided_pair=_decided_pair(confirmed) if task_type == FALLBACK else None,
        needs_visible_reason=generation == Generation.V2 or columns["field_contract_version"] == CODE_V1,
        evidence=as_array(columns["evidence"]) or [],
        options=options,
    )


def basic_information_state(card: TaskCard, order_task: OrderTask, options: Options) -> CardState:
    """The state of a Basic Information card: the order context of its order task, under the paths of the matrix (R-59)."""
    own = matrix().basic_information
    in_review = card.review_status is not None
    is_open = card.card_status in (CardStatusChoice.PENDING_CONFIRM, CardStatusChoice.PENDING_REVIEW)
    return CardState(
        task_type=own.task_type,
        task_subtype=own.task_subtype,
        result_type=MANUAL_REVIEW if in_review else NORMAL_TASK,
        event={"order_context": context_values(order_task)},
        derived_case_keys={},
        manual_review=None,
        pending_review=is_open and card.review_status == ReviewStatus.PENDING,
        open=is_open,
        draft=as_object(card.draft_payload_json) or {},
        confirmed=as_object((as_object(card.confirmed_payload_json) or {}).get("effective_payload")),
        decided_pair=None,
        needs_visible_reason=False,
        evidence=[],
        options=options,
    )


def context_values(order_task: OrderTask) -> JsonObject:
    """An order context as sent, its identifiers under the names of the keys; a block code is a group code (R-24).

    A group and a block code that differ give none: nobody has said which of them it is (R-56).
    """
    sent = as_object(order_task.order_context) or {}
    identifiers = as_object(sent.get("identifiers")) or {}
    values = {name: value for name, value in sent.items() if name not in ("identifiers", "order_ref")}
    for name, spellings in IDENTIFIERS:
        given = {fold(key): identifiers[said] for said in reversed(spellings) if (key := read_key(identifiers, said))}
        if len(given) == 1:
            values[name] = given.popitem()[1]
    return values


def read_options(*, hotel_id: int, pair: tuple[str, str], files: Iterable[tuple[str, str]]) -> Options:
    """What the selects of a card offer, inactive entries included. One statement; none where nothing is to choose.

    files  (id, name) of the files of the mail
    """
    return read_options_of(hotel_id=hotel_id, cards=cards_of(pair), files=files)


def read_options_of(*, hotel_id: int, cards: Iterable[FieldCard], files: Iterable[tuple[str, str]]) -> Options:
    """The same for several cards of one mail at once."""
    sources = sorted({source for card in cards for source in _sources(card)})
    options: dict[str, list[Option]] = {MAIL_ATTACHMENTS: [Option(key, (name, name)) for key, name in files]}
    entries = (
        CatalogEntry.objects.filter(hotel_id=hotel_id, catalog__in=sources) if sources else CatalogEntry.objects.none()
    )
    rows = entries.order_by("catalog", "position", "code").values_list(
        "catalog", "code", "label_en", "label_zh", "active"
    )
    for name, code, english, chinese, active in rows:
        options.setdefault(name, []).append(Option(code, (english, chinese), active))
    return {name: tuple(found) for name, found in options.items()}


def cards_of(pair: tuple[str, str]) -> list[FieldCard]:
    """The card of this pair; of a Fallback every card, since a person decides which one it becomes (R-40)."""
    if pair[0] == FALLBACK:
        return list(matrix().cards)
    card = matrix().card(*pair)
    return [card] if card else []


def _sources(card: FieldCard) -> Iterable[str]:
    """The catalogues whose entries the hotel keeps and the card's fields offer."""
    names = {row.options_source for row in card.rows}
    return (source.name for source in matrix().catalogs.values() if source.name in names and source.is_kept)


def _needs(pair: tuple[str, str], source: str) -> bool:
    return any(row.options_source == source for card in cards_of(pair) for row in card.rows)


def _files(task: Task) -> list[tuple[str, str]]:
    files = Attachment.objects.filter(message_id=task.source_message_id).order_by("external_id")
    return list(files.values_list("external_id", "file_name"))


def _event(text: str) -> JsonObject:
    """The event as sent; {} once it was purged, and for an old text notice."""
    if not text.startswith("{"):
        return {}
    return as_object(jsontext.read(text.encode())) or {}


def _decided_pair(confirmed: JsonObject | None) -> tuple[str, str] | None:
    decision: JsonObject = as_object((confirmed or {}).get("review_decision")) or {}
    task_type, task_subtype = decision.get("task_type"), decision.get("task_subtype")
    return (task_type, task_subtype) if isinstance(task_type, str) and isinstance(task_subtype, str) else None
