"""Whole graphs: committed, imported, asked for; and the persona file that widens their vocabulary (EP-0126)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import NotAllowed
from ..govern.persona import declared, persona_file
from ..ledger import Reads
from ..records import ExtractedGraph, GraphReport, OnConflict, PersonaFile, Scope, Status
from .store import Store

if TYPE_CHECKING:
    from ..introspect.checking import Checked


class Committing(Store):
    """Whole graphs: committed, imported, asked for."""

    def commit_graph(
        self,
        graph: ExtractedGraph | Mapping[str, Any] | str | Path,
        *,
        scope: Scope | None = None,
        session: str | None = None,
        on_conflict: OnConflict = OnConflict.HOLD,
        dry_run: bool = False,
        where: str = "",
    ) -> GraphReport:
        """Take an extracted graph in whole, or refuse it whole: a Path, the JSON as text, or the graph as data.

        A text is never read as a path. `where` says in complaints where it is from.

        Raises GraphRefused with every fault, BadInput with the line where it is not readable, InvariantViolation,
        ConflictHeld under `fail`: nothing of it is kept then.
        """
        from ..introspect.checking import Check
        from ..introspect.graph_text import open_graph, read_graph

        faults: list[str] = []
        if isinstance(graph, ExtractedGraph | Mapping):
            raw = graph.model_dump() if isinstance(graph, ExtractedGraph) else dict(graph)
            raw, where = {key: list(v) if isinstance(v, tuple) else v for key, v in raw.items()}, where or "the graph"
        else:
            text, where = open_graph(graph, where)
            raw = read_graph(text, where, faults)
        self._of_the_present()
        if not dry_run:
            self._writable()
        persona = declared(self.path)
        with self._reads() as (_, reads):
            checked = Check(reads, where, persona, self.actor).run(raw, faults)
        return self._take_in(checked, where, scope, session, on_conflict, dry_run, tuple(persona.edge_types))

    def import_graph(
        self,
        source: str | Path,
        *,
        scope: Scope | None = None,
        on_conflict: OnConflict = OnConflict.HOLD,
        dry_run: bool = False,
        where: str = "",
    ) -> GraphReport:
        """Take in an old node-link graph (YAML or JSON, `edges` or `links`), whole; what fell there is history here.

        A Path is opened, a text is the graph itself. Raises as `commit_graph` does.
        """
        from ..introspect.graph_text import open_graph, read_graph
        from ..introspect.importing import OldGraph

        text, where = open_graph(source, where)
        faults: list[str] = []
        raw = read_graph(text, where, faults, yaml=True)
        self._of_the_present()
        if not dry_run:
            self._writable()
        persona = declared(self.path)
        with self._reads() as (_, reads):
            checked = OldGraph(reads, where, persona, self.actor).run(raw, faults)
        return self._take_in(checked, where, scope, None, on_conflict, dry_run, tuple(persona.edge_types))

    def _take_in(
        self,
        checked: Checked,
        where: str,
        scope: Scope | None,
        session: str | None,
        on_conflict: OnConflict,
        dry_run: bool,
        names: tuple[str, ...],
    ) -> GraphReport:
        from ..introspect.committing import Committing as Commit
        from ..introspect.wishes import Wishes

        if dry_run and self.read_only:
            raise NotAllowed("a dry run of a graph is tried in the store and rolled back; open it for writing")
        wishes = Wishes(self.actor, scope or Scope(), session, on_conflict, names, self.stamp())
        return Commit(self._ledger, self._gate, checked, where, wishes).run(dry_run=dry_run)

    def extraction_prompt(self, *, limit: int | None = None) -> str:
        """Return the prompt for a language model: vocabulary, rules, form, and live memories, the newest first."""
        from ..introspect.prompt import MOST_MEMORIES, extraction_prompt

        with self._reads() as (_, reads):
            rows = reads.with_status((Status.ACTIVE, Status.SUSPECT), limit=MOST_MEMORIES if limit is None else limit)
            beliefs = [reads.belief(mid) for mid in rows]
        shown = [belief for belief in beliefs if not belief.memory.redacted]
        return extraction_prompt(declared(self.path), shown)

    def persona(self) -> PersonaFile:
        """Return the persona file beside the store, and whether people approved it as it is. Raises BadInput."""
        with self._ledger.snapshot() as db:
            return persona_file(Reads(db), self.path)
