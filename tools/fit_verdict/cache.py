"""Keeps what the models answered: a fit asks the judge for tens of thousands of pairs, once."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tur_engine.detect.judge import Answer, Judge
from tur_engine.models import sha256
from tur_engine.probe.embedder import Embedder


class CachedJudge(Judge):
    """The judge, with its answers kept in a file. Another judge gets other rows."""

    def __init__(self, path: Path, room: str = "judge", *, words: str = "judge") -> None:
        super().__init__(room, words=words)
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("PRAGMA synchronous=OFF")
        self._file.execute(
            "CREATE TABLE IF NOT EXISTS logits(model, a, b, same, compatible, contradicts, PRIMARY KEY(model, a, b))"
        )
        self._model = sha256(room, "model.onnx")

    def read(self, existing: str, new: str) -> Answer:
        """As Judge.read."""
        key = (self._model, existing, new)
        found = self._file.execute(
            "SELECT same, compatible, contradicts FROM logits WHERE model=? AND a=? AND b=?", key
        ).fetchone()
        if found is None:
            found = super().read(existing, new)
            self._file.execute("INSERT OR REPLACE INTO logits VALUES(?,?,?,?,?,?)", (*key, *found))
        same, compatible, contradicts = found
        return same, compatible, contradicts


class CachedEmbedder(Embedder):
    """The embedder, with its vectors kept in a file."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("PRAGMA synchronous=OFF")
        self._file.execute("CREATE TABLE IF NOT EXISTS vectors(model, text, vector, PRIMARY KEY(model, text))")
        self._model = sha256("embedder", "model.onnx")

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """As Embedder.embed."""
        rows = []
        for text in texts:
            found = self._file.execute(
                "SELECT vector FROM vectors WHERE model=? AND text=?", (self._model, text)
            ).fetchone()
            if found is None:
                found = (super().embed([text])[0].tobytes(),)
                self._file.execute("INSERT OR REPLACE INTO vectors VALUES(?,?,?)", (self._model, text, found[0]))
            rows.append(np.frombuffer(found[0], dtype=np.float32))
        return np.stack(rows)
