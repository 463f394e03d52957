"""The humans' facade: keys, proposals, approvals, redaction (CONTRACTS 6). For tur-adm and the workbench alone.

A terminal is no control: whatever changes an invariant, a key or a rule needs a Signer, and only a passphrase unlocks
one. Every change is one transaction, weighed again under the write lock.
"""

from __future__ import annotations

from .govern.signer import Signer
from .governing.approving import Approving
from .governing.quarantining import Quarantining
from .governing.recording import Recording
from .governing.removing import Removing
from .governing.ruling import Ruling
from .records import KeyFile

__all__ = ["Governor", "KeyFile", "Signer"]


class Governor(Approving, Ruling, Removing, Quarantining, Recording):
    """One store, seen by a person who may hold a reviewer's key."""
