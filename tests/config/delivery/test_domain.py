from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from config.delivery.domain import FIRST_PAUSE, LONGEST_PAUSE, pause_after

ATTEMPTS = st.integers(min_value=0, max_value=32_767)
CHANCE = st.floats(min_value=0, max_value=1)


def test_the_pause_doubles_up_to_the_longest():
    pauses = [pause_after(attempts, chance=0) for attempts in range(1, 11)]
    assert pauses == [timedelta(seconds=seconds) for seconds in (1, 2, 4, 8, 16, 32, 64, 128, 256, 300)]


@given(ATTEMPTS, CHANCE)
def test_a_pause_is_never_shorter_than_half_the_first_nor_longer_than_the_longest(attempts, chance):
    assert FIRST_PAUSE / 2 <= pause_after(attempts, chance=chance) <= LONGEST_PAUSE


@given(ATTEMPTS, CHANCE)
def test_chance_takes_away_at_most_half(attempts, chance):
    whole = pause_after(attempts, chance=0)
    assert whole / 2 <= pause_after(attempts, chance=chance) <= whole
