"""Reviewers' keys, and what was signed with them, as people read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import BadInput
from ..ledger import Reads
from ..ledger.codec import unstamp
from ..ledger.reads.governance import KeyInterval
from ..records import EventKind, ReviewerKey, SignedEntry
from .statement import ACT_OF, Act, hexes_of
from .verify import signers_of


def one_of(held: Sequence[KeyInterval], ref: str) -> KeyInterval:
    """Return the enrolled key that a name or the start of an id means. Raises BadInput."""
    hexes = hexes_of(ref)
    found = [k for k in held if (hexes and k.key.startswith(hexes)) or k.name == ref.strip()]
    if len(found) != 1:
        raise BadInput(
            f"{ref!r} names {len(found) or 'no'} enrolled key{'s' * bool(found)}; `tur-adm key list` shows them"
        )
    return found[0]


def told_key(reads: Reads, key: KeyInterval, here: set[str]) -> ReviewerKey:
    """Return an enrolled key; `here` holds the ids of those on this machine."""
    at, _, data = reads.event(key.since)
    return ReviewerKey(
        id=f"key-{key.key}",
        public=key.public,
        name=key.name,
        enrolled_seq=key.since,
        enrolled_at=unstamp(at),
        enrolled_by=f"key-{data.get('statement', {}).get('key', '')}",
        revoked_seq=key.until,
        here=f"key-{key.key}" in here,
    )


def entries(reads: Reads, seq: int, keys: Sequence[KeyInterval]) -> Iterator[SignedEntry]:
    """Yield what one signed event tells, a line a signature; `keys` are all that were ever enrolled."""
    at, _, data = reads.event(seq)
    given = data.get("statement")
    statement = given if isinstance(given, dict) else {}
    then = {key.key: key.public for key in keys if key.since <= seq and (key.until is None or key.until >= seq)}
    act = str(ACT_OF[EventKind(reads.kind(seq))])
    subject = str(statement.get("subject", ""))
    word = {"enrol": "key-", "revoke": "key-", "approve": "proposal-", "reject": "proposal-"}.get(act, "")
    if act == Act.REDACT and (mid := reads.mid(subject)) is not None:
        word = f"{reads.memory(mid).type}-"
    if act == Act.POLICY and isinstance(wanted := statement.get("quorum"), dict):
        subject = ", ".join(f"{tier} {number}" for tier, number in wanted.items())
    for key, holds in signers_of(data, then).items() or [("", False)]:
        yield SignedEntry(
            seq=seq,
            at=unstamp(at),
            act=act,
            key_id=f"key-{key}",
            name=next((known.name for known in keys if known.key == key), "nobody" if not key else "unknown"),
            subject=f"{word}{subject}",
            reason=reads.reason(data),
            valid=holds,
        )
