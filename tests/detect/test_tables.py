"""The tables that are worked out from the word lists are in step with them, and what reads them asks for no list."""

from __future__ import annotations

import pytest

from tools.make_tables import ROOM, tables
from tur_engine.detect.lists import lines


@pytest.mark.parametrize("name", list(tables()))
def test_a_table_is_what_the_lists_make_of_it(name: str) -> None:
    assert (ROOM / name).read_text(encoding="utf-8") == tables()[name], "run python -m tools.make_tables"


def test_the_opposites_stand_in_the_order_in_which_they_are_looked_up() -> None:
    table = lines("opposites.txt")
    assert table == sorted(table)
