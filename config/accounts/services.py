"""People, tenants and tokens: every change of them goes through here."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.contrib.auth.models import Group
from django.db import transaction
from knox.models import get_token_model

from config.accounts.errors import RoleUnknown, TenantUnknown, TokenUnknown, UserUnknown
from config.accounts.models import Membership, Tenant, TenantKind, User
from config.accounts.roles import BACK_OFFICE, ROLES
from config.audit.services import Door, record


@transaction.atomic
def add_tenant(
    *, kind: TenantKind, code: str, name: str, time_zone: str = "UTC", is_default: bool = False, door: Door
) -> tuple[Tenant, bool]:
    """Make a hotel or organisation, or find the one with this code. Returns (tenant, made)."""
    tenant, made = Tenant.objects.get_or_create(
        kind=kind, code=code, defaults={"name": name, "time_zone": time_zone, "is_default": is_default}
    )
    if made:
        record(
            tenant=tenant,
            actor=None,
            door=door,
            action="TENANT_ADD",
            object_type="tenant",
            object_id=str(tenant.pk),
            after={"kind": kind, "code": code, "name": name, "time_zone": time_zone, "is_default": is_default},
        )
    return tenant, made


@transaction.atomic
def add_user(
    *,
    username: str,
    password: str | None,
    roles: Sequence[str],
    tenants: Sequence[Tenant],
    is_superuser: bool = False,
    door: Door,
) -> User:
    """Make a user with roles and memberships, or add these to the user with this name. Safe to repeat.

    password  None leaves the password as it is (none at all for a new user: it can only use tokens)
    raises    RoleUnknown
    """
    unknown = sorted(set(roles) - set(ROLES))
    if unknown:
        raise RoleUnknown(f"No role {', '.join(unknown)}. The roles are {', '.join(ROLES)}.")
    user, made = User.objects.get_or_create(username=username)
    if password is not None:
        user.set_password(password)
    elif made:
        user.set_unusable_password()
    user.is_staff = user.is_staff or is_superuser or bool(set(roles) & set(BACK_OFFICE))
    user.is_superuser = user.is_superuser or is_superuser
    user.save()
    user.groups.add(*Group.objects.filter(name__in=roles))
    for tenant in tenants:
        Membership.objects.get_or_create(user=user, tenant=tenant)
    record(
        tenant=tenants[0] if tenants else None,
        actor=None,
        door=door,
        action="USER_ADD",
        object_type="user",
        object_id=str(user.pk),
        after={
            "username": username,
            "roles": [*sorted(roles)],
            "tenants": [tenant.code for tenant in tenants],
            "is_superuser": user.is_superuser,
            "password_set": password is not None,
        },
    )
    return user


@transaction.atomic
def issue_token(*, username: str, valid_for: timedelta | None = None, door: Door) -> str:
    """A new token for a user, as it is shown once: only its hash is kept. Earlier ones stay valid until revoked or
    expired. Raises UserUnknown."""
    user = User.objects.filter(username=username).first()
    if user is None:
        raise UserUnknown(f"No user {username}. Make one with add_user.")
    token, key = get_token_model().objects.create(user=user, expiry=valid_for)
    record(
        tenant=None,
        actor=None,
        door=door,
        action="TOKEN_ISSUE",
        object_type="user",
        object_id=str(user.pk),
        after={"username": username, "expires_at": token.expiry.isoformat() if token.expiry else None},
    )
    return str(key)


@transaction.atomic
def revoke_token(*, digest: str, actor: User, door: Door) -> None:
    """End a token for good. Raises TokenUnknown."""
    token = get_token_model().objects.select_related("user").filter(digest=digest).first()
    if token is None:
        raise TokenUnknown
    record(
        tenant=None,
        actor=actor,
        door=door,
        action="TOKEN_REVOKE",
        object_type="user",
        object_id=str(token.user.pk),
        before={"username": token.user.username, "begins_with": token.token_key},
    )
    token.delete()


def tenant_named(*, kind: str, code: str) -> Tenant:
    """The tenant with this kind and code. Raises TenantUnknown."""
    tenant = Tenant.objects.filter(kind=kind, code=code).first()
    if tenant is None:
        raise TenantUnknown(f"No {kind} {code}.")
    return tenant
