"""Puts a model's weights beside it, where they are mapped: `python -m tools.train_judge.apart FILE`.

onnxruntime reads what stands in the `.onnx` file, takes it apart and copies it; what stands beside it is only mapped.
A cold judge opens in a fifth of the processor time (with `session.disable_prepacking`; in half without), and several
processes share the pages. FILE keeps the graph, the file of its name in `.bin` gets every table of 1 KB and more that
is not apart already. The answers are the same to the last bit. Prints what `manifest.json` holds of the two.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import onnx
from onnx.external_data_helper import set_external_data, uses_external_data

SMALLEST = 1024
PAGE = 4096
"""Every table begins at one, as mapping does."""


def part(file: Path) -> Path:
    """Move the tables of a model out of its file; return where they are."""
    model = onnx.load(str(file), load_external_data=False)
    beside = file.with_suffix(".bin")
    with beside.open("wb") as out:
        for tensor in model.graph.initializer:
            if uses_external_data(tensor) or len(tensor.raw_data) < SMALLEST:
                continue
            out.write(bytes(-out.tell() % PAGE))
            place, data = out.tell(), tensor.raw_data
            out.write(data)
            set_external_data(tensor, beside.name, offset=place, length=len(data))
            tensor.ClearField("raw_data")
    file.write_bytes(model.SerializeToString())
    return beside


if __name__ == "__main__":
    weights = Path(sys.argv[1])
    made = [weights, part(weights)]
    told = {f.name: {"bytes": f.stat().st_size, "sha256": hashlib.sha256(f.read_bytes()).hexdigest()} for f in made}
    print(json.dumps(told, indent=2))
