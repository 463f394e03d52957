"""The .gitignore beside a store: written once, brought up to date where nobody changed it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path, PurePosixPath

import pytest

from tests.cli.conftest import Programs
from tur_engine.engine import Engine
from tur_engine.ignored import LINES
from tur_engine.records import Author, AuthorKind

HEAD = "# git would set these back with every checkout\n"
ALL = f"{HEAD}ledger*\n.ledger*\nintrospect.db*\nakashik-clock*\nbatches/\n"
ANN = Author(kind=AuthorKind.HUMAN, name="ann")


@pytest.fixture
def place(workdir: Path) -> Path:
    """Of a store in a git work tree."""
    subprocess.run(["git", "init", "-q", str(workdir)], check=True)
    with Engine.init(workdir, actor=ANN) as engine:
        return engine.path.with_name(".gitignore")


@pytest.mark.parametrize("lines", [1, 2, 4])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_what_an_earlier_version_wrote_is_brought_up_to_date(place: Path, lines: int, ending: str) -> None:
    place.write_bytes("".join(ALL.splitlines(keepends=True)[: lines + 1]).replace("\n", ending).encode())
    before = place.read_bytes()
    Engine.open(actor=ANN, read_only=True).close()
    assert place.read_bytes() == before
    Engine.open(actor=ANN).close()
    assert place.read_bytes() == ALL.replace("\n", ending).encode()


@pytest.mark.parametrize(
    "text", ["", "ledger*\n", f"{HEAD}ledger*\nmine\n", f"{HEAD}.ledger*\n", f"{ALL}mine\n", ALL, HEAD, "\xff"]
)
def test_what_anybody_changed_stays(place: Path, text: str) -> None:
    place.write_bytes(text.encode("latin-1"))
    Engine.open(actor=ANN).close()
    assert place.read_bytes() == text.encode("latin-1")


def test_no_link_is_followed_and_no_pipe_waited_for(place: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(f"{HEAD}ledger*\n")
    place.symlink_to(elsewhere)
    Engine.open(actor=ANN).close()
    assert elsewhere.read_text() == f"{HEAD}ledger*\n"
    place.unlink()
    os.mkfifo(place)
    Engine.open(actor=ANN).close()


def test_a_store_that_is_there_gets_none(place: Path) -> None:
    Engine.open(actor=ANN).close()
    assert not place.exists()


def test_migrate_brings_it_up_to_date_too(tur: Programs, place: Path) -> None:
    place.write_text(f"{HEAD}ledger*\n")
    assert tur.adm("migrate").code == 0
    assert place.read_text() == ALL


def test_the_doctor_tells_what_git_would_take_in(
    tur: Programs, place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tur_engine.wiring.doctor.examine", lambda *_, **__: ())
    listed = ["ledger*", ".ledger*", "introspect.db*", "akashik-clock*", "batches/"]
    ran = tur("doctor", "--json")
    assert (ran.code, ran.json["status"]) == (1, "missing")
    assert ran.json["checks"] == [
        {
            "surface": "git",
            "ok": False,
            "sentence": f"git would take in of {place.parent} what every checkout then sets back: {', '.join(listed)}",
            "mend": f"add to {place}, a line each: {' '.join(listed)}",
        }
    ]
    place.write_text("ledger*\n.ledger*\nakashik-clock*\n")  # somebody's own
    [finding] = tur("doctor", "--json").json["checks"]
    assert finding["mend"].endswith(": introspect.db* batches/")
    place.write_text(ALL)
    assert tur("doctor", "--json").json == {"status": "proved", "checks": []}
    place.unlink()
    place.parent.with_name(".gitignore").write_text(".tur/\n")  # the one above serves as well
    assert tur("doctor").code == 0
    with Engine.init(tmp_path, actor=ANN):  # where there is no git
        assert tur("doctor", "--store", str(tmp_path)).code == 0


def test_each_line_is_of_a_file_that_it_leaves_out() -> None:
    for line, name in LINES.items():
        assert PurePosixPath(name.partition("/")[0]).match(line.rstrip("/"))
