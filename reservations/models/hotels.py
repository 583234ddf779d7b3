"""The hotel: the reservations desk's name for its tenant."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from config.accounts.models import Tenant, TenantKind


class HotelManager(models.Manager["Hotel"]):
    def get_queryset(self) -> models.QuerySet[Hotel]:
        return super().get_queryset().filter(kind=TenantKind.HOTEL)

    def get_by_natural_key(self, kind: str, code: str) -> Hotel:
        return self.get(kind=kind, code=code)


class Hotel(Tenant):
    """A tenant of kind hotel."""

    objects: ClassVar[HotelManager] = HotelManager()  # type: ignore[assignment]  # gives hotels, not tenants

    class Meta:
        proxy = True
        verbose_name = _("hotel")
        verbose_name_plural = _("hotels")

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.kind = TenantKind.HOTEL
        super().save(*args, **kwargs)
