"""Records and payloads load when they are asked for: all of them can be, and from where they are said to be."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tur_engine import payloads, records


@pytest.mark.parametrize("package", [records, payloads])
def test_every_name_is_where_it_is_said_to_be(package: ModuleType) -> None:
    assert sorted(package._HOMES) == sorted(package.__all__)
    for name, room in package._HOMES.items():
        assert getattr(package, name) is getattr(import_module(f".{room}", package.__name__), name)


@pytest.mark.parametrize("package", [records, payloads])
def test_a_name_that_is_none_is_an_attribute_error(package: ModuleType) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = package.Nothing


def test_a_learn_loads_no_record_that_it_does_not_need(repo_root: Path) -> None:
    code = (
        "import sys; import tur_engine.facade.learning; from tur_engine.gate import Gate; "
        "import tur_engine.detect.detector; "
        "print(*(m.rpartition('.')[2] for m in sys.modules if m.startswith('tur_engine.records.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=repo_root / "engine", check=True
    )
    unneeded = {"comparison", "context", "difference", "exposure", "guard", "health", "introspection", "proof"}
    assert not unneeded & set(done.stdout.split())
