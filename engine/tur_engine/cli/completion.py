"""`tur completion`: the script that lets a shell complete commands and options."""

from __future__ import annotations

from typing import Annotated

import typer

from ..errors import BadInput
from .call import Call, answers

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_TUR_COMPLETE"
"""The script sets it, and calls the program again for each Tab."""
_ZSH = """if ! (( $+functions[compdef] )); then  # a plain zsh has no completion yet
  autoload -Uz compinit && compinit -i
fi
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("completion")(answers(completion, store=False))


def completion(
    call: Call, shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="The shell it is for.")]
) -> int:
    """Print a script for the shell's start-up file.

    bash: tur completion bash >> ~/.bashrc; zsh: tur completion zsh >> ~/.zshrc;
    fish: tur completion fish > ~/.config/fish/completions/tur.fish.
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    name = shell.strip().lower()
    if name not in SHELLS:
        raise BadInput(f"unknown shell {shell!r}; use one of {', '.join(SHELLS)}")
    script = get_completion_script(prog_name="tur", complete_var=VARIABLE, shell=name)
    if name == "zsh":
        first, _, rest = script.partition("\n")  # the name of what it completes, which a folder of functions goes by
        script = f"{first}\n\n{_ZSH}{rest}"
    if call.json:
        call.out.json({"shell": name, "script": script})
    else:
        call.out.data(script)
    return 0
