"""The admin screen's keys, and the table of them in docs/keys.md."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.ui.acting import can_run
from tur_tui.actions import bindings, key_table
from tur_tui.screens.admin import AdminScreen
from tur_tui.screens.admin_keys import ADMIN, FOOTER, SIGNS

MARK = "<!-- admin keys: made from tur_tui/screens/admin_keys.py, a test compares -->"


def test_every_action_can_be_run_and_no_key_means_two_things() -> None:
    for each in ADMIN:
        assert can_run(AdminScreen, each), each.id
    keys = [name for each in ADMIN for name in each.keys]
    assert len(set(keys)) == len(keys)


def test_what_signs_is_marked_dead_where_too_small_and_never_a_priority_binding() -> None:
    assert {each.run for each in ADMIN if each.danger} <= SIGNS
    assert not any(each.priority for each in bindings(ADMIN))


def test_the_footer_begins_with_what_signs_and_names_each_action_once() -> None:
    assert [each.run for each in FOOTER[:2]] == ["approve", "reject"]
    assert len(set(FOOTER)) == len(FOOTER)


def test_the_workbench_starts_without_anything_that_can_sign() -> None:
    code = "import sys, tur_tui.app; print([each for each in sys.modules if each.endswith(('.governor', '.signer'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_the_readme_shows_the_table(repo_root: Path) -> None:
    _, mark, rest = (repo_root / "docs" / "keys.md").read_text("utf-8").partition(MARK)
    assert mark, f"docs/keys.md lost the line {MARK!r}"
    assert rest.lstrip("\n").startswith(key_table(ADMIN)), (
        f"put this below the mark in docs/keys.md:\n\n{key_table(ADMIN)}"
    )
