"""Kinds of refusals.

A refusal is an exception with a public, stable `code`: programs branch on the code, people read the sentence.
The kind (Malformed, Invalid, ...) says how a caller should take it; `config.api` turns kinds into HTTP statuses.
Names and codes of an app's own refusals live in its `domain/errors.py`. No Django here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Fault:
    """One place that is wrong.

    pointer             RFC 6901 pointer into the body, or the name of a query parameter
    code                stable code of this fault
    detail              one sentence for a person
    source_event_index  one-based index of the event it belongs to, where there is one
    """

    pointer: str
    code: str
    detail: str
    source_event_index: int | None = None


class DomainError(Exception):
    """A refusal. `code` is never reused; `sentence` says what is wrong and what to do."""

    code: ClassVar[str]
    sentence: ClassVar[str]
    retryable: ClassVar[bool] = False

    def __init__(
        self,
        detail: str | None = None,
        *,
        detail_code: str | None = None,
        errors: Iterable[Fault] = (),
        **facts: object,
    ) -> None:
        self.detail = detail or self.sentence
        self.detail_code = detail_code
        self.errors = tuple(errors)
        self.facts = facts
        super().__init__(f"{self.code}: {self.detail}")


class Malformed(DomainError):
    """The request cannot be read as what it claims to be."""


class Invalid(DomainError):
    """The request can be read, and its content is refused."""


class Missing(DomainError):
    """What the request names does not exist for this caller."""


class Conflict(DomainError):
    """The request does not fit the present state."""


class Denied(DomainError):
    """The caller may not do this."""


class TooLarge(DomainError):
    """The body is larger than the limit."""


class Outdated(DomainError):
    """The request is about a state that is not the present one any more (412)."""


class Unavailable(DomainError):
    """A part the service needs is not there at the moment."""

    retryable = True


# What the base itself refuses, for every app.


class JsonInvalid(Malformed):
    code = "JSON_INVALID"
    sentence = "The body is no valid JSON of this interface. Send UTF-8 JSON without a byte order mark, duplicate keys, NaN or Infinity."


class BodyIncomplete(Malformed):
    code = "BODY_INCOMPLETE"
    sentence = "The body ended before its announced length, or did not arrive in time. Nothing was read; send it again."
    retryable = True


class PayloadLimitExceeded(Malformed):
    code = "PAYLOAD_LIMIT_EXCEEDED"
    sentence = "The body is nested too deeply or holds too many entries. Split it and send the parts."


class PayloadTooLarge(TooLarge):
    code = "PAYLOAD_TOO_LARGE"
    sentence = "The body is larger than this endpoint takes. Send less in one request."


class FieldInvalid(Malformed):
    code = "FIELD_INVALID"
    sentence = "The body has missing or wrong fields. Correct the places named in errors."


class FilterInvalid(Malformed):
    code = "FILTER_INVALID"
    sentence = "The query has an unknown filter, a value that does not fit it, or a bad cursor. Correct the places named in errors."


class PreconditionFailed(Outdated):
    code = "PRECONDITION_FAILED"
    sentence = "If-Match does not name the present version. Nothing was done; read it again and decide anew."


class TenantUndetermined(Denied):
    code = "TENANT_UNDETERMINED"
    sentence = (
        "The credential belongs to no hotel, or to several of which none is the default. Use a credential of one hotel."
    )
