"""The site itself: start page, health, and what Django answers when no view does."""

from __future__ import annotations

import sys

from django.apps import AppConfig
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.api.problems import (
    DATABASE_FAULTS,
    DATABASE_UNAVAILABLE,
    INTERNAL_ERROR,
    REQUEST_REFUSED,
    RETRY_AFTER_SECONDS,
    page_problem,
)


class SiteConfig(AppConfig):
    """The composition of the apps; gives it a place for management commands."""

    name = "config"
    label = "site"


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """Leads reviewers to the back-office and developers to the docs."""
    return render(request, "site/start.html")


def absent(request: HttpRequest, rest: str = "") -> HttpResponse:
    """For pages that a package brings and this site does not offer."""
    raise Http404


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """The database answers and its tables are those of this code; else 503 that says which."""
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except Error:
        return JsonResponse({"status": "unavailable", "database": "down"}, status=503)
    if pending:
        return JsonResponse({"status": "unavailable", "database": "up", "migrations": "pending"}, status=503)
    return JsonResponse({"status": "ok", "database": "up", "migrations": "applied"})


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 400, *REQUEST_REFUSED)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 403, "PERMISSION_DENIED", _("You may not do that."))


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 404, "NOT_FOUND", _("There is nothing at this address."))


def server_error(request: HttpRequest) -> HttpResponse:
    """500; 503 where the database did not answer, so that the caller tries again."""
    if not isinstance(sys.exc_info()[1], DATABASE_FAULTS):
        return _answer(request, 500, *INTERNAL_ERROR)
    response = _answer(request, 503, *DATABASE_UNAVAILABLE)
    response["Retry-After"] = RETRY_AFTER_SECONDS
    return response


def _answer(request: HttpRequest, status: int, code: str, sentence: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return page_problem(request, status, code, sentence)
    return render(request, "site/problem.html", {"status": status, "sentence": sentence}, status=status)
