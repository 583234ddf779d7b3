from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError

from django.core.management.base import BaseCommand, CommandError

from config.audit.services import Door
from reservations.data import catalog
from reservations.models import Hotel, SimulatedOutcome
from reservations.opera.simulator import FIND
from reservations.services.simulation import clear_scripts, script_simulator


class Command(BaseCommand):
    help = "Say how the simulated PMS answers the next calls that fit; calls without a script succeed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--outcome", choices=SimulatedOutcome.values)
        what.add_argument("--clear", action="store_true", help="remove all scripts")
        parser.add_argument("--hotel", metavar="CODE", help="calls of this hotel only")
        parser.add_argument(
            "--operation",
            default="",
            metavar="NAME",
            help=f"this operation only, such as postBlock; {FIND}: the question what became of a call",
        )
        parser.add_argument("--times", type=whole_number, help="how many calls (default: all from now on)")

    def handle(self, *args: object, outcome: str | None, operation: str, times: int | None, **options: object) -> None:
        if outcome is None:
            self.stdout.write(f"{clear_scripts(door=Door.COMMAND)} scripts removed; all calls succeed.")
            return
        if operation and operation not in known_operations():
            raise CommandError(f"No card leads to an operation {operation}.")
        script_simulator(
            outcome=SimulatedOutcome(outcome),
            hotel=hotel_named(options["hotel"]),
            operation_id=operation,
            times=times,
            door=Door.COMMAND,
        )
        calls = "All calls" if times is None else f"The next {times} calls"
        fitting = [f"of {options['hotel']}"] * bool(options["hotel"]) + [operation] * bool(operation)
        self.stdout.write(f"{' '.join([calls, *fitting])}: {outcome}.")


def whole_number(text: str) -> int:
    """Raises ArgumentTypeError for what is no number of calls."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError("a whole number from 1")
    return int(text)


def known_operations() -> set[str]:
    """The operations of the catalogue, and the question."""
    return {row.operation_id for subtype in catalog().subtypes for row in subtype.operations} | {FIND}


def hotel_named(code: object) -> Hotel | None:
    """Raises CommandError for a code that no hotel has."""
    if code is None:
        return None
    hotel = Hotel.objects.filter(code=code).first()
    if hotel is None:
        raise CommandError(f"No hotel {code}.")
    return hotel
