from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError
from knox.models import get_token_model

from config.accounts.models import Tenant, User
from config.accounts.roles import AGENT, AUDITOR, DEVELOPER, GATEWAY, LEAD, REVIEWER
from config.accounts.services import add_user, issue_token
from config.audit.services import Door
from config.demo_env import password_text
from reservations.models import Hotel, Route
from reservations.services.fixtures import DEMO_HOTEL

MACHINES = {"demo-agent": AGENT, "demo-gateway": GATEWAY}
PEOPLE: dict[str, list[str]] = {
    "demo-reviewer": [REVIEWER],
    "demo-lead": [LEAD],
    "demo-auditor": [AUDITOR],
    "demo-developer": [DEVELOPER],
    "demo-admin": [],
}
SUPERUSER = "demo-admin"


@dataclass(frozen=True, slots=True)
class Login:
    """What a user comes in with: a password or a token. Shown once."""

    username: str
    word: str


class Command(BaseCommand):
    help = "Fill the demo: hotel, catalogues, one user per role, the P0 mails and packages. Safe to repeat."

    def handle(self, *args: object, **options: object) -> None:
        if not settings.DEMO:
            raise CommandError("This makes users whose passwords are shown. It needs DEMO=true.")
        hotel = demo_hotel()
        self.show("Passwords", list(people(hotel)))
        self.show("Tokens", list(machines(hotel)))
        self.load_packages(hotel)
        self.stdout.write(
            "People log in at /admin/. Forgotten? DEMO_PASSWORD, in the environment or .env, becomes the password of "
            "all people; manage.py issue_token demo-agent gives another token."
        )

    def load_packages(self, hotel: Tenant) -> None:
        """A desk on which people have worked may answer a package differently; that stops nobody from using it."""
        try:
            call_command("load_p0", hotel=hotel.code, summary=True, stdout=self.stdout)
        except CommandError as difference:
            self.stderr.write(str(difference))

    def show(self, title: str, logins: list[Login]) -> None:
        if logins:
            self.stdout.write(f"{title}, shown this once:")  # the demo's own, on the machine it runs on
        for login in logins:
            self.stdout.write(f"  {login.username:<16} {login.word}")


def demo_hotel() -> Hotel:
    """The hotel of the demo, with routes and catalogues. Raises CommandError where another one is the default."""
    if not (Hotel.objects.filter(code=DEMO_HOTEL).exists() and Route.objects.exists()):
        try:
            call_command("loaddata", "reference", verbosity=0)
        except IntegrityError as refusal:
            raise CommandError(
                "This database has another default hotel. Give the demo a database of its own."
            ) from refusal
    return Hotel.objects.get(code=DEMO_HOTEL)


def people(hotel: Tenant) -> Iterator[Login]:
    """Make the people that are not there; where DEMO_PASSWORD is given, it becomes the password of all."""
    known = dict(User.objects.filter(username__in=PEOPLE).values_list("username", "password"))
    kept = {name for name, holds in zip(known, held(known.values()), strict=True) if holds}
    for username in PEOPLE:
        if username not in kept:
            yield person(username, hotel)


def held(hashes: Iterable[str]) -> list[bool]:
    """Which of these passwords may stay: all, unless DEMO_PASSWORD says another. Hashing is slow and runs in threads."""
    wanted = settings.DEMO_PASSWORD
    if not wanted:
        return [True for _ in hashes]
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda stored: check_password(wanted, stored), hashes))


def person(username: str, hotel: Tenant) -> Login:
    password = settings.DEMO_PASSWORD or password_text()
    add_user(
        username=username,
        password=password,
        roles=PEOPLE[username],
        tenants=[hotel],
        is_superuser=username == SUPERUSER,
        door=Door.COMMAND,
    )
    return Login(username, password)


def machines(hotel: Tenant) -> Iterator[Login]:
    """Give a token to each program that has none; programs have no password."""
    tokens = get_token_model().objects.filter(user__username__in=MACHINES)
    for username in sorted(MACHINES.keys() - set(tokens.values_list("user__username", flat=True))):
        if not User.objects.filter(username=username).exists():
            add_user(username=username, password=None, roles=[MACHINES[username]], tenants=[hotel], door=Door.COMMAND)
        yield Login(username, issue_token(username=username, door=Door.COMMAND))
