"""What people do with the cards of an order task (R-59 to R-62). A business card is its task and is written as that."""

from __future__ import annotations

from uuid import UUID

from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from config.api.conditional import written_response
from config.idempotency.api import Idempotent
from reservations.api.access import found, hotel_ids
from reservations.api.serializers.tasks.cards import CardDecisionSerializer, CardResolveRequestSerializer, WrittenCard
from reservations.api.serializers.tasks.writes import (
    ConfirmRequestSerializer,
    DraftRequestSerializer,
)
from reservations.api.views.taskwrites import DECIDE, body_of, writer_of, writing
from reservations.models import TaskCard
from reservations.selectors.ordertasks import find_card
from reservations.services.basicinformation import (
    confirm_basic_information,
    draft_basic_information,
    resolve_basic_information,
)
from reservations.services.confirmation import confirm_task
from reservations.services.drafts import save_draft
from reservations.services.review import resolve_review

CARD_PATH = "cards/<uuid:card_id>"


class CardWrites(Idempotent):
    """The writes of `/order-tasks/{id}/cards/{card_id}`."""

    write_permissions = dict.fromkeys(("draft_card", "confirm_card", "resolve_card"), DECIDE)

    @writing("save_card_draft", "Keep what is filled in so far", DraftRequestSerializer, CardDecisionSerializer)
    @action(detail=True, methods=["put"], url_path=f"{CARD_PATH}/draft")
    def draft_card(self, request: Request, pk: UUID, card_id: UUID) -> Response:
        card, writer, body = _card(request, pk, card_id), writer_of(request), body_of(request)
        if card.task_id is not None:
            return _answer(WrittenCard(card, save_draft(writer=writer, task_id=card.task_id, body=body)))
        return _answer(WrittenCard(draft_basic_information(writer=writer, card_id=card.pk, body=body)))

    @writing("confirm_card", "Confirm the card", ConfirmRequestSerializer, CardDecisionSerializer)
    @action(detail=True, methods=["post"], url_path=f"{CARD_PATH}/confirm")
    def confirm_card(self, request: Request, pk: UUID, card_id: UUID) -> Response:
        card, writer, body = _card(request, pk, card_id), writer_of(request), body_of(request)
        if card.task_id is not None:
            decision = confirm_task(writer=writer, task_id=card.task_id, body=body)
            return _answer(WrittenCard(card, decision.task, decision.operations))
        return _answer(WrittenCard(confirm_basic_information(writer=writer, card_id=card.pk, body=body)))

    @writing("resolve_card", "Resolve the review of the card", CardResolveRequestSerializer, CardDecisionSerializer)
    @action(detail=True, methods=["post"], url_path=f"{CARD_PATH}/manual-review-resolutions")
    def resolve_card(self, request: Request, pk: UUID, card_id: UUID) -> Response:
        card, writer, body = _card(request, pk, card_id), writer_of(request), body_of(request)
        if card.task_id is not None:
            decision = resolve_review(writer=writer, task_id=card.task_id, body=body)
            return _answer(WrittenCard(card, decision.task, decision.operations))
        return _answer(WrittenCard(resolve_basic_information(writer=writer, card_id=card.pk, body=body)))


def _card(request: Request, order_task_id: UUID, card_id: UUID) -> TaskCard:
    return found(find_card(hotel_ids=hotel_ids(request), order_task_id=order_task_id, card_id=card_id))


def _answer(written: WrittenCard) -> Response:
    return written_response(written.version, CardDecisionSerializer(written).data)
