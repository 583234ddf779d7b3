"""Orders: what the tasks of a hotel are about."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from reservations.models.hotels import Hotel
from reservations.models.ids import new_id


class OrderKindChoice(models.TextChoices):
    FIT = "FIT", _("Individual")
    GROUP = "GROUP", _("Group")
    ALLOTMENT = "ALLOTMENT", _("Allotment")
    TEMPORARY = "TEMPORARY", _("Temporary")
    TECHNICAL = "TECHNICAL", _("Technical")


class OrderStatus(models.TextChoices):
    ACTIVE = "ACTIVE", _("Active")
    CANCELLED = "CANCELLED", _("Cancelled")
    CLOSED = "CLOSED", _("Closed")


class Order(models.Model):
    """Keys are kept as given and, beside them, folded (R-25); the folded ones carry the uniqueness (R-26).

    A booking code is not unique. Hidden orders (TECHNICAL, R-10) exist for notices only and are never shown.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    hotel = models.ForeignKey(
        Hotel, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("hotel")
    )
    order_number = models.CharField(_("order number"), max_length=20)
    kind = models.CharField(_("kind"), max_length=16, choices=OrderKindChoice.choices)
    status = models.CharField(_("status"), max_length=16, choices=OrderStatus.choices, default=OrderStatus.ACTIVE)
    display_name = models.TextField(_("name"), blank=True)
    group_code = models.TextField(_("group code"), null=True)
    confirmation_number = models.TextField(_("confirmation number"), null=True)
    booking_code = models.TextField(_("booking code"), null=True)
    group_key = models.TextField(_("folded group code"), null=True, editable=False)
    confirmation_key = models.TextField(_("folded confirmation number"), null=True, editable=False)
    booking_key = models.TextField(_("folded booking code"), null=True, editable=False)
    hidden = models.BooleanField(_("hidden"), default=False)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("order")
        verbose_name_plural = _("orders")
        constraints = [
            models.UniqueConstraint(
                fields=["hotel", "group_key"],
                condition=Q(status=OrderStatus.ACTIVE, group_key__isnull=False),
                name="order_active_group_once",
            ),
            models.UniqueConstraint(
                fields=["hotel", "confirmation_key"],
                condition=Q(status=OrderStatus.ACTIVE, confirmation_key__isnull=False),
                name="order_active_confirmation_once",
            ),
            models.CheckConstraint(
                condition=Q(kind=OrderKindChoice.TECHNICAL, hidden=True)
                | (~Q(kind=OrderKindChoice.TECHNICAL) & Q(hidden=False)),
                name="order_technical_is_hidden",
            ),
        ]
        indexes = [
            models.Index(
                fields=["hotel", "booking_key"], condition=Q(booking_key__isnull=False), name="order_booking_code"
            ),
            models.Index(fields=["hotel", "created_at", "id"], condition=Q(hidden=False), name="order_hotel_list"),
            models.Index(fields=["created_at", "id"], condition=Q(hidden=False), name="order_list"),
            models.Index(
                fields=["hotel", "status", "created_at", "id"], condition=Q(hidden=False), name="order_hotel_status"
            ),
            models.Index(
                fields=["hotel", "kind", "created_at", "id"], condition=Q(hidden=False), name="order_hotel_kind"
            ),
        ]

    def __str__(self) -> str:
        return self.order_number
