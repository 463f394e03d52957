"""The judge's sentence: alone beside a symbol that speaks, with the words where none does; and the one reason told."""

from __future__ import annotations

from tests.detect.sides import pair
from tur_engine.detect.evidence import gather
from tur_engine.detect.explain import judge_evidence
from tur_engine.records.evidence import SPEAKS, in_one_sentence

CANNOT = "Read as a whole, the two do not go together."


def test_beside_a_symbol_the_judge_repeats_no_words() -> None:
    weekly = pair("Backups run weekly", "Backups run daily")
    symbols = gather(weekly)
    strongest = max(symbols, key=lambda piece: piece.weight)
    assert strongest.weight >= SPEAKS
    judged = judge_evidence(weekly, strongest.weight + 1, symbols)
    assert judged.sentence == CANNOT
    assert judged.incumbent_spans == strongest.incumbent_spans
    assert in_one_sentence((*symbols, judged)) == strongest.sentence


def test_where_no_symbol_speaks_the_judge_names_the_words_and_is_the_reason() -> None:
    tools = pair("Migrations run via Alembic", "Migrations run via Prisma")
    judged = judge_evidence(tools, 2.5, ())
    assert judged.sentence.startswith(CANNOT.removesuffix("."))
    assert '"Alembic" against "Prisma"' in judged.sentence
    assert in_one_sentence((judged,)) == judged.sentence


def test_without_evidence_there_is_no_reason() -> None:
    assert in_one_sentence(()) == ""
