"""The neighbourhood pane: drawing, keys, outline, and every size."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from tests.ui.stage import HOSTILE, SIZES, THEMES, Heard, Stage, belief, lines, neighbourhood, styled
from tur_engine.records import Edge, Neighbourhood, Status
from tur_tui.widgets.neighbourhood import NeighbourhoodPane


async def test_both_memories_of_a_conflict_stand_in_the_middle() -> None:
    pane = NeighbourhoodPane()
    async with Stage(pane).run_test(size=(110, 16)) as pilot:
        pane.show(neighbourhood(2, 2))
        await pilot.pause()
        shown = "\n".join(lines(pane))
        assert "Alembic" in shown
        assert "Prisma" in shown
        assert "!contradicts" in shown
        assert "depends_on" in shown
        assert "+3" in shown


async def test_a_contradiction_is_marked_and_in_its_own_colour() -> None:
    pane = NeighbourhoodPane()
    async with Stage(pane).run_test(size=(110, 16)) as pilot:
        pane.show(neighbourhood(2, 2))
        await pilot.pause()
        assert styled(pane, "!contradicts") != styled(pane, "depends_on")
        assert "bold" in styled(pane, "!contradicts")


async def test_arrows_move_and_enter_centres_there() -> None:
    pane, heard = NeighbourhoodPane(), Heard()
    hood = neighbourhood(3, 2)
    async with Stage(pane).run_test(size=(110, 20), message_hook=heard) as pilot:
        pane.show(hood)
        pane.focus()
        assert pane.selected
        assert pane.selected.memory.content == "Migrations run via Prisma"
        await pilot.press("up", "left")
        assert pane.selected.memory.content == "Incoming 0 calls the migration tool"
        assert "Incoming 0 calls the migration tool" in "\n".join(lines(pane)[-2:])
        await pilot.press("enter")
        digest = pane.selected.memory.digest
        assert [m.digest for m in heard.of(NeighbourhoodPane.Recentred)] == [digest]
        assert heard.of(NeighbourhoodPane.NodeHighlighted)[-1].digest == digest
        pane.show(Neighbourhood(focus=(digest,), nodes=hood.nodes, edges=hood.edges))
        assert pane.selected.memory.digest == digest
        await pilot.press("right")
        assert pane.selected.memory.content == "Migrations run via Alembic"


async def test_the_radius_stays_between_one_and_three() -> None:
    pane, heard = NeighbourhoodPane(), Heard()
    async with Stage(pane).run_test(size=(110, 16), message_hook=heard) as pilot:
        pane.show(neighbourhood(2, 2))
        pane.focus()
        await pilot.press("plus", "plus", "plus", "minus")
        assert [m.radius for m in heard.of(NeighbourhoodPane.RadiusChanged)] == [2, 3, 2]


async def test_a_key_tells_the_same_as_text() -> None:
    pane = NeighbourhoodPane()
    async with Stage(pane).run_test(size=(110, 20)) as pilot:
        pane.show(neighbourhood(2, 2))
        pane.focus()
        await pilot.press("o")
        shown = [line.rstrip() for line in lines(pane)]
        assert shown[0].startswith("! fact-")
        assert any("◂ depends_on fact-" in line for line in shown)
        assert any("!contradicts" in line for line in shown)
        await pilot.press("home", "down", "down", "down", "down", "down", "down")
        assert pane.selected
        await pilot.press("o")
        assert "╔" in "\n".join(lines(pane))


async def test_a_pane_too_small_to_draw_tells_it_as_text() -> None:
    pane = NeighbourhoodPane()
    async with Stage(pane).run_test(size=(30, 8)) as pilot:
        pane.show(neighbourhood(5, 5))
        pane.focus()
        await pilot.press(*["down"] * 8)
        assert pane.scroll_offset.y > 0
        assert pane.selected
        assert pane.selected.memory.content.startswith(("Incoming", "Outgoing", "Migrations"))


async def test_the_mouse_selects_and_centres() -> None:
    pane, heard = NeighbourhoodPane(), Heard()
    async with Stage(pane).run_test(size=(110, 20), message_hook=heard) as pilot:
        pane.show(neighbourhood(3, 2))
        await pilot.pause()
        rows = lines(pane)
        y = next(n for n, line in enumerate(rows) if "Outgoing 0" in line)
        x = cell_len(rows[y][: rows[y].index("Outgoing 0")])
        await pilot.click(pane, offset=(x, y))
        assert pane.selected
        assert pane.selected.memory.content.startswith("Outgoing 0")
        await pilot.click(pane, offset=(x, y), times=2)
        assert [m.digest for m in heard.of(NeighbourhoodPane.Recentred)] == [pane.selected.memory.digest]
        await pilot.click(pane, offset=(0, 0))


async def test_standing_shows_without_colour() -> None:
    middle = belief("The middle")
    others = [
        belief("Fell long ago", status=Status.SUPERSEDED),
        belief("Rests on sand", status=Status.SUSPECT),
        belief("Waits at the gate", status=Status.HELD),
    ]
    edges = tuple(
        Edge(source=each.memory.digest, target=middle.memory.digest, type="refines", seq=1) for each in others
    )
    pane = NeighbourhoodPane()
    async with Stage(pane, theme="tur-mono").run_test(size=(110, 20)) as pilot:
        pane.show(Neighbourhood(focus=(middle.memory.digest,), nodes=(middle, *others), edges=edges))
        await pilot.pause()
        shown = "\n".join(lines(pane))
        assert "superseded" in shown
        assert "? fact" in shown
        assert "held" in shown
        assert "strike" in styled(pane, "Fell long ago")


async def test_nothing_at_hand() -> None:
    pane = NeighbourhoodPane()
    async with Stage(pane).run_test(size=(60, 10)) as pilot:
        pane.focus()
        await pilot.press("up", "left", "enter", "o", "plus")
        assert "No memory is at hand." in " ".join(lines(pane))
        pane.show(neighbourhood(1, 1))
        pane.clear("Gone.")
        await pilot.pause()
        assert "Gone." in " ".join(lines(pane))
        assert pane.selected is None


async def test_hostile_text_is_shown_not_obeyed() -> None:
    pane = NeighbourhoodPane()
    hostile = belief(HOSTILE)
    async with Stage(pane).run_test(size=(110, 12)) as pilot:
        pane.show(Neighbourhood(focus=(hostile.memory.digest,), nodes=(hostile,), edges=()))
        await pilot.pause()
        shown = "\n".join(lines(pane))
        assert "[/b]" in shown
        assert not any(char in shown for char in "\x1b\x07\u202e\u200b\u200d")


@pytest.mark.parametrize("theme", THEMES)
async def test_every_size_in_every_theme(theme: str) -> None:
    pane = NeighbourhoodPane()
    async with Stage(pane, theme=theme).run_test() as pilot:
        pane.show(neighbourhood(12, 18))
        for size in (*SIZES, (300, 80), (9, 2), (34, 3), (61, 7)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert all(cell_len(line) == pane.scrollable_content_region.width for line in lines(pane))
