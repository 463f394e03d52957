"""An answer that cannot be written is a sentence and 1, never a fault of the program."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.ui.stores import PAIRS, store
from tur_tui.__main__ import main

FULL = Path("/dev/full")
COMMANDS = ["list", "list --json", "show ID", "show ID --json", "keys", "keys --json", "settings", "settings --json"]


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
def test_a_full_disk_and_no_output_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with store(tmp_path, PAIRS[:1]) as engine:
        conflict = engine.conflicts()[0].id
    monkeypatch.chdir(tmp_path)
    for command in COMMANDS:
        for why in ("No space left on device", "standard output is closed"):
            with FULL.open("w") as full, monkeypatch.context() as patch:
                patch.setattr(sys, "stdout", full if why.startswith("No") else None)
                with pytest.raises(SystemExit) as ended:
                    main(command.replace("ID", conflict).split())
            assert ended.value.code == 1, command
            assert capsys.readouterr().err == f"tur-tui: the answer could not be written: {why}\n"
