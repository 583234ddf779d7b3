"""How events are bound to each other, computed by hand."""

import hashlib
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.audit.domain import GENESIS, Event, Flaw, content_sha256, flaw_of, is_purged, seal_of

EVENT = Event(
    id=7,
    tenant_id=3,
    at=datetime(2026, 7, 20, 12, 0, tzinfo=UTC),
    actor_id=None,
    door="api",
    action="TASK_CONFIRM",
    object_type="task",
    object_id="t-1",
    request_id="",
    before='{"a":1}',
    after='{"a":2}',
    reason="é",
)
SEAL = seal_of(EVENT, position=1, previous_hash=GENESIS, nonce="n")
OTHER = {"id": 8, "tenant_id": None, "actor_id": 1, "at": EVENT.at + timedelta(microseconds=1)}
CONTENT = {"before", "after", "reason"}
texts = st.text(st.characters(exclude_categories=["Cs"]))


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def flaw(event=EVENT, seal=SEAL, position=1, previous_hash=GENESIS):
    return flaw_of(event, seal, position=position, previous_hash=previous_hash)


def test_the_hashes_are_those_of_a_json_array():
    content = sha256(r'["n","{\"a\":1}","{\"a\":2}","é"]')
    own = sha256(
        f'["{GENESIS}",1,3,7,"2026-07-20T12:00:00.000000+00:00",null,"api","TASK_CONFIRM","task","t-1","","{content}"]'
    )
    assert (SEAL.content_sha256, SEAL.hash) == (content, own)


def test_a_moment_counts_as_the_same_in_every_zone():
    elsewhere = replace(EVENT, at=EVENT.at.astimezone(timezone(timedelta(hours=8))))
    assert flaw(elsewhere) is None


def test_an_event_as_it_was_sealed_has_no_flaw():
    assert flaw() is None


@pytest.mark.parametrize("name", [field.name for field in fields(Event)])
def test_every_column_of_an_event_is_sealed(name):
    changed = replace(EVENT, **{name: OTHER.get(name, "changed")})
    assert flaw(changed) == (Flaw.CONTENT if name in CONTENT else Flaw.HASH)


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("position", 2, Flaw.POSITION),
        ("previous_hash", "1" * 64, Flaw.PREVIOUS_HASH),
        ("nonce", "m", Flaw.CONTENT),
        ("content_sha256", "1" * 64, Flaw.CONTENT),
        ("hash", "1" * 64, Flaw.HASH),
    ],
)
def test_every_column_of_a_seal_is_checked(name, value, found):
    assert flaw(seal=replace(SEAL, **{name: value})) == found


def test_a_purged_event_still_binds_the_chain():
    event = replace(EVENT, before="", after="", reason="")
    seal = replace(SEAL, nonce="")
    assert is_purged(event, seal)
    assert flaw(event, seal) is None
    assert flaw(replace(event, action="changed"), seal) == Flaw.HASH


@pytest.mark.parametrize("left", ["before", "after", "reason", "nonce"])
def test_a_half_emptied_event_is_a_changed_one(left):
    event = replace(EVENT, **dict.fromkeys(CONTENT - {left}, ""))
    seal = SEAL if left == "nonce" else replace(SEAL, nonce="")
    assert flaw(event, seal) == Flaw.CONTENT


def test_null_and_emptied_text_differ_while_there_is_a_nonce():
    assert content_sha256(replace(EVENT, before=None), nonce="n") != content_sha256(
        replace(EVENT, before=""), nonce="n"
    )


@given(st.tuples(texts, texts, texts), st.tuples(texts, texts, texts))
def test_two_contents_have_one_hash_only_when_they_are_equal(one, other):
    hashes = [
        content_sha256(replace(EVENT, before=before, after=after, reason=reason), nonce="n")
        for before, after, reason in (one, other)
    ]
    assert (hashes[0] == hashes[1]) == (one == other)
