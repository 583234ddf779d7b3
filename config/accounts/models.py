"""Who works here and where: users, tenants (a hotel or an organisation), membership. Roles are groups."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.accounts.access import Access, read_access


class User(AbstractUser):
    """A person or a machine. What it may comes from its groups, where from its memberships."""

    @cached_property
    def access(self) -> Access:
        """Permissions and tenants, read once for the life of this object."""
        return read_access(user_id=self.pk, is_superuser=self.is_superuser)


class TenantKind(models.TextChoices):
    HOTEL = "hotel", _("Hotel")
    ORGANISATION = "organisation", _("Organisation")


class TenantManager(models.Manager["Tenant"]):
    def get_by_natural_key(self, kind: str, code: str) -> Tenant:
        return self.get(kind=kind, code=code)


class Tenant(models.Model):
    """A hotel or an organisation: the owner of every row that people see."""

    kind = models.CharField(_("kind"), max_length=16, choices=TenantKind.choices)
    code = models.CharField(_("code"), max_length=40)
    name = models.CharField(_("name"), max_length=200)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    is_default = models.BooleanField(_("default"), default=False)

    objects: ClassVar[TenantManager] = TenantManager()

    class Meta:
        ordering = ("kind", "code")
        verbose_name = _("tenant")
        verbose_name_plural = _("tenants")
        constraints = [
            models.UniqueConstraint(fields=["kind", "code"], name="tenant_code_once"),
            models.UniqueConstraint(fields=["kind"], condition=Q(is_default=True), name="tenant_one_default"),
        ]

    def __str__(self) -> str:
        return self.code

    def natural_key(self) -> tuple[str, str]:
        """What fixtures name a tenant by."""
        return self.kind, self.code


class MembershipManager(models.Manager["Membership"]):
    def get_by_natural_key(self, username: str, kind: str, code: str) -> Membership:
        return self.get(user__username=username, tenant__kind=kind, tenant__code=code)


class Membership(models.Model):
    """A user belongs to a tenant and sees its rows; nobody sees anybody else's (R-77)."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships", verbose_name=_("user"))
    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="memberships", verbose_name=_("tenant"))

    objects = MembershipManager()

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = [models.UniqueConstraint(fields=["user", "tenant"], name="membership_once")]

    def __str__(self) -> str:
        return f"{self.user} @ {self.tenant}"

    def natural_key(self) -> tuple[str, str, str]:
        """What fixtures name a membership by."""
        return self.user.username, *self.tenant.natural_key()
