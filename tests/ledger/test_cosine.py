"""Cosines of int8 vectors: with numpy and without it the same, to the last bit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tur_engine.ledger.cosine import _all_at_once, _one_by_one, cosines

SIZE = 8
vectors = st.binary(min_size=SIZE, max_size=SIZE)


@given(st.lists(vectors, max_size=6), vectors)
def test_both_ways_give_the_same_bits(rows: list[bytes], given: bytes) -> None:
    packed = b"".join(rows)
    assert [c.hex() for c in _one_by_one(packed, given)] == [c.hex() for c in _all_at_once(packed, given)]


@pytest.mark.parametrize("extreme", [b"\x80", b"\x7f"])
def test_so_they_do_at_the_ends_of_what_a_vector_can_hold(extreme: bytes) -> None:
    given, rows = extreme * 384, b"\x80" * 384 + b"\x7f" * 384 + bytes(384) + bytes(range(128)) * 3
    assert [c.hex() for c in _one_by_one(rows, given)] == [c.hex() for c in _all_at_once(rows, given)]


def test_alike_is_one_opposite_is_less_and_nothing_is_none() -> None:
    assert cosines(bytes([1, 2, 1, 254, 0, 0]), bytes([1, 2])) == pytest.approx([1, -0.6, 0])


def test_numpy_is_not_imported_for_it(repo_root: Path) -> None:
    code = (
        "import sys; from tur_engine.ledger.search import cosines; cosines(bytes(4), bytes(2)); "
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=repo_root / "engine", check=False).returncode == 0
