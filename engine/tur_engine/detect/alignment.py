"""Which words of two texts stand for each other: their longest common subsequence.

The same one that `rapidfuzz.distance.LCSseq` finds (a test compares): words are few, and importing that library takes
as long as a hundred alignments.
"""

from __future__ import annotations

from collections.abc import Sequence


def stretches(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int, int]]:
    """Return the stretches in common, in order: where each begins on the left and on the right, and its length."""
    ends = min(len(left), len(right))
    first = next((k for k in range(ends) if left[k] != right[k]), ends)
    last = next((k for k in range(ends - first) if left[-1 - k] != right[-1 - k]), ends - first)
    middle = _within(left[first : len(left) - last], right[first : len(right) - last])
    common = [(0, 0, first), *((first + i, first + j, 1) for i, j in middle)]
    common.append((len(left) - last, len(right) - last, last))
    found: list[tuple[int, int, int]] = []
    for i, j, length in common:
        if length and found and (found[-1][0] + found[-1][2], found[-1][1] + found[-1][2]) == (i, j):
            found[-1] = (*found[-1][:2], found[-1][2] + length)
        elif length:
            found.append((i, j, length))
    return found


def _within(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of the words in common, by Hyyrö's bit-parallel algorithm.

    A row of bits for each word of the right: bit `i` is 0 where word `i` of the left adds to what is common.
    """
    places: dict[str, int] = {}
    for i, word in enumerate(left):
        places[word] = places.get(word, 0) | (1 << i)
    row = whole = (1 << len(left)) - 1
    rows = []
    for word in right:
        new = row & places.get(word, 0)
        row = ((row + new) | (row - new)) & whole
        rows.append(row)
    found = []
    i, j = len(left), len(right)
    while i and j:
        if (rows[j - 1] >> (i - 1)) & 1:
            i -= 1
            continue
        j -= 1
        if not j or (rows[j - 1] >> (i - 1)) & 1:
            i -= 1
            found.append((i, j))
    return found[::-1]
