"""Moments as the people of a place read them."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils.html import format_html
from django.utils.safestring import SafeString

_FORM = "%Y-%m-%d %H:%M"


def local_moment(moment: datetime, zone_name: str) -> SafeString:
    """A `<time>` in the zone of the place; the tooltip says UTC. An unknown zone counts as UTC."""
    try:
        zone: ZoneInfo | None = ZoneInfo(zone_name)
    except (ZoneInfoNotFoundError, ValueError):
        zone = None
    in_utc = moment.astimezone(UTC)
    return format_html(
        '<time datetime="{}" title="{} UTC">{}</time>',
        f"{in_utc:%Y-%m-%dT%H:%M:%SZ}",
        f"{in_utc:%Y-%m-%d %H:%M:%S}",
        moment.astimezone(zone or UTC).strftime(_FORM),
    )
