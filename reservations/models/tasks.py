"""Tasks: one accepted event each, or one notice. The card people work on is the task."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from config.jsonfield import ExactJSONField
from config.jsontext import JsonValue
from reservations.domain.states import FINAL, Action, TaskStatus, target
from reservations.models.cards import OrderTask
from reservations.models.hotels import Hotel
from reservations.models.ids import new_id
from reservations.models.inbox import SourceMessage
from reservations.models.orders import Order
from reservations.models.submissions import AiTransition, Submission

if TYPE_CHECKING:
    from config.accounts.models import User


class TaskStatusChoice(models.TextChoices):
    PENDING_CONFIRM = "PENDING_CONFIRM", _("To confirm")
    PENDING_REVIEW = "PENDING_REVIEW", _("To review")
    NOTICE = "NOTICE", _("Notice")
    READY = "READY", _("Ready")
    EXECUTING = "EXECUTING", _("Executing")
    DONE = "DONE", _("Done")
    FAILED = "FAILED", _("Failed")
    TERMINATED = "TERMINATED", _("Terminated")


class ReviewStatusChoice(models.TextChoices):
    PENDING = "PENDING", _("Pending")
    RESOLVED = "RESOLVED", _("Resolved")


UNDECIDED = (TaskStatusChoice.PENDING_CONFIRM, TaskStatusChoice.PENDING_REVIEW, TaskStatusChoice.NOTICE)
DECIDED = (TaskStatusChoice.READY, TaskStatusChoice.EXECUTING, TaskStatusChoice.FAILED, TaskStatusChoice.DONE)


class Task(models.Model):
    """What the agent proposed, how the system treats it, how it is shown (R-19), and where it stands.

    `ai_payload_json` is the event as sent and is never changed (R-35). `derived_case_keys` are the keys of the derived
    copy (R-22). The queue of an order is sorted by (received_at, queue_key) (R-27).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    hotel = models.ForeignKey(
        Hotel, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("hotel")
    )
    order = models.ForeignKey(
        Order, on_delete=models.PROTECT, related_name="tasks", db_index=False, verbose_name=_("order")
    )
    source_message = models.ForeignKey(
        SourceMessage, on_delete=models.PROTECT, related_name="tasks", verbose_name=_("source message")
    )
    submission = models.ForeignKey(
        Submission, on_delete=models.PROTECT, related_name="tasks", verbose_name=_("submission")
    )
    transition = models.OneToOneField(
        AiTransition, on_delete=models.PROTECT, related_name="task", verbose_name=_("transition")
    )
    order_task = models.ForeignKey(
        OrderTask,
        null=True,
        on_delete=models.PROTECT,
        related_name="tasks",
        db_index=False,
        verbose_name=_("order task"),
    )
    queue_key = models.CharField(_("place in the queue"), max_length=40, editable=False, null=True)
    source_event_index = models.PositiveIntegerField(_("event"))
    array_index = models.PositiveIntegerField(_("place in the array"), null=True)

    event_type = models.TextField(_("event type"), blank=True)
    ai_result_type = models.CharField(_("result type"), max_length=64)
    ai_task_type = models.CharField(_("task type"), max_length=64)
    ai_task_subtype = models.CharField(_("task subtype"), max_length=80)
    route_code = models.CharField(_("route"), max_length=120)

    system_process_category = models.CharField(_("process category"), max_length=40)
    system_task_type = models.CharField(_("system task type"), max_length=40)
    queue_participation = models.BooleanField(_("takes part in the queue"))
    readonly = models.BooleanField(_("read-only"))

    card_display_type = models.CharField(_("card"), max_length=40)
    card_title_code = models.CharField(_("card title code"), max_length=120)
    route_display_code = models.CharField(_("shown code"), max_length=120)

    case_keys = ExactJSONField(_("case keys"), default=dict)
    derived_case_keys = ExactJSONField(_("derived case keys"), default=dict)
    relationships = ExactJSONField(_("relationships"), default=list)
    manual_review = ExactJSONField(_("manual review"), null=True)
    evidence = ExactJSONField(_("evidence"), default=list)
    warnings = ExactJSONField(_("warnings"), default=list)
    ai_payload_json = models.TextField(_("event as sent"))
    ai_payload_sha256 = models.CharField(_("payload hash"), max_length=64)
    field_contract_version = models.CharField(_("field contract"), max_length=32)
    catalog_code = models.CharField(_("catalogue code"), max_length=32, blank=True)
    skill_id = models.CharField(_("skill"), max_length=64, blank=True)

    task_status = models.CharField(_("status"), max_length=20, choices=TaskStatusChoice.choices)
    review_status = models.CharField(_("review status"), max_length=16, choices=ReviewStatusChoice.choices, null=True)
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
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+", verbose_name=_("claimed by")
    )
    claim_expires_at = models.DateTimeField(_("claim ends"), null=True)
    acknowledged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("acknowledged by"),
    )
    acknowledged_at = models.DateTimeField(_("acknowledged at"), null=True)
    terminated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("terminated by"),
    )
    terminated_at = models.DateTimeField(_("terminated at"), null=True)
    termination_reason = models.TextField(_("reason of the termination"), null=True)
    version = models.PositiveIntegerField(_("version"), default=1)

    received_at = models.DateTimeField(_("received at"))
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("task")
        verbose_name_plural = _("tasks")
        permissions = [
            ("decide_task", "Can claim, draft, confirm, resolve and terminate tasks"),
            ("take_over_task", "Can take tasks over from others"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["source_message", "source_event_index"],
                condition=Q(source_event_index__gt=0),
                name="task_once_per_event",
            ),
            models.CheckConstraint(
                condition=Q(review_status__isnull=True)
                | Q(review_status=ReviewStatusChoice.PENDING, review_resolution__isnull=True)
                | Q(review_status=ReviewStatusChoice.RESOLVED, review_resolution__isnull=False),
                name="task_review_resolved_or_not",
            ),
            models.CheckConstraint(
                condition=~Q(task_status=TaskStatusChoice.PENDING_REVIEW) | Q(review_status=ReviewStatusChoice.PENDING),
                name="task_pending_review_is_pending",
            ),
            models.CheckConstraint(
                condition=Q(decided_by__isnull=True, decided_at__isnull=True)
                | Q(decided_by__isnull=False, decided_at__isnull=False),
                name="task_decided_by_and_at",
            ),
            models.CheckConstraint(
                condition=Q(draft_by__isnull=True, draft_at__isnull=True, draft_payload_json__isnull=True)
                | Q(draft_by__isnull=False, draft_at__isnull=False, draft_payload_json__isnull=False),
                name="task_draft_by_and_at",
            ),
            models.CheckConstraint(
                condition=Q(claimed_by__isnull=True, claim_expires_at__isnull=True)
                | Q(claimed_by__isnull=False, claim_expires_at__isnull=False),
                name="task_claimed_by_and_until",
            ),
            models.CheckConstraint(
                condition=Q(task_status__in=UNDECIDED, decided_by__isnull=True, confirmed_payload_json__isnull=True)
                | Q(task_status__in=DECIDED, decided_by__isnull=False, confirmed_payload_json__isnull=False)
                | Q(task_status=TaskStatusChoice.TERMINATED),
                name="task_decided_with_payload",
            ),
            models.CheckConstraint(
                condition=~Q(task_status__in=DECIDED)
                | Q(review_status__isnull=True)
                | Q(review_status=ReviewStatusChoice.RESOLVED),
                name="task_decided_is_resolved",
            ),
            models.CheckConstraint(
                condition=Q(
                    task_status=TaskStatusChoice.TERMINATED,
                    terminated_by__isnull=False,
                    terminated_at__isnull=False,
                    termination_reason__isnull=False,
                )
                | ~Q(task_status=TaskStatusChoice.TERMINATED)
                & Q(terminated_by__isnull=True, terminated_at__isnull=True, termination_reason__isnull=True),
                name="task_terminated_by_and_why",
            ),
            models.CheckConstraint(
                condition=Q(acknowledged_by__isnull=True, acknowledged_at__isnull=True)
                | Q(
                    task_status=TaskStatusChoice.NOTICE,
                    acknowledged_by__isnull=False,
                    acknowledged_at__isnull=False,
                ),
                name="task_acknowledged_by_and_at",
            ),
            models.CheckConstraint(
                condition=Q(task_status=TaskStatusChoice.NOTICE, readonly=True, queue_participation=False)
                | (~Q(task_status=TaskStatusChoice.NOTICE)),
                name="task_notice_is_readonly",
            ),
        ]
        indexes = [
            models.Index(fields=["hotel", "received_at", "id"], name="task_hotel_list"),
            models.Index(fields=["received_at", "id"], name="task_list"),
            models.Index(fields=["order", "received_at", "queue_key"], name="task_queue_key"),
            models.Index(
                fields=["claim_expires_at"], condition=Q(claim_expires_at__isnull=False), name="task_claim_ends"
            ),
            models.Index(F("hotel"), F("task_status"), F("received_at"), F("id"), name="task_hotel_status"),
            models.Index(fields=["hotel", "route_code", "received_at", "id"], name="task_hotel_route"),
            models.Index(
                fields=["hotel", "received_at", "id"], condition=Q(order_task__isnull=True), name="task_hotel_desk"
            ),
            models.Index(fields=["received_at", "id"], condition=Q(order_task__isnull=True), name="task_desk"),
        ]

    def __str__(self) -> str:
        return f"{self.ai_task_type} {self.source_event_index}"

    @staticmethod
    def queue_key_of(submission_id: UUID, index: int) -> str:
        """The package, then the place in it; of a V4 card the place of its order context, so that its siblings do not wait
        for each other (R-58)."""
        return f"{submission_id.hex}{index:06d}"

    @property
    def status(self) -> TaskStatus:
        """The state, as the move table knows it."""
        return TaskStatus(self.task_status)

    def decide(self, action: Action, *, payload: JsonValue, by: User, at: datetime) -> None:
        """Confirmed, or resolved: who, when, and with what (R-37, R-39). The draft is used up.

        raises  TaskStateInvalid
        """
        self.task_status = target(self.status, action)
        self.confirmed_payload_json = payload
        self.decided_by, self.decided_at = by, at
        self.draft_payload_json = self.draft_by = self.draft_at = None

    def terminate(self, *, by: User, at: datetime, reason: str) -> None:
        """Nobody needs it any more; whoever held it holds it no longer.

        raises  TaskStateInvalid
        """
        self.task_status = target(self.status, Action.TERMINATE)
        self.terminated_by, self.terminated_at, self.termination_reason = by, at, reason
        self.claimed_by = self.claim_expires_at = None

    def move(self, action: Action) -> None:
        """A move that nobody decides on: what became of its operations. A card that is done is held by nobody.

        raises  TaskStateInvalid
        """
        self.task_status = target(self.status, action)
        if self.status in FINAL:
            self.claimed_by = self.claim_expires_at = None

    def is_tampered(self) -> bool:
        """R-35: the event is not what was stored. One that a purge has emptied can be told by nobody, and is not."""
        text = self.ai_payload_json
        return text != "" and hashlib.sha256(text.encode()).hexdigest() != self.ai_payload_sha256
