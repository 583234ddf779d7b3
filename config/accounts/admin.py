"""People, places and tokens: to read. Users and tenants are made by commands; a token can be revoked here."""

from __future__ import annotations

from typing import Any, cast

import django.contrib.auth.admin  # noqa: F401  # registers a page that is replaced below
import knox.admin  # noqa: F401  # the same
from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from config.accounts.models import Membership, Tenant, TenantKind, User
from config.accounts.services import revoke_token
from config.audit.services import Door
from config.backoffice.base import ReadOnlyAdmin, access_of
from config.backoffice.filters import ChoiceFilter, FieldFilter, Option
from config.backoffice.marks import NOTHING, code, pill
from config.backoffice.moments import local_moment

admin.site.unregister([Group, AuthToken])


class RoleFilter(ChoiceFilter):
    title = _("role")
    parameter_name = "role"

    def options(self, request: HttpRequest) -> list[Option]:
        return [(name, name) for name in Group.objects.order_by("name").values_list("name", flat=True)]

    def narrowed(self, rows: QuerySet, value: str) -> QuerySet:
        return rows.filter(groups__name=value)


class TenantKindFilter(FieldFilter):
    title = _("kind")
    parameter_name = "kind"
    choices_of = TenantKind


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    """Other people of one's own tenants; a superuser sees everybody."""

    intro = _("People and machines. The command add_user makes them and gives them roles and hotels.")
    tenant_path = None
    list_display = ("username", "roles", "places", "state", "last_seen")
    list_display_links = ("username",)
    list_filter = (RoleFilter,)
    ordering = ("username", "id")
    search_fields = ("username",)
    search_help_text = _("Name")
    detail_template = "accounts/user.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        access = access_of(request)
        shown = Membership.objects.filter(tenant__in=access.tenant_ids())
        rows = super().get_queryset(request)
        rows = rows.prefetch_related("groups", Prefetch("memberships", shown.select_related("tenant")))
        return rows if access.is_superuser else rows.filter(pk__in=shown.values("user"))

    @admin.display(description=_("roles"))
    def roles(self, row: User) -> SafeString:
        names = ["superuser"] if row.is_superuser else []
        return _pills([*names, *sorted(group.name for group in row.groups.all())])

    @admin.display(description=_("belongs to"))
    def places(self, row: User) -> SafeString:
        return _pills(sorted(membership.tenant.code for membership in row.memberships.all()))

    @admin.display(description=_("login"))
    def state(self, row: User) -> SafeString:
        if not row.is_active:
            return pill(_("Switched off"), "bad")
        return pill(_("Back-office"), "good") if row.is_staff else pill(_("Tokens only"), "quiet")

    @admin.display(description=_("last login (UTC)"))
    def last_seen(self, row: User) -> SafeString:
        return local_moment(row.last_login, "UTC") if row.last_login else NOTHING

    def detail(self, request: HttpRequest, row: User) -> dict[str, Any]:
        return {"roles": self.roles(row), "places": self.places(row), "state": self.state(row)}


@admin.register(Tenant)
class TenantAdmin(ReadOnlyAdmin):
    heading = _("Hotels and organisations")
    intro = _("Hotels and organisations. Every row that people see belongs to one of them.")
    tenant_path, tenant_kind = "id", None
    list_display = ("code", "name", "kind", "time_zone", "default_mark")
    list_display_links = ("code",)
    list_filter = (TenantKindFilter,)
    ordering = ("kind", "code", "id")
    search_fields = ("code", "name")
    search_help_text = _("Code or name")
    detail_template = "accounts/tenant.html"

    @admin.display(description=_("default"))
    def default_mark(self, row: Tenant) -> SafeString:
        return pill(_("Default"), "good") if row.is_default else NOTHING


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    intro = _("Who sees the rows of which hotel or organisation.")
    tenant_path, tenant_kind = "tenant_id", None
    list_display = ("user", "tenant", "kind")
    list_display_links = ("user",)
    list_select_related = ("user", "tenant")
    ordering = ("user__username", "id")
    search_fields = ("user__username", "tenant__code")
    search_help_text = _("User or place")
    detail_related = ("user", "tenant")
    detail_template = "accounts/membership.html"

    @admin.display(description=_("kind"))
    def kind(self, row: Membership) -> str:
        return row.tenant.get_kind_display()


@admin.register(AuthToken)
class TokenAdmin(ReadOnlyAdmin):
    """Only a superuser comes here: no role may view tokens."""

    heading = _("Tokens")
    intro = _("Keys of machines and front-ends; only hashes are kept. The command issue_token makes one.")
    tenant_path = None
    list_display = ("beginning", "user", "made", "expires")
    list_display_links = ("beginning",)
    list_select_related = ("user",)
    ordering = ("-created", "digest")
    search_fields = ("user__username",)
    search_help_text = _("User")
    detail_related = ("user",)
    detail_template = "accounts/token.html"

    @admin.display(description=_("begins with"))
    def beginning(self, row: AuthToken) -> SafeString:
        return code(row.token_key)

    @admin.display(description=_("made (UTC)"))
    def made(self, row: AuthToken) -> SafeString:
        return local_moment(row.created, "UTC")

    @admin.display(description=_("expires (UTC)"))
    def expires(self, row: AuthToken) -> SafeString:
        if row.expiry is None:
            return pill(_("Never"), "ask")
        return local_moment(row.expiry, "UTC") if row.expiry > timezone.now() else pill(_("Expired"), "quiet")

    def title_of(self, row: AuthToken) -> str:
        return f"{row.token_key}…"

    def detail(self, request: HttpRequest, row: AuthToken) -> dict[str, Any]:
        return {"expires": self.expires(row), "may_revoke": self.may_revoke(request)}

    def may_revoke(self, request: HttpRequest) -> bool:
        return access_of(request).allows("knox.delete_authtoken")

    def extra_urls(self, name: str) -> list[URLPattern]:
        return [path("<path:object_id>/revoke/", self._door(self.revoke_view), name=f"{name}_revoke")]

    def revoke_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """End a token: a POST with CSRF, from the button of its page."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.may_revoke(request):
            raise PermissionDenied
        token = self.row(request, object_id)
        revoke_token(digest=token.digest, actor=cast(User, request.user), door=Door.ADMIN)
        messages.success(request, _("The token is revoked."))
        return HttpResponseRedirect(self.list_url())


def _pills(names: list[str]) -> SafeString:
    return format_html_join(" ", "{}", ((pill(name),) for name in names)) if names else NOTHING
