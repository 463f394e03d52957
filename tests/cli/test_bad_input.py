"""Bad input is normal input: one clear sentence, the right exit code, nothing half-written (CONTRACTS 9)."""

from __future__ import annotations

import shutil
import sqlite3
import unicodedata
from pathlib import Path

import pytest

from tests.cli.conftest import Programs, Ran
from tur_engine.cli import recall
from tur_engine.engine import Engine
from tur_engine.errors import AmbiguousId, DiskFull, ReadOnlyStore
from tur_engine.facade.learning import Learning


def one_sentence(ran: Ran, code: int) -> str:
    """The message of a refusal: one line, no traceback, nothing on stdout."""
    assert ran.code == code, ran.err
    assert ran.out == ""
    assert "Traceback" not in ran.err
    [line] = ran.err.splitlines()
    assert line.startswith("tur: ")
    return line


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "content is empty"),
        (" \t\n", "content is empty"),
        ("\u200b\u2060", "content is empty"),
        ("x" * 100_000, "100,000 characters; at most 8,192"),
        ("\x1b]0;x\x07", "U+001B"),
        ("bell \x07", "U+0007"),
        ("\x9b31m", "U+009B"),
        ("lone \ud800 surrogate", "surrogate"),
        ("bytes \udcff", "surrogate"),
    ],
)
def test_text_that_may_not_enter(text: str, says: str, tur: Programs, store: Path) -> None:
    assert says in one_sentence(tur("learn", text), 2)
    assert tur("status", "--json").json["head"]["size"] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--type", "fcat"), "unknown type 'fcat'; did you mean 'fact'?"),
        (("--type", "concept"), "unknown type 'concept'"),
        (("--scope", "galaxy"), "unknown scope level 'galaxy'"),
        (("--scope", "user:/etc"), "leaves the store"),
        (("--scope", "user:a/../../b"), "leaves the store"),
        (("--field", "port"), "not of the form NAME=VALUE"),
        (("--relate", "depends_on"), "not of the form TYPE=ID, as in depends_on=fact-104e77a1"),
        (("--field", f"n={2**60}"), "beyond 2^53-1"),
        (("--occurred-at", "tomorrow"), "is not a date or time"),
        (("--confidence", "2"), "outside 0..1"),
        (("--confidence", "nan"), "outside 0..1"),
        (("--confidence", "high"), "--confidence"),
        (("--relate", "depends_on=fact-ffffffff"), "ffffffff"),
        (("--supersedes", "fact-ffffffff"), "ffffffff"),
        (("--supersedes", "zz"), "zz"),
        (("--on-conflict", "explode"), "unknown value of --on-conflict 'explode'"),
        (("--as", "a\x07"), "author name"),
        (("--no-such-flag",), "--no-such-flag"),
    ],
)
def test_values_that_cannot_be_used(arguments: tuple[str, ...], says: str, tur: Programs, store: Path) -> None:
    ran = tur("learn", "The logo is blue", *arguments)
    assert says in one_sentence(ran, 2)
    assert tur("status", "--json").json["head"]["size"] == 1


@pytest.mark.parametrize(
    "command", [("recall", ""), ("show", "abc"), ("show", "fact-ffffffff"), ("history", "ffffffff")]
)
def test_reading_what_is_not_there(command: tuple[str, ...], tur: Programs, store: Path) -> None:
    one_sentence(tur(*command), 2)


def test_an_ambiguous_prefix_lists_the_matches(tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ambiguous(*_: object) -> None:
        raise AmbiguousId("abcd could be fact-abcd1 or fact-abcd2", matches=("fact-abcd1", "fact-abcd2"))

    monkeypatch.setattr(Engine, "full_id", ambiguous)
    assert "could be" in one_sentence(tur("show", "abcd"), 2)
    answer = tur("show", "abcd", "--json").json
    assert (answer["code"], answer["matches"]) == ("ambiguous_id", ["fact-abcd1", "fact-abcd2"])


def test_no_store_to_read(tur: Programs) -> None:
    assert "tur init" in one_sentence(tur("list"), 1)
    assert "tur init" in one_sentence(tur("--store", "nowhere", "learn", "x"), 1)


def test_a_corrupt_file(tur: Programs, store: Path) -> None:
    store.write_bytes(b"this is no database " * 100)
    assert "damaged or not a tur store" in one_sentence(tur("list"), 5)
    assert "damaged or not a tur store" in one_sentence(tur("learn", "x"), 5)
    assert store.read_bytes() == b"this is no database " * 100


def test_a_strange_database(tur: Programs, store: Path) -> None:
    store.unlink()
    for leftover in store.parent.glob("ledger.db-*"):
        leftover.unlink()
    sqlite3.connect(store).executescript("CREATE TABLE t(x);")
    one_sentence(tur("learn", "x"), 5)


def test_a_store_of_a_newer_version(tur: Programs, store: Path) -> None:
    db = sqlite3.connect(store)
    db.execute("PRAGMA user_version=999")
    db.close()
    assert "newer version of tur" in one_sentence(tur("list"), 1)
    assert "upgrade" in one_sentence(tur("learn", "x"), 1)


@pytest.mark.parametrize("error", [ReadOnlyStore("the store cannot be written"), DiskFull("no room left on the disk")])
def test_a_store_that_cannot_be_written(
    error: Exception, tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(Learning, "learn", refuse)
    assert str(error) in one_sentence(tur("learn", "The logo is blue"), 1)


def test_an_altered_event_fails_to_verify(tur: Programs, store: Path) -> None:
    tur("learn", "The logo is blue")
    db = sqlite3.connect(store)
    db.execute("UPDATE events SET actor='human:mallory' WHERE seq=2")
    db.commit()
    db.close()
    ran = tur("verify", "--json")
    assert ran.code == 5
    assert ran.json["ok"] is False
    assert ran.json["first_bad"] == 2
    assert "does not verify at event 2" in ran.err


def test_a_config_file_with_an_unknown_key(tur: Programs, store: Path) -> None:
    store.with_name("config.toml").write_text('on_conflct = "hold"\n')
    assert "did you mean 'on_conflict'?" in one_sentence(tur("list"), 2)


def test_a_variable_with_an_unknown_policy(tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUR_ON_CONFLICT", "explode")
    assert "TUR_ON_CONFLICT" in one_sentence(tur("learn", "x"), 2)


def test_an_empty_variable_is_no_policy(tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TUR_ON_CONFLICT", "")
    assert tur("learn", "The logo is blue").code == 0


def test_refusals_are_one_json_object_too(tur: Programs, store: Path) -> None:
    for arguments, code in ((("learn", "", "--json"), "bad_input"), (("lern", "--json"), "usage")):
        ran = tur(*arguments)
        assert ran.code == 2
        assert ran.json["status"] == "error"
        assert ran.json["code"] == code
        assert ran.err.startswith("tur: ")


def test_a_command_that_is_not_there_names_the_nearest(tur: Programs) -> None:
    assert one_sentence(tur("lern", "x"), 2) == "tur: No such command 'lern'. Did you mean 'learn'? See tur --help"


def test_stdin_that_is_not_utf8(tur: Programs, store: Path) -> None:
    ran = tur("learn", "--from", "-", "--json", stdin=b"\xff\xfe\n")
    assert ran.code == 1
    assert ran.json["refused"] == [
        {
            "line": 1,
            "reason": 'this is no text, or UTF-16; save it as UTF-8, one object a line, such as {"content": "..."}',
        }
    ]


def test_a_fault_is_a_sentence_not_a_traceback(tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(recall, "full_id", broken)
    tur("learn", "The logo is blue")
    ran = tur("list", "--json")
    assert ran.code == 1
    assert "ZeroDivisionError: by zero" in ran.err
    assert "Traceback" not in ran.err
    assert ran.json["code"] == "internal"


@pytest.mark.parametrize("text", ["[/b] [red]x[/red]", "\u202edrowssap", "zero\u200bwidth", "日本語 🦦", "e\u0301"])
def test_strange_text_is_kept_and_shown_as_marks(text: str, tur: Programs, store: Path) -> None:
    ref = tur("learn", text, "--tag", text, "--as", text, "--json").json["id"]
    for command in (("list",), ("show", ref), ("history",), ("recall", text)):
        ran = tur(*command)
        assert ran.code == 0, ran.err
        assert not set(ran.out + ran.err) & {"\u202e", "\u200b", "\x1b"}
    assert tur("show", ref, "--json").json["content"] == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("undo", "9999"), "there is no event 9999; the ledger holds 1 to 1"),
        (("undo", "#12"), "there is no event 12"),
        (("undo", "zz"), "as in conflict-5f0c1a2b, or an event's number"),
        (("guard", ""), "action is empty; give the command"),
        (("resolve", "conflict-zz", "s"), "as in conflict-5f0c1a2b"),
        (("show", "conflict-zz"), "as in conflict-5f0c1a2b"),
        (("show", "axiom-zz"), "as in axiom-104e77a1"),
        (("list", "--limit", "0"), "--limit cannot be '0'; it takes 1 or more"),
        (("list", "--limit", "many"), "--limit cannot be 'many'; it takes a whole number"),
        (("history", "-n", "0"), "--limit cannot be '0'; it takes 1 or more"),
        (("list", "-n", "9" * 30), "it takes 100,000 or less"),
        (("resolve", "conflict-12345678", "s", "--revision", "1.5"), "--revision cannot be '1.5'; it takes a whole"),
        (("learn", "x", "--confidence", "high"), "--confidence cannot be 'high'; it takes a number"),
        (("graph", "fact-12345678", "--radius", "9"), "--radius cannot be '9'; it takes 5 or less"),
        (("graph", "fact-12345678", "--format", "dot"), "--format cannot be 'dot'; it takes 'text', 'mermaid', "),
    ],
)
def test_refusals_are_in_our_words(command: tuple[str, ...], says: str, tur: Programs, store: Path) -> None:
    assert says in one_sentence(tur(*command), 2)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (
            ("proposal",),
            "tur-adm proposal needs a command: submit, list, show, approve or reject; see tur-adm proposal --help",
        ),
        (("proposal", "show", "zz"), "as in proposal-104e77a1"),
        (("proposal", "show", "proposal-zz"), "as in proposal-104e77a1"),
        (("proposal", "show", "ffffffff"), "no proposal has an id that starts with"),
    ],
)
def test_what_tur_adm_refuses(command: tuple[str, ...], says: str, tur: Programs, store: Path) -> None:
    ran = tur.adm(*command)
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert says in ran.err


def test_a_backup_into_a_folder_that_is_not_there(tur: Programs, store: Path, tmp_path: Path) -> None:
    ran = tur.adm("backup", str(tmp_path / "no" / "copy.db"))
    assert ran.code == 1
    assert "cannot be made; its folder must be there, and you must be allowed to write in it" in ran.err


def test_a_policy_that_is_none_names_those_there_are(
    tur: Programs, store: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TUR_ON_CONFLICT", "maybe")
    store.with_name("list.md").write_text("- The logo is blue\n")
    for command in (("learn", "x"), ("learn", "x", "--dry-run"), ("import", str(store.with_name("list.md")))):
        sentence = one_sentence(tur(*command), 2)
        assert "TUR_ON_CONFLICT" in sentence
        assert "use one of ask, hold, allow, fail" in sentence
        assert "Input should" not in sentence
    shutil.rmtree(store.parent)
    assert "TUR_ON_CONFLICT" in one_sentence(tur("learn", "x"), 2)
    assert not (home / ".tur").exists(), "it is refused before anything is founded"


def test_a_policy_that_is_none_stops_only_what_learns(
    tur: Programs, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = tur("learn", "The logo is blue", "--json").json["id"]
    monkeypatch.setenv("TUR_ON_CONFLICT", "maybe")
    for command in (("recall", "logo"), ("list",), ("show", known), ("status",), ("verify",), ("note", "x")):
        assert tur(*command).code == 0, command
    assert tur("learn", "The lamp is on", "--on-conflict", "hold").code == 0, "the flag says it"


@pytest.mark.parametrize("what", ["folder", "file", "link"])
@pytest.mark.parametrize("below", ["", "src/deep"])
def test_something_else_where_the_store_should_be(
    what: str, below: str, tur: Programs, workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command says the same, and none goes on to a store above."""
    tur("init", str(workdir))
    root = workdir / "project"
    (root / below).mkdir(parents=True)
    named = root / ".tur" if what == "file" else root / ".tur" / "ledger.db"
    if what == "file":
        named.write_text("mine")
    elif what == "folder":
        named.mkdir(parents=True)
    else:
        named.parent.mkdir()
        named.symlink_to("nowhere")
    monkeypatch.chdir(root / below)
    for command in (("list",), ("learn", "x"), ("list", "--store", str(root)), ("init", str(root), "--nested")):
        sentence = one_sentence(tur(*command), 1)
        assert f"{named} should be" in sentence
        assert "move it away, or name another store with --store" in sentence


def test_the_users_own_store_is_a_folder(tur: Programs, home: Path) -> None:
    (home / ".tur" / "ledger.db").mkdir(parents=True)
    assert "should be a store's file and is a folder" in one_sentence(tur("list"), 1)


def test_a_folder_in_the_way_above_does_not_stop_a_store_below(tur: Programs, workdir: Path) -> None:
    (workdir / ".tur" / "ledger.db").mkdir(parents=True)
    (workdir / "below").mkdir()
    assert tur("init", "below").code == 0


@pytest.mark.parametrize("speaker", ["agent:", "human:", "agent: "])
def test_an_author_without_a_name_is_told_how_one_is_written(speaker: str, tur: Programs, store: Path) -> None:
    ran = tur("--as", speaker, "learn", "x")
    assert (ran.code, ran.err) == (2, "tur: author name is empty; write NAME, agent:NAME or human:NAME\n")
