"""Rule files become statements: each with its line, its subject, and what its list or heading says of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.parser_inline import ParserInline

from tests.sources.conftest import Writer
from tur_engine.errors import BadInput
from tur_engine.sources import statements_of
from tur_engine.sources.discovery import discover
from tur_engine.sources.layout import without_fences
from tur_engine.sources.markdown import cut

TEXT = """---
description: All of it
---

# Title

Intro with **bold** words. Second sentence, e.g. this one,
which goes on here. `Code. Stays` whole.

## Testing

- [ ] Run the tests before you commit.
- When writing tests:
  - Mock the clock.
- ❌ Snapshot everything

### Never

- commit secrets

| Tool | Version | Notes |
|---|---|---|
| Node | 20 | LTS only |

Build it with:

```sh
make all
```

```bash
# Lint everything
ruff check .
npm test  # run the tests
```

```python
print("Never say this: a statement")
```
"""


def test_a_file_becomes_its_statements(repository: Writer) -> None:
    root = repository({"AGENTS.md": TEXT})
    told = [(s.line, s.text, s.subject) for s in statements_of(root / "AGENTS.md")]
    assert told == [
        (7, "Intro with bold words.", "Title"),
        (7, "Second sentence, e.g. this one, which goes on here.", "Title"),
        (8, "`Code. Stays` whole.", "Title"),
        (12, "Run the tests before you commit.", "Testing"),
        (14, "When writing tests: mock the clock.", "Testing"),
        (15, "Never snapshot everything", "Testing"),
        (19, "Never commit secrets", "Testing > Never"),
        (23, "Node version: 20", "Testing > Never"),
        (23, "Node: LTS only", "Testing > Never"),
        (28, "Build it with: `make all`", "Testing > Never"),
        (33, "Lint everything: `ruff check .`", "Testing > Never"),
        (34, "Run the tests: `npm test`", "Testing > Never"),
    ]


@pytest.mark.parametrize("change", [str, lambda t: t.replace("\n", "\r\n"), lambda t: "\ufeff" + t, str.rstrip])
def test_line_ends_a_mark_and_a_missing_last_newline_change_nothing(repository: Writer, change: object) -> None:
    assert callable(change)
    root = repository({"a/AGENTS.md": TEXT, "b/AGENTS.md": change(TEXT)})
    one, other = (statements_of(root / name / "AGENTS.md") for name in "ab")
    assert [(s.line, s.text) for s in one] == [(s.line, s.text) for s in other]


def test_globs_and_folders_are_where_rules_hold(repository: Writer) -> None:
    root = repository(
        {
            ".cursor/rules/ts.mdc": "---\nglobs: src/ui/**/*.ts,src/ui/*.tsx\nalwaysApply: false\n---\n- Use tabs!\n",
            "packages/api/AGENTS.md": "- Use spaces here.\n",
            ".github/instructions/all.instructions.md": '---\napplyTo: "**"\n---\n- Use nothing here.\n',
        }
    )
    (cursor,) = statements_of(root / ".cursor/rules/ts.mdc", root)
    (nested,) = statements_of(root / "packages/api/AGENTS.md", root)
    (everywhere,) = statements_of(root / ".github/instructions/all.instructions.md", root)
    assert (cursor.scope.path, cursor.globs, cursor.line) == ("src/ui", ("src/ui/**/*.ts", "src/ui/*.tsx"), 5)
    assert (nested.scope.path, nested.globs, nested.file) == ("packages/api", (), "packages/api/AGENTS.md")
    assert (everywhere.scope.path, everywhere.globs) == (None, ())


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\x00\xff\xfe\x01", r"CLAUDE\.md is not UTF-8 at byte 2; save it as UTF-8; it was left out"),
        (b"ab\x00cd", r"CLAUDE\.md is not text, or UTF-16: it holds NUL characters; save it as UTF-8; it was left out"),
        ("- Ports are numbers.\n".encode("utf-16-be"), "is not text, or UTF-16: .*; save it as UTF-8; it was left out"),
        (
            "\ufeff- Ports are numbers.\n".encode("utf-16-le"),
            r"CLAUDE\.md is UTF-16; save it as UTF-8; it was left out",
        ),
        (
            "\ufeff- Ports are numbers.\n".encode("utf-16-be"),
            r"CLAUDE\.md is UTF-16; save it as UTF-8; it was left out",
        ),
        (
            "\ufeff- Ports are numbers.\n".encode("utf-32-le"),
            r"CLAUDE\.md is UTF-32; save it as UTF-8; it was left out",
        ),
        (b"\xff\xfe- Ports are numbers.\n", r"CLAUDE\.md is UTF-16; save it as UTF-8; it was left out"),
        ("- Größe zählt.\n".encode("latin-1"), "is not UTF-8 at byte 5; save it as UTF-8; it was left out"),
        (b"x" * (1024 * 1024 + 1), "too large"),
    ],
)
def test_what_is_no_rule_file_is_one_sentence(tmp_path: Path, content: bytes, sentence: str) -> None:
    (tmp_path / "CLAUDE.md").write_bytes(content)
    with pytest.raises(BadInput, match=sentence):
        statements_of(tmp_path / "CLAUDE.md")


@given(st.text(alphabet=st.sampled_from(list("ab. \n-#|`>*_1:[]()~!❌é\t")), max_size=200))
def test_any_text_is_cut_and_every_line_is_one_of_the_text(text: str) -> None:
    lines = text.split("\n")
    for piece in cut(text):
        assert 1 <= piece.line <= len(lines)
        assert piece.text.strip()


HARD = {
    "backticks": "`" * 100_000 + "a",
    "brackets": "[(" * 200_000,
    "a table": "|a" * 100_000 + "|\n" + "|-" * 100_000 + "|\n" + "|b" * 100_000 + "|",
    "brackets over many lines": "[(\n" * 100_000,
}


@pytest.mark.parametrize("text", HARD.values(), ids=HARD)
def test_what_a_parser_would_take_minutes_for_is_left_out_in_a_sentence(
    repository: Writer, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []
    parse = ParserInline.parse

    def noted(self: ParserInline, src: str, *rest: Any) -> Any:
        given.append(len(src))
        return parse(self, src, *rest)

    monkeypatch.setattr(ParserInline, "parse", noted)
    root = repository({"CLAUDE.md": f"- Enums are strings.\n\n{text}\n\n- Ports are numbers.\n"})
    found = discover(root)
    assert next((s.line, s.text) for s in found.rules["CLAUDE.md"].statements) == (1, "Enums are strings.")
    assert found.rules["CLAUDE.md"].statements[-1].text == "Ports are numbers."
    assert found.problems[0].startswith("CLAUDE.md:3: the ")
    assert found.problems[0].endswith("; it was left out")
    assert "too long to be read" in found.problems[0] or "too many brackets to be read" in found.problems[0]
    assert max(given) <= 100


def test_a_long_paragraph_of_short_lines_is_read(repository: Writer) -> None:
    root = repository({".cursorrules": "".join(f"Rule number {n} stands here.\n" for n in range(2000))})
    assert len(statements_of(root / ".cursorrules")) == 2000


def test_a_line_without_words_is_named(repository: Writer) -> None:
    root = repository({"CLAUDE.md": "- a b a b\n- `src/`\n- https://example.com\n- One rule here.\n- x y\n"})
    found = discover(root)
    assert found.problems == ["CLAUDE.md:1: holds no words to weigh; it was left out"]


def test_a_fence_of_any_length_hides_what_it_shows() -> None:
    assert without_fences("@a\n````\n@b\n```\n@c\n````\n@d\n```\n@e") == "@a\n\n\n\n\n\n@d\n\n"
