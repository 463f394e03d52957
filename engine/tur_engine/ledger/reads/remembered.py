"""What was believed at a moment, row by row and without texts: one pass, whatever the size of the store."""

from __future__ import annotations

from ...records import MemoryType, Remembered, Scope, Status
from ...text import tokens
from . import Reads

_AT = "{0}.from_seq <= :now AND {0}.to_seq > :now"
_ROWS = f"""
SELECT m.mid, m.type, c.scope, s.status FROM standing s JOIN memories m ON m.mid=s.mid
LEFT JOIN narrowings n ON n.mid=m.mid AND {_AT.format("n")}
JOIN scopes c ON c.scope_id=coalesce(n.scope_id, m.scope_id)
WHERE {_AT.format("s")} AND (:type='' OR m.type=:type) AND (:ever OR s.status='active')
AND (:by='' OR EXISTS(SELECT 1 FROM events v WHERE v.seq=m.mid AND instr(lower(v.actor), :by) > 0))
ORDER BY m.mid DESC"""
_APPROVED = f"SELECT a.mid FROM approvals a WHERE {_AT.format('a')}"
_DOUBTED = f"SELECT DISTINCT u.mid FROM suspicions u WHERE {_AT.format('u')}"
_CONTESTED = f"""
SELECT x.incumbent, x.challenger FROM conflicts x JOIN conflict_states y ON y.cid=x.cid
WHERE y.state <> 'resolved' AND {_AT.format("y")}
UNION SELECT e.source, e.target FROM edges e WHERE e.type='competes_with' AND {_AT.format("e")}"""
_SHORTEST_ID = 4


def remembered(
    reads: Reads, *, text: str = "", type: MemoryType | None = None, by: str = "", ever: bool = False
) -> list[Remembered]:
    """Return what is believed, newest first; with `ever` every memory, whatever became of it.

    `text` keeps memories with words that begin with all of its words, or whose id begins with it; `by` keeps those
    brought in by an actor with this in its name.
    """
    contested = {mid for pair in reads._rows(_CONTESTED) for mid in pair}
    approved = {mid for (mid,) in reads._rows(_APPROVED)}
    doubted = {mid for (mid,) in reads._rows(_DOUBTED)}
    kept = _with_text(reads, text) if text.strip() else None
    kinds = {str(each): each for each in MemoryType}
    standings = {str(each): each for each in Status}
    scopes: dict[str, Scope] = {}
    found = []
    for mid, kind, scope, status in reads._rows(_ROWS, type=str(type or ""), by=by.lower(), ever=int(ever)):
        if kept is not None and mid not in kept:
            continue
        if scope not in scopes:
            scopes[scope] = Scope.parse(scope)
        standing = standings[status]
        if standing is Status.ACTIVE and mid in doubted:
            standing = Status.SUSPECT
        found.append(Remembered(mid, kinds[kind], scopes[scope], standing, mid in approved, mid in contested))
    return found


def _with_text(reads: Reads, text: str) -> set[int]:
    found: set[int] = set()
    if words := tokens(text):
        query = " ".join('"' + word.replace('"', '""') + '"*' for word in words)
        found.update(
            int(mid) for (mid,) in reads._rows("SELECT rowid FROM words WHERE words MATCH :query", query=query)
        )
    bare = text.strip().lower().rpartition("-")[2]
    if len(bare) >= _SHORTEST_ID and not bare.strip("0123456789abcdef"):
        rows = reads._rows(
            "SELECT mid FROM memories WHERE digest >= :low AND digest < :high", low=bare, high=bare + "g"
        )
        found.update(int(mid) for (mid,) in rows)
    return found
