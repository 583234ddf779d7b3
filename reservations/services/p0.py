"""The P0 packages: handed in through the services, and compared with what they must come to (R-78).

Layout of the files: fixtures/reservations/p0/README.md.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from django.conf import settings

from config import jsontext
from config.accounts.models import Tenant, User
from config.accounts.roles import AGENT
from config.accounts.services import add_user
from config.audit.services import Door
from config.errors import DomainError
from reservations.data import catalog
from reservations.domain.candidates import check_candidates
from reservations.domain.errors import IdentityMissing
from reservations.models import Hotel
from reservations.services.ingest import ingest_package
from reservations.services.mail import ImportStatus, import_mail

FOLDER = Path(settings.FIXTURE_DIRS[0]) / "reservations" / "p0"
GROUPS = (
    "main_outcomes",
    "candidate_gate",
    "manual_review_resolution",
    "source_identity_errors",
    "parent_split_two_children",
    "row_multiple_derived",
    "allotment_scope",
)
DEMO_AGENT = "demo-agent"
PROVIDER, CHANNEL = "p0", "email"
_EXPECTED = ".expected.json"
_CANDIDATES = ".candidates.json"


class Verdict(StrEnum):
    """How what came compares with what was expected."""

    AS_EXPECTED = "as expected"
    DIFFERS = "differs"


@dataclass(frozen=True, slots=True)
class P0Package:
    """One package of a group. `content` is for the validator alone when `is_candidates`."""

    group: str
    name: str
    expected: Mapping[str, Any]
    mail: bytes | None
    content: bytes
    media_type: str
    is_candidates: bool


Clock = Callable[[P0Package], datetime]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one package, in words, and where that differs from what was expected."""

    package: P0Package
    verdict: Verdict
    came: str
    differences: tuple[str, ...] = ()


def read_packages() -> tuple[P0Package, ...]:
    """Every package of every group, in the order in which they are loaded."""
    stems = ((group, path) for group in GROUPS for path in sorted((FOLDER / group).glob(f"*{_EXPECTED}")))
    return tuple(_read_package(group, path) for group, path in stems)


def import_mails(
    *, packages: tuple[P0Package, ...], hotel: Hotel, door: Door, clock: Clock | None = None
) -> Counter[ImportStatus]:
    """Put the mails of the packages into the inbox; how many came to what. Safe to repeat.

    clock  the moment of each row; None is now
    """
    return Counter(
        import_mail(
            hotel=hotel,
            raw=package.mail,
            provider=PROVIDER,
            channel=CHANNEL,
            actor=None,
            door=door,
            at=clock(package) if clock else None,
        ).status
        for package in packages
        if package.mail is not None
    )


def load_packages(
    *, packages: tuple[P0Package, ...], hotel: Hotel, caller: User, door: Door, clock: Clock | None = None
) -> Iterator[Outcome]:
    """Hand in one package after the other. Their mails must be in the inbox. Safe to repeat: a package sent again
    gives its first answer.

    clock  the moment each package arrives; None is now
    """
    for package in packages:
        answer = _hand_in(package, hotel, caller, door, clock(package) if clock else None)
        found = tuple(differences(actual=answer, expected=_expected_answer(package)))
        yield Outcome(package, Verdict.DIFFERS if found else Verdict.AS_EXPECTED, _in_words(answer), found)


def find_or_add_agent(*, hotel: Tenant, door: Door) -> User:
    """The agent in whose name the packages come. It has no password; `issue_token` gives it a credential."""
    agent = User.objects.filter(username=DEMO_AGENT, memberships__tenant_id=hotel.pk).first()
    return agent or add_user(username=DEMO_AGENT, password=None, roles=[AGENT], tenants=[hotel], door=door)


def differences(*, actual: Any, expected: Any, place: str = "") -> Iterator[str]:
    """Places where the two differ: an object is compared by the members expected, an array whole."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key, value in expected.items():
            yield from differences(actual=actual.get(key), expected=value, place=f"{place}/{key}")
    elif isinstance(expected, list) and isinstance(actual, list) and len(actual) == len(expected):
        for number, (found, value) in enumerate(zip(actual, expected, strict=True)):
            yield from differences(actual=found, expected=value, place=f"{place}/{number}")
    elif actual != expected:
        yield f"{place or '/'} is {json.dumps(actual, ensure_ascii=False, default=str)[:200]}"


def _read_package(group: str, path: Path) -> P0Package:
    stem = path.name.removesuffix(_EXPECTED)
    mail, text, candidates = (path.with_name(stem + ending) for ending in (".eml", ".txt", _CANDIDATES))
    is_text, is_candidates = text.exists(), candidates.exists()
    body = text if is_text else candidates if is_candidates else path.with_name(f"{stem}.json")
    return P0Package(
        group=group,
        name=stem,
        expected=json.loads(path.read_text(encoding="utf-8")),
        mail=mail.read_bytes() if mail.exists() else None,
        content=body.read_bytes(),
        media_type="text/plain" if is_text else "application/json",
        is_candidates=is_candidates,
    )


def _expected_answer(package: P0Package) -> Any:
    return package.expected["gate"] if package.is_candidates else package.expected["body"]


def _hand_in(package: P0Package, hotel: Hotel, caller: User, door: Door, at: datetime | None) -> Any:
    """The answer as parsed JSON; of a refusal, the members by which programs know it."""
    if package.is_candidates:
        errors = check_candidates(jsontext.read(package.content), catalog())
        return {"valid": not errors, "errors": errors}
    try:
        answer = ingest_package(
            hotel_id=hotel.pk,
            caller=caller,
            content=package.content,
            media_type=package.media_type,
            door=door,
            at=at,
        )
    except IdentityMissing as refusal:
        return refusal.answer
    except DomainError as refusal:
        return {"error_code": refusal.code, "detail_code": refusal.detail_code}
    return json.loads(answer)


def _in_words(answer: Mapping[str, Any]) -> str:
    if "valid" in answer:
        return "valid" if answer["valid"] else f"not valid in {len(answer['errors'])} places"
    if "error_code" in answer:
        return " ".join(str(answer[key]) for key in ("error_code", "detail_code") if answer.get(key))
    counts = [
        (len(answer["tasks"]), "card", "cards"),
        (len(answer["notices"]), "notice", "notices"),
        (len(answer["adapter_contract_errors"]), "contract error", "contract errors"),
        (answer["unhandled_intents"], "unhandled intent", "unhandled intents"),
    ]
    said = [f"{count} {one if count == 1 else many}" for count, one, many in counts if count] or ["nothing"]
    return ", ".join([*said, *(["seen before"] if answer["replayed"] else [])])
