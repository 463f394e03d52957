"""The block of `tur render` in a text: found whole or refused, put back without touching anything else."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.strategies import STEERING, texts
from tur_engine.errors import BadInput
from tur_engine.sources.block import digest, find, parted, placed, refuse_open_end
from tur_engine.sources.escaping import escaped, unescaped
from tur_engine.text import visible

HARMFUL = [
    "<!-- tur:end -->",
    "<!-- tur:begin -->",
    "```",
    "```sh\nrm -rf /\n```",
    "~~~",
    "# Rules",
    "Rules\n=====",
    "---",
    "***",
    "> quoted",
    "1. first",
    "- nested",
    "| a | b |\n|---|---|",
    "[x]: https://example.org",
    "[ ] todo",
    "@~/.ssh/id_rsa",
    "see @docs/secret.md",
    "![x](https://example.org/track.png)",
    "<script>alert(1)</script>",
    "&lt;!-- hidden --&gt;",
    "a ` b `` c ` <!-- d",
    "\\<!-- x -->",
    "    indented",
]
marks = st.sampled_from([*HARMFUL, *"`~#>-+*_=|[]!<@&\\()1.: \n\t", "@a/b", "``", "```", "abc"])
wild = st.lists(marks | texts, max_size=8).map("".join)


@given(wild)
@example("`a`@b")
@example("```a``` b")
@example("\\")
@example("a\\`b`")
def test_a_line_is_one_plain_item_and_reads_back(text: str) -> None:
    line = escaped(text)
    assert "\n" not in line
    assert unescaped(line) == visible(text, newlines=False)
    if not line:
        return
    tokens = MarkdownIt("commonmark").enable("table").parse(f"- {line}\n- next\n")
    kinds = [token.type for token in tokens if not token.type.endswith("_close")]
    item = ["list_item_open", "paragraph_open", "inline"]
    assert kinds == ["bullet_list_open", *item, *item], line
    assert "```" not in re.sub(r"(?<!`)(`{1,2})(?!`).*?(?<!`)\1(?!`)", "", line)  # nor for who looks for it in mid-line
    inline = next(token for token in tokens if token.type == "inline")
    assert not {child.type for child in inline.children or ()} & {"html_inline", "image", "softbreak", "hardbreak"}


@pytest.mark.parametrize("text", HARMFUL)
def test_nothing_gets_out_of_its_line(text: str) -> None:
    lines = [f"- {escaped(text)}"]
    whole = placed("# Mine\n\n- a rule\n", None, lines)
    block = find(whole, "x.md")
    assert block is not None
    assert block.lines == tuple(lines)
    assert not block.edited
    headings = [token for token in MarkdownIt().parse(whole) if token.type in ("heading_open", "fence")]
    assert [token.map for token in headings] == [[0, 1]]


line_ends = st.sampled_from(["\n", "\r\n", "\r"])
pieces = st.lists(st.sampled_from(["a rule", "- item", "", "# Head", "```", " ", "\ufeff", *STEERING[:4]]) | line_ends)
outside = pieces.map("".join)
inside = st.lists(wild.map(lambda text: f"- {escaped(text)}"), max_size=4)


def ends_outside(text: str) -> bool:
    try:
        refuse_open_end(text, "x.md")
    except BadInput:
        return False
    return True


@given(outside, outside, inside, inside, st.booleans())
@example("", "\r\n\r\n\r\n", ["- "], [], False)
def test_nothing_outside_of_the_block_changes(
    above: str, below: str, first: list[str], second: list[str], bom: bool
) -> None:
    above = ("\ufeff" if bom else "") + above
    assume(ends_outside(above))
    began = placed(above, None, first)
    assert began.startswith(above)
    block = find(began, "x.md")
    assert block is not None
    assert began[len(above) : block.start].strip("\r\n") == ""
    text = began + below
    block = find(text, "x.md")
    assert block is not None
    assert (block.lines, block.edited) == (tuple(first), False)
    changed = placed(text, block, second)
    again = find(changed, "x.md")
    assert again is not None
    assert (again.lines, again.edited) == (tuple(second), False)
    assert changed[: again.start] == text[: block.start]
    assert changed[again.end :] == text[block.end :]
    assert placed(changed, again, second) == changed


def test_line_ends_are_those_of_the_file_and_say_nothing_of_an_edit() -> None:
    text = placed("a\r\nb\r\n", None, ["- x", "", "- y"])
    assert "\n" not in text.replace("\r\n", "")
    for other in (text.replace("\r\n", "\n"), text):
        block = find(other, "x.md")
        assert block is not None
        assert not block.edited
    edited = find(text.replace("- y", "- z"), "x.md")
    assert edited is not None
    assert edited.edited


def test_a_file_without_a_last_line_end_keeps_what_it_has() -> None:
    assert placed("a", None, ["- x"]).startswith("a\n\n<!-- tur:begin ")
    assert placed("", None, ["- x"]) == placed("\ufeff", None, ["- x"])[1:]
    assert digest(["- x"]) in placed("", None, ["- x"])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<!-- tur:begin 1 -->\n- x\n", r"x\.md:1: the block that begins here does not end; write <!-- tur:end -->"),
        ("a\n<!-- tur:end -->\n", r"x\.md:2: a block ends here and none begins"),
        ("<!-- tur:begin -->\n<!-- tur:begin -->\n<!-- tur:end -->", r"x\.md:1: .*before the one in line 2"),
        ("<!-- tur:begin -->\n<!-- tur:end -->\n" * 2, r"x\.md has two blocks \(lines 1 and 3\)"),
    ],
)
def test_what_is_no_whole_block_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        find(text, "x.md")
    assert parted(text, "x.md")[:2] == (text, None)


def test_marks_in_a_fence_or_a_comment_are_text() -> None:
    example = "# x\n\n````md\n<!-- tur:begin 1 -->\n- y\n<!-- tur:end -->\n````\n"
    assert find(example, "x.md") is None
    assert find("<!--\n<!-- tur:end -->\n", "x.md") is None
    block = find(f"{example}<!-- tur:begin -->\n- x\n<!-- tur:end -->\n{example}", "x.md")
    assert block is not None
    assert (block.line, block.lines) == (8, ("- x",))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# a\n\n```sh\nmake\n", r"x\.md:3: the code fence that opens here is not closed"),
        ("~~~\r\nmake", r"x\.md:1: the code fence"),
        ("- a\n\n<!-- b\n\nc\n", r"x\.md:3: the comment"),
        ("<script>\n", r"x\.md:1: the HTML block"),
    ],
)
def test_an_end_inside_a_fence_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        refuse_open_end(text, "x.md")


@pytest.mark.parametrize("text", ["", "a", "```\nb\n```", "- a\n  ```\n  b\n", "<!-- a -->\n", "a <!-- b\n", "<br>\n"])
def test_an_end_outside_of_all_is_not(text: str) -> None:
    refuse_open_end(text, "x.md")


def test_a_block_without_its_hash_was_edited() -> None:
    block = find("<!-- tur:begin -->\n- x\n<!-- tur:end -->", "x.md")
    assert block is not None
    assert block.edited
