"""Exact JSON: strict reading, exact writing, and one form for each value (R-51, R-54)."""

import json
import random
import time
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import jsontext
from config.errors import DomainError, JsonInvalid, PayloadLimitExceeded

texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=20)
integers = st.one_of(
    st.integers(-3, 3), st.integers(-(10**38), 10**38), st.sampled_from([2**53, 2**63, 2**64, -(2**63)])
)
decimals = st.builds(
    "{}{}.{}{}".format,
    st.sampled_from(["", "-"]),
    st.integers(0, 10**12),
    st.from_regex(r"[0-9]{1,20}", fullmatch=True),
    st.one_of(
        st.just(""), st.builds("e{}".format, st.integers(-308, 308)), st.builds("E+{}".format, st.integers(0, 308))
    ),
).map(Decimal)
scalars = st.one_of(st.none(), st.booleans(), integers, decimals, texts)


def grown(children):
    return st.one_of(st.lists(children, max_size=4), st.dictionaries(texts, children, max_size=4))


values = st.recursive(scalars, grown, max_leaves=12)
small = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(0, 2),
        st.sampled_from(["", "0", "1", "null"]),
        st.sampled_from(["0.0", "1.0", "1e0", "10e-1", "2.0"]).map(Decimal),
    ),
    lambda children: st.one_of(
        st.lists(children, max_size=2), st.dictionaries(st.sampled_from("ab"), children, max_size=2)
    ),
    max_leaves=3,
)


def equal(one, other):
    """The reference: equal JSON values, numbers by exact value, true and false no numbers."""
    kinds = [
        bool if isinstance(value, bool) else Fraction if isinstance(value, int | Decimal) else type(value)
        for value in (one, other)
    ]
    if kinds[0] is not kinds[1]:
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    return Fraction(one) == Fraction(other) if kinds[0] is Fraction else one == other


def respelled(value, rng):
    """The same value, written in another way."""
    if isinstance(value, dict):
        keys = rng.sample(list(value), len(value))
        return {key: respelled(value[key], rng) for key in keys}
    if isinstance(value, list):
        return [respelled(entry, rng) for entry in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**30:
        return rng.choice([value, Decimal(f"{value}.0"), Decimal(f"{value}e0"), Decimal(f"{value}00e-2")])
    return value


def refused(raw, kind=JsonInvalid):
    with pytest.raises(kind) as refusal:
        jsontext.read(raw if isinstance(raw, bytes) else raw.encode())
    return refusal.value.code


# Properties


@given(values)
def test_what_is_written_reads_as_the_same_value(value):
    assert equal(jsontext.read(jsontext.write(value).encode()), value)


@given(values)
def test_what_was_read_and_written_once_never_changes_again(value):
    text = jsontext.write(jsontext.read(jsontext.write(value).encode()))
    assert jsontext.write(jsontext.read(text.encode())) == text


@given(values, st.randoms(use_true_random=False))
def test_another_spelling_of_a_value_has_the_same_canonical_bytes(value, rng):
    assert jsontext.canonical(respelled(value, rng)) == jsontext.canonical(value)


@given(small, small)
def test_canonical_bytes_are_equal_exactly_for_equal_values(one, other):
    assert (jsontext.canonical(one) == jsontext.canonical(other)) is equal(one, other)


@given(values)
def test_canonical_bytes_are_json_of_the_same_value(value):
    assert equal(json.loads(jsontext.canonical(value), parse_float=Decimal), value)


@given(values)
def test_an_independent_reader_reads_what_is_written(value):
    assert equal(json.loads(jsontext.write(value), parse_float=Decimal), value)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused_and_nothing_else(raw):
    try:
        jsontext.read(raw)
    except (JsonInvalid, PayloadLimitExceeded):
        return


@given(values, st.randoms(use_true_random=False))
def test_a_bent_document_is_read_or_refused_and_nothing_else(value, rng):
    raw = bytearray(jsontext.write(value).encode())
    for _ in range(3):
        raw[rng.randrange(len(raw))] = rng.choice(b'"\\[]{},:eE+-.019unt\x00\xff ')
    try:
        jsontext.read(bytes(raw))
    except (JsonInvalid, PayloadLimitExceeded):
        return


# Examples


@pytest.mark.parametrize(
    "number",
    [
        *(
            "1000e306",
            "0.00001e-305",
            "1234567890123456789012345678901234567e10",
            "-0.000000000000000000000000000001e-300",
        ),
        *(
            "1.23456789012345678901234567890123456e55",
            "0.0e-308",
            "100e308",
            "9." + "9" * 35 + "e9",
            "-1." + "0" * 31 + "e-308",
        ),
    ],
)
def test_a_number_that_was_read_is_written_so_that_it_can_be_read_again(number):
    value = jsontext.read(number.encode())
    assert jsontext.read(jsontext.write(value).encode()) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1), ("1.0", Decimal("1.0")), ("-0", 0), ("1e2", Decimal("1e2")), ("true", True), ("null", None), ('""', "")],
)
def test_integers_are_int_and_all_other_numbers_decimal(text, value):
    read = jsontext.read(text.encode())
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": Decimal("880.0"), "a": [1, True]}, '{"a":[1,true],"b":880}'),
        (Decimal("8.8e2"), "880"),
        (Decimal("-0.0"), "0"),
        (Decimal("0.10"), "0.1"),
        (Decimal("1e-7"), "0.0000001"),
        (2**53 + 1, "9007199254740993"),
        (2**64, "18446744073709551616"),
        ({"é": "客", "z": 1}, '{"z":1,"é":"客"}'),
        ({}, "{}"),
    ],
)
def test_the_canonical_form(value, text):
    assert jsontext.canonical(value).decode() == text


def test_a_digest_is_the_sha256_of_the_canonical_bytes():
    assert jsontext.digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


@pytest.mark.parametrize("number", ["1" * 41, "-" + "1" * 40, "0." + "1" * 39, "1e309", "1e-309", "1E+999999999999"])
def test_numbers_beyond_the_limits_are_refused(number):
    assert refused(number) == "JSON_INVALID"


@pytest.mark.parametrize("number", ["1" * 40, "-" + "1" * 39, "0." + "1" * 38, "1e308", "1E-308", "0e308"])
def test_numbers_at_the_limits_are_read(number):
    assert equal(jsontext.read(number.encode()), Decimal(number))


@pytest.mark.parametrize("depth", [1, 31, 32])
def test_depth_within_the_limit_is_read(depth):
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        body = opening * depth + ("1" if opening != "[" else "") + closing * depth
        assert jsontext.write(jsontext.read(body.encode())) == body


@pytest.mark.parametrize("text", ["[" * 33, "[" * 33 + "]" * 33, '{"a":' * 33 + "1" + "}" * 33, '["[",' + "[" * 33])
def test_depth_beyond_the_limit_is_refused(text):
    assert refused(text, PayloadLimitExceeded) == "PAYLOAD_LIMIT_EXCEEDED"


def test_a_duplicate_key_is_found_at_any_depth_and_in_any_spelling():
    for text in ('{"a":1,"a":1}', '[{"b":{"a":1,"\\u0061":1}}]', '{"":1,"":2}'):
        assert refused(text) == "JSON_INVALID"


@pytest.mark.parametrize("text", ['{"a":1,"A":1}', '{"é":1,"e\u0301":1}', '{"a":{"a":1}}', '[{"a":1},{"a":1}]'])
def test_keys_that_differ_are_no_duplicates(text):
    assert jsontext.write(jsontext.read(text.encode())) == text


def test_a_refusal_says_nothing_of_the_text_but_a_short_key():
    with pytest.raises(JsonInvalid) as refusal:
        jsontext.read(b'{"%b":1,"%b":1}' % (b"k" * 5000, b"k" * 5000))
    assert len(refusal.value.detail) < 200


HOSTILE = {
    "quotes": '"' * 1_000_000,
    "escaped quotes that never end": '"' + '\\"' * 500_000 + "\\",
    "backslashes": "\\" * 1_000_000,
    "a text of backslashes": '"' + "\\" * 999_999,
    "escaped nulls": '"' + "\\u0000" * 160_000 + '"',
    "escaped backslashes before u0000": '"' + "\\\\u0000" * 140_000 + '"',
    "opening": "[" * 1_000_000,
    "opening and closing": "[]" * 500_000,
    "objects": '{"a":' * 200_000,
    "digits": "1" * 1_000_000,
    "an exponent": "1e" + "9" * 1_000_000,
    "small numbers": "[" + "1," * 400_000 + "1]",
    "long numbers": "[" + ("9" * 39 + ",") * 25_000 + "1]",
    "exponents": "[" + "1e308," * 170_000 + "1]",
    "keys": "{" + ",".join(f'"{number}":1' for number in range(90_000)) + "}",
    "white space": " " * 1_000_000,
    "commas": "," * 1_000_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_megabyte_of_anything_is_read_in_time_that_grows_with_its_length(text):
    began = time.process_time()
    try:
        value = jsontext.read(text.encode())
    except DomainError:
        value = None
    jsontext.digest(value)
    assert time.process_time() - began < 5


def test_a_megabyte_of_real_shapes_is_canonical_in_time_that_grows_with_its_length():
    rng = random.Random(1)
    value = [{str(rng.random()): [rng.randrange(2**80), Decimal("1e300")]} for _ in range(15_000)]
    began = time.process_time()
    jsontext.canonical(value)
    assert time.process_time() - began < 5
