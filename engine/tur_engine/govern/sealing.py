"""Puts signatures on an event: a statement on the tree head just before it, signed by enrolled keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from ..errors import NoKey, NotAllowed
from ..ledger import Ledger, Reads
from ..ledger.bodies import Body, body
from ..ledger.codec import stamp
from ..text import counted
from .proposing import check_reason
from .signer import Signer
from .statement import BY_ALL, Act, make, message


def seal(
    ledger: Ledger,
    reads: Reads,
    act: Act,
    subject: str,
    signers: Sequence[Signer],
    *,
    reason: str = "",
    **own: Any,
) -> tuple[dict[str, Any], list[Body]]:
    """Return statement, signatures and reason for an event that is appended next, under the write lock.

    Raises NoKey, NotAllowed where the signers may not sign, or are too few; BadInput for a bad reason.
    """
    check_signers(reads, act, signers)
    bodies: list[Body] = []
    data: dict[str, Any] = {}
    if reason := check_reason(reason):
        bodies.append(body(reason))
        own["reason_ref"] = data["reason_ref"] = bodies[0].ref
    statement = make(
        act,
        subject,
        store=ledger.store_id,
        head=ledger.tree_head(),
        key=signers[0].key_hex,
        at=stamp(datetime.now(UTC)),
        own=own,
    )
    signed = message(statement)
    data["statement"] = statement
    data["signatures"] = [{"key": signer.key_hex, "sig": signer.sign(signed)} for signer in signers]
    return data, bodies


def check_signers(reads: Reads, act: Act, signers: Sequence[Signer]) -> None:
    """Raise NoKey or NotAllowed where the signers may not sign for this act, or are too few."""
    keys = reads.reviewer_keys()
    if not signers:
        raise NoKey("this needs a reviewer's signature; unlock a key first")
    if len({signer.key_hex for signer in signers}) != len(signers):
        raise NotAllowed("the same key signs twice; a quorum counts different reviewers")
    if not keys:
        if act is Act.ENROL and len(signers) == 1:
            return
        raise NoKey("this store has no reviewer yet; make the first key with `tur-adm key init`")
    may = {key.key for key in keys if key.until is None}
    for signer in signers:
        if signer.key_hex not in may:
            was = any(key.key == signer.key_hex for key in keys)
            state = "was revoked in" if was else "is not enrolled in"
            raise NoKey(
                f"the key of {signer.name} ({signer.key_id[:12]}) {state} this store; another reviewer must sign"
            )
    needed = reads.quorum().highest if act in BY_ALL else 1
    if len(signers) < needed:
        raise NotAllowed(
            f"this needs {counted(needed, 'signature')} of different reviewers at once, {len(signers)} "
            f"{'is' if len(signers) == 1 else 'are'} given; nothing was changed"
        )
