"""Which store a call works on: the nearest upwards, beside a worktree's common directory, $TUR_HOME, the user's own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tur_engine import whereabouts
from tur_engine.engine import Engine
from tur_engine.errors import BadInput, NoStore, StoreError, StoreExists
from tur_engine.home import state_folder
from tur_engine.records import Author, OnConflict

ME = Author.parse("human:mara")
FILE = Path(".tur") / "ledger.db"


def found(root: Path) -> Path:
    with Engine.init(root, actor=ME) as engine:
        return engine.path


def opened(**how: object) -> Path:
    with Engine.open(actor=ME, **how) as engine:  # type: ignore[arg-type]
        return engine.path


def test_the_nearest_store_upwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outer = found(tmp_path)
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert opened() == outer
    with Engine.init(tmp_path / "a", actor=ME, nested=True) as engine:
        inner = engine.path
    assert opened() == inner
    monkeypatch.chdir(tmp_path)
    assert opened() == outer


def test_the_root_is_the_folder_that_paths_are_relative_to(tmp_path: Path) -> None:
    with Engine.init(tmp_path, actor=ME) as engine:
        assert engine.root == tmp_path
        assert engine.founded
    with Engine.open(tmp_path, actor=ME) as engine:
        assert engine.root == tmp_path
        assert not engine.founded


@pytest.mark.parametrize("name", [".", ".tur", ".tur/ledger.db"])
def test_a_store_can_be_named_three_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    path = found(tmp_path)
    assert opened(store=tmp_path / name) == path
    monkeypatch.chdir(tmp_path)
    assert opened(store=Path(name)) == path


def test_a_named_store_is_not_looked_for_elsewhere(tmp_path: Path, home: Path) -> None:
    found(home)
    found(tmp_path)
    (tmp_path / "below").mkdir()
    with pytest.raises(NoStore, match=r"there is no store at .*below"):
        opened(store=tmp_path / "below", create=True)


def test_a_tilde_is_the_home(home: Path) -> None:
    assert opened(store=found(home).relative_to(home) and Path("~")) == home / FILE


def test_without_any_store_the_users_own_is_made_by_the_first_learn(home: Path, workdir: Path) -> None:
    with pytest.raises(
        NoStore, match=r"no store here or above, and none of your own at .*`tur init` makes one in the folder"
    ):
        opened()
    with pytest.raises(NoStore):
        opened(create=True, read_only=True)
    assert not (home / ".tur").exists()
    with Engine.open(actor=ME, create=True) as engine:
        assert engine.founded
        assert engine.path == home / FILE
        assert engine.root == home
        assert [entry.summary for entry in engine.history()] == ["the store was founded"]
    with Engine.open(actor=ME, create=True) as engine:
        assert not engine.founded
    assert list(workdir.iterdir()) == []


def test_tur_home_names_the_users_own(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUR_HOME", str(tmp_path / "elsewhere"))
    assert opened(create=True) == tmp_path / "elsewhere" / "ledger.db"
    assert opened() == tmp_path / "elsewhere" / "ledger.db"
    assert not (home / ".tur").exists()
    monkeypatch.setenv("TUR_HOME", "~/mine")
    assert opened(create=True) == home / "mine" / "ledger.db"


def test_a_home_that_moves_with_the_folder_is_none(home: Path, workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pwd = pytest.importorskip("pwd")
    account = pwd.getpwuid(os.getuid())
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: pwd.struct_passwd((*account[:5], str(home), *account[6:])))
    for tur_home in ("", "mine", "./mine"):
        for name in ("", "mine", "."):
            monkeypatch.setenv("TUR_HOME", tur_home)
            monkeypatch.setenv("HOME", name)
            assert opened(create=True) == home / ".tur" / "ledger.db"
            monkeypatch.setenv("HOME", name)
            assert state_folder().is_relative_to(home)
    assert list(workdir.iterdir()) == []


def test_a_project_store_comes_before_tur_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUR_HOME", str(tmp_path / "elsewhere"))
    opened(create=True)
    project = tmp_path / "project"
    project.mkdir()
    path = found(project)
    monkeypatch.chdir(project)
    assert opened(create=True) == path


# making one -----------------------------------------------------------------------------------------


def test_a_store_is_not_made_twice(tmp_path: Path) -> None:
    path = found(tmp_path)
    before = path.read_bytes()
    for nested in (False, True):
        with pytest.raises(StoreExists, match=r"there is a store at .* already") as refusal:
            Engine.init(tmp_path, actor=ME, nested=nested)
        assert refusal.value.exit_code == 1
    assert path.read_bytes() == before


def test_a_store_below_another_needs_a_word(tmp_path: Path) -> None:
    above = found(tmp_path)
    below = tmp_path / "part"
    below.mkdir()
    with pytest.raises(StoreExists, match="--nested makes another one below it") as refusal:
        Engine.init(below, actor=ME)
    assert str(above) in str(refusal.value)
    assert list(below.iterdir()) == []
    with Engine.init(below, actor=ME, nested=True) as engine:
        assert engine.path == below / FILE


def test_the_users_own_store_is_no_store_above(home: Path) -> None:
    found(home)
    project = home / "project"
    project.mkdir()
    assert found(project) == project / FILE


def test_the_users_own_store_behind_a_link_is_no_store_above(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found(home)
    link = tmp_path / "link"
    link.symlink_to(home)
    (home / "project").mkdir()
    assert found(link / "project") == link / "project" / FILE


def test_a_folder_that_is_not_there_yet_is_made(tmp_path: Path) -> None:
    assert found(tmp_path / "new" / "deep").exists()


def test_a_store_cannot_be_made_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match="is not a folder"):
        Engine.init(tmp_path / "file", actor=ME)
    (tmp_path / ".tur").write_text("x")
    with pytest.raises(StoreError, match=r"\.tur should be a folder with a store in it and is a file; move it away"):
        Engine.init(tmp_path, actor=ME)
    assert (tmp_path / ".tur").read_text() == "x"


def test_nothing_is_left_of_a_founding_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("on purpose")

    monkeypatch.setattr("tur_engine.ledger.writing.Writing.append", fail)
    with pytest.raises(RuntimeError):
        Engine.init(tmp_path, actor=ME)
    assert list((tmp_path / ".tur").iterdir()) == []
    monkeypatch.undo()
    assert found(tmp_path).exists()


def test_a_file_system_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    with Engine.init(tmp_path, actor=ME) as engine:
        assert engine.verify().ok
    assert [file.name for file in (tmp_path / ".tur").iterdir()] == ["ledger.db"]


def test_a_store_with_a_second_name_is_only_read(tmp_path: Path) -> None:
    """Each name has a log of its own: what is written by one is lost by the other, and acknowledged all the same."""
    with Engine.init(tmp_path / "one", actor=ME) as engine:
        engine.note("The lift works")
    (tmp_path / "other" / ".tur").mkdir(parents=True)
    link = tmp_path / "other" / ".tur" / "ledger.db"
    link.hardlink_to(engine.path)
    for place in ("one", "other"):
        with pytest.raises(StoreError, match=r"has another name too, a hard link: .* -samefile"):
            Engine.open(tmp_path / place, actor=ME)
        with Engine.open(tmp_path / place, actor=ME, read_only=True) as reader:
            assert reader.head() == 2
    link.unlink()
    with Engine.open(tmp_path / "one", actor=ME) as engine:
        engine.note("It still does")


def test_what_a_founding_that_died_left_is_no_second_name(tmp_path: Path) -> None:
    with Engine.init(tmp_path, actor=ME) as engine:
        path = engine.path
    path.with_name(f".{path.name}.0123.new").hardlink_to(path)
    with Engine.open(tmp_path, actor=ME) as engine:
        engine.note("The lift works")


def test_who_founds_second_works_on_the_first_ones_store(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The moment between looking and making, stretched."""
    real = Path.hardlink_to

    def late(self: Path, target: Path) -> None:
        monkeypatch.setattr(Path, "hardlink_to", real)
        with Engine.open(actor=ME, create=True) as first:
            assert first.founded
            first.note("I was first")
        real(self, target)

    monkeypatch.setattr(Path, "hardlink_to", late)
    with Engine.open(actor=ME, create=True) as second:
        assert not second.founded
        assert [entry.summary for entry in second.history()] == ["the store was founded", 'noted "I was first"']
    assert sorted(file.name for file in (home / ".tur").iterdir()) == ["ledger.db"]


# git ------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit, a worktree beside it, and a store in the main checkout."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    main = tmp_path / "main"
    main.mkdir()
    git(main, "init", "-q", "-b", "main")
    git(main, "-c", "user.name=m", "-c", "user.email=m@example.org", "commit", "-q", "--allow-empty", "-m", "first")
    git(main, "worktree", "add", "-q", "-b", "side", str(tmp_path / "trees" / "side"))
    found(main)
    return main


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


def test_a_worktree_finds_the_store_of_its_main_checkout(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / "trees" / "side" / "src" / "deep"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert opened() == repository / FILE
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))  # as inside a git hook
    monkeypatch.setenv("PATH", "")
    assert opened() == repository / FILE


def test_a_worktree_may_have_a_store_of_its_own(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    side = tmp_path / "trees" / "side"
    with pytest.raises(StoreExists, match="--nested"):
        Engine.init(side, actor=ME)
    with Engine.init(side, actor=ME, nested=True) as engine:
        own = engine.path
    monkeypatch.chdir(side)
    assert opened() == own


def test_a_worktree_with_relative_paths(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    side = tmp_path / "trees" / "side"
    private = repository / ".git" / "worktrees" / "side"
    (side / ".git").write_text(f"gitdir: {os.path.relpath(private, side)}\n")
    monkeypatch.chdir(side)
    assert opened() == repository / FILE


@pytest.mark.parametrize(
    "mark", ["", "nonsense", "gitdir: /nowhere/at/all", "gitdir: ../main/.git", b"\xff\xfe", "gitdir: \0"]
)
def test_a_strange_git_file_is_no_worktree(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str | bytes
) -> None:
    folder = tmp_path / "strange"
    folder.mkdir()
    (folder / ".git").write_bytes(mark if isinstance(mark, bytes) else mark.encode())
    monkeypatch.chdir(folder)
    with pytest.raises(NoStore):
        opened()


# beside upstream ------------------------------------------------------------------------------------


@pytest.fixture
def upstream(repo_root: Path, tmp_path: Path) -> Path:
    """A copy of a store that upstream's tool made."""
    fixture = repo_root.parent / "shared" / "fixtures" / "upstream-tur-store" / "global_tur"
    if not fixture.is_dir():
        pytest.skip("the upstream fixture is not here")
    shutil.copytree(fixture, tmp_path / ".tur")
    return tmp_path


def every_file(folder: Path) -> dict[Path, tuple[bytes, int]]:
    return {file: (file.read_bytes(), file.stat().st_mtime_ns) for file in sorted(folder.rglob("*")) if file.is_file()}


def test_an_upstream_folder_without_a_ledger_is_no_store(upstream: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = every_file(upstream)
    monkeypatch.chdir(upstream)
    assert whereabouts.nearest(upstream) is None
    with pytest.raises(NoStore):
        opened()
    with pytest.raises(NoStore):
        opened(store=upstream)
    assert every_file(upstream) == before


def test_ours_is_made_beside_upstreams_files(upstream: Path) -> None:
    before = every_file(upstream)
    assert len(before) > 5
    with Engine.init(upstream, actor=ME) as engine:
        engine.note("hello")
        assert engine.verify().ok
    after = every_file(upstream)
    assert {file: after[file] for file in before} == before
    assert {file.name for file in after.keys() - before.keys()} == {"ledger.db"}


def test_a_setting_of_the_store_is_read_when_it_is_opened(tmp_path: Path) -> None:
    path = found(tmp_path)
    path.with_name("config.toml").write_text('on_conflict = "fail"\n')
    with Engine.open(tmp_path, actor=ME) as engine:
        assert engine.settings.on_conflict is OnConflict.FAIL
    path.with_name("config.toml").write_text("on_conflcit = 'fail'\n")
    with pytest.raises(BadInput, match="unknown key 'on_conflcit'; did you mean 'on_conflict'"):
        opened(store=tmp_path)
