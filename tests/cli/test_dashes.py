"""A text that begins with a dash: the error says where it goes, and there it is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Programs

ADVICE = "A text that begins with a dash goes last, after --: "


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("learn", "-x is set"), "tur learn -- '-x is set'. See tur learn --help"),
        (("learn", "--type is needed"), "tur learn -- '--type is needed'."),
        (("learn", "- the logo is blue"), "tur learn -- '- the logo is blue'."),
        (("learn", "-t", "fact", "-h2 is bold"), "tur learn -- '-h2 is bold'."),
        (("learn", "-x"), "tur learn -- TEXT."),
        (("learn", "-t is set"), "-- '-t is set'"),
        (("note", "--json is nice"), "tur note -- '--json is nice'."),
        (("recall", "-x is set"), "tur recall -- '-x is set'."),
        (("guard", "-rf", "/"), "tur guard -- TEXT."),
        (("learn", "-x\x1b]0;x\x07 [/b] \u202e"), "tur learn -- '-x‹U+001B›]0;x‹U+0007› [/b] ‹RLO›'."),
    ],
)
def test_the_error_says_what_to_do(words: tuple[str, ...], says: str, tur: Programs, store: Path) -> None:
    ran = tur(*words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert f"{ADVICE}{says}" in ran.err
    assert tur("status", "--json").json["head"]["size"] == 1


@pytest.mark.parametrize("words", [("diff", "-1"), ("diff", "2", "-15"), ("diff", "--json", "-3")])
def test_a_moment_with_a_dash_is_told_how_it_is_written(words: tuple[str, ...], tur: Programs, store: Path) -> None:
    ran = tur(*words)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "A moment has no dash before it: an event's number stands alone, how long ago is written 2h, 1d" in ran.err


def test_tur_adm_says_it_too(tur: Programs, store: Path) -> None:
    assert (
        f"{ADVICE}tur-adm proposal submit -- '-x is never set'." in tur.adm("proposal", "submit", "-x is never set").err
    )


@pytest.mark.parametrize(
    "words",
    [
        ("learn", "x", "--typ", "fact"),
        ("learn", "x", "--reason", "-x was set"),
        ("learn", "x", "-t", "-t is set"),
        ("status", "--foo"),
        ("show", "-5"),
        ("scan", "-x"),
        ("-x is set",),
    ],
)
def test_other_mistakes_are_told_as_they_were(words: tuple[str, ...], tur: Programs, store: Path) -> None:
    ran = tur(*words)
    assert ran.code == 2
    assert "dash" not in ran.err


def test_there_it_is_taken(tur: Programs, store: Path) -> None:
    assert tur("learn", "--type", "fact", "--", "-x is set").code == 0
    assert [each["content"] for each in tur("recall", "--json", "--", "-x is set").json["memories"]] == ["-x is set"]
