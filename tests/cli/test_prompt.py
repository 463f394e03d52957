"""The interruption, played on a stream that says it is a terminal; test_cli_pty.py plays it on a real one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Programs, Ran
from tur_engine.cli.editor import CUT
from tur_engine.cli.prompt import narrowed_to
from tur_engine.records import Scope

ALEMBIC = "Database migrations run via Alembic"
PRISMA = "Database migrations run via Prisma Migrate"
MERGED = "Migrations run via Prisma Migrate since November, via Alembic before"


@pytest.fixture
def alembic(tur: Programs, store: Path) -> str:
    return str(tur("learn", ALEMBIC, "--json").json["id"])


def editor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str) -> None:
    """Make `program` (Python, the page's path in sys.argv[1]) the person's editor."""
    script = tmp_path / "editor.py"
    script.write_text(program)
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")


def writes(text: str) -> str:
    return f"import sys; open(sys.argv[1], 'w').write({text + chr(10) + CUT!r})"


def statuses(tur: Programs) -> dict[str, str]:
    return {item["content"]: item["status"] for item in tur("list", "--all", "--json").json["memories"]}


def learn(tur: Programs, keys: str, *flags: str) -> Ran:
    return tur.at_terminal("learn", PRISMA, *flags, keys=keys)


@pytest.mark.parametrize(
    ("letter", "old", "new", "says"),
    [
        ("s", "superseded", "active", "Learned fact-"),
        ("r", "active", "refuted", "Refuted fact-"),
        ("f", "active", "active", "Learned fact-"),
        ("x", "active", "active", "Learned fact-"),
        ("a", "active", "retracted", "Discarded fact-"),
    ],
)
def test_each_letter_does_what_it_says(letter: str, old: str, new: str, says: str, tur: Programs, alembic: str) -> None:
    ran = learn(tur, f"{letter}\n")
    assert ran.code == 0
    assert ran.out.startswith(says)
    assert statuses(tur) == {ALEMBIC: old, PRISMA: new}
    assert tur("conflicts", "--json").json["total"] == 0


def test_the_prompt_is_the_contracts_to_the_letter(tur: Programs, alembic: str) -> None:
    lines = learn(tur, "a\n").err.splitlines()
    assert lines[:3] == [
        "\u26a0\ufe0f TMS Contradiction Detected: New assertion conflicts with existing memory "
        f'{alembic[:13]} ("{ALEMBIC}"). Action required:',
        "[s] Supersede older memory, [r] Refute newer memory, [m] Merge contexts, [f] Force dual existence",
        "[b] Branch scope, [x] Not a conflict, [a] Abort",
    ]
    assert lines[3] == "A reason may follow the letter, as in: r that was staging only"


def test_after_a_key_that_is_no_answer_the_options_stand_there_again(tur: Programs, alembic: str) -> None:
    ran = learn(tur, "q\na\n")
    assert ran.err.count("[s] Supersede older memory") == 2
    assert ran.err.index("Type one of s, r, m, f, b, x, a") < ran.err.rindex("[s] Supersede older memory")


def test_there_is_no_default_answer(tur: Programs, alembic: str) -> None:
    ran = learn(tur, "\nyes\nq\ns moved to Prisma\n")
    assert ran.code == 0
    assert ran.err.count("Type one of s, r, m, f, b, x, a") == 3
    reasons = [event["reason"] for event in tur("history", "--json").json["events"]]
    assert reasons[-1] == "moved to Prisma"


@pytest.mark.parametrize("keys", ["", "nonsense\n", "b\n", "b\nn\n"])
def test_at_the_end_of_input_it_is_held(keys: str, tur: Programs, alembic: str) -> None:
    ran = learn(tur, keys)
    assert ran.code == 3
    ref = tur("conflicts", "--json").json["conflicts"][0]["conflict_id"][:17]
    assert f"tur: held, waiting in {ref}. Settle it in tur-tui, or with: tur resolve {ref} VERB --reason WHY" in ran.err
    assert statuses(tur) == {ALEMBIC: "active", PRISMA: "held"}


def test_interrupted_it_is_held(tur: Programs, alembic: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("tests.cli.conftest.Terminal.readline", interrupted)
    ran = learn(tur, "")
    assert ran.code == 130
    assert "held" in ran.err
    assert statuses(tur) == {ALEMBIC: "active", PRISMA: "held"}


def test_branch_is_offered_where_one_stands(
    tur: Programs, alembic: str, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = workdir / "services" / "api"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    ran = learn(tur, "b\nn\n\n")
    assert ran.code == 0
    assert "It holds in [incarnation:services/api]:" in ran.err
    assert [item["content"] for item in tur("recall", "migrations", "--json").json["memories"]] == [PRISMA]
    monkeypatch.chdir(workdir)
    outside = tur("recall", "migrations", "--path", "services/web", "--json").json["memories"]
    assert [item["content"] for item in outside] == [ALEMBIC]


def test_branch_takes_a_typed_scope_for_the_older_side(tur: Programs, alembic: str) -> None:
    ran = learn(tur, "b\no\nincarnation:legacy\n")
    assert ran.code == 0
    scopes = {item["content"]: item["scope"] for item in tur("list", "--json").json["memories"]}
    assert scopes == {ALEMBIC: "incarnation:legacy", PRISMA: "incarnation"}


@pytest.mark.parametrize(
    ("typed", "scope"),
    [
        ("src/api", "incarnation:src/api"),
        ("legacy", "incarnation:legacy"),
        ("@main", "incarnation@main"),
        ("src/api@main", "incarnation:src/api@main"),
        ("incarnation:src@main", "incarnation:src@main"),
    ],
)
def test_branch_takes_a_plain_path_too_and_gives_an_example(
    typed: str, scope: str, tur: Programs, alembic: str
) -> None:
    ran = learn(tur, f"b\nn\n{typed}\n")
    assert ran.code == 0
    assert "as in src/api; @main for a git branch" in ran.err
    scopes = {item["content"]: item["scope"] for item in tur("list", "--json").json["memories"]}
    assert scopes == {ALEMBIC: "incarnation", PRISMA: scope}


def test_a_plain_path_keeps_the_rest_of_the_memorys_scope() -> None:
    assert str(narrowed_to("src/api", Scope.parse("user:src@main"))) == "user:src/api@main"
    assert str(narrowed_to("@main", Scope.parse("user:src"))) == "user:src@main"


@pytest.mark.parametrize("scope", ["", "galaxy:x", "incarnation", "incarnation:../up", "../up", "/etc"])
def test_a_scope_that_does_not_narrow_is_asked_again(scope: str, tur: Programs, alembic: str) -> None:
    ran = learn(tur, f"b\nn\n{scope}\ns\n")
    assert ran.code == 0
    assert "tur: " in ran.err
    assert ran.err.count("[b] Branch scope") == 2
    assert statuses(tur) == {ALEMBIC: "superseded", PRISMA: "active"}


def test_merge_opens_both_texts_and_takes_what_is_saved(
    tur: Programs, alembic: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editor(
        monkeypatch,
        tmp_path,
        f"import sys; open({str(tmp_path / 'seen')!r}, 'w').write(open(sys.argv[1]).read())\n" + writes(MERGED),
    )
    ran = learn(tur, "m\n")
    assert ran.code == 0, ran.err
    seen = (tmp_path / "seen").read_text()
    assert seen.startswith(f"{ALEMBIC}\n{PRISMA}\n")
    assert ran.out.startswith("Merged into fact-")
    assert statuses(tur) == {ALEMBIC: "superseded", PRISMA: "superseded", MERGED: "active"}


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("", "left as it was"),
        (f"import sys; open(sys.argv[1], 'w').write({CUT!r})", "empty"),
        ("import sys; open(sys.argv[1], 'w').close()", "empty"),
        ("raise SystemExit(1)", "ended with an error"),
        (writes("bell \x07"), "control character"),
    ],
)
def test_a_merge_that_gives_no_text_asks_again(
    program: str, says: str, tur: Programs, alembic: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editor(monkeypatch, tmp_path, program)
    ran = learn(tur, "m\nr\n")
    assert ran.code == 0
    assert says in ran.err
    assert statuses(tur) == {ALEMBIC: "active", PRISMA: "refuted"}


def test_an_editor_gets_the_terminal_and_never_a_pipe(
    tur: Programs, alembic: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    editor(monkeypatch, tmp_path, writes(MERGED))
    tur("learn", PRISMA, "--on-conflict", "hold")
    conflict = tur("conflicts", "--json").json["conflicts"][0]["conflict_id"]
    opened: list[object] = []

    def no_terminal(path: object, *rest: object, **named: object) -> object:
        opened.append(path)
        raise OSError(6, "no such device")

    monkeypatch.setattr("tur_engine.cli.editor.open", no_terminal, raising=False)
    ran = tur("resolve", conflict, "merge", "--edit")
    assert (ran.code, opened) == (2, ["/dev/tty"])
    assert "the editor needs a terminal, and standard output is none" in ran.err
    assert statuses(tur)[ALEMBIC] == "active"


def test_an_editor_that_is_not_there_is_named(tur: Programs, alembic: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "no-such-editor --wait")
    ran = learn(tur, "m\nr\n")
    assert "the editor 'no-such-editor' does not start" in ran.err


def test_several_conflicts_are_asked_one_after_the_other(tur: Programs, store: Path) -> None:
    tur("learn", "The billing service listens on port 8443", "--topic", "billing", "--field", "port=8443")
    tur("learn", "Billing uses 8444", "--topic", "billing", "--field", "port=8444", "--allow-conflict")
    ran = tur.at_terminal(
        "learn", "Billing moved to port 9000", "--topic", "billing", "--field", "port=9000", keys="s\ns\n"
    )
    assert ran.code == 0
    assert ran.err.count("TMS Contradiction Detected") == 2
    assert sorted(statuses(tur).values()) == ["active", "superseded", "superseded"]


def test_refuting_one_of_several_ends_the_case(tur: Programs, store: Path) -> None:
    tur("learn", "The billing service listens on port 8443", "--topic", "billing", "--field", "port=8443")
    tur("learn", "Billing uses 8444", "--topic", "billing", "--field", "port=8444", "--allow-conflict")
    ran = tur.at_terminal(
        "learn", "Billing moved to port 9000", "--topic", "billing", "--field", "port=9000", keys="r\n"
    )
    assert ran.code == 0
    assert ran.err.count("TMS Contradiction Detected") == 1
    assert sorted(statuses(tur).values()) == ["active", "active", "refuted"]


def test_with_json_only_the_object_goes_to_stdout(tur: Programs, alembic: str) -> None:
    ran = learn(tur, "s why not\n", "--json")
    assert ran.code == 0
    answer = ran.json
    assert answer["status"] == "committed"
    assert [(step["verb"], step["status"]) for step in answer["resolutions"]] == [("supersede", "resolved")]
    assert learn(tur, "", "--json").json["status"] == "duplicate"


def test_hostile_text_reaches_the_screen_as_marks(tur: Programs, store: Path) -> None:
    tur("learn", "The cache is\u202e enabled [/b]\u200b", "--topic", "cache", "--field", "on=true")
    ran = tur.at_terminal("learn", "The cache is off", "--topic", "cache", "--field", "on=false", keys="a\n")
    assert "‹RLO› enabled [/b]‹ZWSP›" in ran.err
    assert not set(ran.err) & {"\u202e", "\u200b", "\x1b"}
