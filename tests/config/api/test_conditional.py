"""R-45: tags, what a caller has seen, what it has already."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from config.api.conditional import (
    CONDITIONAL_READ,
    CONDITIONAL_WRITE,
    conditional_answers,
    detail_response,
    etag,
    not_modified,
    seen_versions,
    written_response,
)
from config.render import json_bytes

TAG = etag(7, b"{}")
OPAQUE = st.text(
    st.characters(codec="latin-1", exclude_characters='"', min_codepoint=0x21).filter(lambda c: c != "\x7f")
)
TAGS = st.lists(st.tuples(st.booleans(), st.text(st.sampled_from("0123456789.abc,/W*"), max_size=12)), min_size=1)
VERSIONS = st.integers(0, 10**18 - 1)


def request(**headers):
    return Request(APIRequestFactory().get("/", headers={key.replace("_", "-"): text for key, text in headers.items()}))


def seen(header):
    return seen_versions(request(if_match=header))


def has(header, tag=TAG):
    return not_modified(request(if_none_match=header), tag)


def rendered(response):
    """What goes out, made by JSON alone."""
    return json_bytes(response.data)


@given(VERSIONS, st.binary())
def test_r45_a_tag_is_the_version_and_a_digest_of_the_answer(version, body):
    assert re.fullmatch(rf'"{version}\.[0-9a-f]{{16}}"', etag(version, body))


def test_r45_another_answer_of_the_same_version_has_another_tag():
    assert len({etag(1, b"a"), etag(1, b"b"), etag(2, b"a")}) == 3


def test_r45_no_if_match_and_the_star_take_any_version():
    assert (seen_versions(request()), seen("*"), seen(" * ")) == (None, None, None)


@given(st.lists(st.tuples(VERSIONS, st.binary(max_size=4), st.sampled_from(["", "W/"])), min_size=1))
def test_r45_if_match_is_read_as_the_versions_of_its_tags(rows):
    header = " , ".join(f"{weak}{etag(version, body)}" for version, body, weak in rows)
    assert seen(header) == frozenset(version for version, _, _ in rows)


@pytest.mark.parametrize(
    "header", ['"7"', '"7.aa"', '"7."', '"7.a,b"', 'W/"7.aa"', '"7.aa",', ',, "7.x" ,', '"x", "7.a"']
)
def test_r45_the_version_alone_is_compared(header):
    assert seen(header) == {7}


@pytest.mark.parametrize(
    "header",
    [
        *(
            "",
            " ",
            ",",
            "7",
            "7.aa",
            "'7.aa'",
            '"7.aa',
            '"7.aa" "8.bb"',
            '*, "7.aa"',
            '"7.aa", 8',
            '"7.aa";',
            'w/"7.aa"',
        ),
        *('""', '"x"', '"-7.a"', '"7a"', '" 7"', '"7 .a"', '"٧.a"', f'"{"9" * 19}.a"'),
    ],
)
def test_r45_what_cannot_be_read_matches_nothing(header):
    assert seen(header) == frozenset()


@given(st.text(st.characters(codec="latin-1")))
def test_r45_no_header_breaks_the_readers(header):
    assert isinstance(seen(header), frozenset | None)
    assert isinstance(has(header), bool)


@given(TAGS)
def test_r45_if_none_match_finds_a_tag_anywhere_in_a_list(tags):
    header = ", ".join(f'{"W/" if weak else ""}"{opaque}"' for weak, opaque in tags)
    assert all(has(header, f'"{opaque}"') for _, opaque in tags)
    assert has(header) is False


@given(OPAQUE)
def test_r45_any_character_of_a_tag_is_taken(opaque):
    assert has(f'"{opaque}"', f'"{opaque}"')


@pytest.mark.parametrize(
    ("header", "held"),
    [("*", True), (TAG, True), (f"W/{TAG}", True), (TAG[1:-1], False), (f"{TAG} x", False), ("", False), ("?", False)],
)
def test_r45_if_none_match_compares_the_whole_tag_weakly(header, held):
    assert has(header) is held


def test_r45_without_if_none_match_the_answer_is_sent():
    assert not_modified(request(), TAG) is False


def test_r45_a_detail_has_a_tag_and_is_kept_by_its_caller_only():
    answer = detail_response(request(), 3, {"id": "1"})
    assert (answer.status_code, rendered(answer)) == (200, b'{"id":"1"}')
    assert (answer["ETag"], answer["Cache-Control"]) == (etag(3, b'{"id":"1"}'), "private, no-cache")


def test_r45_a_detail_the_caller_has_is_304_without_a_body():
    tag = etag(3, b'{"id":"1"}')
    answer = detail_response(request(if_none_match=tag), 3, {"id": "1"})
    assert (answer.status_code, answer.data) == (304, None)
    assert (answer["ETag"], answer["Cache-Control"]) == (tag, "private, no-cache")


def test_r45_a_detail_that_changed_within_a_version_is_sent_again():
    tag = detail_response(request(), 3, {"blocked": False})["ETag"]
    assert detail_response(request(if_none_match=tag), 3, {"blocked": True}).status_code == 200


def test_r45_a_write_answers_with_the_tag_its_detail_will_have():
    answer = written_response(4, {"id": "1"}, status=201)
    assert (answer.status_code, rendered(answer)) == (201, b'{"id":"1"}')
    assert answer["ETag"] == detail_response(request(), 4, {"id": "1"})["ETag"]


def test_the_description_has_both_headers_both_ways():
    described = [(one.name, one.location, one.response) for one in (*CONDITIONAL_READ, *CONDITIONAL_WRITE)]
    assert described == [
        ("If-None-Match", "header", False),
        ("ETag", "header", [200, 304]),
        ("If-Match", "header", False),
        ("ETag", "header", [200, 201]),
    ]
    statuses = [code if isinstance(code, int) else code[0] for code in conditional_answers(str, 404)]
    assert statuses == [200, 304, 401, 403, 404, 405, 429, 503]


ORIGIN = "https://desk.example"


def test_a_front_end_elsewhere_may_send_and_read_the_headers(client, settings):
    settings.CORS_ALLOWED_ORIGINS = [ORIGIN]
    asked = {"origin": ORIGIN, "access-control-request-method": "POST"}
    preflight = client.options("/api/reservation/tasks", headers=asked)
    allowed = set(preflight["Access-Control-Allow-Headers"].split(", "))
    assert {"if-match", "if-none-match", "idempotency-key", "authorization", "content-type"} - allowed == set()


def test_a_front_end_elsewhere_may_read_the_headers_of_answers(client, settings, db):
    settings.CORS_ALLOWED_ORIGINS = [ORIGIN]
    exposed = client.get("/api/reservation/tasks", headers={"origin": ORIGIN})["Access-Control-Expose-Headers"]
    assert set(exposed.split(", ")) == {
        "Content-Disposition",
        "Deprecation",
        "ETag",
        "Idempotency-Replayed",
        "Link",
        "Retry-After",
    }
