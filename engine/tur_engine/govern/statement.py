"""What a reviewer signs: one canonical JSON object that names store, act, subject and the tree head before it."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Any

from ..ledger.canonical import canonical
from ..records import EventKind, Merkle

DOMAIN = b"tur-tui governance v1\n"
"""Goes before the statement, so that a signature made for this program means nothing to another."""

Statement = dict[str, Any]


class Act(StrEnum):
    """What a signature is for."""

    ENROL = "enrol"
    REVOKE = "revoke"
    POLICY = "policy"
    APPROVE = "approve"
    REJECT = "reject"
    REDACT = "redact"
    QUARANTINE = "quarantine"
    RELEASE = "release"
    RESTORE = "restore"
    PERSONA = "persona"


ACT_OF = {
    EventKind.ENROLLED: Act.ENROL,
    EventKind.REVOKED: Act.REVOKE,
    EventKind.POLICY: Act.POLICY,
    EventKind.SIGNED: Act.APPROVE,
    EventKind.APPROVED: Act.APPROVE,
    EventKind.DECLINED: Act.REJECT,
    EventKind.REDACTED: Act.REDACT,
    EventKind.QUARANTINED: Act.QUARANTINE,
    EventKind.RELEASED: Act.RELEASE,
    EventKind.RESTORED: Act.RESTORE,
    EventKind.PERSONA: Act.PERSONA,
}
"""Which act an event of each signed kind carries."""

BY_ALL = frozenset({Act.ENROL, Act.REVOKE, Act.POLICY, Act.REDACT, Act.PERSONA})
"""Acts that need as many reviewers at once as the highest quorum."""


def make(act: Act, subject: str, *, store: str, head: Merkle, key: str, at: str, own: dict[str, Any]) -> Statement:
    """Return the statement; `own` holds the act's own keys."""
    return {
        "v": 1,
        "store": store,
        "act": str(act),
        "subject": subject,
        "at": at,
        "key": key,
        "head": {"size": head.size, "root": head.root},
        **own,
    }


def message(statement: Statement) -> bytes:
    """Return the bytes that are signed."""
    return DOMAIN + canonical(statement)


def hexes_of(ref: str) -> str:
    """Return the hex digits, 4 or more, that a person gave for a key; empty where it is a name."""
    wanted = ref.strip().removeprefix("key-").lower()
    return wanted if len(wanted) >= 4 and not wanted.strip("0123456789abcdef") else ""


def key_id(public: str) -> str:
    """Return a key's id in hex: SHA-256 of its 32 raw public bytes. Raises ValueError for what is no key."""
    raw = bytes.fromhex(public)
    if len(raw) != 32:
        raise ValueError("a public key has 32 bytes")
    return hashlib.sha256(raw).hexdigest()
