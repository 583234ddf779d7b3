"""The keys callers have sent, and the answers they got."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from config.jsonfield import ExactJSONField


class IdempotencyKey(models.Model):
    """One key of one caller on one method and path. Without a status it is a marker: its request is being worked on."""

    # A digest of caller, method, path and key: a path may be longer than an index takes.
    scope = models.UUIDField(_("scope"), primary_key=True)
    caller = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
        verbose_name=_("caller"),
    )
    method = models.CharField(_("method"), max_length=8)
    path = models.TextField(_("path"))
    key = models.CharField(_("key"), max_length=255)
    request_sha256 = models.CharField(_("hash of the request"), max_length=64)
    holder = models.UUIDField(_("holder"))  # of the request that may write the answer; taking a key over changes it
    started_at = models.DateTimeField(_("started at"))
    status = models.PositiveSmallIntegerField(_("status"), null=True)
    headers = ExactJSONField(_("headers"), null=True)
    body = models.BinaryField(_("body"), null=True)

    class Meta:
        verbose_name = _("idempotency key")
        verbose_name_plural = _("idempotency keys")
        indexes = [models.Index(fields=["started_at"], name="idempotency_started")]

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.key}"
