from __future__ import annotations

import os
import threading
from pathlib import Path

from tur_engine.place import Place, seen_from
from tur_engine.records import Scope

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def repository(root: Path, head: str = "ref: refs/heads/feature/x\n") -> Path:
    (root / ".git" / "refs" / "heads" / "feature").mkdir(parents=True)
    (root / ".git" / "HEAD").write_text(head)
    (root / ".git" / "refs" / "heads" / "feature" / "x").write_text(COMMIT + "\n")
    (root / "src" / "api").mkdir(parents=True)
    return root


def test_folder_branch_and_commit_are_read(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop")
    place = Place.of(root, root / "src" / "api")
    assert place == Place("src/api", "feature/x", COMMIT, "shop")
    assert place.provenance == {"repository": "shop", "branch": "feature/x", "commit": COMMIT}


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop")
    for name, branch in (("packed-refs", "feature/y"), ("HEAD", None)):
        (root / ".git" / "HEAD").write_text("ref: refs/heads/feature/y\n")
        (root / ".git" / name).unlink(missing_ok=True)
        os.mkfifo(root / ".git" / name)
        found: list[Place] = []
        looking = threading.Thread(target=lambda to=found: to.append(Place.of(root, root)), daemon=True)
        looking.start()
        looking.join(10)
        assert found == [Place(None, branch, None, "shop")]


def test_at_the_root_and_outside_it_there_is_no_path(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop")
    assert Place.of(root, root).path is None
    assert Place.of(root, tmp_path).path is None
    assert Place.of(None, root / "src").path is None


def test_a_packed_branch_has_its_commit(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", "ref: refs/heads/packed\n")
    (root / ".git" / "packed-refs").write_text(f"# pack-refs with: peeled\n{COMMIT} refs/heads/packed\n")
    assert Place.of(root, root).branch == "packed"
    assert Place.of(root, root).commit == COMMIT


def test_a_detached_head_has_a_commit_and_no_branch(tmp_path: Path) -> None:
    place = Place.of(None, repository(tmp_path / "shop", COMMIT + "\n"))
    assert (place.branch, place.commit) == (None, COMMIT)


def test_a_worktree_is_read_through_its_pointer(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop")
    gitdir = root / ".git" / "worktrees" / "two"
    gitdir.mkdir(parents=True)
    (gitdir / "HEAD").write_text("ref: refs/heads/feature/x\n")
    (gitdir / "commondir").write_text("../..\n")
    tree = tmp_path / "two"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {gitdir}\n")
    assert Place.of(None, tree) == Place(None, "feature/x", COMMIT, "shop")
    (tree / "src").mkdir()
    assert Place.of(root, tree / "src").path == "src"
    assert Place.of(tree, tree / "src").path == "src"  # a store of the worktree's own
    assert Place.of(tmp_path, tree / "src").path == "shop/src"
    assert Place.of(root / "src", tree).path is None
    assert seen_from(root, tree / "src" / "new.md") == "src/new.md"
    assert seen_from(root, tree) == ""
    assert seen_from(root, tmp_path / "elsewhere") is None


def test_a_broken_repository_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("garbage")
    assert Place.of(None, tmp_path) == Place(None, None, None, None)


def test_what_cannot_be_stored_is_left_out(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop", "ref: refs/heads/a\x1bb\n")
    assert Place.of(None, root).provenance == {"repository": "shop"}


def test_a_scope_is_narrowed_to_where_one_stands(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop")
    place = Place.of(root, root / "src" / "api")
    assert str(place.narrowed(Scope())) == "incarnation:src/api@feature/x"
    assert str(place.narrowed(Scope.parse("user:docs"))) == "user:docs@feature/x"
    assert place.narrowed(Scope.parse("user:docs@main")) is None
    assert Place(None, None, None, None).narrowed(Scope()) is None
