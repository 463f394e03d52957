"""docs/commands.md is what the programs say."""

from __future__ import annotations

import runpy
from pathlib import Path


def test_the_page_is_up_to_date(repo_root: Path) -> None:
    page = runpy.run_path(str(repo_root / "tools" / "commands_page.py"))["page"]()
    assert (repo_root / "docs" / "commands.md").read_text("utf-8") == page, (
        "run: python tools/commands_page.py > docs/commands.md"
    )
