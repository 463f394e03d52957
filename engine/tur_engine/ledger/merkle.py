"""Merkle tree over the events, by RFC 6962: leaves and nodes are hashed apart.

The tree is kept as its *peaks*: the roots of the full subtrees, largest first, one for each set bit of the size.
Appending touches O(log n) of them; the root folds them from the right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

EMPTY_ROOT = hashlib.sha256(b"").digest()


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of one leaf (RFC 6962, 2.1)."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node (RFC 6962, 2.1)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Peaks(NamedTuple):
    """A Merkle tree of `size` leaves, by the roots of its full subtrees."""

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    def append(self, data: bytes) -> Peaks:
        """Return the tree with one more leaf."""
        return self.extend((data,))

    def extend(self, leaves: Iterable[bytes]) -> Peaks:
        """Return the tree with more leaves."""
        sha256, hashes, size = hashlib.sha256, list(self.hashes), self.size
        for data in leaves:
            node, left = sha256(b"\x00" + data).digest(), size
            while left & 1:
                node = sha256(b"\x01" + hashes.pop() + node).digest()
                left >>= 1
            hashes.append(node)
            size += 1
        return Peaks(size, tuple(hashes))

    @property
    def root(self) -> bytes:
        """The tree head (RFC 6962): 32 bytes."""
        if not self.hashes:
            return EMPTY_ROOT
        root = self.hashes[-1]
        for left in reversed(self.hashes[:-1]):
            root = node_hash(left, root)
        return root

    def dump(self) -> str:
        """Return `size:hex,hex,...`, for the store."""
        return f"{self.size}:{','.join(h.hex() for h in self.hashes)}"

    @classmethod
    def load(cls, text: str) -> Peaks:
        """Read what `dump` wrote, and nothing else. Raises ValueError."""
        size, _, hashes = text.partition(":")
        found = cls(int(size[:20]), tuple(bytes.fromhex(h) for h in hashes.split(",") if h))
        whole = all(len(h) == 32 for h in found.hashes) and found.size.bit_count() == len(found.hashes)
        if found.size < 0 or not whole or found.dump() != text:
            raise ValueError("not a Merkle tree")
        return found


def audit_path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the nodes that lead from one leaf to the root (RFC 6962, 2.1.1); `leaves` are leaf hashes."""
    path, level = [], list(leaves)
    while len(level) > 1:
        if (beside := index ^ 1) < len(level):
            path.append(level[beside])
        level, index = _above(level), index >> 1
    return path


def consistency_path(leaves: Sequence[bytes], first: int) -> list[bytes]:
    """Return the nodes that prove the tree over the first leaves a part of the whole (RFC 6962, 2.1.2)."""

    def part(nodes: Sequence[bytes], size: int, known: bool) -> list[bytes]:
        if size == len(nodes):
            return [] if known else [_fold(nodes)]
        split = 1 << ((len(nodes) - 1).bit_length() - 1)
        if size <= split:
            return [*part(nodes[:split], size, known), _fold(nodes[split:])]
        return [*part(nodes[split:], size - split, False), _fold(nodes[:split])]

    return part(leaves, first, True) if 0 < first < len(leaves) else []


def _above(level: Sequence[bytes]) -> list[bytes]:
    nodes = [node_hash(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
    return [*nodes, level[-1]] if len(level) & 1 else nodes


def _fold(leaves: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes: level by level, an odd node goes up as it is."""
    level = list(leaves)
    while len(level) > 1:
        level = _above(level)
    return level[0]
