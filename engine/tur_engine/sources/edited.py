"""The statements of a rule file that an edit has just changed."""

from __future__ import annotations

from pathlib import Path

from .statements import Statement, read_rules


def changed(path: Path, root: Path, name: str, added: str) -> tuple[Statement, ...]:
    """Return the statements of the file as it stands now that hold one of the added lines. Raises BadInput.

    What stands in the block that `tur render` keeps is left out: the ledger says it already.
    """
    new = {line.strip() for line in added.splitlines()} - {""}
    if not new:
        return ()
    rules = read_rules(path, root, name)
    if not rules.statements:
        return ()
    lines = rules.text.splitlines()
    ends = [statement.line for statement in rules.statements[1:]] + [len(lines) + 1]
    return tuple(
        statement
        for statement, end in zip(rules.statements, ends, strict=True)
        if not statement.rendered
        and any(line.strip() in new for line in lines[statement.line - 1 : max(end - 1, statement.line)])
    )
