"""Settings of one store: what may be set, which source wins, the sentence for what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tur_engine.errors import BadInput
from tur_engine.maintain.policy import AgentMayResolve
from tur_engine.records import OnConflict
from tur_engine.settings import read_settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_nothing_set(file: Path) -> None:
    settings = read_settings(file)
    assert settings.on_conflict is None
    assert settings.agent_may_resolve is AgentMayResolve.AGENTS
    assert settings.profile == "balanced"


def test_the_file_is_read(file: Path) -> None:
    file.write_text('on_conflict = "hold"\nprofile = "strict"\nagent_may_resolve = "none"\n')
    settings = read_settings(file)
    assert settings.on_conflict is OnConflict.HOLD
    assert settings.profile == "strict"
    assert settings.agent_may_resolve is AgentMayResolve.NONE


def test_the_environment_wins(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("profile = 'quiet'\nthreshold = 0.4\n")
    monkeypatch.setenv("TUR_PROFILE", "strict")
    assert (read_settings(file).profile, read_settings(file).threshold) == ("strict", 0.4)


@pytest.mark.parametrize("other", [{}, {"TUR_PROFILE": "strict"}])
def test_what_a_learn_reads_is_left_to_it(file: Path, monkeypatch: pytest.MonkeyPatch, other: dict[str, str]) -> None:
    file.write_text("on_conflict = 'hold'\n")
    for name, value in {"TUR_ON_CONFLICT": "maybe", **other}.items():
        monkeypatch.setenv(name, value)
    assert read_settings(file).on_conflict is OnConflict.HOLD


def test_other_variables_of_ours_are_no_settings(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUR_HOME", "/somewhere")
    monkeypatch.setenv("TUR_DEBUG", "1")
    assert read_settings(file).profile == "balanced"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("on_conflcit = 'hold'", "unknown key 'on_conflcit'; did you mean 'on_conflict'?"),
        ("zzz = 1", "unknown key 'zzz'; known are on_conflict, profile, threshold, agent_may_resolve"),
        ("threshold = 1.5", "threshold cannot be 1.5; it is a number between 0 and 1"),
        ("threshold = 'high'", "threshold cannot be 'high'; it is a number between 0 and 1"),
        ("on_conflict = 'maybe'", "on_conflict cannot be 'maybe'; use one of ask, hold, allow, fail"),
        ("on_conflict = 5", "on_conflict cannot be 5"),
        ("[on_conflict]\na = 1", "on_conflict cannot be {'a': 1}"),
        ("agent_may_resolve = 'all'", "agent_may_resolve cannot be 'all'; use one of none, own, agents"),
        ("on_conflict = ", "is not readable TOML"),
        ("\0", "is not readable TOML"),
    ],
)
def test_refusals_name_the_file_and_the_key(file: Path, text: str, why: str) -> None:
    file.write_text(text)
    with pytest.raises(BadInput) as refusal:
        read_settings(file)
    assert why in str(refusal.value)
    assert str(file) in str(refusal.value)
    assert refusal.value.exit_code == 2


def test_bytes_that_are_no_text(file: Path) -> None:
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="is not readable TOML"):
        read_settings(file)


def test_a_refused_variable_is_named_even_where_the_file_sets_the_key(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('agent_may_resolve = "own"\n')
    monkeypatch.setenv("TUR_AGENT_MAY_RESOLVE", "all")
    with pytest.raises(BadInput, match=r"^environment variable TUR_AGENT_MAY_RESOLVE: agent_may_resolve cannot be"):
        read_settings(file)
