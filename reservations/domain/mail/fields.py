"""The headers a mail is known by: ids, people, time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from reservations.domain.mail.entity import Entity
from reservations.domain.mail.problems import ProblemCode
from reservations.domain.mail.words import Reader

MAX_ID_LENGTH = 512  # what the inbox has room for; longer ones are no ids but noise
_ID = re.compile(r"<([^<>]*)>")
_WORD = r"=\?[^?\s]{1,80}\?[bBqQ]\?[^?]*\?="
_TOKEN = re.compile(rf'{_WORD}|"(?:[^"\\]|\\.)*"?|<[^<>]*>?|[,;]|:|[^,;:"<=]+|.', re.DOTALL)
_SPECIALS = re.compile(r'[()<>\[\]:;@\\,."]')


def message_id(entity: Entity, reader: Reader) -> str | None:
    """The Message-ID without its angle brackets, exactly otherwise (R-01); None when there is none to use."""
    for name in ("Message-ID", "X-Message-ID", "Resent-Message-ID"):
        for raw in entity.all(name):
            text = reader.tidy(reader.unicode(raw)).strip()
            found = _ID.search(text)
            own = found[1].strip() if found else text.strip("<> ")
            if own and len(own) <= MAX_ID_LENGTH:
                return own
    return None


def conversation_id(entity: Entity, reader: Reader, own: str) -> str:
    """The first mail of the thread: first id of References, else of In-Reply-To, else the mail's own id."""
    for name in ("References", "In-Reply-To"):
        for raw in entity.all(name):
            text = reader.tidy(reader.unicode(raw))
            ids: list[str] = [found.strip() for found in _ID.findall(text)]
            ids = ids or [word for word in text.split()[:1] if "@" in word]
            root = next((one for one in ids if one and len(one) <= MAX_ID_LENGTH), None)
            if root:
                return root
    return own


def sender(entity: Entity, reader: Reader) -> str:
    """The first author as `Name <address>`; Sender and Return-Path stand in for a missing From."""
    for name in ("From", "Sender", "X-Sender", "Return-Path"):
        people = addresses(entity.all(name), reader)
        if people:
            return people[0]
    reader.notes.add(ProblemCode.SENDER_MISSING)
    return ""


def recipients(entity: Entity, reader: Reader) -> tuple[str, ...]:
    """Everybody in To, Cc and Bcc, in this order, each once; a blind copy is known by Delivered-To alone."""
    named = addresses([raw for name in ("To", "Cc", "Bcc") for raw in entity.all(name)], reader)
    return tuple(named or addresses(entity.all("Delivered-To"), reader))


def addresses(values: Iterable[bytes], reader: Reader) -> list[str]:
    """Every mailbox of some address headers as `Name <address>` or `address`, names decoded, groups opened."""
    found: dict[str, None] = {}
    for raw in values:
        for tokens in _mailboxes(reader.unicode(raw)):
            text = _mailbox(tokens, reader)
            if text:
                found.setdefault(text)
    return list(found)


def address_of(mailbox: str) -> str:
    """The bare address of `Name <address>` or `address`; what is no address comes back as it is."""
    found = re.search(r"<([^<>]*)>\s*$", mailbox)
    return found[1].strip() if found else mailbox.strip()


def domain_of(mailbox: str) -> str:
    """The domain of a mailbox in lower case; "" when it has none."""
    _, at, domain = address_of(mailbox).rpartition("@")
    return domain.strip().strip(".>").lower()[:255] if at else ""


def received_at(entity: Entity, reader: Reader) -> datetime | None:
    """When the mail was sent (Date), else when the last server took it (first readable Received), in UTC."""
    raw = entity.first("Date")
    sent = _moment(reader.text(raw)) if raw is not None else None
    if sent is not None:
        return sent
    reader.notes.add(ProblemCode.DATE_MISSING if raw is None else ProblemCode.DATE_UNREADABLE)
    hops = (_moment(reader.text(hop).rpartition(";")[2]) for hop in entity.all("Received"))
    return next((moment for moment in hops if moment is not None), None)


def _mailboxes(text: str) -> Iterator[list[str]]:
    """Tokens of each mailbox. A comma inside quotes, brackets or an encoded word parts nothing."""
    tokens: list[str] = []
    for token in _TOKEN.findall(text):
        if token in (",", ";"):
            yield tokens
            tokens = []
        elif token == ":":
            tokens = []  # what stood before is the name of a group
        else:
            tokens.append(token)
    yield tokens


def _mailbox(tokens: list[str], reader: Reader) -> str:
    bracket = next((token for token in reversed(tokens) if token.startswith("<")), None)
    spoken = [_unquoted(token) for token in tokens if token is not bracket]
    name = " ".join(reader.words("".join(spoken)).split())
    if bracket is None:
        return _commented(name)
    address = reader.words(bracket.strip("<> "))
    if not address or not name or name == address:
        return address or name
    return f"{_quoted(name)} <{address}>"


def _commented(text: str) -> str:
    """The old form `address (Name)`."""
    found = re.fullmatch(r"([^\s()@]+@[^\s()@]+)\s*\(([^()]*)\)", text)
    return f"{_quoted(found[2].strip())} <{found[1]}>" if found and found[2].strip() else text


def _unquoted(token: str) -> str:
    if not token.startswith('"'):
        return token
    return re.sub(r"\\(.)", r"\1", token[1:-1] if len(token) > 1 and token.endswith('"') else token[1:])


def _quoted(name: str) -> str:
    if not _SPECIALS.search(name):
        return name
    escaped = re.sub(r'(["\\])', r"\\\1", name)
    return f'"{escaped}"'


def _moment(text: str) -> datetime | None:
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = read(text.strip())
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
            continue
    return None
