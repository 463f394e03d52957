"""Early exits: small heads on lower layers of the judge, that answer for it where the answer is plain.

A head reads the first token of its layer, as the judge's own does at the last one, and is taught the judge's logits
while the judge is trained (deep supervision). What an exit is sure of needs no further layers: Teerapittayanon et al.,
BranchyNet, 2016; Xin et al., DeeBERT, 2020.
"""

from __future__ import annotations

from pathlib import Path

import torch

FILE = "exits.pt"


class Exits(torch.nn.Module):
    """One head a layer: [n, hidden] first tokens to [n, 3] logits."""

    def __init__(self, layers: tuple[int, ...], hidden: int) -> None:
        super().__init__()
        self.layers = layers
        self.heads = torch.nn.ModuleDict(
            {
                str(layer): torch.nn.Sequential(
                    torch.nn.LayerNorm(hidden),
                    torch.nn.Linear(hidden, hidden),
                    torch.nn.Tanh(),
                    torch.nn.Linear(hidden, 3),
                )
                for layer in layers
            }
        )

    def forward(self, hidden_states: tuple[torch.Tensor, ...]) -> dict[int, torch.Tensor]:
        """Return the logits of each exit; `hidden_states` is [embeddings, layer 1, layer 2, ...]."""
        return {layer: self.heads[str(layer)](hidden_states[layer][:, 0].float()) for layer in self.layers}

    def save(self, folder: Path) -> None:
        """Write the heads beside the judge."""
        torch.save({"layers": self.layers, "state": self.state_dict()}, folder / FILE)

    @classmethod
    def load(cls, folder: Path) -> Exits:
        """Read the heads of a trained judge."""
        kept = torch.load(folder / FILE)
        exits = cls(tuple(kept["layers"]), kept["state"][f"heads.{kept['layers'][0]}.1.weight"].shape[0])
        exits.load_state_dict(kept["state"])
        return exits


def lesson(taught: dict[int, torch.Tensor], logits: torch.Tensor) -> torch.Tensor:
    """Return how far the exits are from the judge's own logits (mean squared error, mean of exits)."""
    target = logits.detach().float()
    return torch.stack([torch.nn.functional.mse_loss(answer, target) for answer in taught.values()]).mean()
