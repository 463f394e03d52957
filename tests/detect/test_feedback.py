"""A threshold proposed from people's decisions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tur_engine.detect.feedback import FEWEST, MISS, Decided, advise

decisions = st.lists(
    st.builds(Decided, st.floats(0.25, 1, allow_nan=False), st.booleans()), min_size=FEWEST, max_size=60
)


def test_needless_questions_below_the_real_ones_are_spared() -> None:
    low = [Decided(0.30 + n / 1000, clash=False) for n in range(15)]
    high = [Decided(0.80 + n / 1000, clash=True) for n in range(15)]
    found = advise([*low, *high], 0.25)
    assert found.proposed == 0.3141
    assert (found.spared, found.missed, found.dismissed, found.settled) == (15, 0, 15, 15)
    assert "0.3141" in found.sentence


def test_a_miss_weighs_more_than_a_needless_question() -> None:
    few = [Decided(0.30, clash=False)] * 2 + [Decided(0.29, clash=True)]
    rest = [Decided(0.9, clash=True)] * FEWEST
    assert advise([*few, *rest], 0.25).proposed is None
    many = [Decided(0.30, clash=False)] * 4 + [Decided(0.29, clash=True)]
    assert advise([*many, *rest], 0.25).missed == 1


def test_chance_proposes_nothing() -> None:
    found = advise([Decided(0.3, clash=False)] * (FEWEST - 1), 0.25)
    assert found.proposed is None
    assert str(FEWEST - 1) in found.sentence


@given(decisions)
def test_a_proposal_lies_above_the_threshold_and_never_costs_more(decided: list[Decided]) -> None:
    found = advise(decided, 0.25)
    if found.proposed is None:
        assert (found.spared, found.missed) == (0, 0)
    else:
        assert found.proposed > 0.25
        assert found.spared > MISS * found.missed
    assert found.dismissed + found.settled == len(decided)
