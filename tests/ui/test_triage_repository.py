"""What the repository says about the words that only one side has, and where a side stands in it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.ui.making import belief, conflict
from tur_engine.records import Conflict
from tur_tui.desk.repository import TooSlow, distinctive, editor_command, source_of, what_it_says


def clash(old: str, new: str, **provenance: str) -> Conflict:
    challenger = belief(new)
    memory = challenger.memory.model_copy(update={"provenance": provenance})
    return conflict("A").model_copy(
        update={
            "incumbent": belief(old),
            "challenger": challenger.model_copy(update={"memory": memory}),
            "evidence": (),
        }
    )


PRISMA = clash("Database migrations run via Alembic", "Database migrations run via Prisma")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    for name, text in (
        ("package.json", '{\n  "prisma": "5"\n}\n'),
        ("docs/a.md", "We use Prisma.\n"),
        ("src/b.py", "# prismatic is another word\n"),
        ("evil\x1b]0;x\x07.md", "Prisma [/b]\n"),
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    (tmp_path / "untracked.txt").write_text("alembic", "utf-8")
    return tmp_path


def test_only_words_that_tell_the_sides_apart_are_asked_about() -> None:
    assert distinctive(PRISMA) == (("alembic",), ("prisma",))


def test_tracked_files_are_counted_and_their_names_are_harmless(repository: Path) -> None:
    old, new = what_it_says(repository, PRISMA)
    assert old == "alembic: 0 files"
    assert new.startswith("prisma: ")
    assert new.endswith(" and 2 more")
    assert "\x1b" not in new


def test_outside_a_repository_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("prisma", "utf-8")
    assert what_it_says(tmp_path, PRISMA) == ("", "")


def test_a_slow_repository_is_said_to_be_one(repository: Path) -> None:
    moments = iter([0.0, 9.0])
    assert "no answer within 3 seconds" in what_it_says(repository, PRISMA, clock=lambda: next(moments))[1]
    moments = iter([0.0, 9.0])
    with pytest.raises(TooSlow):
        source_of(repository, PRISMA, clock=lambda: next(moments))


def test_the_source_is_what_the_memory_names_else_where_its_words_stand(repository: Path) -> None:
    named = clash("x", "y", file="docs/a.md", line="7")
    assert source_of(repository, named) == (repository / "docs/a.md", 7)
    assert source_of(repository, clash("yellow", "package prisma", file="../../etc/passwd", line="1")) is not None
    found = source_of(repository, PRISMA)
    assert found is not None
    assert "prisma" in found[0].read_text("utf-8").splitlines()[found[1] - 1].lower()
    assert source_of(repository, clash("yellow moon", "green sun")) is None


@pytest.mark.parametrize(
    ("editor", "expected"),
    [
        ("vim", ["vim", "+7", "/a/b.md"]),
        ("'/opt/my editor/nano' -w", ["/opt/my editor/nano", "-w", "+7", "/a/b.md"]),
        ("code", ["code", "--wait", "--goto", "/a/b.md:7"]),
        ("hx", ["hx", "/a/b.md:7"]),
    ],
)
def test_editors_are_told_the_line_in_their_own_way(editor: str, expected: list[str]) -> None:
    assert editor_command(editor, Path("/a/b.md"), 7) == expected
