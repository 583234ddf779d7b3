"""What one user may and where, read with one statement."""

from __future__ import annotations

from dataclasses import dataclass

from django.apps import apps
from django.contrib.auth.models import Permission
from django.db.models import CharField, F, Q, Value
from django.db.models.functions import Cast, Concat

from config.errors import TenantUndetermined


@dataclass(frozen=True, slots=True)
class Place:
    """A tenant as its members see it."""

    id: int
    kind: str
    is_default: bool


@dataclass(frozen=True, slots=True)
class Access:
    """Permissions as "app.codename", and the tenants whose rows may be seen. A superuser may everything everywhere."""

    is_superuser: bool
    permissions: frozenset[str]
    places: tuple[Place, ...]

    def allows(self, permission: str) -> bool:
        return self.is_superuser or permission in self.permissions

    def tenant_ids(self, kind: str | None = None) -> tuple[int, ...]:
        """The tenants of one kind, or of all, for `tenant_id__in`."""
        return tuple(place.id for place in self.places if kind in (None, place.kind))

    def acting_tenant_id(self, kind: str) -> int:
        """The one tenant a call of this user is for: its only one, else the default one among them (R-01).

        raises  TenantUndetermined
        """
        places = [place for place in self.places if place.kind == kind]
        if len(places) > 1:
            places = [place for place in places if place.is_default]
        if len(places) != 1:
            raise TenantUndetermined
        return places[0].id


def read_access(*, user_id: int, is_superuser: bool) -> Access:
    """One UNION of permissions and tenants: rows of (label, kind, id, is_default)."""
    tenants = apps.get_model("accounts", "Tenant").objects.order_by()
    if not is_superuser:
        tenants = tenants.filter(memberships__user_id=user_id)
    places = tenants.values_list(Value("", CharField()), "kind", "id", Cast("is_default", CharField()))
    granted = (
        Permission.objects.order_by()
        .filter(Q(group__user=user_id) | Q(user=user_id))
        .annotate(label=Concat(F("content_type__app_label"), Value("."), F("codename"), output_field=CharField()))
        .values_list("label", Value("", CharField()), "id", Value("", CharField()))
    )
    rows = list(granted.union(places))
    return Access(
        is_superuser=is_superuser,
        permissions=frozenset(label for label, *_ in rows if label),
        places=tuple(
            Place(tenant_id, kind, flag in ("1", "true")) for label, kind, tenant_id, flag in rows if not label
        ),
    )
