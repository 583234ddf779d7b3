"""Who calls, and what they may: authentication, permission by action, call rate.

Deny by default: a view without `required_permissions` for the action is open to nobody.
"""

from __future__ import annotations

import hmac
import time
from typing import TYPE_CHECKING, Any, Protocol, cast

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from knox.crypto import hash_token
from knox.models import AuthToken
from knox.settings import CONSTANTS
from rest_framework import authentication, exceptions, permissions, throttling
from rest_framework.request import Request

if TYPE_CHECKING:
    from rest_framework.views import APIView


class Access(Protocol):
    """What a user may and where (config.accounts fills it with one statement)."""

    def allows(self, permission: str) -> bool: ...

    def tenant_ids(self, kind: str | None = None) -> tuple[int, ...]: ...

    def acting_tenant_id(self, kind: str) -> int: ...


def actor(request: Request) -> Any:
    """The authenticated user of a request. Permission has been checked, so there is one."""
    return cast(Any, request.user)


class TokenAuthentication(KnoxTokenAuthentication):
    """`Authorization: Token <key>`; keys are stored hashed. One statement finds key and user."""

    def authenticate_credentials(self, token: bytes) -> tuple[Any, AuthToken]:
        key = token.decode("ascii", errors="replace")
        digest = hash_token(key)
        candidates = AuthToken.objects.select_related("user").filter(token_key=key[: CONSTANTS.TOKEN_KEY_LENGTH])
        for candidate in candidates:
            if hmac.compare_digest(candidate.digest, digest):
                return self._live(candidate)
        raise exceptions.AuthenticationFailed

    def _live(self, token: AuthToken) -> tuple[Any, AuthToken]:
        expired = token.expiry is not None and token.expiry <= timezone.now()
        if expired or not token.user.is_active:
            raise exceptions.AuthenticationFailed
        return token.user, token


class SessionAuthentication(authentication.SessionAuthentication):
    """People who are logged in to the back-office, with CSRF protection."""


class HasRequiredPermission(permissions.BasePermission):
    """`required_permissions = {action or method: "app.codename"}` of the view decides."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not request.user or not request.user.is_authenticated:
            return False
        if request.method == "OPTIONS" or request.method not in view.allowed_methods:
            return True  # the view answers what it takes, or 405
        required = getattr(view, "required_permissions", {})
        permission = required.get(getattr(view, "action", None) or request.method)
        return permission is not None and actor(request).access.allows(permission)


class CredentialThrottle(throttling.BaseThrottle):
    """A fixed window of one minute per credential (setting API_CALLS_PER_MINUTE)."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        minute = int(time.time() // 60)
        key = f"calls:{request.user.pk or request.META.get('REMOTE_ADDR')}:{minute}"
        cache.add(key, 0, timeout=120)
        try:
            calls = cache.incr(key)
        except ValueError:  # evicted between the two calls
            return True
        return bool(calls <= settings.API_CALLS_PER_MINUTE)

    def wait(self) -> float:
        return 60 - time.time() % 60
