"""A weight file is hashed once on a machine, and again whenever the file system says that it may be another."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from tur_engine import models
from tur_engine.errors import IntegrityFailure
from tur_engine.models import hashed

WEIGHTS = b"the weights that were measured"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model of one file, and a state directory of its own."""
    monkeypatch.setattr(hashed, "place", lambda: tmp_path / "state" / "models.json")
    folder = tmp_path / "models" / "embedder"
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(WEIGHTS)
    promised = {"embedder": {"model.onnx": {"bytes": len(WEIGHTS), "sha256": hashlib.sha256(WEIGHTS).hexdigest()}}}
    monkeypatch.setattr(models, "_ROOT", tmp_path / "models")
    monkeypatch.setattr(models, "manifest", lambda: promised)
    return folder


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The digests that were worked out."""
    worked_out: list[str] = []
    digest = hashlib.file_digest

    def spy(file: object, name: str) -> object:
        worked_out.append(name)
        return digest(file, name)  # type: ignore[arg-type]

    monkeypatch.setattr(hashlib, "file_digest", spy)
    return worked_out


def test_it_is_hashed_once(room: Path, read: list[str]) -> None:
    for _ in range(3):
        assert models.model_file("embedder", "model.onnx") == room / "model.onnx"
    assert len(read) == 1


def test_the_doctor_hashes_anew(room: Path, read: list[str]) -> None:
    models.model_file("embedder", "model.onnx")
    assert models.verify_models() == ()
    assert len(read) == 2


def test_other_bytes_of_the_same_size_are_found_though_their_time_is_set_back(room: Path) -> None:
    file = room / "model.onnx"
    models.model_file("embedder", "model.onnx")
    before = file.stat()
    file.write_bytes(WEIGHTS[::-1])
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    with pytest.raises(IntegrityFailure, match="SHA-256"):
        models.model_file("embedder", "model.onnx")


def test_another_file_put_in_its_place_is_found(room: Path) -> None:
    file = room / "model.onnx"
    models.model_file("embedder", "model.onnx")
    before = file.stat()
    other = room / "other"
    other.write_bytes(WEIGHTS[::-1])
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(file)
    with pytest.raises(IntegrityFailure):
        models.model_file("embedder", "model.onnx")


@pytest.mark.parametrize("written", [b"", b"\xff", b"[]", b"{", b'{"PATH": 3}', b'{"PATH": []}', b'{"PATH": [1, "0"]}'])
def test_a_note_that_makes_no_sense_is_passed_over(written: bytes, room: Path, read: list[str]) -> None:
    hashed.place().parent.mkdir()
    hashed.place().write_bytes(written.replace(b"PATH", os.fsencode(room / "model.onnx")))
    models.model_file("embedder", "model.onnx")
    assert len(read) == 1
    assert list(json.loads(hashed.place().read_bytes())) == [str(room / "model.onnx")]


def test_a_state_directory_that_cannot_be_made_troubles_nobody(room: Path, read: list[str]) -> None:
    hashed.place().parent.write_bytes(b"a file where the folder should be")
    for _ in range(2):
        models.model_file("embedder", "model.onnx")
    assert len(read) == 2


def _no_home() -> Path:
    raise RuntimeError("could not determine the home directory")


def test_an_account_without_a_home_hashes_every_time(
    room: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hashed, "place", _no_home)
    for _ in range(2):
        assert models.model_file("embedder", "model.onnx") == room / "model.onnx"
    assert len(read) == 2


def test_notes_that_are_too_deep_to_be_read_are_written_anew(room: Path, read: list[str]) -> None:
    hashed.place().parent.mkdir()
    hashed.place().write_text("[" * 100_000, "utf-8")
    for _ in range(2):
        assert models.model_file("embedder", "model.onnx") == room / "model.onnx"
    assert len(read) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_the_place_of_the_notes_is_not_waited_for(room: Path, read: list[str]) -> None:
    hashed.place().parent.mkdir()
    os.mkfifo(hashed.place())
    for _ in range(2):
        assert models.model_file("embedder", "model.onnx") == room / "model.onnx"
    assert len(read) == 1
