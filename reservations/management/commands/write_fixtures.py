from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from reservations.services.fixtures import p0_fixture, reference_fixture


class Command(BaseCommand):
    help = (
        "Write fixtures/reference.json from the data files and fixtures/p0.json from the P0 packages, which are handed "
        "in through the services on a scratch database. With --check, only say whether the files are up to date."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="write nothing; fail when a file would change")

    def handle(self, *args: object, **options: object) -> None:
        folder = Path(settings.FIXTURE_DIRS[0])
        with scratch_database():
            texts = {folder / "reference.json": reference_fixture(), folder / "p0.json": p0_fixture()}
        stale = [path for path, text in texts.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
        if options["check"] and stale:
            raise CommandError(f"Out of date: {', '.join(path.name for path in stale)}. Run manage.py write_fixtures.")
        for path in stale:
            path.write_text(texts[path], encoding="utf-8")
        names = ", ".join(path.name for path in stale)
        self.stdout.write(self.style.SUCCESS(f"Written: {names}." if stale else "Up to date."))


@contextmanager
def scratch_database() -> Iterator[None]:
    """A new, migrated database instead of the one that is served, and gone afterwards: as `manage.py testserver` does."""
    served = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = None  # in memory
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(served, verbosity=0)
