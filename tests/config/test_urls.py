"""A walk over every path of the service: without a credential nobody gets anything but the named pages."""

import re
import uuid

import pytest
from django.contrib.contenttypes.models import ContentType
from django.urls import URLPattern, get_resolver

from config.idempotency.api import Idempotent
from reservations.models import Task

PUBLIC = {"", "healthz", "readyz", "api/schema/", "api/docs/", "admin/login/"}
STATIC = re.compile(r"static/|\^static")


def paths(patterns, prefix=""):
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from paths(pattern.url_patterns, route)


def api_views(patterns, prefix=""):
    """(path, view class, methods of its routes) of everything under /api/."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if not isinstance(pattern, URLPattern):
            yield from api_views(pattern.url_patterns, route)
        elif route.startswith("api/") and hasattr(pattern.callback, "cls"):
            view = pattern.callback.cls
            yield (
                route,
                view,
                getattr(pattern.callback, "actions", None) or set(view.http_method_names) & set(dir(view)),
            )


def filled(route):
    """A path this route takes."""
    route = re.sub(r"<uuid:\w+>", str(uuid.uuid4()), route)
    route = re.sub(r"<int:\w+>", "1", route)
    route = re.sub(r"<\w+:\w+>|<\w+>", "x", route)
    return re.sub(r"\(\?P<\w+>[^)]*\)", "accounts", route).replace("^", "").replace("$", "").replace("\\Z", "")


ROUTES = sorted(route for route in paths(get_resolver().url_patterns) if not STATIC.match(route))


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("route", [route for route in ROUTES if route not in PUBLIC])
def test_an_anonymous_caller_gets_nothing(route, method, client, db):
    response = getattr(client, method)(f"/{filled(route)}")
    refused = response.status_code in (401, 403, 404, 405)
    sent_to = response["Location"] if response.status_code == 302 else ""
    assert refused or sent_to.startswith("/admin/") or sent_to in {"/api/schema/", "/api/docs/"}, response.status_code


def test_the_public_pages_are_there(client, db):
    assert [path for path in sorted(PUBLIC) if client.get(f"/{path}").status_code != 200] == []


def test_every_public_page_is_a_path_of_the_service():
    assert PUBLIC - set(ROUTES) == set()


@pytest.mark.parametrize("route", [route for route in ROUTES if route.startswith("api/reservation/")])
def test_every_path_of_the_desk_answers_401_without_a_credential(route, client, db):
    """404 and 405 tell nothing about rows, and yet a caller without a credential is asked for one first."""
    assert client.get(f"/{filled(route)}").status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        "/admin/search/?s=book",
        "/admin/autocomplete/?app_label=reservations&model_name=task&field_name=order&term=",
        "/admin/r/{task_type}/no-uuid/",
    ],
)
def test_what_packages_bring_and_nobody_offers_is_not_there(path, client, reviewer):
    client.force_login(reviewer, backend="django.contrib.auth.backends.ModelBackend")
    task_type = ContentType.objects.get_for_model(Task).pk
    assert client.get(path.format(task_type=task_type)).status_code == 404


def test_every_post_of_the_api_takes_an_idempotency_key():
    posts = {route: view for route, view, methods in api_views(get_resolver().url_patterns) if "post" in methods}
    assert "api/reservation/superagent/task-results" in posts
    assert [route for route, view in posts.items() if not issubclass(view, Idempotent)] == [], "class X(Idempotent, …)"
