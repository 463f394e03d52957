"""Putting into JSON and taking out again leaves every other byte, comments and odd white space included."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tur_engine.wiring import jsonc
from tur_engine.wiring.json_edit import WrongKind, add, find, put, rendered, take_out

SERVER = {"command": "tur-mcp", "args": ["--as", "x"]}
GROUP = {"matcher": "Bash", "hooks": [{"type": "command", "command": "tur guard --hook"}]}
EDITS: list[tuple[bool, tuple[str, ...], Any]] = [
    (False, ("mcpServers", "tur"), SERVER),
    (True, ("hooks", "Pre"), GROUP),
    (True, ("hooks", "Post"), GROUP),
    (False, ("version",), 1),
]
BLANKS = st.sampled_from(
    ["", " ", "\n", "\n  ", "\n\t", "\t", "\r\n    ", " /* c */ ", " // c\n", " // c\r\n", "\n// }\n  ", "/* a\n b */"]
)
NAMES = st.sampled_from(["hooks", "mcpServers", "Pre", "a", "b\\\n", "ä", "// no", ""])
PLAIN = st.sampled_from(["1", "-2.5e3", "true", "null", '"x"', '"a // b"', '"\\"{"', '"é"', '"\\u00e9"'])


@st.composite
def values(draw: st.DrawFn, depth: int = 3) -> str:
    kind = draw(st.integers(0, 3))
    if depth == 0 or kind == 0:
        return draw(PLAIN)
    parts: list[str] = []
    names = draw(st.lists(NAMES, unique=True, max_size=3))
    for name in names:
        head = f"{json.dumps(name)}{draw(BLANKS)}:{draw(BLANKS)}" if kind > 1 else ""
        parts.append(draw(BLANKS) + head + draw(values(depth - 1)) + draw(BLANKS))
    trailing = draw(st.booleans())
    inner = ",".join(parts) + ("," if parts and trailing else "") + draw(BLANKS)
    return f"{{{inner}}}" if kind > 1 else f"[{inner}]"


def made(text: str) -> tuple[str, list[tuple[bool, tuple[str, ...], Any]]]:
    """The text with all edits in that fit."""
    done = []
    for edit in EDITS:
        is_item, path, value = edit
        try:
            text = (add if is_item else put)(text, path, value)
        except WrongKind:
            break
        done.append(edit)
    return text, done


@settings(max_examples=300)
@given(st.sampled_from(["", "\ufeff"]), BLANKS, values(), BLANKS, st.randoms())
def test_what_was_put_in_is_taken_out_in_any_order(before: str, a: str, body: str, b: str, chance: Any) -> None:
    text = before + a + body + b
    changed, done = made(text)
    chance.shuffle(done)
    for is_item, path, value in done:
        part = find(jsonc.parse(changed), path)
        assert part is not None
        assert (part.value[-1] if is_item else part.value) == value
        taken = take_out(changed, path, value if is_item else None)
        assert taken is not None
        changed = taken
    assert changed == text


@settings(max_examples=100)
@given(values())
def test_every_other_value_stays(body: str) -> None:
    changed, done = made(body)
    was, now = jsonc.parse(body).value, jsonc.parse(changed).value
    for is_item, path, _ in done:
        holder = now
        for name in path[:-1]:
            holder = holder[name]
        if is_item:
            holder[path[-1]].pop()
        else:
            del holder[path[-1]]
    assert _bare(now) == _bare(was)


def _bare(value: Any) -> Any:
    """Without empty objects and arrays, which an edit may have made."""
    if isinstance(value, dict):
        return {key: bare for key, each in value.items() if (bare := _bare(each)) not in ({}, [])}
    return [_bare(each) for each in value] if isinstance(value, list) else value


def test_it_is_written_as_the_file_is_written() -> None:
    text = '{\r\n\t// servers\r\n\t"mcpServers": {\r\n\t\t"db": {"command": "db"}, // ours\r\n\t},\r\n}\r\n'
    assert put(text, ("mcpServers", "tur"), {"command": "tur-mcp"}) == text.replace(
        "// ours\r\n", '// ours\r\n\t\t"tur": {"command": "tur-mcp"},\r\n'
    )
    assert put('{"a": 1}', ("b",), 2) == '{"a": 1, "b": 2}'
    assert add('{\n    "x": [\n        1 // one\n    ]\n}', ("x",), 2).splitlines()[2:4] == [
        "        1, // one",
        "        2",
    ]
    assert add("{}", ("hooks", "Pre"), GROUP).splitlines()[:3] == ['{"hooks": {', '    "Pre": [', "      {"]


def test_an_edit_alone_leaves_no_file_and_a_comment_keeps_one() -> None:
    whole = rendered({"hooks": {"Pre": [GROUP]}}) + "\n"
    assert take_out(whole, ("hooks", "Pre"), GROUP) is None
    assert take_out(f"// mine\n{whole}", ("hooks", "Pre"), GROUP) is not None
    assert take_out('{"a": 1}', ("hooks", "Pre"), GROUP) == '{"a": 1}'
    assert take_out('{"hooks": []}', ("hooks", "Pre"), GROUP) == '{"hooks": []}'


def test_an_array_in_the_place_of_an_object_is_named() -> None:
    for text, words in (("[]", "no object"), ('{"hooks": []}', "hooks is no"), ('{"hooks": {"Pre": {}}}', "hooks.Pre")):
        with pytest.raises(WrongKind, match=words):
            add(text, ("hooks", "Pre"), GROUP)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: nothing stands in it"),
        ("{\n  a: 1}", "line 2: a name in quotes"),
        ('{"a" 1}', "a colon is missing"),
        ('{"a": 1 "b": 2}', "a comma or '}' is missing"),
        ('{"a": }', "a value is missing"),
        ('{"a": 01}', "a comma"),
        ('{"a": "x\n"}', "does not end"),
        ('{"a": "\\q"}', "escape"),
        ("{} {}", "something follows"),
        ("{/* ", "a comment is not closed"),
        ("<a>", "begins no JSON"),
        ("[" * 5000, "nested deeper"),
        ('{"a": 1,, }', "a name in quotes"),
    ],
)
def test_what_is_no_json_is_said_with_its_line(text: str, words: str) -> None:
    with pytest.raises(jsonc.NotJson, match=words.replace("(", r"\(")):
        jsonc.parse(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_plain_json_is_read_as_json_reads_it(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, indent=1, ensure_ascii=False)):
        assert jsonc.parse(text).value == json.loads(text)
