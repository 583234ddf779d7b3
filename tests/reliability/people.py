"""People (or agents) at one desk: each with a token and a persistent connection; all have asked before anybody reads an
answer."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from config.accounts.models import User
from config.accounts.services import issue_token
from config.audit.services import Door
from reservations.models import Hotel
from tests import factories
from tests.servers import Answer, Served


@dataclass(frozen=True, slots=True)
class Person:
    user: User
    token: str


@dataclass(frozen=True, slots=True)
class Call:
    path: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class People:
    everybody: Sequence[Person]
    lines: Sequence[http.client.HTTPConnection]

    def at_once(self, *calls: Callable[[Person], Call]) -> list[list[Answer]]:
        """For each of these calls, in turn, the answers to all people. Everybody sends the first call before the first
        answer is read; whoever has an answer sends the next call."""
        answers: list[list[Answer]] = []
        for person, line in self._pairs():
            _send(person, line, calls[0](person))
        for following in (*calls[1:], None):
            answers.append([])
            for person, line in self._pairs():
                answers[-1].append(_receive(line))
                if following is not None:
                    _send(person, line, following(person))
        return answers

    def share(self, calls: Iterable[Call]) -> list[Answer]:
        """The answers to these calls, in their order: as many of them at a time as there are people."""
        answers: list[Answer] = []
        waiting = list(calls)
        for start in range(0, len(waiting), len(self.lines)):
            pairs = list(zip(self._pairs(), waiting[start : start + len(self.lines)], strict=False))
            for (person, line), call in pairs:
                _send(person, line, call)
            answers += [_receive(line) for (_, line), _ in pairs]
        return answers

    def _pairs(self) -> Iterator[tuple[Person, http.client.HTTPConnection]]:
        return zip(self.everybody, self.lines, strict=True)


def hire(hotel: Hotel, role: str, number: int) -> list[Person]:
    """So many people of a hotel, with a token each."""
    users = [factories.user(role, hotel, username=f"{role}{place:03d}") for place in range(number)]
    return [Person(user, issue_token(username=user.username, door=Door.COMMAND)) for user in users]


@contextmanager
def gathered(served: Served, everybody: Sequence[Person]) -> Iterator[People]:
    """These people, each with an open connection."""
    lines = [http.client.HTTPConnection("127.0.0.1", served.port, timeout=60) for _ in everybody]
    try:
        for line in lines:
            line.connect()
        yield People(everybody, lines)
    finally:
        for line in lines:
            line.close()


def _send(person: Person, line: http.client.HTTPConnection, call: Call) -> None:
    headers = {"Authorization": f"Token {person.token}", "Content-Type": "application/json", **call.headers}
    line.request("POST", call.path, call.body, headers)


def _receive(line: http.client.HTTPConnection) -> Answer:
    response = line.getresponse()
    return Answer(response.status, response.headers, response.read())
