from __future__ import annotations

import getpass
import os
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from config.accounts.models import Tenant
from config.accounts.roles import ROLES
from config.accounts.services import add_user, tenant_named
from config.audit.services import Door
from config.errors import DomainError


class Command(BaseCommand):
    help = (
        "Add a user with roles and memberships; safe to repeat. The password is asked for, or taken from the "
        "environment variable COUNTERSIGN_PASSWORD; --no-password makes a user that can only use tokens."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--role", action="append", default=[], choices=ROLES, help="may be given several times")
        parser.add_argument("--member", action="append", default=[], metavar="KIND:CODE", help="such as hotel:HOTEL1")
        parser.add_argument("--superuser", action="store_true")
        parser.add_argument("--no-password", action="store_true")

    def handle(self, *args: object, **options: object) -> None:
        username = str(options["username"])
        try:
            user = add_user(
                username=username,
                password=None if options["no_password"] else _password(username),
                roles=list(options["role"]),  # type: ignore[call-overload]
                tenants=[_tenant(text) for text in options["member"]],  # type: ignore[attr-defined]
                is_superuser=bool(options["superuser"]),
                door=Door.COMMAND,
            )
        except DomainError as refusal:
            raise CommandError(refusal.detail) from None
        self.stdout.write(self.style.SUCCESS(f"User {user.username} is ready."))


def _tenant(text: str) -> Tenant:
    kind, colon, code = text.partition(":")
    if not colon:
        raise CommandError(f"--member takes KIND:CODE, such as hotel:HOTEL1, not {text}.")
    return tenant_named(kind=kind, code=code)


def _password(username: str) -> str:
    password = os.environ.get("COUNTERSIGN_PASSWORD") or getpass.getpass(f"Password for {username}: ")
    if not password:
        raise CommandError("An empty password is no password. Use --no-password for a user that only has tokens.")
    return password
