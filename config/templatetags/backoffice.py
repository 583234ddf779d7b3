"""Filters of the back-office templates. Everything that others wrote goes through `visible`."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.contrib.admin.utils import quote
from django.utils.safestring import SafeString

from config.backoffice import jsonview, moments, untrusted
from config.jsontext import JsonValue

register = template.Library()


@register.filter
def visible(text: object) -> SafeString:
    """Escaped, with control characters as labels."""
    return untrusted.visible("" if text is None else text)


@register.filter
def breakable(code: object) -> SafeString:
    """Visible, with places to break after underscores and dots."""
    return untrusted.breakable("" if code is None else code)


@register.filter
def entered(text: object) -> SafeString:
    """For the text inside a control; `visible` beside it shows what `hides`."""
    return untrusted.entered(text)


@register.filter
def hides(text: object) -> bool:
    return untrusted.hides(text)


@register.filter
def spelled(text: object) -> str:
    """Plain text with control characters by name; the template escapes it."""
    return untrusted.spelled(text)


@register.filter
def line(text: object, length: int = 120) -> SafeString:
    """One line of it, shortened and visible."""
    return untrusted.visible(untrusted.shortened(text, length))


@register.filter
def long_text(text: str) -> SafeString:
    """As much of it as a page shows, visible."""
    return untrusted.visible(text[: untrusted.SHOWN_CHARACTERS])


@register.filter
def is_cut(text: str) -> bool:
    return len(text) > untrusted.SHOWN_CHARACTERS


@register.filter
def laid_out(text: str) -> str:
    """JSON text with one member a line."""
    return jsonview.laid_out(text)


@register.filter
def laid_out_value(value: JsonValue) -> str:
    return jsonview.laid_out_value(value)


@register.filter
def scalar(value: JsonValue) -> str:
    return jsonview.scalar(value)


@register.filter
def pairs(value: JsonValue) -> list[tuple[str, JsonValue]]:
    """The members of an object. (`value.items` in a template would find a member called items.)"""
    return list(value.items()) if isinstance(value, dict) else []


@register.filter
def joined(value: JsonValue) -> str | None:
    """A value, or a list of values, in one line; None where there is more inside."""
    parts = value if isinstance(value, list) else [value]
    return None if any(isinstance(part, dict | list) for part in parts) else ", ".join(map(jsonview.scalar, parts))


@register.filter
def is_list(value: JsonValue) -> bool:
    return isinstance(value, list)


@register.filter
def is_object(value: JsonValue) -> bool:
    return isinstance(value, dict)


@register.filter
def is_empty(value: JsonValue) -> bool:
    """Nothing to show: null, blank text, no members. Zero and false are something."""
    return value is None or value == "" or value == [] or value == {}


@register.filter
def moment(at: datetime, zone_name: str = "UTC") -> SafeString:
    return moments.local_moment(at, zone_name)


@register.filter
def admin_key(key: object) -> str:
    """A primary key as the admin writes it into a path."""
    return str(quote(str(key)))
