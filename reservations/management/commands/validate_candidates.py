"""`manage.py validate_candidates FILE`: check a candidate package before it goes to the skill (R-07)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import jsontext
from config.errors import DomainError
from reservations.data import catalog
from reservations.domain.candidates import check_candidates
from reservations.domain.jsonvalues import JsonValue


class Command(BaseCommand):
    help = "Check one candidate package (JSON). Prints the result as JSON; exit code 1 when it is not valid."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")

    def handle(self, *args: object, file: Path, **options: object) -> None:
        errors = check_candidates(_read(file), catalog())
        self.stdout.write(json.dumps({"valid": not errors, "errors": errors}, ensure_ascii=False))
        if errors:
            sys.exit(1)


def _read(file: Path) -> JsonValue:
    try:
        return jsontext.read(file.read_bytes())
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}.") from fault
    except DomainError as fault:
        raise CommandError(f"{file} holds no usable JSON: {fault.detail}") from fault
