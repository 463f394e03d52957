"""README's table of keys is the action table, word for word."""

from __future__ import annotations

from pathlib import Path

from tur_tui.actions import ACTIONS, key_table

MARK = "<!-- keys: made from tur_tui/actions.py, a test compares -->"


def test_the_readme_shows_the_action_table(repo_root: Path) -> None:
    readme = (repo_root / "README.md").read_text("utf-8")
    _, mark, rest = readme.partition(MARK)
    assert mark, f"README.md lost the line {MARK!r}"
    assert rest.lstrip("\n").startswith(key_table(ACTIONS)), (
        f"put this below the mark in README.md:\n\n{key_table(ACTIONS)}"
    )
