from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta

from django.core.management.base import BaseCommand, CommandError

from config.accounts.services import issue_token
from config.audit.services import Door
from config.errors import DomainError


class Command(BaseCommand):
    help = "Print a new API token for a user. It is shown once; only its hash is kept."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--days", type=int, default=None, help="valid for so many days (default: until revoked)")

    def handle(self, *args: object, **options: object) -> None:
        days = options["days"]
        if days is not None and not (isinstance(days, int) and 0 < days <= 36500):
            raise CommandError("--days takes a whole number from 1 to 36500.")
        try:
            token = issue_token(
                username=str(options["username"]), valid_for=timedelta(days=days) if days else None, door=Door.COMMAND
            )
        except DomainError as refusal:
            raise CommandError(refusal.detail) from None
        self.stdout.write(token)
