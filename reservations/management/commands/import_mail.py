from __future__ import annotations

import os
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.audit.services import Door
from reservations.domain.mail import is_mbox, split_mbox
from reservations.models import Hotel, SourceMessage
from reservations.services.mail import Imported, ImportStatus, import_mail

MAIL_SUFFIXES = (".eml", ".mbox", ".mbx")
MAILDIR_FOLDERS = ("cur", "new")
PROGRESS_EVERY = 100
NOT_TAKEN = (ImportStatus.UNREADABLE, ImportStatus.CONFLICT)


class Command(BaseCommand):
    help = (
        "Read mails into the inbox of a hotel: .eml files, mbox files, and folders of them (a Maildir too). "
        "Safe to repeat: a mail that is in the inbox stays as it is, and one that the hotel has through another "
        "provider or channel is left out. What cannot be read, or has the id of a mail with other content, is "
        "reported and the rest goes on; the exit code is then 1. In a folder, files that are no mail are passed over."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file, or a folder with all below it")
        parser.add_argument("--hotel", metavar="CODE", help="default: the default hotel")
        parser.add_argument("--provider", default="import", help="part of a mail's identity (default: import)")
        parser.add_argument("--channel", default="email", help="part of a mail's identity (default: email)")

    def handle(self, *args: Any, paths: list[Path], hotel: str | None, **options: Any) -> None:
        self.hotel = find_hotel(hotel)
        self.provider, self.channel = fitting("provider", options["provider"]), fitting("channel", options["channel"])
        self.verbose = options["verbosity"] > 1
        tally: Counter[ImportStatus] = Counter()
        files = [file for path in paths for file in mail_files(path)]
        for number, file in enumerate(files, start=1):
            self.import_file(f"[{number}/{len(files)}] {printable(file)}", file, tally)
        counts = ", ".join(f"{tally[status]} {status}" for status in ImportStatus if tally[status])
        self.stdout.write(f"{self.hotel.code}: {counts or 'no mail found'}.")
        failed = sum(tally[status] for status in NOT_TAKEN)
        if failed:
            raise CommandError(f"{failed} of {tally.total()} could not be taken; the lines above say which.")

    def import_file(self, label: str, path: Path, tally: Counter[ImportStatus]) -> None:
        """Import every mail of one file and say what became of it."""
        try:
            with path.open("rb") as stream:
                if not is_mbox(stream.peek(5)):
                    imported = self.import_one(stream.read(), path)
                    tally[imported.status] += 1
                    self.stdout.write(f"{label}: {in_words(imported)}")
                    return
                for number, raw in enumerate(split_mbox(stream), start=1):
                    imported = self.import_one(raw, path)
                    tally[imported.status] += 1
                    if imported.status in NOT_TAKEN or self.verbose:
                        self.stdout.write(f"{label}, mail {number}: {in_words(imported)}")
                    elif number % PROGRESS_EVERY == 0:
                        self.stdout.write(f"{label}: {number} mails read")
                self.stdout.write(f"{label}: done")
        except OSError as fault:
            tally[ImportStatus.UNREADABLE] += 1
            self.stdout.write(f"{label}: {ImportStatus.UNREADABLE} ({fault.strerror})")

    def import_one(self, raw: bytes, path: Path) -> Imported:
        return import_mail(
            hotel=self.hotel,
            raw=raw,
            provider=self.provider,
            channel=self.channel,
            actor=None,
            door=Door.COMMAND,
            fallback_time=datetime.fromtimestamp(path.stat().st_mtime, tz=UTC),
        )


def find_hotel(code: str | None) -> Hotel:
    """Raises CommandError when there is none."""
    found = Hotel.objects.filter(is_default=True) if code is None else Hotel.objects.filter(code=code)
    hotel = found.first()
    if hotel is None:
        raise CommandError("There is no default hotel. Name one with --hotel." if code is None else f"No hotel {code}.")
    return hotel


def fitting(name: str, value: str) -> str:
    """Raises CommandError for what the inbox cannot hold."""
    limit = getattr(SourceMessage._meta.get_field(name), "max_length", 0)
    if not value.strip() or len(value) > limit:
        raise CommandError(f"The {name} takes 1 to {limit} characters.")
    return value


def mail_files(path: Path) -> Iterator[Path]:
    """The file itself, whatever its name; of a folder, what is mail by its name, its place or its first line."""
    if not path.is_dir():
        yield path
        return
    for folder, below, names in os.walk(path):
        below.sort()
        for name in sorted(names):
            file = Path(folder, name)
            if file.suffix.lower() in MAIL_SUFFIXES or file.parent.name in MAILDIR_FOLDERS or begins_as_mbox(file):
                yield file


def begins_as_mbox(file: Path) -> bool:
    """Mail programs give their mbox files no ending."""
    if file.suffix or file.name.startswith("."):
        return False
    try:
        with file.open("rb") as stream:
            return is_mbox(stream.read(5))
    except OSError:
        return False


def printable(path: Path) -> str:
    """A file name may hold bytes that are no text."""
    return str(path).encode("utf-8", "replace").decode()


def in_words(imported: Imported) -> str:
    notes = [imported.detail] if imported.detail else []
    notes += [problem.code for problem in imported.problems]
    return f"{imported.status} ({', '.join(notes)})" if notes else str(imported.status)
