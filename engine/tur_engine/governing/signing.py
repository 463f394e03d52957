"""One store and a person at it: transactions, what follows from a change, and the signed event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import apsw

from ..engine import Engine
from ..errors import BadInput
from ..gate.secrets import kept_reason
from ..govern.sealing import seal
from ..govern.signer import Signer
from ..govern.statement import ACT_OF
from ..ledger import NewEvent, Reads, Writing
from ..ledger.bodies import Body
from ..ledger.effects import Effect
from ..maintain.plan import Plan
from ..records import Author, EventKind


class Signing:
    """One store, seen by a person who may hold a reviewer's key."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._ledger = engine._ledger  # the other facade of the same store

    @contextmanager
    def _writing(self) -> Iterator[tuple[Writing, apsw.Connection, Reads]]:
        self._engine._writable()
        with self._ledger.writing() as tx, self._ledger.reading() as db:
            yield tx, db, Reads(db)

    @property
    def _actor(self) -> Author:
        return self._engine.actor

    def _settled(
        self,
        reads: Reads,
        replan: Callable[[list[str]], Plan],
        against: Callable[[str], tuple[list[Effect], list[Body]] | None] = lambda digest: None,
    ) -> tuple[Plan, list[Effect], list[Body]]:
        """Plan until nothing held is let in that an invariant stands against; conflicts with those are opened."""
        barred: list[str] = []
        effects: list[Effect] = []
        bodies: list[Body] = []
        while True:
            made = replan(barred)
            before = len(barred)
            for digest, scope in made.admitted.items():
                bars = self._engine._resolver.guard(reads, digest, scope)
                found = against(digest)
                if digest not in barred and (bars or found):
                    barred.append(digest)
                    effects += [effect for bar in bars for effect in bar.effects] + (found[0] if found else [])
                    bodies += [each for bar in bars for each in bar.bodies] + (found[1] if found else [])
            if len(barred) == before:
                return made, effects, bodies

    def _append(
        self,
        tx: Writing,
        reads: Reads,
        event: EventKind,
        subject: str,
        signers: Sequence[Signer],
        effects: list[Effect],
        *,
        reason: str = "",
        bodies: Sequence[Body] = (),
        **own: Any,
    ) -> int:
        data, texts = seal(self._ledger, reads, ACT_OF[event], subject, signers, reason=reason, **own)
        data["effects"] = effects
        if event in (EventKind.SIGNED, EventKind.APPROVED, EventKind.DECLINED):
            data["about"] = [subject]
        return tx.append([NewEvent(event, self._actor, data, [*texts, *bodies])]).seqs[0]


def needed(reason: str) -> str:
    """Return a reason as it will be kept. Raises BadInput where there is none, SecretFound."""
    reason = kept_reason(reason)
    if not reason:
        raise BadInput("a reason is needed: it is signed and kept; give --reason")
    return reason
