"""What the statements of rule files are weighed against besides each other: memories, and invariants of other stores.

Their scopes are as seen from the scanned folder; what holds elsewhere only, or on another branch, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .. import whereabouts
from ..errors import TurError
from ..gate.inherited import Above, seen_from
from ..place import Place, counts_as
from ..records import MemoryType, Scope, Status
from .shelf import Entry

if TYPE_CHECKING:
    from ..engine import Engine
    from ..records import Belief

MOST = 5000
"""Memories of a ledger that statements are weighed against, the newest first; invariants come in whatever their age."""
_LIVE = (Status.ACTIVE, Status.SUSPECT)


def incumbents(root: Path, engine: Engine | None, problems: list[str]) -> list[Entry]:
    """Return what holds in a folder, oldest first. A store that cannot be read becomes a sentence in `problems`."""
    branch = Place.of(root, root).branch
    found = list(_of_other_stores(root, engine, problems))
    if engine is None:
        return found
    beliefs, tree = _live(engine), counts_as(root, engine.root)
    vectors = engine.vectors([belief.memory.seq for belief in beliefs])
    for belief in beliefs:
        memory = belief.memory
        scope = None if memory.redacted else _here(memory.scope, engine.root, tree, branch)
        if scope is not None:
            entry = memory.model_copy(update={"scope": scope})
            found.append(Entry(entry, None, belief.approved, vector=vectors.get(memory.seq)))
    return found


def _live(engine: Engine) -> list[Belief]:
    """Return the newest live memories and every invariant, oldest first."""
    found = {belief.id: belief for belief in engine.memories(status=_LIVE, limit=MOST)}
    if len(found) == MOST:
        for tier in (MemoryType.AXIOM, MemoryType.CORE):
            found |= {belief.id: belief for belief in engine.memories(status=_LIVE, type=tier, limit=MOST)}
    return sorted(found.values(), key=lambda belief: belief.memory.seq)


def _of_other_stores(root: Path, engine: Engine | None, problems: list[str]) -> Iterator[Entry]:
    """Yield the invariants that the guard would hold an edit here against (CONTRACTS 4, "Which store")."""
    own = engine.path if engine is not None else root / whereabouts.FOLDER / whereabouts.FILE
    top = engine.root if engine is not None else root
    above = Above(own, top, lambda: whereabouts.others_in_force(own, root))
    try:
        for path, _, _, _, invariants in above.standing(Scope()):
            place = path.parent.parent if path.parent.name == whereabouts.FOLDER else path.parent
            for memory in invariants:
                if (scope := _here(memory.scope, place, root, None)) is not None:
                    seen = memory.model_copy(update={"scope": scope})
                    yield Entry(seen, None, approved=True, store=str(path))
    except TurError as error:
        problems.append(str(error).replace("nothing was learned", "it was left out"))
    finally:
        above.close()


def _here(scope: Scope, theirs: Path, root: Path, branch: str | None) -> Scope | None:
    """Return a scope of the store at `theirs` as seen from the scanned folder; None where it does not hold in it."""
    if scope.branch and branch and scope.branch != branch:
        return None
    return seen_from(scope, theirs, root)
