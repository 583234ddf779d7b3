"""What an agent sent, and the verdict on every part of it. Neither is ever changed."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.jsonfield import ExactJSONField
from reservations.models.hotels import Hotel
from reservations.models.ids import new_id
from reservations.models.inbox import SourceMessage


class SubmissionOutcome(models.TextChoices):
    ACCEPTED = "ACCEPTED", _("Accepted")
    CONFLICT = "CONFLICT", _("Conflict")


class Submission(models.Model):
    """One package. `payload` is the text as received; `canonical_sha256` is its identity within the mail (R-51)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    hotel = models.ForeignKey(
        Hotel, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("hotel")
    )
    source_message = models.ForeignKey(
        SourceMessage,
        on_delete=models.PROTECT,
        related_name="submissions",
        db_index=False,
        verbose_name=_("source message"),
    )
    generation = models.CharField(_("generation"), max_length=8)
    root_kind = models.CharField(_("root"), max_length=32)
    payload = models.TextField(_("payload as received"))
    canonical_sha256 = models.CharField(_("canonical hash"), max_length=64)
    caller = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("caller")
    )
    mapping_diagnostics = ExactJSONField(_("mapping diagnostics"), null=True)
    case_candidates = ExactJSONField(_("case candidates"), default=list)
    extraction_warnings = ExactJSONField(_("extraction warnings"), default=list)
    response = models.TextField(_("answer"))
    outcome = models.CharField(_("outcome"), max_length=16, choices=SubmissionOutcome.choices)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("submission")
        verbose_name_plural = _("submissions")
        permissions = [("ingest_package", "Can submit packages of an agent")]
        constraints = [models.UniqueConstraint(fields=["source_message", "canonical_sha256"], name="submission_once")]
        indexes = [
            models.Index(fields=["hotel", "created_at", "id"], name="submission_hotel_list"),
            models.Index(fields=["created_at", "id"], name="submission_list"),
            models.Index(
                fields=["hotel", "created_at", "id"],
                condition=Q(outcome=SubmissionOutcome.CONFLICT),
                name="submission_conflicts",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.generation} {self.id}"


class TransitionKind(models.TextChoices):
    """Four kinds of verdict; the values of the last two are literals of the contract."""

    BUSINESS_EVENT = "business_event", _("Business event")
    SOURCE_NOTIFICATION = "source_notification", _("Notice")
    CONTRACT_ERROR = "adapter_contract_error", _("Contract error")
    UNHANDLED_INTENT = "UNHANDLED_CURRENT_INTENT", _("Unhandled intent")


class AiTransition(models.Model):
    """One verdict. Package level: `source_event_index` 0 and no `array_index`."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    hotel = models.ForeignKey(
        Hotel, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("hotel")
    )
    submission = models.ForeignKey(
        Submission, on_delete=models.PROTECT, related_name="transitions", db_index=False, verbose_name=_("submission")
    )
    source_message = models.ForeignKey(
        SourceMessage, on_delete=models.PROTECT, related_name="transitions", verbose_name=_("source message")
    )
    kind = models.CharField(_("kind"), max_length=32, choices=TransitionKind.choices)
    source_event_index = models.PositiveIntegerField(_("event"))
    array_index = models.PositiveIntegerField(_("place in the array"), null=True)
    ai_result_type = models.TextField(_("result type"), blank=True)
    ai_task_type = models.TextField(_("task type"), blank=True)
    ai_task_subtype = models.TextField(_("task subtype"), blank=True)
    route_code = models.CharField(_("route"), max_length=120, blank=True)
    system_process_category = models.CharField(_("process category"), max_length=40)
    event = models.TextField(_("event as sent"))
    event_sha256 = models.CharField(_("event hash"), max_length=64)
    adapter_error_code = models.CharField(_("error code"), max_length=64, blank=True)
    adapter_error_message = models.TextField(_("error"), blank=True)
    adapter_error_detail = models.TextField(_("what exactly"), blank=True)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("transition")
        verbose_name_plural = _("transitions")
        constraints = [
            models.UniqueConstraint(fields=["submission", "kind", "array_index"], name="transition_once"),
            models.UniqueConstraint(
                fields=["submission", "kind"], condition=Q(array_index__isnull=True), name="transition_package_once"
            ),
            models.CheckConstraint(
                condition=Q(kind=TransitionKind.CONTRACT_ERROR, adapter_error_code__gt="")
                | (~Q(kind=TransitionKind.CONTRACT_ERROR) & Q(adapter_error_code="")),
                name="transition_error_has_code",
            ),
        ]
        indexes = [
            models.Index(fields=["hotel", "created_at", "id"], name="transition_hotel_list"),
            models.Index(fields=["created_at", "id"], name="transition_list"),
            models.Index(
                fields=["hotel", "created_at", "id"],
                condition=Q(kind=TransitionKind.CONTRACT_ERROR),
                name="transition_contract_errors",
            ),
            models.Index(
                fields=["hotel", "created_at", "id"],
                condition=Q(kind=TransitionKind.UNHANDLED_INTENT),
                name="transition_unhandled",
            ),
            models.Index(
                fields=["hotel", "created_at", "id"],
                condition=Q(kind=TransitionKind.SOURCE_NOTIFICATION),
                name="transition_notices",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.source_event_index}"


class AdapterContractErrorManager(models.Manager["AdapterContractError"]):
    def get_queryset(self) -> models.QuerySet[AdapterContractError]:
        return super().get_queryset().filter(kind=TransitionKind.CONTRACT_ERROR)


class AdapterContractError(AiTransition):
    """The contract errors among the transitions, as a list of their own (R-75)."""

    objects: ClassVar[AdapterContractErrorManager] = AdapterContractErrorManager()

    class Meta:
        proxy = True
        verbose_name = _("contract error")
        verbose_name_plural = _("contract errors")
