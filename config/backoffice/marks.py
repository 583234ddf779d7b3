"""Small pieces of HTML that lists and details share."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.utils import quote
from django.db.models import Model
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from config.backoffice.untrusted import breakable, shortened, visible

NOTHING = SafeString('<span class="nothing">–</span>')


def pill(text: Any, tone: str = "plain", title: Any = "") -> SafeString:
    """A label. Tones: plain, todo, ask, good, bad, quiet."""
    return format_html('<span class="pill pill-{}" title="{}">{}</span>', tone, title, text)


def page_of(row: Model) -> str:
    """The address of a row's detail page."""
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[quote(row.pk)])


def link_to(row: Model, text: Any) -> SafeString:
    return format_html('<a class="plain-link" href="{}">{}</a>', page_of(row), visible(text))


def two_lines(first: Any, second: Any, length: int = 90) -> SafeString:
    """A line and a quieter one below it, both shortened and visible."""
    below = format_html("<small>{}</small>", breakable(shortened(second, length))) if second and second != first else ""
    return format_html('<span class="two-lines"><span>{}</span>{}</span>', breakable(shortened(first, length)), below)


def code(text: Any) -> SafeString:
    return format_html("<code>{}</code>", breakable(text)) if text else NOTHING
