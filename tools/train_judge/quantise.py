"""Makes the judge's ONNX files: `python -m tools.train_judge.quantise MODEL OUT --mix MIX/train.json`.

SmoothQuant (Xiao et al. 2023), then dynamic int8 per channel. The input of each linear layer is divided by
s = max|x|^alpha / max|w|^(1 - alpha) per channel, normalised to mean 1, and its weights are multiplied by s: what is
hard to round moves from the activations into the weights. Products of two activations and the position tables stay in
float. OUT gets `model.onnx`, `tokenizer.json` and `digests.json` for the manifest; of the judge and its student also
`embeddings.bin` (the word embeddings, apart: both read the same, and neither file may exceed 100 MB).
"""

from __future__ import annotations

import argparse
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
from .fuse import digests, fuse
from .pairs import CONTRADICTS, read_mix
from .train import encode, load

ALPHA = 0.8
CALIBRATION = 384
BETWEEN = tuple(f"{room}/MatMul{which}" for room in ("attn", "self") for which in ("", "_1"))
"""Products of two activations, as mpnet and BERT name them."""


class Smoothed(torch.nn.Module):
    """A linear layer whose input is divided, channel by channel, by what its weights are multiplied with."""

    def __init__(self, linear: torch.nn.Linear, scale: torch.Tensor) -> None:
        super().__init__()
        self.inv = torch.nn.Parameter(1 / scale, requires_grad=False)
        self.l = linear
        linear.weight.data *= scale[None, :]

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        return self.l(values * self.inv)


class Exported(torch.nn.Module):
    """The model as the engine calls it: two inputs, logits out."""

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        self.m = model

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        return self.m(input_ids=input_ids, attention_mask=attention_mask).logits


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
        groups[parent if leaf in ("q", "k", "v", "query", "key", "value") else name].append(name)
    for names in groups.values():
        linears = [model.get_submodule(name) for name in names]
        inputs = torch.stack([largest[name] for name in names]).amax(0).clamp(min=1e-4)
        weights = torch.stack([linear.weight.abs().amax(0) for linear in linears]).amax(0).clamp(min=1e-4)
        scale = (inputs.pow(alpha) / weights.pow(1 - alpha)).clamp(min=1e-3)
        scale = (scale / scale.mean()).detach()
        for name, linear in zip(names, linears, strict=True):
            parent, _, leaf = name.rpartition(".")
            setattr(model.get_submodule(parent), leaf, Smoothed(linear, scale.clone()))


def export(model: torch.nn.Module, tokenizer: object, out: Path) -> None:
    """Write the float model as ONNX, any batch and any length."""
    example = encode(tokenizer, [("a b c", "d e", 0), ("x y", "z", 0)])
    torch.onnx.export(
        Exported(model),
        (example["input_ids"], example["attention_mask"]),
        str(out),
        input_names=["input_ids", "attention_mask"],
        output_names=["logits"],
        dynamic_axes={"input_ids": {0: "b", 1: "t"}, "attention_mask": {0: "b", 1: "t"}, "logits": {0: "b"}},
        opset_version=17,
        dynamo=False,
    )


def to_int8(source: Path, out: Path, *, apart: bool) -> None:
    """Quantise what is safe to quantise, and put the word embeddings into a file of their own where they are apart."""
    graph = onnx.load(str(source)).graph
    between = [n.name for n in graph.node if n.name.endswith(BETWEEN)]
    tables = ("relative_attention_bias", "position_embeddings", "token_type_embeddings")
    kept = [n.name for n in graph.node if n.op_type == "Gather" and any(table in n.input[0] for table in tables)]
    whole = source.with_name("int8.onnx")
    quantize_dynamic(
        str(source),
        str(whole),
        weight_type=QuantType.QInt8,
        per_channel=True,
        op_types_to_quantize=["MatMul", "Gather"],
        nodes_to_exclude=between + kept,
    )
    if not apart:
        shutil.copyfile(whole, out / "model.onnx")
        return
    model = onnx.load(str(whole))
    largest = max(len(item.raw_data) for item in model.graph.initializer)
    convert_model_to_external_data(model, location="embeddings.bin", size_threshold=largest, convert_attribute=False)
    (out / "embeddings.bin").unlink(missing_ok=True)
    onnx.save(model, str(out / "model.onnx"))


def agreement(model: torch.nn.Module, tokenizer: object, out: Path, rows: list[tuple[str, str, int]]) -> str:
    """Compare probabilities of contradiction before and after."""
    session = onnxruntime.InferenceSession(str(out / "model.onnx"), providers=["CPUExecutionProvider"])
    apart = []
    for row in rows:
        inputs = encode(tokenizer, [row])
        with torch.no_grad():
            exact = model(**inputs).logits.softmax(-1)[0, CONTRADICTS].item()
        feed = {name: inputs[name].numpy() for name in ("input_ids", "attention_mask")}
        rounded = torch.from_numpy(session.run(None, feed)[0]).softmax(-1)[0, CONTRADICTS].item()
        apart.append(abs(exact - rounded))
    crossed = sum(gap > 0.2 for gap in apart)
    return f"probability moves by {sum(apart) / len(apart):.4f} on average; {crossed} of {len(rows)} pairs by over .2"


def main() -> None:
    parser = argparse.ArgumentParser(prog="train_judge.quantise", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mix", type=Path, required=True, help="pairs to calibrate on")
    parser.add_argument("--alpha", type=float, default=ALPHA)
    parser.add_argument("--pairs", type=int, default=CALIBRATION, help="how many pairs the ranges are read from")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(2)
    model, tokenizer = load(options.model)
    model.eval()
    rows = random.Random(1).sample(read_mix(options.mix), options.pairs)
    smooth(model, largest_inputs(model, tokenizer, rows), options.alpha)
    with tempfile.TemporaryDirectory() as scratch:
        export(model, tokenizer, Path(scratch) / "float.onnx")
        apart = model.config.model_type == "mpnet"
        to_int8(Path(scratch) / "float.onnx", options.out, apart=apart)
    shutil.copyfile((JUDGE if apart else options.model) / "tokenizer.json", options.out / "tokenizer.json")
    print(agreement(model, tokenizer, options.out, rows[:64]))
    fuse(options.out)
    found = digests(options.out)
    (options.out / "digests.json").write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
