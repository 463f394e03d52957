"""A person's own keys: what can be had, what is refused and why, and that every surface tells them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.binding import BindingsMap
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from tests.ui.sitting import sitting
from tests.ui.stores import PAIRS, kinds, store
from tur_tui.actions import action, remap
from tur_tui.desk.as_of import locked
from tur_tui.keymap import key_named, read_keymap
from tur_tui.screens import admin, graph, health, history, scan, triage
from tur_tui.screens.beside import BesideScreen
from tur_tui.screens.help import PANES, HelpScreen
from tur_tui.screens.tables import PANES_TAKE, TABLES
from tur_tui.settings import settings_path
from tur_tui.widgets.verb_bar import VerbBar

BESIDE: dict[str, type[BesideScreen]] = {
    "admin": admin.AdminScreen,
    "history": history.HistoryScreen,
    "graph": graph.GraphScreen,
    "health": health.HealthScreen,
}


@pytest.fixture(autouse=True)
def own_keys() -> Iterator[None]:
    yield
    remap({})


def configure(text: str) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text(text)


def test_dotted_and_quoted_ids_keys_and_lists_of_keys() -> None:
    keymap, problems = read_keymap(
        {"conflict": {"defer": "D"}, "conflict.undo": ["z", "ctrl+u"], "help": ["?", "F2"], "quit": "q"}
    )
    assert problems == []
    assert keymap == {
        "conflict.defer": ("D",),
        "conflict.undo": ("z", "ctrl+u"),
        "help": ("question_mark", "f2"),
    }


def test_two_actions_may_change_places() -> None:
    assert read_keymap({"conflict.next": "p", "conflict.previous": "n"}) == (
        {"conflict.next": ("p",), "conflict.previous": ("n",)},
        [],
    )


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            {"conflict.defr": "D"},
            '"conflict.defr": there is no such action (did you mean conflict.defer?); tur-tui keys lists them.',
        ),
        ({"quit": "ctrl+c"}, '"quit": "ctrl+c" cannot be had: Ctrl-C copies and leaves.'),
        ({"quit": "Esc"}, '"quit": "Esc" cannot be had: Esc closes and clears, everywhere.'),
        ({"conflict.force": "backspace"}, '"conflict.force": "Backspace" cannot be had: it is for text fields.'),
        ({"conflict.force": "ctrl+m"}, '"conflict.force": "ctrl+m" cannot be had: terminals send it as Enter.'),
        ({"conflict.force": "ctlr+x"}, '"conflict.force": "ctlr+x" is no key (did you mean ctrl+x?).'),
        (
            {"conflict.force": "ctrl+shift+x"},
            '"conflict.force": "ctrl+shift+x" cannot be had: only some terminals can send it.',
        ),
        (
            {"conflict.force": "super+F2"},
            '"conflict.force": "super+F2" cannot be had: only some terminals can send it.',
        ),
        ({"conflict.force": "\x1b"}, '"conflict.force": "‹U+001B›" is no key'),
        ({"conflict.defer": "j"}, '"conflict.defer": "j" cannot be had: the panes of the triage screen take it.'),
        ({"conflict.force": []}, '"conflict.force": must be a key in quotes, such as "x", or a list of keys.'),
        ({"conflict.force": 3}, '"conflict.force": must be a key in quotes, such as "x", or a list of keys.'),
        (
            {"conflict.force": "m"},
            '"m" would be for conflict.merge and for conflict.force on the triage screen; '
            "conflict.force keeps its own.",
        ),
        (
            {"proposal.approve": "z", "proposal.reject": "z"},
            '"z" would be for proposal.approve and for proposal.reject on the admin screen; '
            "proposal.approve and proposal.reject keep their own.",
        ),
    ],
)
def test_what_cannot_be_had_is_one_sentence_and_the_default_stays(table: dict[str, object], sentence: str) -> None:
    keymap, problems = read_keymap(table)
    assert keymap == {}
    assert len(problems) == 1
    assert problems[0].startswith(f"[keys] {sentence}")


def test_a_refused_wish_does_not_take_the_others_along() -> None:
    keymap, problems = read_keymap({"conflict.next": "p", "conflict.previous": "ctrl+c", "conflict.defer": "D"})
    assert keymap == {"conflict.defer": ("D",)}
    assert len(problems) == 2


def test_names_of_keys_as_people_write_them() -> None:
    written = ("?", "D", "shift+d", "ctrl+X", "PgDn", "Space", "slash", "f12", "alt+j", "é")
    assert [key_named(each) for each in written] == [
        *("question_mark", "D", "D", "ctrl+x", "pagedown", "space", "slash", "f12", "alt+j", "é")
    ]
    assert [key_named(each) for each in ("", "f13", "xx", "\n", "super+x")] == [""] * 5


def test_no_key_of_a_pane_can_be_given_away() -> None:
    panes: dict[str, list[type[Widget]]] = {
        "triage": [widget for _, widget in PANES],
        **{name: [widget for _, widget in screen.OWN_KEYS] for name, screen in BESIDE.items()},
    }
    assert VerbBar in panes["triage"]
    for screen, widgets in panes.items():
        taken = {key for widget in widgets for key in BindingsMap(widget.BINDINGS).key_to_bindings}
        assert taken - PANES_TAKE[screen] == set(), screen


def test_the_tables_are_those_of_the_screens() -> None:
    screens: dict[str, type[Screen[None]]] = {"triage": triage.TriageScreen, "scan": scan.ScanScreen, **BESIDE}
    assert screens.keys() == TABLES.keys()
    for name, screen in screens.items():
        bound = {each.id for _, each in BindingsMap(screen.BINDINGS) if each.id}
        assert {each.id for each in TABLES[name]} == bound, name


async def test_a_key_of_ones_own_works_and_every_surface_tells_it(tmp_path: Path) -> None:
    configure('[keys]\nconflict.dismiss = "X"\nconflict.undo = "z"\nhelp = "f2"\nquit = "ctrl+c"\n')
    with store(tmp_path, PAIRS[:2]) as engine:
        async with sitting(engine) as person:
            assert any("Ctrl-C copies and leaves" in said for said in person.toasts)
            verbs, footer = person.text.splitlines()[-2:]
            assert "X Not a clash" in verbs
            assert "z Undo" in footer
            assert "f2 Help" in footer
            await person.press("x")
            assert kinds(engine) == []
            await person.press("X")
            assert kinds(engine) == ["resolved dismiss"]
            assert any("z takes it back" in said for said in person.toasts)
            await person.press("z")
            assert kinds(engine) == ["resolved dismiss", "undone"]
            await person.press("question_mark")
            assert person.at_desk
            await person.press("f2")
            assert isinstance(person.app.screen, HelpScreen)
            told = [str(each.render()) for each in person.app.screen.query(".key")]
            assert {"X", "z", "f2"} <= set(told)
            await person.press("escape", "4", "f2")
            assert isinstance(person.app.screen, HelpScreen)


async def test_every_sentence_names_a_key_of_ones_own(tmp_path: Path) -> None:
    configure('[keys]\ntime.now = "9"\nhealth.check = "K"\nhistory.ever = "x"\ngraph.path = "z"\nscreen.triage = "7"\n')
    with store(tmp_path, PAIRS[:1]) as engine:
        async with sitting(engine) as person:
            for keys, said in (
                (("question_mark",), "The graph screen, as it was left. 7 comes back."),
                (("escape", "5", "question_mark"), "K checks the whole ledger"),
                (("escape", "3", "question_mark"), "until 9 brings back now"),
                (("escape", "slash", *"nowhere"), "; x lists"),
                (("escape", "escape", "4", "z"), "press z there"),
            ):
                await person.press(*keys)
                shown = [str(each.render()) for each in person.app.screen.query(Static)]
                assert said in " ".join(" ".join([person.text, *shown]).split()), said
            past = engine.at(engine.head() - 1)
            assert "9 comes back to now." in locked(past, "decided")
            past.close()


def test_without_a_table_the_keys_are_those_of_the_tables() -> None:
    remap({"quit": ("Q",)})
    assert action("quit").shown == "Q"
    remap({})
    assert action("quit").shown == "q"
