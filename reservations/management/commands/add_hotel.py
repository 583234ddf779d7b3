from __future__ import annotations

from argparse import ArgumentParser
from zoneinfo import ZoneInfo

from django.core.management.base import BaseCommand, CommandError

from config.accounts.models import TenantKind
from config.accounts.services import add_tenant
from config.audit.services import Door
from reservations.models import Hotel


class Command(BaseCommand):
    help = "Add a hotel; safe to repeat. Its people are added with add_user --member hotel:CODE."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="short and never changed, such as HOTEL1")
        parser.add_argument("--name", required=True, help="what people call it")
        parser.add_argument("--time-zone", default="UTC", help="such as Asia/Shanghai (default: UTC)")
        parser.add_argument("--default", action="store_true", help="the hotel of credentials that have several")

    def handle(self, *args: object, code: str, name: str, time_zone: str, **options: object) -> None:
        hotel = Hotel.objects.filter(code=code).first()
        if hotel is not None:
            self.stdout.write(f"Hotel {code} is there already: {hotel.name}, {hotel.time_zone}. Nothing was changed.")
            return
        refuse_unusable(code, name, time_zone, bool(options["default"]))
        add_tenant(
            kind=TenantKind.HOTEL,
            code=code,
            name=name,
            time_zone=time_zone,
            is_default=bool(options["default"]),
            door=Door.COMMAND,
        )
        self.stdout.write(self.style.SUCCESS(f"Hotel {code} is ready."))


def refuse_unusable(code: str, name: str, time_zone: str, is_default: bool) -> None:
    """Raises CommandError for what no hotel can have."""
    for label, value in (("code", code), ("name", name)):
        limit = getattr(Hotel._meta.get_field(label), "max_length", 0)
        if not value.strip() or len(value) > limit:
            raise CommandError(f"The {label} takes 1 to {limit} characters.")
    try:
        ZoneInfo(time_zone)
    except (KeyError, ValueError, OSError):  # unknown, no name of a zone, a folder of zones
        raise CommandError(f"No time zone {time_zone}.") from None
    default = Hotel.objects.filter(is_default=True).first() if is_default else None
    if default is not None:
        raise CommandError(f"{default.code} is the default hotel already, and there is one only.")
