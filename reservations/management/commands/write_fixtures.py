from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from reservations.services.fixtures import reference_fixture


class Command(BaseCommand):
    help = "Write fixtures/reference.json from the data files. With --check, only say whether they are up to date."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing; fail when a file would change")

    def handle(self, *args: object, **options: object) -> None:
        folder = Path(settings.FIXTURE_DIRS[0])
        texts = {folder / "reference.json": reference_fixture()}
        stale = [path for path, text in texts.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
        if options["check"] and stale:
            raise CommandError(f"Out of date: {', '.join(path.name for path in stale)}. Run manage.py write_fixtures.")
        for path in stale:
            path.write_text(texts[path], encoding="utf-8")
        self.stdout.write(self.style.SUCCESS(f"{len(stale)} of {len(texts)} written." if stale else "Up to date."))
