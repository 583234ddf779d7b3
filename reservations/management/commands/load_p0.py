from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter

from django.core.management.base import BaseCommand, CommandError

from config.audit.services import Door
from reservations.models import Hotel
from reservations.services.fixtures import DEMO_HOTEL
from reservations.services.p0 import Outcome, Verdict, find_or_add_agent, import_mails, load_packages, read_packages

COLUMNS = "{:<26} {:<7} {:<12} {:<37} {}"


class Command(BaseCommand):
    help = (
        "Import the P0 mails and hand in their packages, now and through the services. Safe to repeat. "
        "Exit code 1 when something else comes of a package than its file says."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--hotel", default=DEMO_HOTEL, metavar="CODE", help=f"default: {DEMO_HOTEL}")
        parser.add_argument("--summary", action="store_true", help="print the counts only, and what differs")

    def handle(self, *args: object, hotel: str, summary: bool, **options: object) -> None:
        place = Hotel.objects.filter(code=hotel).first()
        if place is None:
            raise CommandError(f"No hotel {hotel}. Make one with add_hotel, or with loaddata reference.")
        packages = read_packages()
        mails = import_mails(packages=packages, hotel=place, door=Door.COMMAND)
        agent = find_or_add_agent(hotel=place, door=Door.COMMAND)
        tally: Counter[Verdict] = Counter()
        for outcome in load_packages(packages=packages, hotel=place, caller=agent, door=Door.COMMAND):
            tally[outcome.verdict] += 1
            if not summary or outcome.verdict is Verdict.DIFFERS:
                self.show(outcome)
        counts = ", ".join(f"{tally[verdict]} {verdict}" for verdict in Verdict if tally[verdict])
        came = ", ".join(f"{count} {status}" for status, count in mails.items())
        self.stdout.write(f"P0 mails: {came}; packages: {counts}.")
        if tally[Verdict.DIFFERS]:
            raise CommandError(f"{tally[Verdict.DIFFERS]} package(s) came to something else than expected.")

    def show(self, outcome: Outcome) -> None:
        package = outcome.package
        words = package.group, package.name, outcome.verdict, outcome.came, package.expected["about"]
        self.stdout.write(COLUMNS.format(*words))
        for place in outcome.differences:
            self.stdout.write(f"    {place}")
