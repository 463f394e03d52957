"""Which events the feed lists: those that pass a filter, by kind, author, type, scope, open conflicts or words."""

from __future__ import annotations

import json

import apsw

from ..records import ConflictState, EventKind, FeedFilter, MemoryType
from ..text import tokens
from .reads import Reads


class Sifting:
    """Finds events in one view of the ledger."""

    def __init__(self, db: apsw.Connection, reads: Reads) -> None:
        self._db = db
        self._reads = reads

    def index(self, wanted: FeedFilter) -> list[int]:
        """Return the sequence numbers that pass the filter, newest first."""
        now = self._reads.now
        if wanted == FeedFilter():
            head = int(self._db.execute("SELECT coalesce(max(seq), 0) FROM events WHERE seq <= ?", (now,)).get)
            return list(range(head, 0, -1))
        kinds = json.dumps(sorted(wanted.kinds))
        seqs = [
            int(s)
            for (s,) in self._db.execute(
                "SELECT seq FROM events WHERE seq <= ? AND (?='[]' OR kind IN (SELECT value FROM json_each(?))) "
                "AND (?='' OR instr(lower(actor), lower(?)) > 0) ORDER BY seq DESC",
                (now, kinds, kinds, wanted.agent, wanted.agent),
            )
        ]
        if wanted.type is not None:
            keep = self._of_type(wanted.type)
            seqs = [s for s in seqs if s in keep]
        if wanted.scope:
            keep = self._in_scope(wanted.scope)
            seqs = [s for s in seqs if s in keep]
        if wanted.open_conflicts:
            keep = {
                s
                for cid in self._reads.conflict_ids([state for state in ConflictState if state.open])
                for s in self._reads.mentions(cid)
            }
            seqs = [s for s in seqs if s in keep]
        if wanted.text.strip():
            keep = self._with_text(wanted.text)
            seqs = [s for s in seqs if s in keep]
        return seqs

    def _of_type(self, kind: MemoryType) -> set[int]:
        rows = self._db.execute(
            "SELECT DISTINCT n.seq FROM memories m JOIN mentions n ON n.subject IN (m.digest, '~' || m.digest) "
            "WHERE m.type=?",
            (str(kind),),
        )
        return {int(s) for (s,) in rows}

    def _in_scope(self, part: str) -> set[int]:
        """Events about memories that hold, or once held, in a scope with these letters in its name."""
        rows = self._db.execute(
            "SELECT DISTINCT n.seq FROM scopes s JOIN (SELECT mid, scope_id FROM memories UNION "
            "SELECT mid, scope_id FROM narrowings WHERE from_seq <= ?) held USING(scope_id) "
            "JOIN memories m ON m.mid=held.mid JOIN mentions n ON n.subject IN (m.digest, '~' || m.digest) "
            "WHERE instr(lower(s.scope), lower(?)) > 0",
            (self._reads.now, part),
        )
        return {int(s) for (s,) in rows}

    def _noted(self, words: list[str]) -> set[int]:
        """Notes in which all these words begin a word."""
        found = set()
        for seq, payload in self._db.execute("SELECT seq, json FROM events WHERE kind=?", (str(EventKind.NOTED),)):
            text = self._reads.text(json.loads(payload)["data"].get("text_ref", ""))
            held = tokens(text) if text else []
            if all(any(each.startswith(word) for each in held) for word in words):
                found.add(int(seq))
        return found

    def _with_text(self, text: str) -> set[int]:
        """Events about memories and notes with words that start so; or those whose number or id the text is."""
        found: set[int] = set()
        words = tokens(text)
        if words:
            found |= self._noted(words)
            query = " ".join('"' + w.replace('"', '""') + '"*' for w in words)
            rows = self._db.execute(
                "SELECT DISTINCT n.seq FROM words w JOIN memories m ON m.mid=w.rowid "
                "JOIN mentions n ON n.subject IN (m.digest, '~' || m.digest) WHERE words MATCH ?",
                (query,),
            )
            found.update(int(s) for (s,) in rows)
        bare = text.strip().lower().rpartition("-")[2]
        if len(bare) >= 4 and not bare.strip("0123456789abcdef"):
            rows = self._db.execute(
                "SELECT seq FROM mentions WHERE (subject >= ? AND subject < ?) OR (subject >= ? AND subject < ?)",
                (bare, bare + "g", "~" + bare, "~" + bare + "g"),
            )
            found.update(int(s) for (s,) in rows)
        if (number := text.strip().lstrip("#")).isdecimal() and len(number) < 19:
            found.add(int(number))
        return found
