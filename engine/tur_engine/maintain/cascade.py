"""What falls with a memory: everything live that rests on it, directly or not, becomes suspect (CONTRACTS 7).

Suspect, not retired: the ground is gone, the claim may still be true. A person or a new support decides.
"""

from __future__ import annotations

from collections.abc import Collection

from .view import View


def suspects_of(view: View, fallen: str, spared: Collection[str] = ()) -> list[str]:
    """Return the digests to be marked, nearest first. Cost grows with what is affected."""
    found: dict[str, None] = {}
    frontier = [fallen]
    while frontier:
        below = [d for digest in frontier for d in view.dependants(digest)]
        frontier = []
        for digest in below:
            if digest in found or digest in spared or digest == fallen:
                continue
            found[digest] = None
            frontier.append(digest)
    return [digest for digest in found if not view.suspected(digest, fallen)]
