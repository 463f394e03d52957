"""The plainest command lines: read without the library, and never otherwise than the library reads them."""

from __future__ import annotations

import errno
import functools
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cli.conftest import Programs
from tests.cli.test_program import environment
from tur_engine.cli import guard, learn, note, plain, program, recall
from tur_engine.cli.call import Call, Shared, answers
from tur_engine.engine import Engine
from tur_engine.errors import TurError

COMMANDS: dict[str, Callable[..., int]] = {
    "guard": guard.guard,
    "learn": learn.learn,
    "note": note.note,
    "recall": recall.recall,
}
OPTIONS = (
    "--type -t --scope --topic --field --tag --relate --node-type --session --occurred-at --confidence --supersedes "
    "--on-conflict --allow-conflict --dry-run --allow-secret --from --all-or-nothing --resume --json --store --as "
    "--limit -n --path --branch --include-superseded --hook --log --command --plan "
    "--help -h --typ --no-json --dry-run=1 --json= -- - -5"
).split()
TEXTS = ["The port is 8080.", "two words", "", " ", "a=b", "-x", "--json", "ü 语", "fact", "0.5", "3", "\ud800", "\n"]
words = st.lists(
    st.sampled_from(OPTIONS)
    | st.sampled_from(TEXTS)
    | st.builds("{}={}".format, st.sampled_from(OPTIONS), st.sampled_from(TEXTS)),
    max_size=7,
)


def heard(command: Callable[..., int]) -> tuple[Callable[..., int], list[tuple[Call, dict[str, Any]]]]:
    """The command with its parameters, which only notes what it is called with."""
    calls: list[tuple[Call, dict[str, Any]]] = []

    @functools.wraps(command)
    def spy(call: Call, **options: Any) -> int:
        calls.append((call, options))
        return 0

    return spy, calls


def by_the_library(name: str, line: list[str]) -> tuple[Call, dict[str, Any]] | None:
    """What the command is called with; None where it is not called."""
    spy, calls = heard(COMMANDS[name])
    app = program.new("tur", "")
    app.command(name)(answers(spy))
    try:
        program._read(app, "tur", [name, *line])
    except TurError:
        return None
    return calls[0] if calls else None


def same_call(one: Call, other: Call) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in ("json", "store", "speaker", "people_only"))


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(sorted(COMMANDS)), words)
def test_what_is_read_plainly_the_library_reads_the_same(name: str, line: list[str]) -> None:
    options = plain.read(COMMANDS[name], line)
    if options is None:
        return
    library = by_the_library(name, line)
    assert library is not None, "the library refuses it"
    assert same_call(Call.of(Shared("tur", False, None, None), options), library[0])
    assert options == library[1]


@pytest.mark.parametrize(
    "line",
    [
        ["learn", "The port is 8080."],
        ["learn", "The port is 8080.", "--type", "fact"],
        ["learn", "--scope=project", "The port is 8080.", "--json", "--as", "agent:x"],
        ["learn", "The port is 8080.", "--tag", "a", "--tag", "b", "--field", "port=8080", "--topic", "port"],
        ["learn", "The port is 8080.", "--on-conflict", "hold", "--dry-run"],
        ["note", "The port is 8080.", "--session", "s"],
        ["learn"],
        ["guard", "git push", "--path", "web"],
        ["guard", "--hook"],
        ["recall", "port", "--path", "web", "--include-superseded", "--store", "/nowhere"],
    ],
)
def test_what_agents_send_is_plain(line: list[str]) -> None:
    options = plain.read(COMMANDS[line[0]], line[1:])
    assert options is not None
    library = by_the_library(line[0], line[1:])
    assert library is not None
    assert same_call(Call.of(Shared("tur", False, None, None), options), library[0])
    assert options == library[1]


@pytest.mark.parametrize(
    "line",
    [
        "recall", "learn --help", "guard -", "guard x --plan",
        "learn x y", "learn x --confidence 0.5", "learn x -t fact", "learn x --type",
        "learn x --type fact --type event", "learn x --json --json", "learn x --json=1", "learn -- x", "recall x -n 3",
        "learn x --topic -y", "learn x --typ fact", "list", "--store /x learn x", "learn x --topic=",
    ],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_the_library(line: str) -> None:
    assert plain.plainly(line.split()) is None


def test_a_shell_that_asks_what_may_follow_is_answered_by_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    assert plain.plainly(["learn", "x"]) is not None
    monkeypatch.setenv("_TUR_COMPLETE", "complete_bash")
    assert plain.plainly(["learn", "x"]) is None


@pytest.mark.parametrize(
    "line",
    [
        ["learn", "The registry is in Porto."],
        ["learn", "The registry is in Porto.", "--type", "fcat"],
        ["learn", "The registry is in Porto.", "--scope", "nowhere at all", "--json"],
        ["learn", "The registry is in Porto.", "--relate", "depends_on"],
        ["learn", "The registry is in Porto.", "--type", "axiom", "--json"],
        ["learn", "The registry is in Porto.", "--allow-secret"],
        ["learn", " "],
        ["note", "The registry is in Porto.", "--json"],
        ["recall", "registry"],
        ["learn"],
        ["guard"],
        ["guard", "git push -f", "--json"],
        ["guard", "x", "--log"],
        ["guard", "--log", "--json"],
        ["recall", " ", "--json"],
        ["recall", "registry", "--store", "/nowhere/at/all", "--json"],
    ],
)
def test_both_ways_answer_and_end_alike(
    tur: Programs, line: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = []
    for way in ("plainly", "by the library"):
        home = tmp_path / way
        home.mkdir()
        monkeypatch.chdir(home)
        assert tur("init").code == 0
        if way == "by the library":
            monkeypatch.setattr("tur_engine.cli.plain.plainly", lambda arguments: None)
        done = tur(*line)
        ran.append((done.code, _nameless(done.out, home), _nameless(done.err, home)))
    assert ran[0] == ran[1]


def _nameless(text: str, home: Path) -> str:
    """Without what no two stores have in common."""
    text = text.replace(str(home), "HOME")
    return re.sub(r"\b[0-9a-f]{8,64}\b|\d{4}-\d\d-\d\dT[\d:.]+Z", "#", text)


@pytest.mark.parametrize(
    ("cut", "code"),
    [(KeyboardInterrupt(), 130), (EOFError(), 130), (BrokenPipeError(errno.EPIPE, "Broken pipe"), 1)],
    ids=["Ctrl-C", "end of input", "nobody reads"],
)
def test_a_command_that_is_cut_short_ends_as_in_the_library(
    tur: Programs, cut: BaseException, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_short(*_: object, **__: object) -> int:
        raise cut

    monkeypatch.setattr(Engine, "open", cut_short)
    monkeypatch.setattr("tur_engine.facade.learning.Learning.open", cut_short)
    ends = []
    for way in (plain.plainly, lambda arguments: None):
        monkeypatch.setattr("tur_engine.cli.plain.plainly", way)
        try:
            done = tur("learn", "x")
            ends.append((done.code, done.out, done.err))
        except SystemExit as error:
            ends.append((int(error.code or 0), "", ""))
    assert ends[0] == ends[1]
    assert ends[0][0] == code


def test_neither_the_library_nor_pydantics_search_for_plugins_is_loaded(repo_root: Path, tmp_path: Path) -> None:
    code = (
        "import atexit, sys; sys.argv[1:] = ['note', 'nothing to see', '--session', 's']; "
        "from tur_engine.cli.__main__ import script; "
        "atexit.register(lambda: print({'typer', 'importlib.metadata', 'numpy', 'rapidfuzz'} & set(sys.modules))); "
        "script()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment(repo_root, TUR_HOME=str(tmp_path / "home"), HOME=str(tmp_path)),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "set()"
