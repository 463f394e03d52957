"""The reasons of a conflict, and what a verb would change."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from tests.ui.making import conflict
from tests.ui.stage import HOSTILE, SIZES, THEMES, Stage, lines
from tur_engine.records import Conflict, Effect, Evidence, Preview, Verb
from tur_tui.widgets.why import Why, evidence_rows

REASONS = (
    Evidence(kind="contrast", weight=-1.2, sentence="The new text only adds to the old one."),
    Evidence(kind="value", weight=3.0, sentence="Alembic and Prisma are competing values."),
    Evidence(kind="judge", weight=0.4, sentence="Read as a whole, the two cannot both hold."),
)


def case(*reasons: Evidence, dependants: int = 0) -> Conflict:
    return conflict("the tool").model_copy(update={"evidence": reasons or REASONS, "dependants": dependants})


def test_reasons_come_by_weight_with_bars_on_their_side() -> None:
    rows = ["".join(text for text, _ in row) for row in evidence_rows(REASONS, 100)]
    assert [row.split()[-1] for row in rows] == ["values.", "hold.", "one."]
    strong, weak, guard = rows
    axis = strong.index("│")
    assert all(row[axis] == "│" for row in rows)
    assert strong[axis + 1 :].count("█") > weak[axis + 1 :].count("█")
    assert "█" not in guard[axis + 1 :]
    assert guard[:axis].strip()
    assert "-1.2" in guard
    assert "+3.0" in strong


def test_what_weighs_nothing_has_no_bar_and_no_sign() -> None:
    for weight in (-0.0, 0.0, -0.04, 0.04):
        (row,) = evidence_rows([REASONS[0].model_copy(update={"weight": weight})], 100)
        told = "".join(text for text, _ in row)
        assert told.startswith("    │         +0.0")


@pytest.mark.parametrize("width", [1, 8, 20, 40, 60, 100])
def test_sentences_wrap_beside_their_bar_or_below_it(width: int) -> None:
    rows = evidence_rows([REASONS[1]], width)
    text = " ".join("".join(text for text, _ in row) for row in rows)
    assert "".join(["Alembic", "and", "Prisma", "are", "competing", "values."]) in "".join(text.split())
    if width >= 40:
        assert all(sum(cell_len(text) for text, _ in row) <= width for row in rows)


async def test_it_says_how_likely_and_on_what_grounds() -> None:
    pane = Why()
    async with Stage(pane).run_test(size=(100, 16)) as pilot:
        pane.show(case(dependants=2))
        await pilot.pause()
        shown = lines(pane)
        assert shown[0].rstrip() == "WHY 90% likely to clash: factual, semantic, 2 memories rest on the existing one"
        assert "without the neural judge" not in "\n".join(shown)


async def test_it_says_where_no_judge_was_asked() -> None:
    pane = Why()
    async with Stage(pane).run_test(size=(100, 16)) as pilot:
        pane.show(case(REASONS[1]))
        await pilot.pause()
        assert "judged without the neural judge" in "\n".join(lines(pane))
        pane.show(case(REASONS[1]), judged=True)
        assert "without the neural judge" not in "\n".join(lines(pane))
        pane.show(case(Evidence(kind="mechanical", weight=6.0, sentence="The field port differs.")))
        assert "without the neural judge" not in "\n".join(lines(pane))


async def test_effects_of_the_verb_under_the_cursor() -> None:
    pane = Why()
    effects = (
        Effect(subject="a", change="status", sentence="fact-1234abcd becomes superseded."),
        Effect(subject="b", change="suspect", sentence="fact-77aa01bc becomes suspect."),
        Effect(subject="b", change="never heard of", sentence="Something else."),
    )
    async with Stage(pane).run_test(size=(100, 20)) as pilot:
        pane.show(case())
        pane.show_working(Verb.SUPERSEDE)
        await pilot.pause()
        assert "working it out" in "\n".join(lines(pane))
        pane.show_preview(Preview(verb=Verb.SUPERSEDE, effects=effects))
        shown = "\n".join(lines(pane))
        assert "WHAT WOULD HAPPEN s Supersede" in shown
        assert "→ fact-1234abcd becomes superseded." in shown
        assert "? fact-77aa01bc becomes suspect." in shown
        pane.show_preview(Preview(verb=Verb.MERGE, allowed=False, reason="It is an invariant: propose a change."))
        shown = "\n".join(lines(pane))
        assert "WHAT WOULD HAPPEN m Merge" in shown
        assert "✗ It is an invariant: propose a change." in shown
        assert "superseded" not in shown
        pane.show_preview(Preview(verb=Verb.DISMISS))
        assert "nothing changes" in "\n".join(lines(pane))
        pane.show_problem(Verb.ABORT, "The store is gone.")
        assert "The store is gone." in "\n".join(lines(pane))


async def test_another_conflict_forgets_the_effects() -> None:
    pane = Why()
    async with Stage(pane).run_test(size=(100, 20)) as pilot:
        pane.show(case())
        pane.show_preview(Preview(verb=Verb.DISMISS))
        pane.show(conflict("another"))
        await pilot.pause()
        assert "WHAT WOULD HAPPEN" not in "\n".join(lines(pane))
        pane.clear()
        assert "".join(lines(pane)).strip() == ""


@pytest.mark.parametrize("theme", THEMES)
async def test_every_size_in_every_theme_with_hostile_text(theme: str) -> None:
    pane = Why()
    async with Stage(pane, theme=theme).run_test() as pilot:
        pane.show(case(Evidence(kind="value", weight=9.0, sentence=HOSTILE), *REASONS))
        pane.show_preview(Preview(verb=Verb.FORCE, effects=(Effect(subject="a", change="edge", sentence=HOSTILE),)))
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            shown = lines(pane)
            assert all(cell_len(line) == pane.scrollable_content_region.width for line in shown)
            assert not any(char in "".join(shown) for char in "\x1b\x07\u202e\u200b\u200d")


@pytest.mark.parametrize("height", [7, 8, 10, 14])
async def test_however_many_reasons_there_are_three_rows_of_effects_are_seen(height: int) -> None:
    pane = Why()
    effects = tuple(Effect(subject="a", change="status", sentence=f"effect {n}.") for n in range(5))
    reasons = [Evidence(kind="slot", weight=3.0 - n, sentence=f"Reason {n}. " * 12) for n in range(4)]
    async with Stage(pane).run_test(size=(80, height)) as pilot:
        pane.show(case(*reasons))
        pane.show_preview(Preview(verb=Verb.SUPERSEDE, effects=effects))
        await pilot.pause()
        shown = "\n".join(lines(pane))
        for words in ("WHY", "WHAT WOULD HAPPEN", "effect 0", "effect 1"):
            assert words in shown
        if height > 8:
            assert "effect 2" in shown
        assert "e shows all" in shown
        await pilot.resize_terminal(80, 40)
        await pilot.pause()
        assert "e shows all" not in "\n".join(lines(pane))
        assert "effect 4" in "\n".join(lines(pane))
