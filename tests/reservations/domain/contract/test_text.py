"""The old text results (R-12)."""

import pytest

from reservations.data import catalog
from reservations.domain.contract import Generation, RootKind, TextNotice, judge_text, read_text
from reservations.domain.errors import AdapterContractRefused, AdapterDetail, IdentityMissing


@pytest.mark.parametrize(
    ("text", "notice"),
    [
        ("S000,m1@x", TextNotice("S000", "m1@x")),
        ("S999,m1@x\r\n", TextNotice("S999", "m1@x")),
        ("\t S000, m1@x \n", TextNotice("S000", "m1@x")),
        ("S000,a,b", TextNotice("S000", "a,b")),
        ("S000,S999,a", TextNotice("S000", "S999,a")),
    ],
)
def test_text_and_id_are_trimmed(text, notice):
    """R-12."""
    assert read_text(text) == notice


@pytest.mark.parametrize("text", ["S000,", "S999, \r\n", "S000,\u3000"])
def test_nothing_after_the_comma_is_a_missing_identity(text):
    """R-02."""
    with pytest.raises(IdentityMissing) as refusal:
        read_text(text)
    assert refusal.value.missing_fields == ("source_message_id",)


@pytest.mark.parametrize(
    "text", ["", "S000", "S10,m1", "s000,m1", "S000 ,m1", "S0000,m1", ",m1", "S000;m1", "\ufeffS000,m1", "S000,m\x001"]
)
def test_any_other_text_is_an_unknown_root(text):
    """R-05."""
    with pytest.raises(AdapterContractRefused) as refusal:
        read_text(text)
    assert refusal.value.detail_code == AdapterDetail.ROOT_UNKNOWN


@pytest.mark.parametrize(("code", "shown"), [("S000", "NOTICE.S10"), ("S999", "NOTICE.S99")])
def test_a_text_result_is_a_notice_under_the_new_row_and_keeps_its_code(code, shown):
    """R-12."""
    sent = read_text(f"{code}, m1@x\n")
    judgement = judge_text(sent, catalog=catalog())
    assert (judgement.generation, judgement.root_kind) == (Generation.TEXT, RootKind.NOTICE)
    assert judgement.notice is not None
    assert (judgement.notice.route_code, judgement.notice.route.route_display_code) == (code, shown)
    assert sent.canonical == f"{code},m1@x"
