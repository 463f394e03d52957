"""Actions weighed against every invariant in force, here and in the stores above, and against marked constraints.

Invariants are few, so all of them are weighed: what the probe would find does not matter. Where they are thousands the
nearest to each action are, and the report says how many are not. Nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import apsw

from ...ledger import Encoded, Reads, search
from ...ledger.codec import topic_key
from ...probe.candidate import Candidate
from ...probe.words import distinctive
from ...records import Author, Draft, GuardReport, GuardWarning, Memory, Scope, Verdict
from ...text import tokens
from ..inherited import Above
from ..invariants import clashes, in_force, weigh
from ..weigher import Weigher
from .commands import table
from .compliance import keeps_to, stem
from .looking import only_looks, speaks_of_looking
from .plan import Action
from .pushing import Around, branches_named
from .rival import LIKELY, rival

CONSTRAINT = "constraint"
"""The topic that makes the guardrail weigh a live memory which is no invariant."""
WARY = 0.13
"""Probability from which there is a warning: where the strict profile stops a memory. A warning costs a sentence."""
MOST = 40
"""Actions of one text that are weighed: each takes the models a moment."""
_OF_EACH_KIND = 10
"""How many of them are chosen for being unlike the others."""
PAIRS = 10_000
"""Pairs of an action and a rule that are weighed for one text, some .4 ms each: 250 rules for 40 actions."""
Embed = Callable[[str], bytes | None]
Reader = Callable[[Around], list[Action]]
"""Gives the actions of a text; it is told what the rules speak of."""


def speaks_against(verdict: Verdict) -> bool:
    """True for a clash, and for a pair that is likely enough to be worth a warning."""
    return clashes(verdict) or verdict.probability >= WARY


class Rules:
    """Invariants or constraints of one store."""

    def __init__(
        self, db: apsw.Connection, reads: Reads, memories: Sequence[Memory], *, binding: bool, store: Path | None = None
    ) -> None:
        self.db = db
        self.reads = reads
        self.memories = memories
        self.binding = binding
        self.store = store
        self._words = [set(tokens(rule.content)) for rule in memories]

    def against(
        self, detector: Weigher, action: Action, memory: Memory, vector: bytes | None, most: int
    ) -> Iterator[GuardWarning]:
        """Yield a warning for each one that an action clashes with; the `most` nearest are weighed."""
        looking = only_looks(action.statement)
        for candidate, verdict in weigh(detector, memory, self._candidates(memory, vector, most)):
            rule = candidate.memory
            if looking and not speaks_of_looking(rule.content):
                continue
            names = rival(rule, memory)
            if names is None and keeps_to(action.statement, rule.content):
                continue
            if speaks_against(verdict):
                yield self._warning(action, rule, verdict)
            elif names is not None:
                yield self._warning(action, rule, verdict, names)

    def _candidates(self, memory: Memory, vector: bytes | None, most: int) -> list[Candidate]:
        cosines = {} if vector is None else search.similarities(self.db, [m.seq for m in self.memories], vector)
        mine = set(distinctive(memory.content))
        shared = [len(mine & words) / len(mine) if mine else 0.0 for words in self._words]
        places: Sequence[int] = range(len(self.memories))
        if len(places) > most:
            near = [max(words, cosines.get(rule.seq, 0.0)) for words, rule in zip(shared, self.memories, strict=True)]
            places = sorted(sorted(places, key=lambda at: (-near[at], at))[:most])
        return [
            Candidate(
                memory=self.memories[at], cosine=cosines.get(self.memories[at].seq, 0.0), rank=rank, words=shared[at]
            )
            for rank, at in enumerate(places)
        ]

    def _warning(
        self, action: Action, rule: Memory, verdict: Verdict, rivals: tuple[str, str] | None = None
    ) -> GuardWarning:
        if rivals is not None:
            return GuardWarning(
                belief=self.reads.belief(rule.seq),
                binding=self.binding,
                action=action.source,
                read_as=action.statement,
                probability=LIKELY,
                reason=f'The rule asks for "{rivals[0]}", this takes "{rivals[1]}" in its place.',
                invariant_words=rivals[0],
                action_words=rivals[1],
                store=str(self.store) if self.store else None,
            )
        words = next((piece for piece in verdict.evidence if piece.weight > 0), None)
        return GuardWarning(
            belief=self.reads.belief(rule.seq),
            binding=self.binding,
            action=action.source,
            read_as=action.statement,
            probability=verdict.probability,
            reason=verdict.reason,
            invariant_words=words.incumbent_words if words else "",
            action_words=words.challenger_words if words else "",
            store=str(self.store) if self.store else None,
        )


def guard(
    db: apsw.Connection,
    detector: Weigher,
    embed: Embed,
    above: Above | None,
    text: str,
    read: Reader,
    *,
    scope: Scope,
    actor: Author,
    branch: str = "",
    in_time: Callable[[], bool] = lambda: True,
) -> GuardReport:
    """Return what speaks against a text. Where nothing is in force no model is loaded. Raises StoreError.

    `branch` is the one that is checked out. `in_time` is asked before each action is weighed: with False the rest is
    left out, and counted.
    """
    reads = Reads(db)
    rules = [
        Rules(db, reads, in_force(reads, scope), binding=True),
        *(
            Rules(there, theirs, memories, binding=True, store=path)
            for path, there, theirs, _, memories in (() if above is None else above.standing(scope))
        ),
        Rules(db, reads, _constraints(reads, scope), binding=False),
    ]
    rules = [each for each in rules if each.memories]
    if not rules:
        return GuardReport(text=text)
    told = [memory.content for each in rules for memory in each.memories]
    names = frozenset(word for rule in told for word in tokens(rule))
    actions, left_out = _most_telling(read(Around(names, branch, branches_named(told))), told)
    shares = _shares(rules, PAIRS // max(len(actions), 1))
    found: dict[tuple[str, str], GuardWarning] = {}
    for weighed, action in enumerate(actions):
        if not in_time():
            actions, left_out = actions[:weighed], left_out + len(actions) - weighed
            break
        memory = Encoded(Draft(content=action.statement, scope=scope, author=actor), datetime.now(UTC)).memory()
        packed = embed(action.statement)
        vector = None if packed is None else packed[-search.DIMENSIONS :]
        for each, most in zip(rules, shares, strict=True):
            for warning in each.against(detector, action, memory, vector, most) if most else ():
                key = (warning.belief.id, action.source)
                if key not in found or found[key].probability < warning.probability:
                    found[key] = warning
    in_all = sum(len(each.memories) for each in rules)
    return GuardReport(
        text=text,
        actions=tuple(dict.fromkeys(action.statement for action in actions)),
        left_out=left_out,
        weighed=min(sum(shares), in_all),
        rules_left_out=max(0, in_all - sum(shares)),
        warnings=tuple(sorted(found.values(), key=lambda w: (not w.binding, -w.probability, w.belief.id))),
    )


def _shares(rules: Sequence[Rules], most: int) -> list[int]:
    """Return how many of each store's rules an action is weighed against: invariants first, stores in proportion."""
    binding = sum(len(each.memories) for each in rules if each.binding)
    others = max(0, most - binding)
    part = min(1.0, most / binding) if binding else 1.0
    return [
        max(1, int(part * len(each.memories))) if each.binding else min(len(each.memories), others) for each in rules
    ]


def _most_telling(actions: Sequence[Action], rules: Sequence[str]) -> tuple[list[Action], int]:
    """Return each statement once, MOST of them, and how many more there are, so that no padding pushes one out.

    First those that have most words in common with a rule; a part is kept for one of each kind of action, and commands
    that the table knows go before others.
    """
    once = list({action.statement: action for action in reversed(actions)}.values())[::-1]
    if len(once) <= MOST:
        return once, 0
    common = _Common(rules)
    kinds: Counter[str] = Counter()
    near: list[tuple[int, int, bool]] = []
    for action in once:
        kind = " ".join(action.statement.split()[:4])
        near.append((-common.most(action.statement), kinds[kind], action.program not in table().rules))
        kinds[kind] += 1
    kept = sorted(range(len(once)), key=lambda at: near[at])[: MOST - _OF_EACH_KIND]
    others = sorted(set(range(len(once))) - set(kept), key=lambda at: (near[at][1:], near[at][0], at))
    chosen = sorted([*kept, *others[:_OF_EACH_KIND]])
    return [once[at] for at in chosen], len(once) - len(chosen)


class _Common:
    """Tells how many words a text has in common with that rule which shares most of them."""

    def __init__(self, rules: Sequence[str]) -> None:
        self._having: dict[str, list[int]] = {}
        for at, rule in enumerate(rules):
            for word in _stems(rule):
                self._having.setdefault(word, []).append(at)
        self._known: dict[frozenset[str], int] = {}

    def most(self, text: str) -> int:
        """Return the number; texts that differ in other words only are counted once."""
        words = frozenset(_stems(text) & self._having.keys())
        if words not in self._known:
            counts = Counter(at for word in words for at in self._having[word])
            self._known[words] = max(counts.values(), default=0)
        return self._known[words]


def _stems(text: str) -> set[str]:
    return {stem(word) for word in distinctive(text)}


def _constraints(reads: Reads, scope: Scope) -> list[Memory]:
    """Return the live memories whose topic is `constraint`, in an overlapping scope, invariants left out."""
    found = []
    for mid in reads.same_topic(topic_key(CONSTRAINT)):
        if reads.status(mid).live and not reads.approved(mid):
            memory = reads.memory(mid)
            if not memory.redacted and memory.scope.overlaps(scope):
                found.append(memory)
    return found
