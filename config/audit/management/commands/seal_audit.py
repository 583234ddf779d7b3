from __future__ import annotations

from django.core.management.base import BaseCommand

from config.audit.services import seal


class Command(BaseCommand):
    help = "Seal the audit events that are committed and not sealed yet, once. The worker does it all the time."

    def handle(self, *args: object, **options: object) -> None:
        self.stdout.write(f"Sealed: {seal()}.")
