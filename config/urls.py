"""Every path of the service."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from config import site
from config.api.schema import DocsView, SchemaView

urlpatterns = [
    path("", site.start, name="start"),
    path("healthz", site.healthz, name="healthz"),
    path("readyz", site.readyz, name="readyz"),
    path("admin", RedirectView.as_view(pattern_name="admin:index")),
    path("admin/autocomplete/", site.absent),
    path("admin/r/<path:rest>", site.absent),
    path("admin/search/", site.absent),
    path("admin/", admin.site.urls),
    path("api/schema", RedirectView.as_view(pattern_name="schema")),
    path("api/docs", RedirectView.as_view(pattern_name="docs")),
    path("api/schema/", SchemaView.as_view(), name="schema"),
    path("api/docs/", DocsView.as_view(url_name="schema"), name="docs"),
    path("api/reservation/", include("reservations.api.urls")),
]

handler400 = "config.site.bad_request"
handler403 = "config.site.forbidden"
handler404 = "config.site.not_found"
handler500 = "config.site.server_error"
