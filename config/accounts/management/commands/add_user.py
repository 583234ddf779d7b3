from __future__ import annotations

import getpass
import os
import sys
from argparse import ArgumentParser

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from config.accounts.models import Tenant, User
from config.accounts.roles import ROLES
from config.accounts.services import add_user, tenant_named
from config.audit.services import Door
from config.errors import DomainError


class Command(BaseCommand):
    help = (
        "Add a user with roles and memberships; safe to repeat. The password is asked for, or taken from the "
        "environment variable COUNTERSIGN_PASSWORD, and replaces the one a known user has."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--role", action="append", default=[], choices=ROLES, help="may be given several times")
        parser.add_argument("--member", action="append", default=[], metavar="KIND:CODE", help="such as hotel:HOTEL1")
        parser.add_argument("--superuser", action="store_true", help="may do everything, also keep users and tokens")
        parser.add_argument(
            "--no-password",
            action="store_true",
            help="ask for none: a new user can only use tokens, a known one keeps the password",
        )

    def handle(self, *args: object, username: str, role: list[str], member: list[str], **options: object) -> None:
        try:
            tenants = [_tenant(text) for text in member]
            user = add_user(
                username=username,
                password=None if options["no_password"] else _password(username),
                roles=role,
                tenants=tenants,
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
    """Raises CommandError for one that is empty, cannot be asked for, or is too easy to guess."""
    password = os.environ.get("COUNTERSIGN_PASSWORD") or _asked(username)
    if not password:
        raise CommandError("An empty password is no password. Use --no-password for a user that only has tokens.")
    try:
        validate_password(password, User(username=username))
    except ValidationError as refusal:
        raise CommandError(" ".join(refusal.messages)) from None
    return password


def _asked(username: str) -> str:
    if not sys.stdin.isatty():
        raise CommandError("There is no terminal to ask for a password. Set COUNTERSIGN_PASSWORD or use --no-password.")
    return getpass.getpass(f"Password for {username}: ")
