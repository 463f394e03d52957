"""Distils a judge of six layers: `python -m tools.train_judge.distil TEACHER OUT --mix MIX/train.json --minutes 60`.

The student starts from every other layer of the teacher and learns the teacher's logits (mean squared error), not the
labels; the teacher answers each pair once, and its answers are kept beside OUT. Half the time and half the size.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import torch

from .pairs import read_mix
from .train import Row, batches, encode, load, optimiser

LAYERS = (0, 2, 4, 7, 9, 11)
"""The teacher's layers that the student starts from: the first, the last, and evenly between."""


@torch.no_grad()
def answers(teacher: torch.nn.Module, tokenizer: object, rows: list[Row], kept: Path) -> dict[Row, torch.Tensor]:
    """Return the teacher's logits, from the file where they were computed before."""
    if kept.exists():
        known: dict[Row, torch.Tensor] = torch.load(kept)
        if all(row in known for row in rows):
            return known
    teacher.eval()
    found: dict[Row, torch.Tensor] = {}
    ordered = sorted(set(rows), key=lambda row: len(row[0]) + len(row[1]))
    for start in range(0, len(ordered), 64):
        batch = ordered[start : start + 64]
        logits = teacher(**encode(tokenizer, batch)).logits.float()
        found |= dict(zip(batch, logits, strict=True))
    torch.save(found, kept)
    return found


def student_of(source: Path) -> torch.nn.Module:
    """Return the teacher with half of its layers taken out."""
    model, _ = load(source)
    encoder = model.mpnet.encoder
    encoder.layer = torch.nn.ModuleList(encoder.layer[number] for number in LAYERS)
    model.config.num_hidden_layers = len(LAYERS)
    return model


def distil(options: argparse.Namespace) -> None:
    """Train the student until the minutes or the epochs are over."""
    torch.manual_seed(0)
    random.seed(0)
    torch.set_num_threads(2)
    options.out.mkdir(parents=True, exist_ok=True)
    teacher, tokenizer = load(options.teacher)
    rows = read_mix(options.mix)
    rows = random.sample(rows, min(len(rows), options.pairs))
    taught = answers(teacher, tokenizer, rows, options.out / "answers.pt")
    del teacher
    student = student_of(options.teacher)
    optimise, began, step, lost = optimiser(student, options.rate), time.monotonic(), 0, 0.0
    steps = max(1, int(len(rows) / options.batch * options.epochs))
    student.train()
    while (gone := max(step / steps, (time.monotonic() - began) / (options.minutes * 60))) < 1:
        for batch in batches(rows, options.batch):
            gone = max(step / steps, (time.monotonic() - began) / (options.minutes * 60))
            if gone >= 1:
                break
            for group in optimise.param_groups:
                group["lr"] = options.rate * min(1, (step + 1) / options.warm) * (1 - gone)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=options.bf16):
                logits = student(**encode(tokenizer, batch)).logits
            loss = torch.nn.functional.mse_loss(logits.float(), torch.stack([taught[row] for row in batch]))
            optimise.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
            optimise.step()
            step, lost = step + 1, lost + loss.item()
            if step % 20 == 0:
                print(f"{step} of {steps}: distance {lost / 20:.3f}", flush=True)
                lost = 0.0
    student.save_pretrained(options.out)
    tokenizer.save_pretrained(options.out)
    print(f"{step} steps; {options.out} can be quantised as the teacher is")


def main() -> None:
    parser = argparse.ArgumentParser(prog="train_judge.distil", description=__doc__)
    parser.add_argument("teacher", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mix", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=20_000, help="how many pairs of the mix the teacher answers")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--warm", type=int, default=50)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--bf16", action="store_true", help="compute in bf16, where the processor can")
    distil(parser.parse_args())


if __name__ == "__main__":
    main()
