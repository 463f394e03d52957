"""Ordinary memories that people take out: retracted, or redacted with every trace of the text (CONTRACTS 1)."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import NotAllowed
from ..ledger import Reads
from ..ledger.effects import Effect, redact
from ..maintain.cascade import FALLEN
from ..maintain.plan import Plan, fall
from ..maintain.view import View
from ..records import EventKind, Status, Verb


def check_removable(reads: Reads, mid: int, what: str) -> None:
    """Raise NotAllowed for an invariant and for what waits as a proposal."""
    short = reads.memory(mid).short_id
    if reads.approved(mid):
        raise NotAllowed(
            f"{short} is an invariant in force and cannot be {what}; "
            f"propose its retirement: tur-adm memory retire {short}"
        )
    if reads.status(mid) is Status.PENDING:
        raise NotAllowed(f"{short} waits as a proposal; reject it first: tur-adm proposal reject {short}")


def retraction(reads: Reads, mid: int, barred: Sequence[str] = ()) -> Plan:
    """Return what follows a retraction. Raises NotAllowed for what does not hold, or may not be retracted."""
    check_removable(reads, mid, "retracted")
    status = reads.status(mid)
    if status in FALLEN:
        raise NotAllowed(f"{reads.memory(mid).short_id} is {status} already; there is nothing to retract")
    return fall(View(reads), {reads.digest(mid): Status.RETRACTED}, Verb.ABORT, barred=barred)


def redaction(reads: Reads, mid: int, barred: Sequence[str] = ()) -> tuple[Plan, Effect]:
    """Return what follows a redaction, and the effect that takes the texts. Raises NotAllowed."""
    check_removable(reads, mid, "redacted")
    memory = reads.memory(mid)
    if memory.redacted:
        raise NotAllowed(f"{memory.short_id} was redacted already")
    standing = reads.status(mid) not in FALLEN
    made = retraction(reads, mid, barred) if standing else Plan()
    return made, redact(memory.digest, texts_of(reads, mid))


def texts_of(reads: Reads, mid: int) -> list[str]:
    """Return the bodies that hold a memory's text: its own, offers of the same text, evidence that quotes it."""
    digest = reads.digest(mid)
    found = dict.fromkeys(reads.references(mid))
    for cid in reads.conflicts_of(mid, open_only=False):
        if ref := reads.conflict_record(cid).get("evidence_ref"):
            found[ref] = None
    for seq in reads.mentions(digest):
        kind, data = reads.kind(seq), reads.event(seq)[2]
        if kind == EventKind.CONFIRMED and "offered_ref" in data and data["about"][0] == digest:
            found[data["offered_ref"]] = None
    return sorted(ref for ref in found if reads.has_text(ref))
