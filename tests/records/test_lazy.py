"""Records and payloads load when they are asked for: all of them can be, and from where they are said to be."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tur_engine import gate, ledger, ontology, payloads, records
from tur_engine.lazily import homes

PACKAGES = [gate, ledger, ontology, payloads, records]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_is_where_it_is_said_to_be(package: ModuleType) -> None:
    where = homes(package._ROOMS)
    assert sorted(where) == sorted(package.__all__)
    for name, room in where.items():
        assert getattr(package, name) is getattr(import_module(f".{room}", package.__name__), name)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_name_that_is_none_is_an_attribute_error(package: ModuleType) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = package.Nothing


def test_a_learn_that_clashes_with_nothing_loads_no_more_than_it_needs(tmp_path: Path, repo_root: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tur_engine.facade.learning import Learning; "
        "from tur_engine.records import Author, Draft; "
        "store = Learning.init(Path(sys.argv[1]), actor=Author.parse('agent:bench')); "
        "store.learn(Draft(content='The kettle stands in the kitchen', author=store.actor)); "
        "print(*(name.removeprefix('tur_engine.') for name in sys.modules if name.startswith('tur_engine.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=repo_root / "engine",
        check=True,
    )
    unneeded = {
        *(f"maintain.{name}" for name in ("decision", "inverse", "plan", "resolver", "session")),
        *(f"ontology.{name}" for name in ("naming", "persona")),
        *("govern.persona", "govern.verify"),
        *(f"records.{name}" for name in records._ROOMS),
    }
    needed = {"author", "conflict", "effect", "event", "evidence", "head", "learning", "memory", "scope"}
    assert not (unneeded - {f"records.{name}" for name in needed}) & set(done.stdout.split())


def test_who_only_reads_loads_no_detector(repo_root: Path) -> None:
    code = (
        "import sys; import tur_engine.engine; "
        "print(*(name for name in sys.modules if name.startswith('tur_engine.detect.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=repo_root / "engine", check=True
    )
    assert done.stdout.split() == ["tur_engine.detect.feedback"]
