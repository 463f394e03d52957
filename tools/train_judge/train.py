"""Trains the judge: `python -m tools.train_judge.train FROM OUT --mix MIX/train.json --minutes 28`.

FROM and OUT are transformers folders. The learning rate falls to nothing by the end of the minutes or the epochs,
whichever comes first. The model is saved every few minutes, so that a stop loses little. bf16 pays only on processors
that compute in it (AVX512-BF16, AMX): elsewhere it is twenty times slower than float, so it has to be asked for.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from .pairs import CONTRADICTS, read_mix

Row = tuple[str, str, int]
MAX_TOKENS = 128
SMOOTHING = 0.05
NO_DECAY = ("bias", "LayerNorm.weight")


def batches(rows: list[Row], size: int) -> Iterator[list[Row]]:
    """Yield batches of pairs of about the same length, in random order."""
    shuffled = random.sample(rows, len(rows))
    for start in range(0, len(shuffled), size * 50):
        near = sorted(shuffled[start : start + size * 50], key=lambda row: len(row[0]) + len(row[1]))
        together = [near[at : at + size] for at in range(0, len(near), size)]
        yield from random.sample(together, len(together))


def load(folder: Path) -> tuple[torch.nn.Module, AutoTokenizer]:
    """Return the model, without dropout and with its embeddings frozen, and its tokenizer."""
    model = AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=3, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, dtype=torch.float32
    )
    for name, parameter in model.named_parameters():
        parameter.requires_grad = "embeddings." not in name
    return model, AutoTokenizer.from_pretrained(folder)


def encode(tokenizer: AutoTokenizer, rows: list[Row]) -> dict[str, torch.Tensor]:
    """Return the inputs of a batch."""
    existing, new = [row[0] for row in rows], [row[1] for row in rows]
    return tokenizer(  # type: ignore[operator]
        existing,
        new,
        padding=True,
        truncation=True,
        max_length=MAX_TOKENS,
        return_token_type_ids=False,  # the engine gives none: the separator tells the sides apart
        return_tensors="pt",
    )


def optimiser(model: torch.nn.Module, rate: float) -> torch.optim.AdamW:
    """Return AdamW with weight decay on matrices only."""
    named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    plain = [p for name, p in named if any(part in name for part in NO_DECAY)]
    decayed = [p for name, p in named if not any(part in name for part in NO_DECAY)]
    return torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=rate
    )


@torch.no_grad()
def held_out_score(model: torch.nn.Module, tokenizer: AutoTokenizer, rows: list[Row]) -> str:
    """Return accuracy on three labels and on contradiction against the rest."""
    model.eval()
    right = told = 0
    for start in range(0, len(rows), 64):
        batch = rows[start : start + 64]
        answers = model(**encode(tokenizer, batch)).logits.argmax(-1).tolist()
        right += sum(row[2] == answer for row, answer in zip(batch, answers, strict=True))
        told += sum(
            (row[2] == CONTRADICTS) == (answer == CONTRADICTS) for row, answer in zip(batch, answers, strict=True)
        )
    model.train()
    return f"held out: {right / len(rows):.3f} of three labels, {told / len(rows):.3f} of clash or not"


def train(options: argparse.Namespace) -> None:
    """Train, telling the loss now and then."""
    torch.manual_seed(0)
    random.seed(0)
    torch.set_num_threads(options.threads)
    model, tokenizer = load(options.source)
    rows, check = read_mix(options.mix), read_mix(options.held_out) if options.held_out else []
    fast = torch.compile(model, dynamic=True) if options.compile else model
    steps, budget = int(len(rows) / options.batch * options.epochs), options.minutes * 60
    optimise, began = optimiser(model, options.rate), time.monotonic()
    model.train()
    step, lost, saved = 0, 0.0, began

    def save() -> None:
        model.save_pretrained(options.out)
        tokenizer.save_pretrained(options.out)

    while True:
        for batch in batches(rows, options.batch):
            gone = max(step / steps, (time.monotonic() - began) / budget)
            if gone >= 1:
                save()
                print(
                    f"{step} steps in {(time.monotonic() - began) / 60:.1f} minutes;",
                    held_out_score(model, tokenizer, check) if check else "",
                )
                return
            for group in optimise.param_groups:
                group["lr"] = options.rate * min(1, (step + 1) / options.warm) * (1 - gone)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=options.bf16):
                logits = fast(**encode(tokenizer, batch)).logits
            loss = torch.nn.functional.cross_entropy(
                logits.float(), torch.tensor([row[2] for row in batch]), label_smoothing=SMOOTHING
            )
            optimise.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimise.step()
            step, lost = step + 1, lost + loss.item()
            if step % 20 == 0:
                pace = step * options.batch / (time.monotonic() - began)
                print(f"{step} of {steps}: loss {lost / 20:.3f}, {pace:.1f} pairs a second", flush=True)
                lost = 0.0
            if time.monotonic() - saved > options.save * 60:
                save()
                saved = time.monotonic()


def main() -> None:
    parser = argparse.ArgumentParser(prog="train_judge.train", description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mix", type=Path, required=True)
    parser.add_argument("--held-out", type=Path)
    parser.add_argument("--minutes", type=float, default=28)
    parser.add_argument("--epochs", type=float, default=1)
    parser.add_argument("--rate", type=float, default=1.5e-5)
    parser.add_argument("--warm", type=int, default=30, help="steps of rising learning rate")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--save", type=float, default=5, help="minutes between two savings")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bf16", action="store_true", help="compute in bf16, where the processor can")
    parser.add_argument("--no-compile", dest="compile", action="store_false")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
