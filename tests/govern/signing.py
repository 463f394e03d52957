"""Reviewers for tests: keys that are made from a word, so that nobody waits for a passphrase to be stretched."""

from __future__ import annotations

import hashlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tur_engine.engine import Engine
from tur_engine.govern.signer import Signer
from tur_engine.governor import Governor


def signer(name: str) -> Signer:
    """The unlocked key of a reviewer; the same name is the same key."""
    return Signer(Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest()), name)


RITA = signer("rita")


def governed(engine: Engine) -> Governor:
    """The humans' facade of a store where Rita may sign."""
    governor = Governor(engine)
    if not governor.keys():
        governor._enrol_first(RITA)
    return governor


def put_in_force(engine: Engine, ref: str) -> None:
    """Approve a proposal as Rita."""
    assert governed(engine).approve(ref, RITA).in_force
