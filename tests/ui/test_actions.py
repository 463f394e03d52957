"""The table that footer, help and README are made of."""

from __future__ import annotations

from tur_engine.records import Verb
from tur_tui.actions import ACTIONS, FOOTER, action, bindings, key_table


def test_ids_and_keys_are_unique() -> None:
    ids = [each.id for each in ACTIONS]
    keys = [key for each in ACTIONS for key in each.keys]
    assert len(set(ids)) == len(ids)
    assert len(set(keys)) == len(keys)


def test_every_verb_has_its_key() -> None:
    assert {each.verb: each.keys for each in ACTIONS if each.verb} == {verb: (verb.key,) for verb in Verb}


def test_the_keys_are_those_of_the_contract() -> None:
    shown = {key for each in ACTIONS for key in each.shown.split()}
    assert set("smrfbxaunpdeyt/?q+-") <= shown


def test_what_writes_is_marked() -> None:
    more = {"conflict.undo", "conflict.propose"}
    assert {each.id for each in ACTIONS if each.danger} == {*(f"conflict.{verb}" for verb in Verb), *more}


def test_verbs_are_never_priority_bindings() -> None:
    assert not any(each.priority for each in bindings(ACTIONS))


def test_the_footer_names_known_actions() -> None:
    assert [action(name).id for name in FOOTER] == list(FOOTER)


def test_the_key_table_names_every_action() -> None:
    table = key_table(ACTIONS)
    assert table.count("\n") == len(ACTIONS) + 2
    assert "| `s` | Supersede |" in table
    assert "| `+` `=` | Wider |" in table
