"""Distils a smaller reader: `python -m tools.train_judge.distil FROM OUT --mix MIX/train.json --answers FILE`.

It learns the answers of the shipped judge (`answers` asks for them; mean squared error on the logits) and, with less
weight, the labels where there are any. From the judge it starts with every other layer: half the time and half the
size. Any other transformers model is taken whole.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

import torch

from .pairs import UNKNOWN, read_mix
from .train import Row, batches, encode, held_out_score, load, optimiser

Answers = dict[tuple[str, str], list[float]]
LAYERS = (0, 2, 4, 7, 9, 11)
"""The teacher's layers that the student starts from: the first, the last, and evenly between."""


def answers(path: Path) -> Answers:
    """Return what the teacher said, by (existing, new)."""
    return {(existing, new): logits for existing, new, logits in json.loads(path.read_text("utf-8"))}


def student_of(source: Path) -> torch.nn.Module:
    """Return the teacher with half of its layers taken out; another model of three labels as it is."""
    model, _ = load(source)
    if model.config.model_type != "mpnet":
        return model
    encoder = model.mpnet.encoder
    encoder.layer = torch.nn.ModuleList(encoder.layer[number] for number in LAYERS)
    model.config.num_hidden_layers = len(LAYERS)
    return model


def distance(logits: torch.Tensor, batch: list[Row], taught: Answers, label: float) -> torch.Tensor:
    """Return how far the student is from the teacher and, times `label`, from the truth."""
    wanted = torch.tensor([taught[row[0], row[1]] for row in batch])
    truth = torch.tensor([row[2] for row in batch])
    apart = torch.nn.functional.mse_loss(logits.float(), wanted)
    wrong = torch.nn.functional.cross_entropy(logits.float(), truth, ignore_index=UNKNOWN, reduction="sum")
    return apart + label * wrong / len(batch)


def distil(options: argparse.Namespace) -> None:
    """Train the student until the minutes or the epochs are over."""
    torch.manual_seed(0)
    random.seed(0)
    torch.set_num_threads(2)
    options.out.mkdir(parents=True, exist_ok=True)
    _, tokenizer = load(options.source)
    taught = answers(options.answers)
    rows, check = read_mix(options.mix), read_mix(options.held_out) if options.held_out else []
    student = student_of(options.source)
    fast = torch.compile(student, dynamic=True) if options.compile else student
    optimise, began, step, lost = optimiser(student, options.rate), time.monotonic(), 0, 0.0
    steps, saved = max(1, int(len(rows) / options.batch * options.epochs)), began
    student.train()

    def save() -> None:
        student.save_pretrained(options.out)
        tokenizer.save_pretrained(options.out)

    while (gone := max(step / steps, (time.monotonic() - began) / (options.minutes * 60))) < 1:
        for batch in batches(rows, options.batch):
            gone = max(step / steps, (time.monotonic() - began) / (options.minutes * 60))
            if gone >= 1:
                break
            for group in optimise.param_groups:
                group["lr"] = options.rate * min(1, (step + 1) / options.warm) * (1 - gone)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=options.bf16):
                logits = fast(**encode(tokenizer, batch)).logits
            loss = distance(logits, batch, taught, options.label)
            optimise.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
            optimise.step()
            step, lost = step + 1, lost + loss.item()
            if step % 20 == 0:
                pace = step * options.batch / (time.monotonic() - began)
                print(f"{step} of {steps}: distance {lost / 20:.3f}, {pace:.1f} pairs a second", flush=True)
                lost = 0.0
            if time.monotonic() - saved > options.save * 60:
                save()
                saved = time.monotonic()
                print(held_out_score(student, tokenizer, check) if check else "saved", flush=True)
    save()
    print(f"{step} steps; {options.out} can be quantised as the teacher is")


def main() -> None:
    parser = argparse.ArgumentParser(prog="train_judge.distil", description=__doc__)
    parser.add_argument("source", metavar="from", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mix", type=Path, required=True)
    parser.add_argument("--answers", type=Path, required=True, help="what `answers` wrote for every pair of the mix")
    parser.add_argument("--held-out", type=Path)
    parser.add_argument("--label", type=float, default=0.5, help="weight of the labels beside the teacher's answers")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--warm", type=int, default=50)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--save", type=float, default=10, help="minutes between two savings")
    parser.add_argument("--bf16", action="store_true", help="compute in bf16, where the processor can")
    parser.add_argument("--no-compile", dest="compile", action="store_false")
    distil(parser.parse_args())


if __name__ == "__main__":
    main()
