"""The Merkle tree: peaks give the root that RFC 6962 defines."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tur_engine.ledger.merkle import EMPTY_ROOT, Peaks, leaf_hash, node_hash

# The reference tree of the Certificate Transparency project: eight leaves and the root after each.
LEAVES = [
    bytes.fromhex(leaf)
    for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over all leaves by the recursive definition (RFC 6962, 2.1)."""
    if not leaves:
        return EMPTY_ROOT
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return node_hash(root_of(leaves[:split]), root_of(leaves[split:]))


def grown(leaves: list[bytes]) -> Peaks:
    peaks = Peaks()
    for leaf in leaves:
        peaks = peaks.append(leaf)
    return peaks


@pytest.mark.parametrize("size", range(1, 9))
def test_the_published_roots(size: int) -> None:
    assert root_of(LEAVES[:size]).hex() == ROOTS[size - 1]
    assert grown(LEAVES[:size]).root.hex() == ROOTS[size - 1]


def test_the_empty_tree() -> None:
    assert Peaks().root == root_of([]) == EMPTY_ROOT
    assert EMPTY_ROOT.hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@given(st.lists(st.binary(max_size=6), max_size=70))
def test_peaks_fold_to_the_root_of_the_definition(leaves: list[bytes]) -> None:
    peaks = grown(leaves)
    assert peaks.root == root_of(leaves)
    assert peaks.size == len(leaves)
    assert len(peaks.hashes) == len(leaves).bit_count()
    assert Peaks.load(peaks.dump()) == peaks


@given(st.lists(st.binary(max_size=6), min_size=1, max_size=20), st.data())
def test_any_other_leaves_have_another_root(leaves: list[bytes], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(leaves) - 1))
    changed = [*leaves[:place], leaves[place] + b"!", *leaves[place + 1 :]]
    assert grown(changed).root != grown(leaves).root
    assert grown(leaves[:-1]).root != grown(leaves).root


def test_leaves_and_nodes_are_hashed_apart() -> None:
    left, right = leaf_hash(b"a"), leaf_hash(b"b")
    assert leaf_hash(left + right) != node_hash(left, right)


@pytest.mark.parametrize("text", ["", "x:", "1:zz", "None"])
def test_what_is_no_dump_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"invalid literal|non-hexadecimal"):
        Peaks.load(text)
