"""The embedder: unit vectors, independent of company, small enough to store."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tur_engine import models
from tur_engine.errors import IntegrityFailure
from tur_engine.probe.embedder import DIMENSIONS, Embedder, open_session, open_tokenizer, quantise, readable, restore

pytestmark = pytest.mark.slow

TEXTS = [
    "The gateway drops idle connections after 30 seconds.",
    "Idle connections are closed by the gateway once 30000 ms have passed.",
    "Plums ripen in September.",
]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return Embedder.load()


def test_vectors_have_unit_length_and_place_like_beside_like(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (3, DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-4)
    assert vectors[0] @ vectors[1] > 0.7 > 0.3 > vectors[0] @ vectors[2]


def test_company_does_not_change_a_vector(embedder: Embedder) -> None:
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    assert np.array_equal(embedder.embed(TEXTS), alone)
    assert np.array_equal(embedder.embed(TEXTS[::-1])[::-1], alone)


def test_nothing_to_embed_gives_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, DIMENSIONS)


def test_a_text_beyond_the_limit_is_cut_not_refused(embedder: Embedder) -> None:
    vectors = embedder.embed(["release notes " * 4000, "release notes " * 300])
    assert vectors[0] @ vectors[1] == pytest.approx(1.0, abs=1e-5)


def test_int8_bodies_keep_what_the_probe_needs(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    bodies = quantise(vectors)
    assert [len(body) for body in bodies] == [DIMENSIONS] * 3
    kept = restore(bodies)
    assert np.abs(kept @ kept.T - vectors @ vectors.T).max() < 0.02


def test_hidden_characters_and_lookalikes_do_not_move_a_text(embedder: Embedder) -> None:
    plain, masked = "the port is not open", "the p\u043ert is n\u200bot open"
    assert readable(masked) == plain
    assert embedder.embed([masked])[0] @ embedder.embed([plain])[0] == pytest.approx(1.0, abs=1e-5)


def test_the_weights_are_the_ones_of_the_manifest(embedder: Embedder) -> None:
    assert models.verify_models() == ()
    assert len(embedder.model_sha256) == 64


def test_an_altered_weight_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "embedder").mkdir()
    (tmp_path / "embedder" / "model.onnx").write_bytes(b"other bytes")
    promised = {
        "embedder": {"model.onnx": {"bytes": 11, "sha256": "0" * 64}, "gone.json": {"bytes": 1, "sha256": "0" * 64}}
    }
    monkeypatch.setattr(models, "_ROOT", tmp_path)
    monkeypatch.setattr(models, "manifest", lambda: json.loads(json.dumps(promised)))
    with pytest.raises(IntegrityFailure, match=r"embedder/model\.onnx .* reinstall"):
        models.model_file("embedder", "model.onnx")
    with pytest.raises(models.ModelMissing, match=r"embedder/gone\.json is not installed"):
        models.model_file("embedder", "gone.json")
    assert len(models.verify_models()) == 2
    assert not models.present("embedder")


def test_altered_weights_beside_the_graph_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = tmp_path / "judge"
    room.mkdir()
    (room / "model.onnx").write_bytes(b"graph")
    (room / "model.bin").write_bytes(b"other bytes")
    promised = {
        "model.onnx": {"bytes": 5, "sha256": hashlib.sha256(b"graph").hexdigest()},
        "model.bin": {"bytes": 11, "sha256": "0" * 64},
    }
    monkeypatch.setattr(models, "_ROOT", tmp_path)
    for module in ("tur_engine.models", "tur_engine.probe.embedder"):
        monkeypatch.setattr(f"{module}.manifest", lambda: {"judge": promised})
    with pytest.raises(IntegrityFailure, match=r"judge/model\.bin .* reinstall"):
        open_session("judge")


@pytest.mark.skipif(
    not Path("/proc/self/task").exists() or (os.cpu_count() or 1) < 2, reason="needs a list of threads, and two cores"
)
def test_the_runtime_starts_no_threads_for_linear_algebra(repo_root: Path) -> None:
    def threads(code: str) -> int:
        environment = os.environ | {"PYTHONPATH": str(repo_root / "engine")}
        environment.pop("OPENBLAS_NUM_THREADS", None)
        count = "; import os; print(len(os.listdir('/proc/self/task')))"
        return int(subprocess.check_output([sys.executable, "-c", code + count], env=environment, text=True))

    with_them = threads("import numpy, onnxruntime, tokenizers")
    assert threads("from tur_engine.probe.embedder import import_runtime; import_runtime()") < with_them


def test_the_runtime_counts_nothing_and_keeps_nothing_at_home(repo_root: Path, tmp_path: Path) -> None:
    """onnxruntime on Linux makes a device number and a file of what it is going to send."""
    code = (
        "from tur_engine.detect.judge import Judge, skimmer; from tur_engine.probe.embedder import Embedder; "
        "Embedder().embed(['a text']); skimmer().read('a', 'b')"
    )
    hidden = {"ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME", "XDG_STATE_HOME"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    subprocess.run([sys.executable, "-c", code], env={**environment, "HOME": str(tmp_path)}, cwd=repo_root, check=True)
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} <= {"models.json"}


def test_models_of_one_room_share_a_tokenizer() -> None:
    assert open_tokenizer("judge", 192) is open_tokenizer("judge", 192)
    assert open_tokenizer("judge", 192) is not open_tokenizer("embedder", 192)
