from __future__ import annotations

import io
import json
import os
import sys

import pytest

from tur_engine.cli import output
from tur_engine.cli.output import Output


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def ascii_stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), "ascii")


def written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("ascii")


def test_an_encoding_that_lacks_a_character_still_gets_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = ascii_stream()
    monkeypatch.setattr(sys, "stdout", stream)
    Output("tur").data("Zoë… ‹RLO› 語")
    assert written(stream) == "Zo\\xeb... <RLO> \\u8a9e\n"


def test_the_sign_has_an_ascii_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", ascii_stream())
    assert Output("tur").sign() == "[!]"
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert Output("tur").sign() == "\u26a0\ufe0f"


@pytest.mark.parametrize(
    "text", ["\u202ereversed", "zero\u200bwidth", "\x9b31m", "\ufeff", "tag\U000e0041", "é語 \x1b]0;x\x07"]
)
def test_json_holds_nothing_that_steers_a_terminal(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    Output("tur").json({"content": text})
    answer = stream.getvalue()
    assert json.loads(answer) == {"content": text}
    assert not any(ord(c) < 32 and c != "\n" for c in answer)
    assert not set(answer) & {"\u202e", "\u200b", "\x9b", "\ufeff", "\U000e0041"}


def test_json_in_ascii_is_the_same_object(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = ascii_stream()
    monkeypatch.setattr(sys, "stdout", stream)
    Output("tur").json({"content": "Zoë 語"})
    assert json.loads(written(stream)) == {"content": "Zoë 語"}


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colour_is_for_terminals_that_want_it(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert Output("tur").paint("x", "red", Terminal()) == "\x1b[31mx\x1b[0m"
    assert Output("tur").paint("x", "red", io.StringIO()) == "x"
    monkeypatch.setenv(variable, value)
    assert Output("tur").paint("x", "red", Terminal()) == "x"


def test_columns_line_up_by_what_the_eye_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    Output("tur").rows([("語", "wide"), ("ab", "narrow"), ("e\u0301 ", "combining")])
    assert stream.getvalue() == "語  wide\nab  narrow\ne\u0301   combining\n"


def test_a_row_holds_one_line_whatever_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    Output("tur").rows([("a\nb", "c\u202e\x1b[2J[/b]")])
    assert stream.getvalue() == "a b  c‹RLO›‹U+001B›[2J[/b]\n"


def test_long_rows_are_cut_on_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    row = ("id", "word " * 40)
    for stream, limit in ((Terminal(), 60), (io.StringIO(), 250)):
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setenv("COLUMNS", "60")
        Output("tur").rows([row])
        line = stream.getvalue().rstrip("\n")
        assert output.cells(line) <= limit
        assert line.endswith("…") == (limit == 60)


def test_a_reader_that_left_does_not_stop_the_command() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as stream, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        out = Output("tur")
        out.data("first")
        out.data("second")
