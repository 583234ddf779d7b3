"""Simulated OPERA operations, and what the simulated PMS keeps of them (R-47 to R-49)."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.delivery.models import Delivery
from config.jsonfield import ExactJSONField
from reservations.models.hotels import Hotel
from reservations.models.ids import new_id
from reservations.models.tasks import Task


class OperationStatus(models.TextChoices):
    PENDING = "PENDING", _("Pending")
    SENDING = "SENDING", _("Sending")
    SUCCEEDED = "SUCCEEDED", _("Succeeded")
    FAILED = "FAILED", _("Failed")
    UNKNOWN = "UNKNOWN", _("Unknown")


class OperaOperation(Delivery):
    """One call a confirmed card leads to. The two of a task are sent in sequence, each under its external id.

    `request_body` is what it would send, null for a read; `dry_run` is {valid, errors[]} against the published schema.
    """

    attempt_task: ClassVar[str] = "reservations.services.execution.attempt_operation"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    hotel = models.ForeignKey(
        Hotel, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("hotel")
    )
    task = models.ForeignKey(
        Task, on_delete=models.PROTECT, related_name="operations", db_index=False, verbose_name=_("task")
    )
    sequence = models.PositiveSmallIntegerField(_("sequence"))
    external_id = models.CharField(_("external id"), max_length=64, unique=True)
    operation_id = models.CharField(_("operation"), max_length=64)
    role = models.CharField(_("role"), max_length=16)
    spec = models.CharField(_("specification"), max_length=16)
    method = models.CharField(_("method"), max_length=8)
    path = models.CharField(_("path"), max_length=200)
    body_schema = models.CharField(_("body"), max_length=64, null=True)
    request_body = ExactJSONField(_("request body"), null=True)
    dry_run = ExactJSONField(_("dry run"))
    status = models.CharField(
        _("status"), max_length=16, choices=OperationStatus.choices, default=OperationStatus.PENDING
    )
    receipt = ExactJSONField(_("receipt"), null=True)
    created_at = models.DateTimeField(_("created at"))
    finished_at = models.DateTimeField(_("finished at"), null=True)

    class Meta:
        verbose_name = _("OPERA operation")
        verbose_name_plural = _("OPERA operations")
        constraints = [
            models.UniqueConstraint(fields=["task", "sequence"], name="operation_once_per_place"),
            models.CheckConstraint(condition=Q(sequence__in=(1, 2)), name="operation_first_or_second"),
            models.CheckConstraint(
                condition=Q(status__in=("SUCCEEDED", "FAILED"), finished_at__isnull=False, next_try_at__isnull=True)
                | (~Q(status__in=("SUCCEEDED", "FAILED")) & Q(finished_at__isnull=True)),
                name="operation_finished_or_not",
            ),
        ]
        indexes = [
            models.Index(fields=["next_try_at"], condition=Q(next_try_at__isnull=False), name="operation_due"),
            models.Index(fields=["hotel", "created_at", "id"], name="operation_hotel_list"),
        ]

    def __str__(self) -> str:
        return f"{self.operation_id} {self.sequence}"


class SimulatedCall(models.Model):
    """What the simulated PMS received, once per external id, and the answer it gave or would have given.

    Written apart from the operation, as another system would: an effect whose answer was lost is found here.
    """

    external_id = models.CharField(_("external id"), max_length=64, primary_key=True)
    operation_id = models.CharField(_("operation"), max_length=64)
    hotel_code = models.CharField(_("hotel"), max_length=64)
    body = ExactJSONField(_("body"), null=True)
    answer = ExactJSONField(_("answer"))
    times_received = models.PositiveIntegerField(_("times received"), default=1)
    received_at = models.DateTimeField(_("received at"))

    class Meta:
        verbose_name = _("call the simulated PMS received")
        verbose_name_plural = _("calls the simulated PMS received")

    def __str__(self) -> str:
        return self.external_id


class SimulatedOutcome(models.TextChoices):
    REFUSAL = "refusal", _("Refused")
    TIMEOUT = "timeout", _("Timed out, nothing done")
    LOST_ANSWER = "lost_answer", _("Done, the answer was lost")
    UNAVAILABLE = "unavailable", _("Could not be reached")


class SimulatorScript(models.Model):
    """How the simulated PMS answers the next calls that fit; calls without a script succeed.

    A blank operation and no hotel fit all; `remaining` null means from now on.
    """

    hotel = models.ForeignKey(
        Hotel, null=True, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("hotel")
    )
    operation_id = models.CharField(_("operation"), max_length=64, blank=True)
    outcome = models.CharField(_("outcome"), max_length=16, choices=SimulatedOutcome.choices)
    remaining = models.PositiveIntegerField(_("remaining"), null=True)

    class Meta:
        verbose_name = _("simulator script")
        verbose_name_plural = _("simulator scripts")

    def __str__(self) -> str:
        return f"{self.operation_id or '*'} {self.outcome}"
