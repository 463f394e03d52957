"""Makes the judge's ONNX files: `python -m tools.train_judge.quantise MODEL OUT --mix MIX/train.json`.

SmoothQuant (Xiao et al. 2023), then dynamic int8 per channel. The input of each linear layer is divided by
s = max|x|^alpha / max|w|^(1 - alpha) per channel, normalised to mean 1, and its weights are multiplied by s: what is
hard to round moves from the activations into the weights. Products of two activations and the relative position table
stay in float. OUT gets `lower.onnx` (layers up to the exit, and its head), `upper.onnx` (the layers above),
`embeddings.bin` (the word embeddings, apart: no file may exceed 100 MB), `tokenizer.json`, and `digests.json` for the
manifest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import shutil
import tempfile
from collections import defaultdict
from pathlib import Path

import onnx
import onnxruntime
import torch
from onnx.external_data_helper import convert_model_to_external_data
from onnxruntime.quantization import QuantType, quantize_dynamic

from .base import JUDGE
from .exits import Exits
from .pairs import CONTRADICTS, read_mix
from .train import Row, encode, load

ALPHA = 0.8
CALIBRATION = 384
LOWER, UPPER = "lower.onnx", "upper.onnx"


class Smoothed(torch.nn.Module):
    """A linear layer whose input is divided, channel by channel, by what its weights are multiplied with."""

    def __init__(self, linear: torch.nn.Linear, scale: torch.Tensor) -> None:
        super().__init__()
        self.inv = torch.nn.Parameter(1 / scale, requires_grad=False)
        self.l = linear
        linear.weight.data *= scale[None, :]

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        return self.l(values * self.inv)


class Lower(torch.nn.Module):
    """The layers below the exit: tokens in, the exit's logits and the hidden states out. One pair, no padding."""

    def __init__(self, model: torch.nn.Module, exits: Exits, layer: int) -> None:
        super().__init__()
        self.m, self.exit, self.layer = model, exits.heads[str(layer)], layer

    def forward(self, input_ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.m.mpnet.embeddings(input_ids=input_ids)
        hidden = through(self.m.mpnet.encoder, hidden, 0, self.layer)
        return self.exit(hidden[:, 0]), hidden


class Upper(torch.nn.Module):
    """The layers above the exit: its hidden states in, the judge's logits out."""

    def __init__(self, model: torch.nn.Module, layer: int) -> None:
        super().__init__()
        self.m, self.layer = model, layer

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        encoder = self.m.mpnet.encoder
        return self.m.classifier(through(encoder, hidden, self.layer, len(encoder.layer)))


def through(encoder: torch.nn.Module, hidden: torch.Tensor, first: int, last: int) -> torch.Tensor:
    """Return what comes out of layers `first` to `last` (exclusive)."""
    bias = encoder.compute_position_bias(hidden)
    for layer in encoder.layer[first:last]:
        hidden = layer(hidden, None, bias)[0]
    return hidden


@torch.no_grad()
def largest_inputs(
    model: torch.nn.Module, tokenizer: object, rows: list[tuple[str, str, int]]
) -> dict[str, torch.Tensor]:
    """Return, for each linear layer of the encoder, the largest absolute input seen per channel."""
    largest: dict[str, torch.Tensor] = {}

    def watch(name: str) -> object:
        def seen(_: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
            top = inputs[0].abs().reshape(-1, inputs[0].shape[-1]).amax(0)
            largest[name] = torch.maximum(largest[name], top) if name in largest else top

        return seen

    linears = [(n, m) for n, m in model.named_modules() if isinstance(m, torch.nn.Linear) and "encoder.layer" in n]
    hooks = [module.register_forward_pre_hook(watch(name)) for name, module in linears]
    for start in range(0, len(rows), 32):
        model(**encode(tokenizer, rows[start : start + 32]))
    for hook in hooks:
        hook.remove()
    return largest


def smooth(model: torch.nn.Module, largest: dict[str, torch.Tensor], alpha: float) -> None:
    """Put a Smoothed in place of each linear layer; query, key and value share an input and so a scale."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name in largest:
        parent, _, leaf = name.rpartition(".")
        groups[parent if leaf in ("q", "k", "v") else name].append(name)
    for names in groups.values():
        linears = [model.get_submodule(name) for name in names]
        inputs = torch.stack([largest[name] for name in names]).amax(0).clamp(min=1e-4)
        weights = torch.stack([linear.weight.abs().amax(0) for linear in linears]).amax(0).clamp(min=1e-4)
        scale = (inputs.pow(alpha) / weights.pow(1 - alpha)).clamp(min=1e-3)
        scale = (scale / scale.mean()).detach()
        for name, linear in zip(names, linears, strict=True):
            parent, _, leaf = name.rpartition(".")
            setattr(model.get_submodule(parent), leaf, Smoothed(linear, scale.clone()))


def export(part: torch.nn.Module, example: torch.Tensor, inputs: str, outputs: list[str], out: Path) -> None:
    """Write a float part as ONNX, for one pair of any length."""
    torch.onnx.export(
        part,
        (example,),
        str(out),
        input_names=[inputs],
        output_names=outputs,
        dynamic_axes={inputs: {1: "t"}, **({"hidden": {1: "t"}} if "hidden" in outputs else {})},
        opset_version=17,
        dynamo=False,
    )


def to_int8(source: Path, out: Path) -> None:
    """Quantise what is safe to quantise; `lower.onnx` keeps its word embeddings in a file of their own."""
    graph = onnx.load(str(source)).graph
    between = [n.name for n in graph.node if n.name.endswith(("attn/MatMul", "attn/MatMul_1"))]
    tables = ("relative_attention_bias", "position_embeddings")
    kept = [n.name for n in graph.node if n.op_type == "Gather" and any(table in n.input[0] for table in tables)]
    kept += [n.name for n in graph.node if "/exit/" in n.name]
    whole = source.with_suffix(".int8.onnx")
    # Seven bits of weight: with eight, processors without VNNI add up past 16 bits, saturate, and answer otherwise.
    quantize_dynamic(
        str(source),
        str(whole),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        op_types_to_quantize=["MatMul", "Gemm", "Gather"],
        nodes_to_exclude=between + kept,
    )
    model = onnx.load(str(whole))
    if out.name == LOWER:
        largest = max(len(item.raw_data) for item in model.graph.initializer)
        convert_model_to_external_data(
            model, location="embeddings.bin", size_threshold=largest, convert_attribute=False
        )
        (out.parent / "embeddings.bin").unlink(missing_ok=True)
    onnx.save(model, str(out))


def agreement(model: torch.nn.Module, exits: Exits, layer: int, tokenizer: object, out: Path, rows: list[Row]) -> str:
    """Compare probabilities of contradiction before and after, of the judge and of its exit."""
    lower, upper = (
        onnxruntime.InferenceSession(str(out / name), providers=["CPUExecutionProvider"]) for name in (LOWER, UPPER)
    )
    told = []
    for row in rows:
        inputs = encode(tokenizer, [row])  # type: ignore[arg-type]
        with torch.no_grad():
            exact = model(**inputs, output_hidden_states=True)
            early = exits(exact.hidden_states)[layer]
        glance, hidden = lower.run(None, {"input_ids": inputs["input_ids"].numpy()})
        whole = upper.run(None, {"hidden": hidden})[0]
        told.append(
            [_clash(exact.logits), _clash(torch.from_numpy(whole)), _clash(early), _clash(torch.from_numpy(glance))]
        )
    exact, whole, early, glance = (torch.tensor(column) for column in zip(*told, strict=True))
    lines = []
    for name, before, after in (("judge", exact, whole), ("exit", early, glance)):
        gap = (before - after).abs()
        lines.append(
            f"{name}: probability moves by {gap.mean():.4f}, {int((gap > 0.2).sum())} of {len(rows)} by over .2"
        )
    return "\n".join(lines)


def _clash(logits: torch.Tensor) -> float:
    return float(logits.softmax(-1)[0, CONTRADICTS])


def main() -> None:
    parser = argparse.ArgumentParser(prog="train_judge.quantise", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mix", type=Path, required=True, help="pairs to calibrate on")
    parser.add_argument("--exit", type=int, default=4, help="the layer whose exit answers what is plain")
    parser.add_argument("--alpha", type=float, default=ALPHA)
    parser.add_argument("--pairs", type=int, default=CALIBRATION, help="how many pairs the ranges are read from")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(2)
    model, tokenizer = load(options.model)
    exits = Exits.load(options.model)
    model.eval(), exits.eval()
    rows = random.Random(1).sample(read_mix(options.mix), options.pairs)
    smooth(model, largest_inputs(model, tokenizer, rows), options.alpha)
    with tempfile.TemporaryDirectory() as scratch:
        ids = encode(tokenizer, [("a b c", "d e", 0)])["input_ids"]
        lower = Lower(model, exits, options.exit)
        export(lower, ids, "input_ids", ["exit", "hidden"], Path(scratch) / LOWER)
        with torch.no_grad():
            hidden = lower(ids)[1]
        export(Upper(model, options.exit), hidden, "hidden", ["logits"], Path(scratch) / UPPER)
        for name in (LOWER, UPPER):
            to_int8(Path(scratch) / name, options.out / name)
    shutil.copyfile(JUDGE / "tokenizer.json", options.out / "tokenizer.json")
    files = [options.out / name for name in ("embeddings.bin", LOWER, UPPER, "tokenizer.json")]
    digests = {f.name: {"bytes": f.stat().st_size, "sha256": hashlib.sha256(f.read_bytes()).hexdigest()} for f in files}
    (options.out / "digests.json").write_text(json.dumps(digests, indent=2) + "\n", "utf-8")
    print(json.dumps(digests, indent=2))
    print(agreement(model, exits, options.exit, tokenizer, options.out, rows[:64]))


if __name__ == "__main__":
    main()
