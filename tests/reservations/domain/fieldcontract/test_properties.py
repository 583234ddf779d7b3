"""What holds of every card whatever agent, draft and request hold (R-29, R-31, R-37).

That no check changes what it is given is asked by `draft`, `confirm` and `resolve` of `states` in every test.
"""

from dataclasses import replace
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from config.errors import DomainError
from reservations.data import matrix
from reservations.domain import pointers
from reservations.domain.documents import value_at, with_value
from reservations.domain.fieldcontract import Override
from reservations.domain.fieldcontract.sheet import fill_sheet
from reservations.domain.jsonvalues import has_value
from tests.reservations.domain.builders import event, review
from tests.reservations.domain.fieldcontract.states import RULES, confirm, draft, read, resolve, state_of

CARDS = [card for card in matrix().cards if card.decision is None and card.required_file is None]
VALUES = st.one_of(
    st.none(),
    st.sampled_from(["", " ", "X", "DLX", "OLD", "CNY", "LEI", "group", "individual", "guest", "company"]),
    st.sampled_from(["2026-08-03", "2026-08-04", "2026-08-05", "2026-02-30", "23:00"]),
    st.integers(-1, 3),
    st.sampled_from([Decimal("2.0"), Decimal("0.5"), True]),
    st.lists(st.sampled_from(["RES", "FO", "ROOM", "att-1"]), max_size=2),
)


def mostly(usual, odd):
    return st.integers(0, 9).flatmap(lambda roll: odd if roll == 0 else usual)


@st.composite
def told(draw, rows):
    """Values for some of these fields, in any spelling; mostly such as the field takes."""
    values = {}
    for row in draw(st.lists(st.sampled_from(rows), max_size=6, unique_by=lambda row: row.field_path)):
        path = draw(mostly(st.sampled_from(row.path_spellings), st.just("x.y")))
        values[path] = draw(mostly(taken(row), VALUES) if row.editable else VALUES)
    return values


@st.composite
def cards(draw, reviewed=False):
    """A card of which agent and draft say anything at all."""
    card = draw(st.sampled_from(CARDS))
    editable = [row for row in card.rows if row.editable]
    asked = review(draw(st.sampled_from(editable)).field_pointer) if reviewed else None
    sent = event(card.task_type, card.task_subtype, case_keys={"group_code": "G-1"}, manual_review=asked)
    state = state_of(sent)
    said = state.event
    for row in card.rows:
        if row.required and draw(mostly(st.just(True), st.just(False))):
            said = with_value(said, row.field_path, draw(taken(row)))
    for path, value in draw(told(card.rows)).items():
        said = with_value(said, path, value)
    return card, replace(state, event=said, derived_case_keys=said["case_keys"], draft=draw(told(editable)))


@st.composite
def requests(draw, reviewed=False):
    card, state = draw(cards(reviewed=reviewed))
    rows = draw(mostly(st.just([row for row in card.rows if row.editable]), st.just(card.rows)))
    values = draw(told(rows))
    if reviewed:
        row = card.row_at(state.manual_review["missing_fields"][0])
        values[row.field_path] = draw(taken(row))
    return state, values


def taken(row):
    catalog = matrix().catalogs.get(row.options_source or "")
    codes = row.options or (catalog and [option.code for option in catalog.options if option.active])
    if row.options_source == "source_message_attachments":
        codes = ["att-1", "att-2"]
    if row.data_type == "string[]":
        return st.lists(st.sampled_from(codes), min_size=1, unique=True)
    if codes:
        return st.sampled_from(codes)
    last = row.field_key.endswith(("departure_date", "affected_to"))
    return {
        "string": st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=20),
        "integer": st.integers(1, 9),
        "decimal": st.decimals(0, 9999, places=2),
        "date": st.just("2026-08-09" if last else "2026-08-03"),
        "time": st.just("23:00"),
        "boolean": st.booleans(),
    }[row.data_type]


def outcome(check, *arguments):
    try:
        return check(*arguments)
    except DomainError as refused:
        return refused.code, refused.errors


@given(requests())
def test_r37_a_confirmation_fed_its_own_values_gives_itself(request):
    """Sent again as a form would: a field without a value is sent as null."""
    state, values = request
    confirmed = outcome(confirm, state, values)
    if isinstance(confirmed, tuple):
        return
    shown = fill_sheet(replace(state, event=confirmed.effective_payload, draft={}), [], **RULES)
    own = {row.field_path: confirmed.field_values.get(row.field_path) for row in shown.rows if shown.writable(row)}
    assert confirm(state, own) == confirmed
    drafted = replace(state, draft=draft(state, own))
    assert confirm(drafted) == confirmed
    assert read(drafted).effective_payload == confirmed.effective_payload


@given(cards())
def test_r29_reading_and_confirming_see_the_same_fields_and_values(card):
    _, state = card
    found = read(state)
    confirmed = outcome(confirm, state)
    if not isinstance(confirmed, tuple):
        assert confirmed.field_values == found.field_values
        assert confirmed.effective_payload == found.effective_payload
    else:
        assert {fault.pointer for fault in confirmed[1]} <= {row.row.field_pointer for row in found.rows}


@given(cards())
def test_r37_values_and_payload_agree_and_hidden_fields_are_in_neither(card):
    of, state = card
    found = read(state)
    assert found.field_values == {row.row.field_path: row.value for row in found.rows if has_value(row.value)}
    served = {row.row.field_path for row in found.rows}
    hidden = [row.field_path for row in of.rows if row.field_path not in served]
    assert [value_at(found.effective_payload, path) for path in hidden] == [None] * len(hidden)
    assert [path for path in found.legacy_field_values if value_at(found.effective_payload, path) is not None] == []


@given(requests())
def test_r36_a_draft_that_is_taken_is_taken_again_and_served(request):
    state, values = request
    drafted = outcome(draft, state, values)
    if isinstance(drafted, tuple):
        assert len(drafted[1]) > 0
        return
    again = replace(state, draft=drafted)
    assert draft(again, drafted) == drafted
    shown = {row.row.field_path: row.value for row in read(again).rows}
    assert {path: shown[path] for path in drafted} == {
        path: value if has_value(value) else None for path, value in drafted.items()
    }


@given(requests())
def test_r29_every_fault_of_a_confirmation_names_a_place_of_the_request_or_a_field(request):
    state, values = request
    confirmed = outcome(confirm, state, values)
    if isinstance(confirmed, tuple):
        rows = matrix().card(state.task_type, state.task_subtype).rows
        places = {f"/field_values/{path}" for path in values} | {row.field_pointer for row in rows}
        assert {fault.pointer for fault in confirmed[1]} <= places


@given(requests(reviewed=True))
def test_r31_pointer_path_and_both_resolve_alike(request):
    state, values = request
    forms = [
        [Override(field_path=path, value=value) for path, value in values.items()],
        [Override(field_pointer=pointers.from_path(path), value=value) for path, value in values.items()],
        [Override(pointers.from_path(path), path, value=value) for path, value in values.items()],
    ]
    by_path, by_pointer, by_both = (outcome(resolve, state, *overrides) for overrides in forms)
    if not isinstance(by_path, tuple):
        assert by_path == by_pointer == by_both
    else:
        assert by_path[0] == by_pointer[0] == by_both[0]


@given(requests(reviewed=True))
def test_r36_a_draft_changes_nothing_of_a_resolution(request):
    state, values = request
    overrides = [Override(field_path=path, value=value) for path, value in values.items()]
    assert outcome(resolve, state, *overrides) == outcome(resolve, replace(state, draft={}), *overrides)
