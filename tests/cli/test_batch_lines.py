"""JSON lines become drafts, or refusals with their line number."""

from __future__ import annotations

import json

import pytest

from tur_engine.cli.lines import LineReader
from tur_engine.records import Author, AuthorKind, BatchReport, Draft, MemoryType, Refusal, Replacing

ME = Author(kind=AuthorKind.AGENT, name="me")


def read(*lines: bytes | dict[str, object]) -> list[Draft | Refusal]:
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return list(LineReader(ME).read(raw))


def one(line: bytes | dict[str, object]) -> Draft | Refusal:
    [item] = read(line)
    return item


def test_only_content_is_needed() -> None:
    draft = one({"content": "The port is 8080"})
    assert isinstance(draft, Draft)
    assert (draft.content, draft.type, str(draft.scope), draft.author) == (
        "The port is 8080",
        MemoryType.FACT,
        "incarnation",
        ME,
    )


def test_every_key_is_read() -> None:
    draft = one(
        {
            "content": "The port is 8080",
            "type": "insight",
            "scope": "user:src@main",
            "topic": "service",
            "fields": {"port": 8080, "tls": True, "note": None},
            "tags": ["b", "a"],
            "author": "human:anna",
            "occurred_at": "2026-11-29T12:00:00+02:00",
            "relations": [{"type": "depends_on", "target": "fact-1234"}, "refines=abcd"],
        }
    )
    assert isinstance(draft, Draft)
    assert draft.type is MemoryType.INSIGHT
    assert str(draft.scope) == "user:src@main"
    assert draft.fields == {"port": 8080, "tls": True, "note": None}
    assert draft.fields["tls"] is True
    assert draft.tags == ("a", "b")
    assert str(draft.author) == "human:anna"
    assert draft.occurred_at is not None
    assert draft.occurred_at.isoformat() == "2026-11-29T10:00:00+00:00"
    assert [(relation.type, relation.target) for relation in draft.relations] == [
        ("depends_on", "fact-1234"),
        ("refines", "abcd"),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON"),
        (b'"text"', "not a JSON object"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"content": ' + b"9" * 5000 + b"}", "too long"),
        (b'{"content": "\xff"}', "not UTF-8 at byte 14; save the file as UTF-8"),
        ({"content": "x", "supersedes": [1]}, "supersedes is an id, or a list of ids"),
        (b'{"contant": "x"}', "did you mean 'contant'"),
        ({}, "no content"),
        ({"content": 5}, "content is text, not int"),
        ({"content": None}, "content is text"),
        ({"content": "  "}, "content is empty"),
        ({"content": "a\x1b]0;x\x07"}, "control character"),
        (b'{"content": "\\ud800"}', "lone surrogate"),
        ({"content": "x" * 8193}, "at most 8,192"),
        ({"content": "x", "type": "fcat"}, "did you mean 'fact'"),
        ({"content": "x", "scope": "galaxy"}, "unknown scope level"),
        ({"content": "x", "scope": "user:../up"}, "leaves the store"),
        ({"content": "x", "fields": [1]}, "fields is an object"),
        ({"content": "x", "fields": {"a": [1]}}, "holds list"),
        (b'{"content": "x", "fields": {"a": NaN}}', "finite"),
        ({"content": "x", "tags": "a"}, "tags is a list"),
        ({"content": "x", "relations": [{"type": "a"}]}, "a relation is"),
        ({"content": "x", "author": ""}, "author name is empty"),
        ({"content": "x", "author": 3}, "author is"),
        ({"content": "x", "occurred_at": "soon"}, "not a date or time"),
        ({"content": "x", "occurred_at": 5}, "occurred_at is text"),
    ],
)
def test_a_bad_line_is_refused_with_its_reason(line: bytes | dict[str, object], reason: str) -> None:
    refusal = one(line)
    assert isinstance(refusal, Refusal)
    assert refusal.line == 1
    assert reason in refusal.reason


def test_lines_are_numbered_as_in_the_file_and_blank_ones_passed_over() -> None:
    reader = LineReader(ME)
    items = list(reader.read([b'\xef\xbb\xbf{"content": "a"}\n', b"\n", b"  \r\n", b"nonsense\n", b'{"content": "b"}']))
    assert [type(item) for item in items] == [Draft, Refusal, Draft]
    assert reader.numbers == [1, 4, 5]
    refused = tuple(item for item in items if isinstance(item, Refusal))
    assert reader.numbered(BatchReport(refused=refused)).refused == (
        Refusal(line=4, reason="not JSON: Expecting value at character 1"),
    )


def test_unknown_keys_are_counted_and_left_out() -> None:
    reader = LineReader(ME)
    drafts = list(reader.read([b'{"content": "a", "seq": 1}', b'{"content": "b", "seq": 2, "near": []}']))
    assert len(drafts) == 2
    assert reader.ignored == {"seq": [1, 2], "near": [2]}


def test_what_a_line_supersedes_is_read() -> None:
    drafts = read({"content": "a", "supersedes": ["fact-1234", "abcd"]}, {"content": "b", "supersedes": "fact-1234"})
    assert [isinstance(each, Replacing) and each.supersedes for each in drafts] == [
        ("fact-1234", "abcd"),
        ("fact-1234",),
    ]
    plain = read({"content": "a", "supersedes": []}, {"content": "b", "supersedes": None})
    assert [type(each) for each in plain] == [Draft, Draft]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"\x7fELF\x02\n\x00\xff\n" * 494, "this is no text, or UTF-16; save it as UTF-8"),
        ('{"content": "a"}\n{"content": "b"}\n'.encode("utf-16"), "this is no text, or UTF-16; save it as UTF-8"),
        ('{"content": "a"}\n{"content": "b"}\n'.encode("utf-16-le"), "this is no text, or UTF-16; save it as UTF-8"),
        (b"\xff\xd8\xff\n" * 494, "these are no JSON lines (not UTF-8 at byte 1; save the file as UTF-8)"),
        (b"# A heading\n\nProse.\n", "these are no JSON lines (not JSON: Expecting value at character 1)"),
        (b"5\n" * 1000, "these are no JSON lines (not a JSON object); write one object a line"),
    ],
)
def test_what_is_no_json_lines_at_all_is_one_refusal(raw: bytes, said: str) -> None:
    (refusal,) = read(*raw.splitlines(keepends=True))
    assert isinstance(refusal, Refusal)
    assert (refusal.line, said in refusal.reason) == (1, True), refusal.reason


def test_lines_before_the_first_object_are_refused_one_by_one() -> None:
    reader = LineReader(ME)
    items = list(reader.read([b"a\n", b"\n", b"b\n", b'{"content": "c"}\n', *[b"d\x00\n"] * 20]))
    assert [type(item) for item in items] == [Refusal, Refusal, Draft, *[Refusal] * 20]
    assert reader.numbers == [1, 3, 4, *range(5, 25)]
    assert [item.line for item in items if isinstance(item, Refusal)] == [1, 2, *range(4, 24)]
