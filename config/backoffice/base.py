"""Read-only lists and details. Nothing is added, edited or deleted here; what changes rows is a service behind a POST."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, update_wrapper
from typing import Any, ClassVar, Protocol, cast

from django.contrib.admin import ShowFacets
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from unfold.admin import ModelAdmin
from unfold.views import ChangeList

from config.api import access as api_access
from config.backoffice.untrusted import spelled

MOST_COUNTED = 1000
SEARCH_WORDS = 8
SEARCH_CHARACTERS = 200


class Access(api_access.Access, Protocol):
    """As doors see it, and whether the person sees what belongs to nobody."""

    @property
    def is_superuser(self) -> bool: ...


class Nobody:
    """The access of whoever is not logged in: the login page asks too."""

    is_superuser = False

    def allows(self, permission: str) -> bool:
        return False

    def tenant_ids(self, kind: str | None = None) -> tuple[int, ...]:
        return ()

    def acting_tenant_id(self, kind: str) -> int:
        raise PermissionDenied


def access_of(request: HttpRequest) -> Access:
    """What the person may and where."""
    return cast(Access, getattr(request.user, "access", Nobody()))


class CappedPaginator(Paginator):
    """Counts to 1,000 and no further; older rows are found by filter and search."""

    template_name = "backoffice/pager.html"

    @cached_property
    def found(self) -> int:
        rows = cast(QuerySet, self.object_list)
        return rows.order_by()[: MOST_COUNTED + 1].count()

    @property
    def count(self) -> int:
        return min(self.found, MOST_COUNTED)

    @property
    def capped(self) -> bool:
        return self.found > MOST_COUNTED


class BackOfficeList(ChangeList):
    """A list page: light rows, completed by the admin class with what a fixed number of statements can find."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet:
        return super().get_queryset(request, exclude_parameters).defer(*self.model_admin.list_defer)

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.full_result_count = self.result_count
        self.result_list: Any = self.model_admin.completed(request, list(self.result_list))


class ReadOnlyAdmin(ModelAdmin):
    """Limits every queryset, detail and search to the tenants of the person.

    tenant_path    lookup of the tenant from a row; None for rows that belong to nobody
    tenant_kind    the kind of tenants that own such rows; None for all kinds
    list_defer     columns that a list does not load
    detail_related what a detail page joins
    detail_defer   columns of it, large ones, that a detail page does not load
    heading, intro what the list is called, and one sentence on it
    """

    tenant_path: ClassVar[str | None] = "hotel_id"
    tenant_kind: ClassVar[str | None] = "hotel"
    list_defer: ClassVar[Sequence[str]] = ()
    detail_related: ClassVar[Sequence[str]] = ()
    detail_defer: ClassVar[Sequence[str]] = ()
    list_display_links: Sequence[str] | None = None
    list_select_related: Sequence[str] | bool = False
    detail_template: ClassVar[str] = "backoffice/detail.html"
    heading: ClassVar[Any] = ""
    intro: ClassVar[Any] = ""

    actions = None
    change_list_template = "backoffice/list.html"
    list_fullwidth = True
    list_max_show_all = 0
    list_per_page = 50
    paginator = CappedPaginator
    show_facets = ShowFacets.NEVER
    show_full_result_count = False
    sortable_by = ()

    @property
    def name(self) -> Any:
        return self.heading or capfirst(self.opts.verbose_name_plural)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return access_of(request).allows(f"{self.opts.app_label}.view_{self.opts.model_name}")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        rows = super().get_queryset(request)
        if self.tenant_path is None:
            return rows
        return rows.filter(**{f"{self.tenant_path}__in": access_of(request).tenant_ids(self.tenant_kind)})

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return BackOfficeList

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Only what the filters of the page offer: any other lookup could cost or fail anything."""
        return lookup in {chosen.parameter_name for chosen in self.list_filter}

    def get_search_results(self, request: HttpRequest, queryset: QuerySet, search_term: str) -> tuple[QuerySet, bool]:
        words = search_term[:SEARCH_CHARACTERS].split()[:SEARCH_WORDS]
        return super().get_search_results(request, queryset, " ".join(words))

    def completed(self, request: HttpRequest, rows: list[Any]) -> list[Any]:
        """The rows of one page, with what their columns need beside themselves."""
        return rows

    def detail(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        """What the detail template shows beside the row."""
        return {}

    def title_of(self, row: Any) -> str:
        return str(row)

    def get_urls(self) -> list[URLPattern]:
        """A list and a detail; there are no other pages."""
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        return [
            path("", self._door(self.changelist_view), name=f"{name}_changelist"),
            *self.extra_urls(name),
            path("<path:object_id>/change/", self._door(self.change_view), name=f"{name}_change"),
        ]

    def extra_urls(self, name: str) -> list[URLPattern]:
        return []

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        own = {"crumbs": [(self.name, None)], "heading": self.name, "title": self.name, "intro": self.intro}
        return super().changelist_view(request, own | (extra_context or {}))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        row = self.row(request, object_id)
        return self.detail_page(request, row, self.detail(request, row))

    def detail_page(
        self, request: HttpRequest, row: Any, details: dict[str, Any], *, status: int = 200
    ) -> TemplateResponse:
        """The detail of a row; a write that was refused shows it again with a status of its own."""
        title = self.title_of(row)
        crumbs = [(self.name, self.list_url()), (title, None)]
        own = {"title": spelled(title), "row": row, "crumbs": crumbs}
        context = {**self.admin_site.each_context(request), **own, **details}
        request.current_app = self.admin_site.name
        return TemplateResponse(request, self.detail_template, context, status=status)

    def row(self, request: HttpRequest, object_id: str) -> Any:
        """The row with this key among those the person may see. Raises PermissionDenied or Http404."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        key = unquote(object_id)
        found = None if "\x00" in key else self.get_object(request, key)
        if found is None:
            raise Http404(_("There is nothing at this address."))
        return found

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        rows = self.get_queryset(request).defer(*self.detail_defer)
        if self.detail_related:
            rows = rows.select_related(*self.detail_related)
        try:
            return rows.get(pk=self.opts.pk.to_python(object_id))
        except (self.model.DoesNotExist, ValidationError, ValueError):
            return None

    def list_url(self) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")

    def _door(self, view: Any) -> Any:
        def guarded(*args: Any, **kwargs: Any) -> Any:
            return self.admin_site.admin_view(view)(*args, **kwargs)

        guarded.model_admin = self  # type: ignore[attr-defined]  # as Django marks its own
        return update_wrapper(guarded, view)
