"""The signed log: who signed what, and whether it holds; a restoration is signed too."""

from __future__ import annotations

from ..govern.reviewers import entries
from ..govern.signer import Signer
from ..govern.statement import ACT_OF
from ..records import EventKind, SignedEntry
from .signing import Signing, needed


class Recording(Signing):
    """The signed log."""

    def restored(self, signer: Signer, *, size: int, root: str, reason: str) -> int:
        """Sign that this store was restored from a backup with that tree head; returns the event."""
        with self._writing() as (tx, _, reads):
            subject = self._ledger.store_id
            return self._append(
                tx, reads, EventKind.RESTORED, subject, [signer], [], reason=needed(reason), size=size, root=root
            )

    def signed_log(self, limit: int | None = None) -> list[SignedEntry]:
        """Return who signed what, oldest first, each with whether the signature holds; `limit` keeps the latest."""
        with self._engine._reads() as (_, reads):
            seqs = reads.kinds(*map(str, ACT_OF))
            if limit is not None:
                seqs = seqs[-limit:] if limit > 0 else []
            keys = reads.reviewer_keys()
            return [entry for seq in seqs for entry in entries(reads, seq, keys)]
