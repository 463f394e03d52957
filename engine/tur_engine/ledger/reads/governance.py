"""Proposals, reviewers' keys, quorum, quarantine: what people govern by (CONTRACTS 6)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from ... import records
from ...patterns import later
from .conflicts import ConflictReads
from .moment import AT

_GOVERNED = later(
    rb'"op":"(?:approve|key|policy|quarantine|redact|proposal|proposal_state|scope|status)"'
    rb'|"kind":"(?:proposed|signed|approved|declined|enrolled|revoked|policy|quarantined|released|redacted|restored|persona)"'
)
"""What can touch an invariant, a key or a proposal. No text inside a JSON string looks so: its quotes are escaped."""


class FiledProposal(NamedTuple):
    """A proposal as it was filed."""

    hex: str
    kind: records.ProposalKind
    mid: int
    seq: int
    replaces: tuple[str, ...]
    promotes: str

    @property
    def succeeded(self) -> tuple[str, ...]:
        """Digests of what it takes the place of: invariants, a promotion's source."""
        return (*self.replaces, self.promotes) if self.promotes else self.replaces


class KeyInterval(NamedTuple):
    """A reviewer's key and the events between which it may sign; `until` is None while it may."""

    key: str
    public: str
    name: str
    since: int
    until: int | None


class GovernanceReads(ConflictReads):
    """What is governed, and by whom."""

    def quarantined(self, author: object) -> bool:
        """True where what this author (`kind:name`) writes is only held."""
        return self._one(f"SELECT 1 FROM quarantines WHERE author=:author AND {AT}", author=str(author)) is not None

    def quarantines(self) -> list[str]:
        """Return the quarantined authors, by name."""
        return [r[0] for r in self._rows(f"SELECT DISTINCT author FROM quarantines WHERE {AT} ORDER BY author")]

    def quorum(self) -> records.Quorum:
        """Return the quorum in force: one signature where none was set."""
        row = self._one(f"SELECT quorum FROM policies WHERE {AT}")
        return records.Quorum(**json.loads(row[0])) if row else records.Quorum()

    def reviewer_keys(self) -> list[KeyInterval]:
        """Return every key that was ever enrolled, the first one first."""
        rows = self._rows(
            "SELECT key, public, name, from_seq, to_seq FROM reviewer_keys WHERE from_seq <= :now ORDER BY from_seq"
        )
        return [KeyInterval(k, p, n, since, until if until <= self.now else None) for k, p, n, since, until in rows]

    def proposal_ids(self, state: records.ProposalState | None = None) -> list[str]:
        """Return proposals in one state (all where none is named), oldest first."""
        return [
            r[0]
            for r in self._rows(
                "SELECT p.proposal FROM proposals p JOIN proposal_states s ON s.proposal=p.proposal "
                f"WHERE {AT} AND (:state='' OR s.state=:state) ORDER BY p.seq, p.proposal",
                state=str(state or ""),
            )
        ]

    def filed(self, proposal: str) -> FiledProposal:
        """Return a proposal as it was filed."""
        row = self._one(
            "SELECT proposal, kind, mid, seq, replaces, promotes FROM proposals WHERE proposal=:p", p=proposal
        )
        assert row is not None
        return FiledProposal(row[0], records.ProposalKind(row[1]), row[2], row[3], tuple(json.loads(row[4])), row[5])

    def has_proposal(self, proposal: str) -> bool:
        """True where a proposal has this hex."""
        return self._one("SELECT 1 FROM proposals WHERE proposal=:p AND seq <= :now", p=proposal) is not None

    def proposal_state(self, proposal: str) -> tuple[records.ProposalState, int]:
        """Return where a proposal stands, and the event since which it does."""
        row = self._one(f"SELECT state, from_seq FROM proposal_states WHERE proposal=:p AND {AT}", p=proposal)
        assert row is not None
        return records.ProposalState(row[0]), row[1]

    def governed(self) -> Iterator[tuple[int, str, dict[str, Any]]]:
        """Yield (seq, kind, whole event) of what can touch an invariant, a key or a proposal, oldest first."""
        for seq, kind, payload in self._db.execute(
            "SELECT seq, kind, json FROM events WHERE seq <= ? ORDER BY seq", (self.now,)
        ):
            if _GOVERNED.search(payload):
                yield seq, kind, json.loads(payload)

    def kinds(self, *kinds: str) -> list[int]:
        """Return the events of these kinds, oldest first."""
        return [
            r[0]
            for r in self._rows(
                "SELECT seq FROM events WHERE kind IN (SELECT value FROM json_each(:kinds)) "
                "AND seq <= :now ORDER BY seq",
                kinds=json.dumps(list(kinds)),
            )
        ]
