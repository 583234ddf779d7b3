"""Content-Security-Policy: strict for everything; a view may declare another one for its own response.

Django 5.2 has no middleware for it. The unfold pages need inline styles and `unsafe-eval` (Alpine), so the back-office
declares a looser policy; nothing anywhere may load from another host.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

HEADER = "Content-Security-Policy"
STRICT = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
BACK_OFFICE = f"{STRICT}; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'"
API_PAGE = f"{STRICT}; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'"

POLICIES = (("/admin/", BACK_OFFICE), ("/api/docs/", API_PAGE))


class ContentSecurityPolicyMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if HEADER not in response:
            response[HEADER] = next((policy for prefix, policy in POLICIES if request.path.startswith(prefix)), STRICT)
        return response
