"""The content of Django's fixtures (R-78): `reference`, what a desk needs before its first mail, and `p0`, a whole desk.

Rows with a key made by the database are named by what makes them unique, so that loading a fixture finds what is there
already and never touches another row. The other keys are UUIDs and stand in the fixture.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from uuid import UUID

from django.contrib.auth.models import Group
from django.core import serializers
from django.db import transaction
from django.db.models import Model

from config.accounts.models import Membership, Tenant, TenantKind, User
from config.accounts.roles import AGENT
from config.audit.models import AuditEvent
from config.audit.services import Door
from reservations.data import catalog, matrix
from reservations.domain.mail import parse_mail
from reservations.models import (
    AiTransition,
    Attachment,
    CatalogEntry,
    Hotel,
    Order,
    OrderTask,
    Route,
    RouteStatus,
    SourceMessage,
    SourceNotification,
    Submission,
    Task,
    TaskCard,
)
from reservations.models.ids import ids_from, version_7
from reservations.services.p0 import DEMO_AGENT, P0Package, import_mails, load_packages, read_packages

HotelRow = TypeVar("HotelRow", bound=Tenant)
DESK = (
    SourceMessage,
    Attachment,
    Order,
    Submission,
    AiTransition,
    OrderTask,
    Task,
    TaskCard,
    SourceNotification,
)
START = datetime(2026, 7, 20, tzinfo=UTC)
READING_TIME = timedelta(minutes=2)
NO_PASSWORD = "!"  # Django's mark of a password that nothing matches
DEMO_HOTEL = "HOTEL1"
DEMO_HOTEL_NAME = "Willow Bay Hotel"
DEMO_TIME_ZONE = "Asia/Shanghai"


def reference_fixture() -> str:
    """Routes, the demo hotel, and the catalogues its selects offer, as Django's JSON."""
    return fixture_text(rows=[*_routes(), _hotel(Tenant), *_entries(_hotel(Hotel))])


def p0_fixture() -> str:
    """The desk after the P0 mails and packages, as Django's JSON: the services make it, with a fixed clock and fixed keys.

    Needs a migrated database without rows; what is written there is rolled back. The files of attachments are no part
    of a fixture: theirs have name, size and hash, and no file.
    raises  ValueError: the database is in use
    """
    if Tenant.objects.exists() or User.objects.exists() or SourceMessage.objects.exists():
        raise ValueError("The P0 fixture is made in an empty database.")
    with transaction.atomic(), ids_from(_numbered_ids()):
        people = _fill_desk()
        text = fixture_text(rows=[*people, *_desk_rows()])
        transaction.set_rollback(True)
    return text


def fixture_text(*, rows: Iterable[Model]) -> str:
    """Rows as Django's JSON, one line per member, ending in a line end."""
    text: str = serializers.serialize(
        "json", rows, indent=1, use_natural_foreign_keys=True, use_natural_primary_keys=True
    )
    return text


def _hotel(model: type[HotelRow]) -> HotelRow:
    return model(
        kind=TenantKind.HOTEL, code=DEMO_HOTEL, name=DEMO_HOTEL_NAME, time_zone=DEMO_TIME_ZONE, is_default=True
    )


def _routes() -> Iterator[Route]:
    for route in catalog().routes:
        yield Route(
            route_code=route.route_code,
            position=route.position,
            status=RouteStatus.ACTIVE if route.active else RouteStatus.RETIRED,
            result_type=route.result_type,
            task_type=route.task_type,
            task_subtype=route.task_subtype,
            system_process_category=route.system_process_category,
            system_task_type=route.system_task_type or "",
            queue_participation=route.queue_participation,
            readonly=route.readonly,
            card_display_type=route.card_display_type,
            card_title_code=route.card_title_code,
            route_display_code=route.route_display_code,
            title_en=route.title_en,
            title_zh=route.title_zh,
        )


def _entries(hotel: Hotel) -> Iterator[CatalogEntry]:
    """A catalogue that is not connected has no entries; the field matrix says so to its fields (R-32)."""
    for source in matrix().catalogs.values():
        for position, option in enumerate(source.options, start=1):
            yield CatalogEntry(
                hotel=hotel,
                catalog=source.name,
                code=option.code,
                label_en=option.label[0],
                label_zh=option.label[1],
                active=option.active,
                position=position,
            )


def _fill_desk() -> list[Model]:
    """Hand in everything. Returns the agent and its membership, which the desk rows point to."""
    hotel = _hotel(Hotel)
    hotel.save()
    agent = User.objects.create(username=DEMO_AGENT, password=NO_PASSWORD, date_joined=START)
    agent.groups.add(Group.objects.get(name=AGENT))
    member = Membership.objects.create(user=agent, tenant=hotel)
    packages = read_packages()
    import_mails(packages=packages, hotel=hotel, door=Door.COMMAND, clock=_arrival)
    for _ in load_packages(packages=packages, hotel=hotel, caller=agent, door=Door.COMMAND, clock=_reading):
        pass
    return [agent, member]


def _desk_rows() -> Iterator[Model]:
    for model in DESK:
        for row in model._default_manager.order_by("pk"):
            if isinstance(row, Attachment):
                row.file.name = ""
            yield row
    yield from AuditEvent.objects.order_by("pk")


def _numbered_ids() -> Callable[[], UUID]:
    """One key after the other, a millisecond apart."""
    start, numbers = int(START.timestamp() * 1000), itertools.count(1)

    def following() -> UUID:
        number = next(numbers)
        return version_7(start + number, number.to_bytes(10))

    return following


def _arrival(package: P0Package) -> datetime:
    """When the mail of a package came."""
    received_at = parse_mail(package.mail).received_at if package.mail is not None else None
    return received_at or START


def _reading(package: P0Package) -> datetime:
    """When the package came: the agent needs a moment for the mail."""
    return _arrival(package) + READING_TIME
