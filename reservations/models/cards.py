"""V4: what one mail asks for one order, and the cards it is made of."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.jsonfield import ExactJSONField
from config.jsontext import JsonValue
from reservations.domain.states import Action, CardStatus, card_target
from reservations.models.hotels import Hotel
from reservations.models.ids import new_id
from reservations.models.inbox import SourceMessage
from reservations.models.orders import Order
from reservations.models.submissions import AiTransition, Submission

if TYPE_CHECKING:
    from config.accounts.models import User


class OrderTaskStatusChoice(models.TextChoices):
    PENDING_CONFIRM = "PENDING_CONFIRM", _("Basic Information to confirm")
    PENDING_REVIEW = "PENDING_REVIEW", _("Basic Information to review")
    IN_PROGRESS = "IN_PROGRESS", _("In progress")
    DONE = "DONE", _("Done")


class CardKind(models.TextChoices):
    SOURCE_MESSAGE = "SOURCE_MESSAGE", _("Source message")
    BASIC_INFORMATION = "BASIC_INFORMATION", _("Basic Information")
    BUSINESS = "BUSINESS", _("Business")


class CardStatusChoice(models.TextChoices):
    PENDING_CONFIRM = "PENDING_CONFIRM", _("To confirm")
    PENDING_REVIEW = "PENDING_REVIEW", _("To review")
    CONFIRMED = "CONFIRMED", _("Confirmed")


class OrderTask(models.Model):
    """One order context of one mail (R-56). `order_context` is as sent and never changed.

    Its status follows its cards (R-58): Basic Information first, then the business cards until every one is final.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    hotel = models.ForeignKey(
        Hotel, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("hotel")
    )
    order = models.ForeignKey(Order, on_delete=models.PROTECT, related_name="order_tasks", verbose_name=_("order"))
    source_message = models.ForeignKey(
        SourceMessage,
        on_delete=models.PROTECT,
        related_name="order_tasks",
        db_index=False,
        verbose_name=_("source message"),
    )
    submission = models.ForeignKey(
        Submission, on_delete=models.PROTECT, related_name="order_tasks", db_index=False, verbose_name=_("submission")
    )
    order_ref = models.TextField(_("order reference"))
    order_context_index = models.PositiveIntegerField(_("place of the context"))
    order_type = models.CharField(_("order type"), max_length=16)
    order_context = ExactJSONField(_("order context"))
    display_name = models.TextField(_("name"), blank=True)
    status = models.CharField(_("status"), max_length=20, choices=OrderTaskStatusChoice.choices)
    version = models.PositiveIntegerField(_("version"), default=1)
    received_at = models.DateTimeField(_("received at"))
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("order task")
        verbose_name_plural = _("order tasks")
        constraints = [
            models.UniqueConstraint(fields=["source_message", "order_ref"], name="order_task_once_per_reference")
        ]
        indexes = [
            models.Index(fields=["hotel", "received_at", "id"], name="order_task_hotel_list"),
            models.Index(fields=["received_at", "id"], name="order_task_list"),
            models.Index(fields=["hotel", "status", "received_at", "id"], name="order_task_hotel_status"),
        ]

    def __str__(self) -> str:
        return f"{self.order_ref} {self.display_name}"


class TaskCard(models.Model):
    """One card of an order task. A BUSINESS card is shown by its task and decided there; the SOURCE_MESSAGE card is read.

    The columns of a decision belong to BASIC_INFORMATION alone.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    hotel = models.ForeignKey(
        Hotel, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("hotel")
    )
    order_task = models.ForeignKey(
        OrderTask, on_delete=models.PROTECT, related_name="cards", db_index=False, verbose_name=_("order task")
    )
    kind = models.CharField(_("kind"), max_length=20, choices=CardKind.choices)
    source_event_index = models.PositiveIntegerField(_("event"), default=0)
    task = models.OneToOneField(
        "reservations.Task", null=True, on_delete=models.PROTECT, related_name="card", verbose_name=_("task")
    )
    card_status = models.CharField(_("status"), max_length=20, choices=CardStatusChoice.choices, null=True)
    review_status = models.CharField(_("review status"), max_length=16, null=True)
    review_resolution = ExactJSONField(_("review resolution"), null=True)
    draft_payload_json = ExactJSONField(_("draft"), null=True)
    draft_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("draft by"),
    )
    draft_at = models.DateTimeField(_("draft at"), null=True)
    confirmed_payload_json = ExactJSONField(_("confirmed payload"), null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("decided by"),
    )
    decided_at = models.DateTimeField(_("decided at"), null=True)
    warnings = ExactJSONField(_("warnings"), default=list)
    version = models.PositiveIntegerField(_("version"), default=1)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("card")
        verbose_name_plural = _("cards")
        constraints = [
            models.UniqueConstraint(fields=["order_task", "kind", "source_event_index"], name="card_once_per_place"),
            models.CheckConstraint(
                condition=Q(kind=CardKind.BUSINESS, task__isnull=False, source_event_index__gt=0)
                | (~Q(kind=CardKind.BUSINESS) & Q(task__isnull=True, source_event_index=0)),
                name="card_business_has_task",
            ),
            models.CheckConstraint(
                condition=Q(kind=CardKind.BASIC_INFORMATION, card_status__isnull=False)
                | (~Q(kind=CardKind.BASIC_INFORMATION) & Q(card_status__isnull=True, review_status__isnull=True)),
                name="card_basic_information_is_decided",
            ),
            models.CheckConstraint(
                condition=Q(card_status=CardStatusChoice.CONFIRMED, decided_by__isnull=False, decided_at__isnull=False)
                & Q(confirmed_payload_json__isnull=False)
                | (~Q(card_status=CardStatusChoice.CONFIRMED) | Q(card_status__isnull=True))
                & Q(decided_by__isnull=True, decided_at__isnull=True, confirmed_payload_json__isnull=True),
                name="card_decided_by_and_at",
            ),
            models.CheckConstraint(
                condition=Q(review_status__isnull=True, review_resolution__isnull=True)
                | Q(
                    review_status="PENDING", card_status=CardStatusChoice.PENDING_REVIEW, review_resolution__isnull=True
                )
                | Q(review_status="RESOLVED", card_status=CardStatusChoice.CONFIRMED, review_resolution__isnull=False),
                name="card_review_resolved_or_not",
            ),
            models.CheckConstraint(
                condition=Q(draft_by__isnull=True, draft_at__isnull=True, draft_payload_json__isnull=True)
                | Q(draft_by__isnull=False, draft_at__isnull=False, draft_payload_json__isnull=False),
                name="card_draft_by_and_at",
            ),
        ]

    def __str__(self) -> str:
        return self.card_key

    @property
    def status(self) -> CardStatus:
        """Of a Basic Information card, as its table of moves knows it."""
        return CardStatus(str(self.card_status))

    def decide(self, action: Action, *, payload: JsonValue, by: User, at: datetime) -> None:
        """Basic Information confirmed, or its review resolved; from then on it is locked (R-61).

        raises  TaskStateInvalid
        """
        self.card_status = card_target(self.status, action)
        self.confirmed_payload_json = payload
        self.decided_by, self.decided_at = by, at
        self.draft_payload_json = self.draft_by = self.draft_at = None

    @property
    def card_key(self) -> str:
        """SOURCE_MESSAGE, BASIC_INFORMATION or EVENT_<source_event_index>."""
        return f"EVENT_{self.source_event_index}" if self.kind == CardKind.BUSINESS else str(self.kind)


class SourceNotification(models.Model):
    """V4: a mail for a person to look at (R-11). It waits until somebody acknowledges it; nothing else is done to it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    hotel = models.ForeignKey(
        Hotel, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("hotel")
    )
    source_message = models.ForeignKey(
        SourceMessage, on_delete=models.PROTECT, related_name="notifications", verbose_name=_("source message")
    )
    submission = models.OneToOneField(
        Submission, on_delete=models.PROTECT, related_name="notification", verbose_name=_("submission")
    )
    transition = models.OneToOneField(
        AiTransition, on_delete=models.PROTECT, related_name="notification", verbose_name=_("transition")
    )
    route_code = models.CharField(_("route"), max_length=120)
    route_display_code = models.CharField(_("shown code"), max_length=120)
    agent_assessment = ExactJSONField(_("assessment"), null=True)
    notification = ExactJSONField(_("notification"), null=True)
    manual_review = ExactJSONField(_("manual review"), null=True)
    acknowledged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("acknowledged by"),
    )
    acknowledged_at = models.DateTimeField(_("acknowledged at"), null=True)
    version = models.PositiveIntegerField(_("version"), default=1)
    received_at = models.DateTimeField(_("received at"))
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("source notification")
        verbose_name_plural = _("source notifications")
        constraints = [
            models.CheckConstraint(
                condition=Q(acknowledged_by__isnull=True, acknowledged_at__isnull=True)
                | Q(acknowledged_by__isnull=False, acknowledged_at__isnull=False),
                name="notification_acknowledged_by_and_at",
            ),
        ]
        indexes = [
            models.Index(fields=["hotel", "received_at", "id"], name="notification_hotel_list"),
            models.Index(fields=["received_at", "id"], name="notification_list"),
            models.Index(
                fields=["hotel", "received_at", "id"],
                condition=Q(acknowledged_at__isnull=True),
                name="notification_waiting",
            ),
            models.Index(fields=["hotel", "route_code", "received_at", "id"], name="notification_hotel_route"),
        ]

    def __str__(self) -> str:
        return self.route_code
