"""What was done, by whom, through which door. Rows are only ever added; the database refuses the rest."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from config.jsonfield import ExactJSONField


class Door(models.TextChoices):
    """Where a write came in."""

    API = "api", _("API")
    ADMIN = "admin", _("Back-office")
    MCP = "mcp", _("MCP")
    COMMAND = "command", _("Command")
    SYSTEM = "system", _("System")


class AuditEventManager(models.Manager["AuditEvent"]):
    def get_by_natural_key(self, action: str, object_type: str, object_id: str, at: datetime) -> AuditEvent:
        return self.get(action=action, object_type=object_type, object_id=object_id, at=at)


class AuditEvent(models.Model):
    """One change of one object, with its state before and after. Payload texts are referred to by hash, not copied."""

    tenant = models.ForeignKey(
        "accounts.Tenant",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("tenant"),
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("actor"),
    )
    door = models.CharField(_("door"), max_length=16, choices=Door.choices)
    action = models.CharField(_("action"), max_length=64)
    object_type = models.CharField(_("object type"), max_length=40)
    object_id = models.CharField(_("object id"), max_length=64)
    before = ExactJSONField(_("before"), null=True)
    after = ExactJSONField(_("after"), null=True)
    reason = models.TextField(_("reason"), blank=True)
    request_id = models.CharField(_("request id"), max_length=64, blank=True)
    at = models.DateTimeField(_("at"))

    objects = AuditEventManager()

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit events")
        indexes = [
            models.Index(fields=["object_type", "object_id", "id"], name="audit_object"),
            models.Index(fields=["tenant", "id"], name="audit_tenant"),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.object_type} {self.object_id}"

    def natural_key(self) -> tuple[str, str, str, datetime]:
        """What a fixture finds an event by, so that loading it twice adds nothing."""
        return self.action, self.object_type, self.object_id, self.at
