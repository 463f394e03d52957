"""Every test gets an empty home, an empty working folder and an environment without the user's settings."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.disks import megabyte

ROOT = Path(__file__).resolve().parents[1]

SCRUBBED_PREFIXES = ("XDG_", "TUR_", "CLICOLOR")
SCRUBBED = (
    *("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "EDITOR", "VISUAL"),
    *("TEXTUAL_THEME", "TEXTUAL_COLOR_SYSTEM", "TEXTUAL_ANIMATIONS"),
)

# Two busy workers make single examples slow; a deadline would only measure the machine.
settings.register_profile("tur", deadline=None)
settings.load_profile("tur")


def move_home(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Take the user's settings out of the environment; configuration, state and caches go to this home."""
    for name in list(os.environ):
        if name in SCRUBBED or name.startswith(SCRUBBED_PREFIXES):
            monkeypatch.delenv(name)
    for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))
    # The invariants of the account's own home hold whatever $HOME says, so it has to move too.
    monkeypatch.setattr("tur_engine.whereabouts.account_home", lambda: home)


os.environ["TZ"] = "UTC"  # local times stand in pictures
time.tzset()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background, as shells do it: what the tests start would not hear Ctrl-C either.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """What is loaded by now stays; to go through all of it again and again costs a quarter of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)


@pytest.fixture(autouse=True, scope="session")
def home_of_the_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where stores that several tests share leave their traces (the witness): not at the user's."""
    with pytest.MonkeyPatch.context() as patch:
        move_home(patch, tmp_path_factory.mktemp("home-of-the-session"))
        yield


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty home directory, in force for the test and for every process it starts."""
    home = tmp_path_factory.mktemp("home")
    move_home(monkeypatch, home)
    return home


@pytest.fixture(autouse=True)
def workdir(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty current directory: a store is looked for from here upwards, never in the checkout."""
    workdir = tmp_path_factory.mktemp("work")
    monkeypatch.chdir(workdir)
    return workdir


@pytest.fixture(scope="session")
def repo_root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte; skips where none can be mounted."""
    with megabyte(tmp_path / "small") as place:
        yield place
