"""The desk of a scan: its findings in order, what stands under a side, what a verb says instead of being done."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.making import belief
from tur_engine.records import Evidence, Verb
from tur_engine.rulebook import Clash, Disproof, Duplicate, Report, RuleFile, Side
from tur_tui.desk.finding_advice import notes, struck, told_verb
from tur_tui.desk.finding_sides import belief_of, conflict_of, side_facts
from tur_tui.desk.findings import Findings, Kind, findings

ONE = Side("AGENTS.md", 3, "Package manager: npm", subject="Rules > Tools")
OTHER = Side("CLAUDE.md", 7, "Package manager: pnpm")
PIECE = Evidence(kind="slot", weight=2.0, sentence="two names", incumbent_words="npm", challenger_words="pnpm")
CLASH = Clash(ONE, OTHER, 0.8, "factual", "semantic", "two names", "keep one", (PIECE,), ("Copilot",), ("x/A.md:1",))
LAW = Side("", 0, "Transport: TLS", "core-" + "ab" * 32, approved=True)
AGAINST_LAW = Clash(LAW, Side("AGENTS.md", 9, "Transport: plain"), 0.9, "factual", "semantic", "no", "change it")


def report(*clashes: Clash) -> Report:
    return Report(
        Path("/srv/tidewatch"),
        files=[
            RuleFile("AGENTS.md", 4, ("Codex", "Cursor"), "", cut={"Codex": 5}),
            RuleFile("CLAUDE.md", 2, ("Claude Code",), "web", ("web/**/*.ts",)),
        ],
        statements=6,
        clashes=list(clashes),
        duplicates=[Duplicate((ONE, OTHER, Side("GEMINI.md", 2, "Package manager: npm")))],
        disproved=[Disproof(ONE, "tool", "npm", "the repository uses pnpm")],
        problems=["bin/CLAUDE.md is not text; it was left out"],
    )


def desk(*clashes: Clash) -> Findings:
    made = Findings()
    made.load(report(*clashes), {})
    return made


def test_what_weighs_most_comes_first() -> None:
    kinds = [each.kind for each in findings(report(AGAINST_LAW, CLASH))]
    assert kinds == [Kind.INVARIANT, Kind.CLASH, Kind.DISPROVED, Kind.DUPLICATE, Kind.REMARK]
    made = desk(AGAINST_LAW, CLASH)
    assert made.counter == "1 of 5"
    assert made.summary == "2 clashes, 1 disproved, 1 duplicate, 1 remark; 6 statements in 2 files"
    assert desk().rows[0].kind is Kind.DISPROVED


def test_moving_and_pointing() -> None:
    made = desk(CLASH)
    made.step(-1)
    assert made.current is not None
    assert made.current.kind is Kind.REMARK
    assert made.source() == "There is no line to open."
    made.step(1)
    assert made.source() == (Path("/srv/tidewatch/CLAUDE.md"), 7)
    made.choose(0)
    assert made.source() == (Path("/srv/tidewatch/AGENTS.md"), 3)
    made.select(1)
    assert made.side == 1  # another finding begins on the right
    assert made.source() == (Path("/srv/tidewatch/AGENTS.md"), 3)  # it has one side only
    made.choose(1)
    assert made.pointed == ONE
    empty = Findings()
    empty.step(1)
    assert (empty.counter, empty.current, empty.pointed) == ("nothing found", None, None)


def test_the_finding_in_front_stays_where_lines_move() -> None:
    made = desk(AGAINST_LAW, CLASH)
    made.select(1)
    moved = CLASH._replace(a=ONE._replace(line=30))
    made.load(report(moved), {})
    assert (made.place, made.current and made.current.clash) == (0, moved)
    made.load(report(), {})
    assert made.current is not None
    assert made.current.kind is Kind.DISPROVED


def test_a_memory_is_opened_where_it_came_from(tmp_path: Path) -> None:
    ref = "fact-" + "cd" * 32
    clash = CLASH._replace(a=Side("", 0, "Package manager: npm", ref))
    made = Findings()
    told = report(clash)
    told.ledger = str(tmp_path / ".tur" / "ledger.db")
    learned = belief("Package manager: npm")
    made.load(told, {ref: learned})
    made.choose(0)
    assert "is a memory of the ledger" in str(made.source())
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("x")
    memory = learned.memory.model_copy(update={"provenance": {"file": "docs/a.md", "line": "4"}})
    made.load(told, {ref: learned.model_copy(update={"memory": memory})})
    assert made.source() == (tmp_path / "docs" / "a.md", 4)


def test_under_a_line_stands_its_place_and_who_reads_it() -> None:
    told = report(CLASH)
    assert side_facts(ONE, told) == [
        ("line", "AGENTS.md:3"),
        ("under", "Rules > Tools"),
        ("holds in", "all of the repository"),
        ("read by", "Codex, Cursor"),
    ]
    assert dict(side_facts(ONE._replace(line=5), told))["read by"] == "Cursor"  # Codex stops above
    assert dict(side_facts(OTHER, told))["holds in"] == "web/**/*.ts"
    assert side_facts(LAW._replace(store="/home/ada/.tur/ledger.db"), told) == [
        ("memory", LAW.short_id),
        ("store", "/home/ada/.tur/ledger.db"),
        ("status", "invariant, in force"),
    ]
    hostile = side_facts(Side("a\x1b]0;x\x07/\u202eAGENTS.md", 1, "x"), told)
    assert not any(sign in value for _, value in hostile for sign in "\x1b\x07\u202e")


def test_who_reads_both_is_said() -> None:
    (row,) = [each for each in desk(CLASH).rows if each.clash]
    assert notes(row, report(CLASH)) == ["Copilot reads both.", "Said too at x/A.md:1."]
    for agents, said in ((("A", "B"), "A, B read both."), ((), "No agent reads both; people work by both.")):
        (row,) = [each for each in desk(CLASH._replace(agents=agents, also=())).rows if each.clash]
        assert notes(row, None) == [said]
    blind = report(CLASH)
    blind.judged = False
    assert "judge is not installed" in notes(row, blind)[-1]


def test_a_clash_is_shown_as_a_conflict() -> None:
    (row,) = [each for each in desk(CLASH).rows if each.clash]
    conflict = conflict_of(row, {})
    assert conflict is not None
    assert (conflict.incumbent.memory.content, conflict.challenger.memory.content) == (ONE.text, OTHER.text)
    assert conflict.evidence == (PIECE,)
    assert conflict_of(desk().rows[0], {}) is None
    known = belief("known")
    assert belief_of(LAW, {LAW.memory: known}) is known
    assert belief_of(LAW, {}).approved


@pytest.mark.parametrize("verb", Verb)
def test_every_verb_says_what_to_do_in_the_files(verb: Verb) -> None:
    memory = CLASH._replace(a=Side("", 0, "Package manager: npm", "fact-" + "cd" * 32))
    for clash in (CLASH, memory, AGAINST_LAW):
        (row,) = [each for each in desk(clash).rows if each.clash]
        preview = struck(row, verb)
        assert not preview.allowed
        assert preview.reason == f"A scan changes nothing. {told_verb(row, verb)}"
        assert told_verb(row, verb).endswith(".")
    assert "no pair" in told_verb(desk().rows[0], verb)
    assert "no pair" in told_verb(None, verb)


def test_an_invariant_is_not_to_be_given_up() -> None:
    (row,) = [each for each in desk(AGAINST_LAW).rows if each.clash]
    assert "AGENTS.md:9" in told_verb(row, Verb.SUPERSEDE)
    assert "tur propose" in told_verb(row, Verb.SUPERSEDE)
    assert "Let AGENTS.md:3" not in told_verb(row, Verb.REFUTE)
