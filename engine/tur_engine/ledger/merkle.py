"""Merkle tree over the events, by RFC 6962: leaves and nodes are hashed apart.

The tree is kept as its *peaks*: the roots of the full subtrees, largest first, one for each set bit of the size.
Appending touches O(log n) of them; the root folds them from the right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

EMPTY_ROOT = hashlib.sha256(b"").digest()


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of one leaf (RFC 6962, 2.1)."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node (RFC 6962, 2.1)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


@dataclass(frozen=True, slots=True)
class Peaks:
    """A Merkle tree of `size` leaves, by the roots of its full subtrees."""

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    def append(self, data: bytes) -> Peaks:
        """Return the tree with one more leaf."""
        hashes = [*self.hashes, leaf_hash(data)]
        size = self.size
        while size & 1:
            right = hashes.pop()
            hashes[-1] = node_hash(hashes[-1], right)
            size >>= 1
        return Peaks(self.size + 1, tuple(hashes))

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
        """Read what `dump` wrote. Raises ValueError."""
        size, _, hashes = text.partition(":")
        return cls(int(size), tuple(bytes.fromhex(h) for h in hashes.split(",") if h))


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the root over all leaves by the recursive definition (RFC 6962, 2.1): the oracle for `Peaks`."""
    if not leaves:
        return EMPTY_ROOT
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return node_hash(root_of(leaves[:split]), root_of(leaves[split:]))
