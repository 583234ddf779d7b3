from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand
from django.utils import timezone

from config.audit.services import Door
from reservations.services.fieldcontracts import (
    BATCH,
    FIRST_VERSION,
    PRESENT_VERSION,
    count_first_contract,
    upgrade_field_contracts,
)

PROGRESS_EVERY = 50 * BATCH


class Command(BaseCommand):
    help = (
        f"Mark cards of field contract {FIRST_VERSION} as {PRESENT_VERSION}, where they have neither a draft nor a "
        "confirmed payload; the others keep their version until they are saved or confirmed again. Safe to repeat."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="count only, change nothing")

    def handle(self, *args: object, dry_run: bool, **options: object) -> None:
        done = 0
        if not dry_run:
            for count in upgrade_field_contracts(at=timezone.now(), door=Door.COMMAND):
                done += count
                if done % PROGRESS_EVERY == 0:
                    self.stdout.write(f"{done} marked so far")
        cards = count_first_contract()
        marked = f"{cards.unwritten} to mark" if dry_run else f"{done} marked"
        self.stdout.write(f"{marked} as {PRESENT_VERSION}, {cards.kept} kept as {FIRST_VERSION}.")
