"""Catalogues: the routes, and the values a select offers."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from reservations.models.hotels import Hotel


class RouteStatus(models.TextChoices):
    ACTIVE = "active", _("Active")
    RETIRED = "retired", _("Retired")


class Route(models.Model):
    """One route: what the agent says, how the system treats it, how it is shown (R-15, R-19). Codes never change."""

    route_code = models.CharField(_("route code"), max_length=120, primary_key=True)
    position = models.PositiveSmallIntegerField(_("position"), unique=True)
    status = models.CharField(_("status"), max_length=16, choices=RouteStatus.choices)
    result_type = models.CharField(_("result type"), max_length=64)
    task_type = models.CharField(_("task type"), max_length=64)
    task_subtype = models.CharField(_("task subtype"), max_length=80)
    system_process_category = models.CharField(_("process category"), max_length=40)
    system_task_type = models.CharField(_("system task type"), max_length=40, blank=True)
    queue_participation = models.BooleanField(_("takes part in the queue"))
    readonly = models.BooleanField(_("read-only"))
    card_display_type = models.CharField(_("card"), max_length=40)
    card_title_code = models.CharField(_("card title code"), max_length=120)
    route_display_code = models.CharField(_("shown code"), max_length=120)
    title_en = models.CharField(_("title"), max_length=200)
    title_zh = models.CharField(_("title in Chinese"), max_length=200)

    class Meta:
        ordering = ("position",)
        verbose_name = _("route")
        verbose_name_plural = _("routes")

    def __str__(self) -> str:
        return self.route_code


class CatalogEntryManager(models.Manager["CatalogEntry"]):
    def get_by_natural_key(self, kind: str, hotel: str, catalog: str, code: str) -> CatalogEntry:
        return self.get(hotel__kind=kind, hotel__code=hotel, catalog=catalog, code=code)


class CatalogEntry(models.Model):
    """One value of a catalogue of a hotel: a room type, an account, a market, …"""

    hotel = models.ForeignKey(
        Hotel, on_delete=models.PROTECT, related_name="+", db_index=False, verbose_name=_("hotel")
    )
    catalog = models.CharField(_("catalogue"), max_length=64)
    code = models.CharField(_("code"), max_length=64)
    label_en = models.CharField(_("label"), max_length=200)
    label_zh = models.CharField(_("label in Chinese"), max_length=200)
    active = models.BooleanField(_("active"), default=True)
    position = models.PositiveIntegerField(_("position"), default=0)

    objects = CatalogEntryManager()

    class Meta:
        ordering = ("catalog", "position", "code")
        verbose_name = _("catalogue entry")
        verbose_name_plural = _("catalogue entries")
        constraints = [models.UniqueConstraint(fields=["hotel", "catalog", "code"], name="catalog_entry_once")]

    def __str__(self) -> str:
        return f"{self.catalog} {self.code}"

    def natural_key(self) -> tuple[str, str, str, str]:
        """What fixtures name an entry by."""
        return *self.hotel.natural_key(), self.catalog, self.code
