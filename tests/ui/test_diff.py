"""What differs between two texts, and how it is shown side by side and stacked."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.ui.stage import HOSTILE, MOMENT, SIZES, THEMES, Stage, belief, lines, styled
from tur_engine.records import Evidence, Status
from tur_engine.text import visible
from tur_tui.drawing.worddiff import Kind, compare, likeness, visible_spans, word_marks, words
from tur_tui.widgets.diff_view import DiffView

OLD = belief("Database migrations run via Alembic, reviewed by Dana.\nOwner: platform team.", fields={"port": 5432})
NEW = belief(
    "Database migrations run via Prisma Migrate, reviewed by Dana.\nOwner: platform team.\nFailover is manual.",
    status=Status.HELD,
    author="human:dana",
    days=0,
    fields={"port": 6432},
)
TEXT = st.text(st.sampled_from("ab c.\n田中3,\u202e\t"), max_size=80)


def marked(left: str, right: str) -> tuple[list[str], list[str]]:
    ours, theirs = word_marks(left, right)
    return [left[a:b] for a, b in ours], [right[a:b] for a, b in theirs]


# the words -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "ours", "theirs"),
    [
        ("Migrations run via Alembic", "Migrations run via Prisma Migrate", ["Alembic"], ["Prisma Migrate"]),
        ("runs on port 5432.", "runs on port 6432.", ["5432"], ["6432"]),
        ("at 02:00 UTC, kept 14 days", "at 03:30 UTC, kept 30 days", ["02:00", "14"], ["03:30", "30"]),
        ("Python 3.11 is used", "Python 3.12 is used", ["3.11"], ["3.12"]),
        ("written in C# here", "written in C++ here", ["C#"], ["C++"]),
        ("本番のデータベースは東京にあります。", "本番のデータベースは大阪にあります。", ["東京"], ["大阪"]),
        ("tests are required", "tests are not required", [], ["not"]),
        ("same", "same", [], []),
        ("", "all new", [], ["all new"]),
        ("a café here", "a cafe here", ["café"], ["cafe"]),
    ],
)
def test_marks_are_whole_words(left: str, right: str, ours: list[str], theirs: list[str]) -> None:
    assert marked(left, right) == (ours, theirs)


def test_an_accidental_agreement_does_not_split_a_change() -> None:
    ours, theirs = marked("we use the big red lorry now", "we use a fast blue bicycle now")
    assert ours == ["the big red lorry"]
    assert theirs == ["a fast blue bicycle"]


@pytest.mark.parametrize(
    ("left", "right", "ours", "theirs"),
    [
        ("ten or more jobs", "six or fewer jobs", ["ten or more"], ["six or fewer"]),
        ("fast but wrong", "slow but right", ["fast", "wrong"], ["slow", "right"]),
        ("via Alembic, reviewed by Dana", "via Prisma, reviewed by Kim", ["Alembic", "Dana"], ["Prisma", "Kim"]),
        ("must not fail", "may not err", ["must", "fail"], ["may", "err"]),
    ],
)
def test_only_a_tiny_agreement_is_an_accident(left: str, right: str, ours: list[str], theirs: list[str]) -> None:
    assert marked(left, right) == (ours, theirs)


def test_a_letter_keeps_its_combining_marks() -> None:
    assert words("นี้ดี e\u0301") == ["นี้ดี", " ", "e\u0301"]


@given(TEXT)
def test_tokens_are_the_text(text: str) -> None:
    assert "".join(words(text)) == text.replace("\n", " ")


@given(TEXT, TEXT)
def test_what_is_not_marked_is_common(left: str, right: str) -> None:
    left, right = left.replace("\n", " "), right.replace("\n", " ")
    ours, theirs = word_marks(left, right)
    for text, spans in ((left, ours), (right, theirs)):
        assert list(spans) == sorted(spans)
        assert all(0 <= a < b <= len(text) for a, b in spans)

    def rest(text: str, spans: tuple[tuple[int, int], ...]) -> str:
        gone = {at for a, b in spans for at in range(a, b)}
        return "".join("".join(char for at, char in enumerate(text) if at not in gone).split())

    assert rest(left, ours) == rest(right, theirs)


# the lines -------------------------------------------------------------------


def test_lines_are_paired_by_what_they_share() -> None:
    pairs = compare(OLD.memory.content, NEW.memory.content)
    assert [pair.kind for pair in pairs] == [Kind.CHANGED, Kind.EQUAL, Kind.ADDED]
    assert pairs[2].left is None


def test_one_line_each_always_stands_side_by_side() -> None:
    (pair,) = compare("Never push to main", "Everything goes through review")
    assert pair.kind is Kind.REWRITTEN
    assert pair.left
    assert pair.left.marks == ()


def test_an_empty_side_has_no_lines() -> None:
    assert [pair.kind for pair in compare("", "a\nb")] == [Kind.ADDED, Kind.ADDED]
    assert [pair.kind for pair in compare("a", "")] == [Kind.REMOVED]
    assert compare("", "") == []


def test_an_inserted_line_does_not_shift_the_others() -> None:
    old = "The api runs on port 80\nThe web runs on port 90"
    new = "The cache is redis\nThe api runs on port 81\nThe web runs on port 91"
    assert [pair.kind for pair in compare(old, new)] == [Kind.ADDED, Kind.CHANGED, Kind.CHANGED]


@given(TEXT, TEXT)
def test_every_line_of_both_is_there_once(left: str, right: str) -> None:
    pairs = compare(left, right)
    for text, side in ((left, "left"), (right, "right")):
        found = [line for pair in pairs if (line := getattr(pair, side)) is not None]
        assert "\n".join(line.text for line in found) == text
        assert all(text[line.start : line.start + len(line.text)] == line.text for line in found)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a " * 4096, "a " * 2000 + "b " + "a " * 2095),
        ("x\n" * 4096, "y\n" * 4096),
        ("x\ny\n" * 2048, "y\nx\n" * 2048),
        ("é" * 8192, "è" * 8192),
        ("田" * 8192, "中" + "田" * 8191),
        (" ".join(f"w{n}" for n in range(1400)), " ".join(f"w{n * 2}" for n in range(1400))),
    ],
    ids=["one word", "one line", "two lines", "one letter", "one sign", "many words"],
)
def test_the_worst_texts_are_compared_at_once(left: str, right: str) -> None:
    """Worked through word by word these would take minutes: the suite's patience is the bound."""
    assert compare(left, right)


def test_likeness_is_a_share() -> None:
    assert likeness("The api runs", "the API runs") == 1.0
    assert likeness("one two", "three four") == 0.0
    assert 0.4 < likeness("one two three four", "one two five six") < 0.6
    assert likeness("...", "...") == 1.0


# spans of stored text --------------------------------------------------------


def test_spans_follow_marks_that_are_longer_than_what_they_stand_for() -> None:
    text = "a\u202eb\tport 5432"
    at = text.index("5432")
    shown, ((a, b),) = visible_spans(text, [(at, at + 4)])
    assert shown == "a‹RLO›b    port 5432"
    assert shown[a:b] == "5432"


def test_spans_outside_the_text_are_cut_or_dropped() -> None:
    assert visible_spans("abc", [(1, 99), (5, 9), (2, 2), (-1, 2)]) == ("abc", ((1, 3),))


@given(st.text(max_size=40).map(lambda text: text.replace("\r", "")))
def test_the_shown_text_is_what_visible_makes(text: str) -> None:
    shown, spans = visible_spans(text, [(n, n + 1) for n in range(len(text))])
    assert shown == visible(text)
    assert "".join(shown[a:b] for a, b in spans) == shown


# the pane --------------------------------------------------------------------


def evidence() -> Evidence:
    a, b = OLD.memory.content.index("Alembic"), NEW.memory.content.index("Prisma")
    return Evidence(
        kind="value",
        weight=2.0,
        sentence="Two tools.",
        incumbent_spans=((a, a + 7), (0, 8)),
        challenger_spans=((b, b + 14),),
    )


def pane() -> DiffView:
    return DiffView(clock=lambda: MOMENT)


async def test_the_two_stand_side_by_side_where_there_is_room() -> None:
    view = pane()
    async with Stage(view).run_test(size=(120, 20)) as pilot:
        view.show(OLD, NEW, [evidence()])
        await pilot.pause()
        shown = lines(view)
        assert view.side_by_side
        assert shown[0].startswith(f"EXISTING {OLD.memory.short_id}")
        assert f"NEW {NEW.memory.short_id}" in shown[0]
        assert "Alembic" in shown[1]
        assert "Prisma Migrate" in shown[1]
        assert shown[1].startswith("~ ")
        assert any("│ + Failover is manual." in line for line in shown)
        table = "\n".join(shown[4:])
        for word in ("type", "scope", "author", "age", "confidence", "status", "port", "held", "3 days ago", "6432"):
            assert word in table


@pytest.mark.parametrize(("width", "beside"), [(80, True), (70, False), (60, False), (30, False)])
async def test_narrow_panes_stack_them(width: int, beside: bool) -> None:
    view = pane()
    async with Stage(view).run_test(size=(width, 24)) as pilot:
        view.show(OLD, NEW)
        await pilot.pause()
        assert view.side_by_side is beside
        shown = lines(view)
        titles = [n for n, line in enumerate(shown) if line.startswith(("EXISTING", "NEW"))]
        assert len(titles) == (1 if beside else 2)
        assert "held" in "\n".join(shown)


async def test_a_key_arranges_them_the_other_way() -> None:
    view = pane()
    async with Stage(view).run_test(size=(120, 20)) as pilot:
        view.show(OLD, NEW)
        view.focus()
        await pilot.press("vertical_line")
        assert not view.side_by_side
        assert any(line.startswith("NEW") for line in lines(view))
        await pilot.press("vertical_line")
        assert view.side_by_side


@pytest.mark.parametrize("theme", ["tur-dark", "tur-mono"])
async def test_differences_show_without_colour_too(theme: str) -> None:
    view = pane()
    async with Stage(view, theme=theme).run_test(size=(120, 20)) as pilot:
        view.show(OLD, NEW, [evidence()])
        await pilot.pause()
        removed, added, pointed, plain = (
            styled(view, text) for text in ("Alembic", "Prisma Migrate", "Database", " migrations run via ")
        )
        assert all(word in removed for word in ("bold", "strike", "underline"))
        assert "bold" in added
        assert "underline" in added
        assert "strike" not in added
        assert "underline" in pointed
        assert "bold" not in pointed
        assert not any(word in plain for word in ("bold", "strike", "underline"))


async def test_hostile_text_is_shown_not_obeyed() -> None:
    view = pane()
    async with Stage(view).run_test(size=(120, 20)) as pilot:
        view.show(belief(HOSTILE), belief(HOSTILE + " more"))
        await pilot.pause()
        shown = "\n".join(lines(view))
        assert "[/b]" in shown
        assert "[@click=app.quit]" in shown
        assert "‹RLO›" in shown
        assert not any(char in shown for char in "\x1b\x07\u202e\u200b\u200d")


async def test_a_long_text_scrolls_and_its_changes_are_found() -> None:
    old = "\n".join(f"line {n} says the same" for n in range(60))
    new = old.replace("line 30 says the same", "line 30 says the contrary").replace("line 50 says", "line 50 denies")
    view = pane()
    async with Stage(view).run_test(size=(100, 12)) as pilot:
        view.show(belief(old), belief(new))
        view.focus()
        await pilot.press("right_square_bracket")
        assert "contrary" in lines(view)[0]
        await pilot.press("right_square_bracket")
        assert "denies" in lines(view)[0]
        await pilot.press("left_square_bracket")
        assert "contrary" in lines(view)[0]
        await pilot.press("end")
        assert "active" in "\n".join(lines(view))
        await pilot.press("home")
        assert lines(view)[0].startswith("EXISTING")


async def test_another_pair_starts_at_the_top_the_same_one_stays() -> None:
    long = "\n".join(f"line {n}" for n in range(60))
    view = pane()
    async with Stage(view).run_test(size=(100, 12)) as pilot:
        view.show(belief(long), belief(long + "!"))
        view.action_page(1)
        at = view.scroll_offset.y
        view.show(belief(long), belief(long + "!"))
        await pilot.pause()
        assert view.scroll_offset.y == at > 0
        view.show(OLD, NEW)
        await pilot.pause()
        assert view.scroll_offset.y == 0


async def test_an_empty_pane_says_what_happens_next() -> None:
    view = pane()
    async with Stage(view).run_test(size=(40, 12)) as pilot:
        await pilot.pause()
        assert "No conflict is open." in " ".join(lines(view))
        view.show(OLD, NEW)
        view.clear("Everything is settled.")
        await pilot.pause()
        assert "Everything is settled." in " ".join(lines(view))


@pytest.mark.parametrize("theme", THEMES)
async def test_every_size_in_every_theme(theme: str) -> None:
    view = pane()
    async with Stage(view, theme=theme).run_test() as pilot:
        view.show(OLD, belief("本番のデータベースは東京にあります。" * 20), [evidence()])
        for size in (*SIZES, (7, 3), (130, 30)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert all(cell_len(line) == view.scrollable_content_region.width for line in lines(view))
        assert view.side_by_side


async def test_ages_move_on_while_nothing_else_happens() -> None:
    moment = [MOMENT]
    young = belief("The port is 1", days=0), belief("The port is 2", days=0)
    pane = DiffView(clock=lambda: moment[0])
    async with Stage(pane).run_test(size=(100, 16)) as pilot:
        pane.show(*young)
        await pilot.pause()
        before = "\n".join(lines(pane))
        moment[0] += timedelta(minutes=5)
        await pilot.pause(1.3)
        after = "\n".join(lines(pane))
        assert "5 minutes" not in before
        assert after.count("5 minutes") == 2
