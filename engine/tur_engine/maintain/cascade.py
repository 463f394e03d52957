"""What falls with a memory: everything live that rests on it, directly or not, becomes suspect (CONTRACTS 7).

Suspect, not retired: the ground is gone, the claim may still be true. A person or a new support decides.
"""

from __future__ import annotations

from ..records import Status

FALLEN = (Status.SUPERSEDED, Status.REFUTED, Status.RETRACTED)
"""Where a memory no longer holds."""
