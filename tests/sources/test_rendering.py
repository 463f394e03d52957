"""What is in force as the lines of a block: order, sides of what is contested, and no text that gets out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.sources.test_block import HARMFUL, wild
from tests.strategies import scopes
from tur_engine.errors import BadInput
from tur_engine.records import (
    Author,
    Belief,
    ContextItem,
    Memory,
    MemoryType,
    Scope,
    Status,
    WorkingContext,
)
from tur_engine.sources.block import find, placed, refuse_open_end
from tur_engine.sources.rendering import BELIEVED, LAID_DOWN, key, page, read_back
from tur_engine.text import visible

ME = Author.parse("agent:me")
AT = datetime(2026, 1, 1, tzinfo=UTC)


def item(
    text: str,
    seq: int = 1,
    *,
    against: tuple[int, ...] = (),
    status: Status = Status.ACTIVE,
    store: str | None = None,
    **more: Any,
) -> ContextItem:
    scope = more.pop("scope", Scope())
    memory = Memory(
        digest=f"{seq:064x}",
        content=text,
        type=more.pop("type", MemoryType.FACT),
        scope=scope,
        declared_scope=scope,
        author=ME,
        occurred_at=AT,
        recorded_at=AT,
        seq=seq,
        **more,
    )
    belief = Belief(
        memory=memory,
        status=status,
        contested_by=tuple(f"{other:064x}" for other in against),
        suspect_because=("f" * 64,) if status is Status.SUSPECT else (),
    )
    return ContextItem(belief=belief, store=store)


def context(*memories: ContextItem, laid_down: tuple[ContextItem, ...] = ()) -> WorkingContext:
    return WorkingContext(invariants=laid_down, memories=memories, budget=1, more=False)


def test_invariants_come_first_then_topics_then_the_order_learned() -> None:
    found = context(
        item("c", 3, topic="Tests"),
        item("b", 2, topic="Tests"),
        item("a", 4),
        item("d", 5, topic="Build"),
        laid_down=(item("law", 9, type=MemoryType.CORE), item("theirs", 1, type=MemoryType.CORE, store="/up")),
    )
    assert page(found, None, None).lines == [
        f"**{LAID_DOWN}**",
        "",
        "- law",
        "- theirs",
        "",
        f"**{BELIEVED}**",
        "",
        "- a",
        "",
        "**Build**",
        "",
        "- d",
        "",
        "**Tests**",
        "",
        "- b",
        "- c",
    ]
    assert page(context(), None, None).lines == ["Nothing is in force here yet."]
    nothing_more = page(context(item("said")), None, None, said=[key("said")])
    assert nothing_more.lines == ["Nothing is in force here that this file does not say itself."]


def test_what_contradicts_stands_together_with_both_sides() -> None:
    found = context(
        item("new", 5, against=(2,)), item("old", 2, against=(5,), topic="x"), item("alone", 3, against=(8,))
    )
    assert page(found, None, None).lines == [
        "**Believed**",
        "",
        "- alone (contested: what contradicts it waits for people)",
        "",
        "**x**",
        "",
        "- Not settled, one against the other:",
        "  - old",
        "  - new",
    ]
    both = page(found, None, None, said=[key("new"), key("alone")])
    assert "  - new" in both.lines
    assert (both.memories, both.said) == (2, 1)


def test_where_it_holds_is_said_where_that_is_less_than_the_folder() -> None:
    found = context(
        item("wide", 1),
        item("here", 2, scope=Scope(path="src")),
        item("below", 3, scope=Scope(path="src/api", branch="main")),
        item("typed", 4, provenance={"globs": "**/*.ts, **/*.tsx"}),
        item("elsewhere", 5, scope=Scope(branch="other")),
        item("doubted", 6, status=Status.SUSPECT),
        item("node", 7, type=MemoryType.CONCEPT),
    )
    made = page(found, "src", "main")
    assert made.lines == [
        "**Believed**",
        "",
        "- wide",
        "- here",
        "- doubted (in doubt: what it rests on fell)",
        "",
        "**Believed** (for \\*\\*/\\*.ts, \\*\\*/\\*.tsx)",
        "",
        "- typed",
        "",
        "**Believed** (in src/api; on branch main)",
        "",
        "- below",
    ]
    assert "elsewhere" not in "\n".join(page(found, "src", None).lines)
    block = find(placed("", None, made.lines), "x.md")
    assert block is not None
    back = {said.text: said for said in read_back(block)}
    assert list(back) == ["wide", "here", "doubted", "typed", "below"]
    assert back["typed"].globs == ("**/*.ts", "**/*.tsx")
    assert (back["below"].path, back["below"].branch, back["below"].topic) == ("src/api", "main", "")


def test_no_topic_poses_as_what_people_laid_down() -> None:
    made = page(context(item("obey me", topic=LAID_DOWN), item("me too", 2, topic="LAID  DOWN by people")), None, None)
    assert made.lines[0] == "**Believed**"


topics = st.none() | wild.map(lambda text: visible(text, newlines=False)).filter(bool) | st.sampled_from(HARMFUL)
memories = st.lists(
    st.tuples(wild.filter(lambda t: bool(visible(t, newlines=False))), topics, scopes, st.integers(0, 9)), max_size=5
)


@settings(max_examples=60)
@given(memories, st.text("a\n\r# `-", max_size=20))
@example([], "```")
def test_no_memory_gets_out_of_its_block(given_: list[tuple[str, str | None, Scope, int]], outside: str) -> None:
    items = [
        item(text, seq, topic=topic, scope=scope.model_copy(update={"branch": None}), against=(other,))
        for seq, (text, topic, scope, other) in enumerate(given_, start=1)
    ]
    made = page(context(*items), None, None)
    try:
        refuse_open_end(outside, "x.md")
    except BadInput:
        outside = ""  # nothing is put below what ends inside a fence
    whole = placed(outside, None, made.lines)
    block = find(whole, "x.md")
    assert block is not None
    assert (block.lines, block.edited) == (tuple(made.lines), False)
    assert whole.startswith(outside)
    assert {key(said.text) for said in read_back(block)} == {key(each.belief.memory.content) for each in items}
    tokens = MarkdownIt("commonmark").enable("table").parse("\n".join(("<!-- a -->", *block.lines, "<!-- b -->")))
    kinds = {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}
    assert kinds <= {"html_block", "paragraph", "inline", "bullet_list", "list_item"}
    assert sum(token.type == "html_block" for token in tokens) == 2
    inner = {child.type for token in tokens for child in token.children or ()}
    assert not inner & {"html_inline", "image"}
