"""What was done, by whom, through which door. Rows are only ever added; the database refuses the rest.

Writers add events and wait for nobody. A sealer (config.audit.services.seal) then gives each committed event its place
in the chain of its tenant, once. A purge may empty what may hold personal data: before, after, reason, and the nonce.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from config.audit.domain import GENESIS
from config.jsonfield import ExactJSONField


class Door(models.TextChoices):
    """Where a write came in."""

    API = "api", _("API")
    ADMIN = "admin", _("Back-office")
    MCP = "mcp", _("MCP")
    COMMAND = "command", _("Command")
    SYSTEM = "system", _("System")


SEAL = ("position", "previous_hash", "nonce", "content_sha256", "hash")


class AuditEventManager(models.Manager["AuditEvent"]):
    def get_by_natural_key(self, action: str, object_type: str, object_id: str, at: datetime) -> AuditEvent:
        return self.get(action=action, object_type=object_type, object_id=object_id, at=at)


class AuditEvent(models.Model):
    """One change of one object, with its state before and after. Payload texts are referred to by hash, not copied.

    The seal is NULL until the sealer sets it. It is no part of a fixture: positions and keys are those of one database.
    """

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
    position = models.BigIntegerField(_("position"), null=True, editable=False, serialize=False)
    previous_hash = models.CharField(_("previous hash"), max_length=64, null=True, editable=False, serialize=False)
    nonce = models.CharField(_("nonce"), max_length=32, null=True, editable=False, serialize=False)
    content_sha256 = models.CharField(_("content hash"), max_length=64, null=True, editable=False, serialize=False)
    hash = models.CharField(_("hash"), max_length=64, null=True, editable=False, serialize=False)

    objects = AuditEventManager()

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit events")
        indexes = [
            models.Index(fields=["object_id", "object_type", "id"], name="audit_object_id"),
            models.Index(fields=["tenant", "id"], name="audit_tenant"),
            models.Index(fields=["tenant", "id"], condition=Q(position=None), name="audit_unsealed"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "position"],
                condition=Q(tenant__isnull=False, position__isnull=False),
                name="audit_position_of_tenant_once",
            ),
            models.UniqueConstraint(
                fields=["position"],
                condition=Q(tenant__isnull=True, position__isnull=False),
                name="audit_position_of_no_tenant_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.object_type} {self.object_id}"

    def natural_key(self) -> tuple[str, str, str, datetime]:
        """What a fixture finds an event by, so that loading it twice adds nothing."""
        return self.action, self.object_type, self.object_id, self.at

    def _do_update(self, base_qs: Any, using: Any, pk_val: Any, values: Any, *rest: Any) -> Any:
        """Saving an event again, as a fixture that is loaded twice does, says nothing of its seal."""
        kept = [value for value in values if value[0].attname not in SEAL]
        return super()._do_update(base_qs, using, pk_val, kept, *rest)


class AuditChain(models.Model):
    """How far the chain of one tenant is sealed; one more is for events of no tenant. A sealer holds the row's lock."""

    tenant = models.ForeignKey(
        "accounts.Tenant",
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("tenant"),
    )
    length = models.BigIntegerField(_("length"), default=0)
    head_hash = models.CharField(_("hash of the last event"), max_length=64, default=GENESIS)

    class Meta:
        default_permissions = ()
        verbose_name = _("audit chain")
        verbose_name_plural = _("audit chains")
        constraints = [models.UniqueConstraint(Coalesce("tenant", 0), name="audit_chain_once")]

    def __str__(self) -> str:
        return f"chain of tenant {self.tenant_id}"
