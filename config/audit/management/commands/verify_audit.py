from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from config.accounts.models import Tenant
from config.audit.selectors import ChainReport, verify_all

LINE = "{:<24} {:>10} {:>10} {:>10}  {:<64}  {}"


class Command(BaseCommand):
    help = (
        "Compute the chains of the audit again and compare. Ends with 1 when one is broken. Events that are not sealed "
        "yet are counted and not checked. Keep the hash of the last event elsewhere: it proves all events before it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tenant", metavar="CODE", help="the chain of this hotel or organisation alone")

    def handle(self, *args: object, **options: object) -> None:
        code = options["tenant"]
        try:
            reports = verify_all(code=str(code) if code is not None else None)
        except Tenant.DoesNotExist:
            raise CommandError("There is no tenant with this code.") from None
        self.stdout.write(LINE.format("tenant", "sealed", "unsealed", "purged", "hash of the last event", "chain"))
        for report in reports:
            self.stdout.write(line_of(report))
        broken = [report for report in reports if not report.valid]
        if broken:
            raise CommandError(f"Broken chains: {len(broken)}.")


def line_of(report: ChainReport) -> str:
    numbers = (report.sealed_length, report.unsealed_tail, report.purged)
    return LINE.format(report.tenant or "(none)", *numbers, report.head_hash, result_of(report))


def result_of(report: ChainReport) -> str:
    fault = report.fault
    if fault is None:
        return "valid"
    event = f"event {fault.event_id}" if fault.event_id is not None else "no event"
    return f"BROKEN at position {fault.position} ({event}): {fault.what}"
