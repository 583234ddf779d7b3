"""The inbox: mails as they came, and their files."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from config.jsonfield import ExactJSONField
from reservations.domain.mail import clean_file_name
from reservations.models.hotels import Hotel
from reservations.models.ids import new_id


class SourceMessage(models.Model):
    """One mail. Its outer id is unique within hotel, provider and channel only (R-03 answers what that leaves open)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    hotel = models.ForeignKey(
        Hotel, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("hotel")
    )
    provider = models.CharField(_("provider"), max_length=64)
    channel = models.CharField(_("channel"), max_length=64)
    external_message_id = models.CharField(_("message id"), max_length=512)
    conversation_id = models.CharField(_("conversation"), max_length=512, blank=True)
    subject = models.TextField(_("subject"), blank=True)
    sender = models.TextField(_("sender"), blank=True)
    sender_domain = models.CharField(_("sender domain"), max_length=255, blank=True)
    recipients = ExactJSONField(_("recipients"), default=list)
    received_at = models.DateTimeField(_("received at"))
    body_text = models.TextField(_("text"), blank=True)
    body_html = models.TextField(_("HTML as received"), blank=True)
    headers = ExactJSONField(_("headers"), default=list)
    content_sha256 = models.CharField(_("content hash"), max_length=64, editable=False)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("source message")
        verbose_name_plural = _("source messages")
        constraints = [
            models.UniqueConstraint(
                fields=["hotel", "provider", "channel", "external_message_id"], name="source_message_identity"
            )
        ]
        indexes = [
            models.Index(fields=["hotel", "external_message_id"], name="source_message_outer_id"),
            models.Index(fields=["hotel", "conversation_id", "received_at"], name="source_message_conversation"),
            models.Index(fields=["hotel", "received_at", "id"], name="source_message_hotel_list"),
            models.Index(fields=["received_at", "id"], name="source_message_list"),
        ]

    def __str__(self) -> str:
        return self.subject or self.external_message_id


class Attachment(models.Model):
    """A file of a mail, stored under its hash. The content is absent when the gateway sent only its name."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    message = models.ForeignKey(
        SourceMessage, on_delete=models.PROTECT, related_name="attachments", db_index=False, verbose_name=_("message")
    )
    external_id = models.CharField(_("external id"), max_length=255)
    file_name = models.CharField(_("file name"), max_length=255)
    media_type = models.CharField(_("media type"), max_length=255)
    size = models.PositiveBigIntegerField(_("size"), null=True)
    sha256 = models.CharField(_("SHA-256"), max_length=64, blank=True)
    file = models.FileField(_("file"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("attachment")
        verbose_name_plural = _("attachments")
        constraints = [models.UniqueConstraint(fields=["message", "external_id"], name="attachment_once")]

    def __str__(self) -> str:
        return self.file_name

    @property
    def download_name(self) -> str:
        """A name that can do no harm on a disk or in a header."""
        return clean_file_name(self.file_name) or "attachment"
