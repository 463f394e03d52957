"""What people install, the wheel and the editable one, each tried in its own environment from another folder.

The environments see the packages already installed here through a path file, so nothing is fetched.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tur_engine import __version__

pytestmark = pytest.mark.slow

PROGRAMS = ["tur", "tur-adm", "tur-mcp", "tur-tui"]


class Environment:
    """A virtual environment that holds one installation of tur-tui."""

    def __init__(self, folder: Path) -> None:
        self.scripts = folder / ("Scripts" if os.name == "nt" else "bin")
        self._run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
        site = sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
        # The folder that a .pth names is searched, its own .pth files are not read: no other install is seen.
        # The digits sort it before the editable install's own, whose import hook already needs a package.
        Path(site, "00-borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
        self.site = Path(site)

    def install(self, *what: str) -> None:
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(self.scripts / "python"),
            "--disable-pip-version-check",
        ]
        self._run([*pip, "install", "--quiet", "--no-deps", "--no-index", *what])

    def python(self, code: str, **extra: str) -> str:
        """What the code prints, run isolated from the current folder's modules and from PYTHONPATH."""
        return self._run([str(self.scripts / "python"), "-c", code], **extra)

    def program(self, name: str, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.scripts / name), *words],
            capture_output=True,
            text=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            env=without_pythonpath(),
            timeout=60,
        )

    @staticmethod
    def _run(command: Sequence[str], **extra: str) -> str:
        done = subprocess.run(command, capture_output=True, text=True, env=without_pythonpath() | extra, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def without_pythonpath() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.fixture(scope="module")
def wheel(repo_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(repo_root),
    ]
    done = subprocess.run(build, capture_output=True, text=True, env=without_pythonpath(), timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment(tmp_path_factory.mktemp("wheel") / "venv")
    environment.install(str(wheel))
    return environment


@pytest.fixture(scope="module")
def editable(repo_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    environment = Environment(tmp_path_factory.mktemp("editable") / "venv")
    environment.install("--no-build-isolation", "--editable", str(repo_root))
    return environment


def test_the_wheel_holds_the_two_packages_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    metadata = f"tur_tui-{__version__}.dist-info"
    assert {name.partition("/")[0] for name in names} == {"tur_engine", "tur_tui", metadata}
    assert [name for name in names if "__pycache__" in name or name.endswith((".db", ".log", ".orig"))] == []
    assert {"tur_engine/py.typed", "tur_tui/py.typed"} <= set(names)
    assert {f"{metadata}/licenses/LICENSE", f"{metadata}/licenses/docs/licenses/Apache-2.0.txt"} <= set(names)


def test_the_wheel_holds_every_theme_and_every_weight(wheel: Path, repo_root: Path) -> None:
    sizes = {entry.filename: entry.file_size for entry in zipfile.ZipFile(wheel).infolist()}
    themes = {f"tur_tui/themes/{path.name}" for path in (repo_root / "themes").glob("*.toml")}
    assert len(themes) >= 5
    assert themes <= sizes.keys()
    models = repo_root / "engine" / "tur_engine" / "models"
    manifest = json.loads((models / "manifest.json").read_text("utf-8"))
    for room, files in manifest.items():
        assert f"tur_engine/models/{room}/CARD.md" in sizes
        for name, entry in files.items():
            assert sizes[f"tur_engine/models/{room}/{name}"] == entry["bytes"]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("kind", ["installed", "editable"])
def test_each_program_answers_from_another_folder(request: pytest.FixtureRequest, kind: str, program: str) -> None:
    environment: Environment = request.getfixturevalue(kind)
    done = environment.program(program, "--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(rf"\b{re.escape(__version__)}\b", done.stdout)


def test_the_installed_package_is_the_one_in_its_environment(installed: Environment) -> None:
    where = installed.python("import tur_engine, tur_tui; print(tur_engine.__file__); print(tur_tui.__file__)").split()
    assert [Path(path).parent for path in where] == [
        installed.site / "tur_engine",
        installed.site / "tur_tui",
    ]


def test_the_installed_themes_and_weights_are_found(installed: Environment) -> None:
    found = json.loads(
        installed.python(
            "import json; from tur_tui.resources import themes_dir; from tur_tui.themes import load_themes; "
            "from tur_engine.models import verify_models; themes, problems = load_themes([themes_dir()]); "
            "print(json.dumps([str(themes_dir()), len(themes), problems, verify_models()]))"
        )
    )
    assert found == [
        str(installed.site / "tur_tui" / "themes"),
        len(list((installed.site / "tur_tui" / "themes").glob("*.toml"))),
        [],
        [],
    ]


def test_the_installed_gate_stops_a_contradiction(installed: Environment) -> None:
    first = installed.program("tur", "learn", "Database migrations run via Alembic", "--type", "fact", "--json")
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["status"] == "committed"
    second = installed.program(
        *("tur", "learn", "Database migrations run via Prisma Migrate", "--type", "fact"),
        *("--on-conflict", "hold", "--json"),
    )
    assert second.returncode == 3, second.stderr
    assert json.loads(second.stdout)["status"] == "conflict_detected"


def test_the_editable_install_reads_the_checkout_and_shows_no_more_of_it(
    editable: Environment, repo_root: Path
) -> None:
    found = json.loads(
        editable.python(
            "import json, tur_engine, tur_tui; from importlib.util import find_spec; "
            "from tur_tui.resources import themes_dir; "
            "print(json.dumps([tur_engine.__file__, tur_tui.__file__, str(themes_dir()), "
            "[name for name in ('engine', 'themes', 'tests', 'hatch_build') if find_spec(name)]]))"
        )
    )
    assert found == [
        str(repo_root / "engine" / "tur_engine" / "__init__.py"),
        str(repo_root / "tur_tui" / "__init__.py"),
        str(repo_root / "themes"),
        [],
    ]


def test_the_source_archive_takes_along_what_a_wheel_needs(repo_root: Path) -> None:
    project = tomllib.loads((repo_root / "pyproject.toml").read_text("utf-8"))
    kept = project["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    assert {"LICENSE", "README.md", "docs", "engine", "pyproject.toml", "themes", "tur_tui"} <= set(kept)
    assert [name for name in kept if not (repo_root / name).exists()] == []
