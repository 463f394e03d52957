"""Joins the operators of an ONNX model once, for every load to come: `python -m tools.train_judge.fuse FOLDER`.

onnxruntime does this at each load otherwise: 1.1 s of processor time for the judge and .25 s for the embedder, where
.2 and .08 s do with a file that is joined already (AVX2, two cores). The answers are the same to the last bit. int8
weights become uint8, as processors without VNNI need them (`session.x64quantprecision`). Prints what `manifest.json`
holds.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from pathlib import Path

import onnxruntime

APART = "embeddings.bin"
"""The external data of the judge, which stay as they are."""


def fuse(folder: Path) -> None:
    """Replace `model.onnx` of the folder by its optimised form."""
    with tempfile.TemporaryDirectory() as scratch:
        options = onnxruntime.SessionOptions()
        options.add_session_config_entry("session.x64quantprecision", "1")
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        options.optimized_model_filepath = str(Path(scratch) / "model.onnx")
        if (folder / APART).exists():
            size = (folder / APART).stat().st_size
            for name, value in (("file_name", APART), ("min_size_in_bytes", str(size // 2))):
                options.add_session_config_entry(f"session.optimized_model_external_initializers_{name}", value)
        onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
        if (folder / APART).exists() and (Path(scratch) / APART).read_bytes() != (folder / APART).read_bytes():
            raise SystemExit(f"{folder / APART} would change; the model holds other large tables")
        (folder / "model.onnx").write_bytes((Path(scratch) / "model.onnx").read_bytes())


def digests(folder: Path) -> dict[str, dict[str, str | int]]:
    """Return size and SHA-256 of the model's files, as the manifest holds them."""
    files = [path for name in (APART, "model.onnx", "tokenizer.json") if (path := folder / name).exists()]
    return {f.name: {"bytes": f.stat().st_size, "sha256": hashlib.sha256(f.read_bytes()).hexdigest()} for f in files}


if __name__ == "__main__":
    fuse(Path(sys.argv[1]))
    print(json.dumps(digests(Path(sys.argv[1])), indent=2))
