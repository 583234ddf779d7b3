from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from config.docs import FOLDER, PAGES


class Command(BaseCommand):
    help = "Write the pages of docs/reference from the code. --check writes nothing and fails when one is out of date."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: object, **options: object) -> None:
        pages = {FOLDER / name: page() for name, page in PAGES.items()}
        stale = [path for path, text in pages.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
        if options["check"]:
            if stale:
                raise CommandError(f"Out of date: {', '.join(path.name for path in stale)}. Run manage.py write_docs.")
            return
        FOLDER.mkdir(parents=True, exist_ok=True)
        for path in stale:
            path.write_text(pages[path], encoding="utf-8")
            self.stdout.write(f"wrote {path.name}")
