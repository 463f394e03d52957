"""Proofs over the Merkle tree: that a memory came in, and that nothing before was changed (RFC 6962)."""

from __future__ import annotations

import apsw

from ..errors import BadInput
from ..records import Consistency, Proof
from ..text import counted
from . import bodies
from .ledger import Ledger, event_data
from .merkle import Peaks, audit_path, consistency_path, leaf_hash
from .reads import Reads


def prove(ledger: Ledger, ref: str, *, since: int | None = None) -> Proof:
    """Return the proof of one memory, `since` an older tree size too. Raises UnknownId, AmbiguousId, BadInput."""
    with ledger.snapshot() as db:
        reads = Reads(db)
        mid = reads.find_memory(ref)
        payloads = [bytes(payload) for (payload,) in db.execute("SELECT json FROM events ORDER BY seq")]
        if since is not None and not 1 <= since <= len(payloads):
            raise BadInput(f"the ledger never held {counted(since, 'event')}; it holds {len(payloads)}")
        leaves = [leaf_hash(payload) for payload in payloads]
        record = event_data(db, mid)["data"]["memory"]
        salt, content = _opened(db, record["content_ref"])
        details_salt, details = _opened(db, record.get("details_ref"))
        older = None
        if since is not None:
            root = Peaks().extend(payloads[:since]).root
            older = Consistency(size=since, root=root.hex(), path=_hex(consistency_path(leaves, since)))
        return Proof(
            store=ledger.store_id,
            memory=f"{record['type']}-{reads.digest(mid)}",
            seq=mid,
            event=payloads[mid - 1].decode(),
            leaf_index=mid - 1,
            tree_size=len(payloads),
            root=Peaks().extend(payloads).root.hex(),
            audit_path=_hex(audit_path(leaves, mid - 1)),
            salt=salt,
            content=content,
            details_salt=details_salt,
            details=details,
            consistency=older,
        )


def _opened(db: apsw.Connection, ref: str | None) -> tuple[str | None, str | None]:
    """Return salt (as hex) and text of a body; nothing where there is none, or it was redacted."""
    if ref is None:
        return None, None
    row = db.execute("SELECT salt, body FROM bodies WHERE ref=?", (bodies.key_of(ref),)).get
    return (None, None) if row is None or row[1] is None else (row[0].hex(), row[1].decode())


def _hex(path: list[bytes]) -> tuple[str, ...]:
    return tuple(node.hex() for node in path)
