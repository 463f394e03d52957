"""Quality of the guardrail, and what a harness waits for: `python benchmarks/guard.py [--show] [--cold [RUNS]]`.

Twelve axioms are put in force in a temporary store, then every action of data/guard.jsonl is offered to `Engine.guard`
with the shipped models. An action is found where the axiom it violates is among the warnings; a false warning is any
warning on an action that violates nothing, and one that names another axiom than the one violated is counted apart.

--cold times whole processes of each hook in turns, with the twelve axioms in force: aim 700 ms where the machine is
quiet. On a busy one the processor's time says more than the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tur_engine.engine import Engine
from tur_engine.govern.signer import Signer
from tur_engine.governor import Governor
from tur_engine.records import Author, AuthorKind, Draft, MemoryType

DATA = Path(__file__).with_name("data") / "guard.jsonl"


def put_in_force(engine: Engine, axioms: dict[str, str]) -> dict[str, str]:
    """Approve the axioms with a key made for the occasion; returns their names by memory id."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    signer = Signer(Ed25519PrivateKey.generate(), "benchmark")
    governor = Governor(engine)
    governor._enrol_first(signer)
    named = {}
    for name, text in axioms.items():
        filed = engine.propose(Draft(content=text, type=MemoryType.AXIOM, author=engine.actor))
        if filed.proposal_id is None or not governor.approve(filed.proposal_id, signer).in_force:
            raise SystemExit(f"axiom {name!r} could not be put in force: {filed.outcome}")
        named[str(filed.id)] = name
    return named


HOOKS: dict[str, tuple[list[str], dict[str, object], int]] = {
    "python -c pass": ([], {}, 0),
    "guard, a violation": (
        ["guard", "--hook"],
        {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push -f origin main"}},
        2,
    ),
    "guard, a harmless command": (
        ["guard", "--hook"],
        {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "uv run pytest -q"}},
        0,
    ),
    "guard, a look": (
        ["guard", "--hook"],
        {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git status"}},
        0,
    ),
    "session start": (["hook", "session-start"], {"hook_event_name": "SessionStart", "source": "startup"}, 0),
    "after an edit, no rule file": (
        ["hook", "after-edit"],
        {"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": {"file_path": "a.py", "new_string": "x"}},
        0,
    ),
    "after an edit, a rule": (
        ["hook", "after-edit"],
        {
            "hook_event_name": "PostToolUse",
            "tool_name": "Edit",
            "tool_input": {"file_path": "CLAUDE.md", "new_string": "- The office plants are watered on Mondays."},
        },
        0,
    ),
}
"""What is run, what the harness sends, and the exit code it must have."""


def cold(folder: Path, runs: int) -> None:
    """Print how long each hook takes as a process of its own."""
    (folder / "CLAUDE.md").write_text("# Rules\n\n- The office plants are watered on Mondays.\n", "utf-8")
    took: dict[str, list[float]] = {name: [] for name in HOOKS}
    worked: dict[str, list[float]] = {name: [] for name in HOOKS}
    for _ in range(runs):
        for name, (arguments, call, code) in HOOKS.items():
            said = json.dumps({"session_id": "b", "cwd": str(folder)} | call)
            begun, before = time.perf_counter(), os.times()
            ran = subprocess.run(
                [sys.executable, *(["-m", "tur_engine.cli", *arguments] if arguments else ["-c", "pass"])],
                input=said,
                capture_output=True,
                text=True,
                cwd=folder,
                check=False,
            )
            took[name].append(time.perf_counter() - begun)
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            worked[name].append(spent)
            if ran.returncode != code:
                raise SystemExit(f"{name} ended with {ran.returncode}: {ran.stderr}")
    for name, each in took.items():
        clock = f"{1000 * min(each):5.0f} ms fastest, {1000 * statistics.median(each):5.0f} median"
        print(f"{name:28} {clock}; processor {1000 * min(worked[name]):5.0f} ms")


def main() -> None:
    """Print recall, false warnings and time an action."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--data", type=Path, default=DATA)
    asked.add_argument("--show", action="store_true", help="print every miss and every false warning")
    asked.add_argument("--cold", nargs="?", type=int, const=5, metavar="RUNS", help="time the hooks instead")
    options = asked.parse_args()
    rows = [json.loads(line) for line in options.data.read_text("utf-8").splitlines() if line]
    axioms = {row["axiom"]: row["text"] for row in rows if "axiom" in row}
    actions = [row for row in rows if "action" in row]
    found = false = aside = 0
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        os.environ["XDG_STATE_HOME"] = folder
        with Engine.init(Path(folder), actor=Author(kind=AuthorKind.HUMAN, name="benchmark")) as engine:
            named = put_in_force(engine, axioms)
            if options.cold:
                cold(Path(folder), options.cold)
                return
            for row in actions:
                begun = time.perf_counter()
                report = engine.guard(row["action"])
                seconds.append(time.perf_counter() - begun)
                hits = {named[warning.belief.id]: warning for warning in report.warnings}
                hit = row["violates"] in hits
                others = [warning for name, warning in hits.items() if name != row["violates"]]
                found += hit
                false += row["violates"] is None and bool(others)
                aside += row["violates"] is not None and bool(others)
                if options.show and ((row["violates"] and not hit) or others):
                    print("missed" if row["violates"] and not hit else "false " if not hit else "aside ", row["action"])
                    for statement in report.actions:
                        print("         read as", statement)
                    for warning in others:
                        print(f"         {warning.probability:.2f} {warning.read_as} / {warning.belief.memory.content}")
    violating = sum(row["violates"] is not None for row in actions)
    print(f"actions {len(actions)}: {violating} violate one of {len(axioms)} axioms, {len(actions) - violating} none")
    print(f"recall {found}/{violating} = {found / violating:.3f}")
    print(f"false warnings {false}/{len(actions) - violating}")
    print(f"beside the axiom violated, another one was named on {aside}")
    print(f"milliseconds an action, warm: median {1000 * statistics.median(seconds[1:]):.0f}")


if __name__ == "__main__":
    main()
