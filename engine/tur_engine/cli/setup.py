"""`tur setup`: wires a harness to tur, and takes that out again."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import BadInput, NoHome
from ..home import at_home
from ..text import named, visible
from ..working_folder import here
from .call import Call, answers
from .output import terminal
from .unified import show, unified

if TYPE_CHECKING:
    from ..wiring.harnesses import Harness, Reach
    from ..wiring.plan import Change, Plan


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("setup")(answers(setup, store=False))


def setup(
    call: Call,
    names: Annotated[list[str], typer.Argument(metavar="HARNESS...", help="claude, cursor, codex or gemini.")],
    remove: Annotated[bool, typer.Option("--remove", help="Take out what setup wrote, and nothing else.")] = False,
    user: Annotated[
        bool, typer.Option("--user/--project", help="Your own files, for all projects, in place of the project's.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the changes; write nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")] = False,
) -> int:
    """Wire agents' harnesses to tur: the MCP server and the hooks.

    Three hooks: what holds here is given at the start of a session; an edit or command that breaks an invariant is
    stopped; the lines that an agent changed in a rule file pass the gate. The changes are shown first. Everything else
    in the files stays byte for byte, and --remove restores them. `tur doctor` proves that it works.
    """
    from ..sources.discovery import repository_of
    from ..wiring.harnesses import Reach, harness_named

    if yes and dry_run:
        raise BadInput("--yes and --dry-run contradict each other; give one of the two")
    harnesses = list(dict.fromkeys(harness_named(name) for name in names))
    reach, root = Reach.USER if user else Reach.PROJECT, repository_of(here())
    plans = [_plan(harness, reach, root, remove=remove) for harness in harnesses]
    if not call.json:
        for plan in plans:
            _show(call, plan, remove=remove)
    changing = [plan for plan in plans if plan.changes]
    asking = not call.json and terminal()
    write = bool(changing) and not dry_run and (yes or (asking and call.out.agreed("Write this?")))
    if write:
        from ..wiring.applying import carry_out

        for plan in changing:
            carry_out(plan, root)
            call.out.done = f"the files of {plan.harness.name} are written"
    if call.json:
        call.out.json(_payload(plans, reach, remove=remove, written=write))
        return 0
    if write:
        for plan in changing:
            for change in plan.changes:
                call.out.data(f"{change.word}: {_name(change.path)}")
        if not remove:
            _tell_next(call, changing)
    elif changing:
        call.out.say("nothing was written; --yes writes it")
    return 0


def _plan(harness: Harness, reach: Reach, root: Path, *, remove: bool) -> Plan:
    from ..wiring.applying import check
    from ..wiring.plan import to_unwire, to_wire

    plan = (to_unwire if remove else to_wire)(harness, reach, root)
    check(plan, root)
    return plan


def _show(call: Call, plan: Plan, *, remove: bool) -> None:
    for change in plan.changes:
        show(call.out, _diff(change))
    for note in plan.notes:
        call.out.say(visible(note, newlines=False))
    if not plan.changes:
        how = "has nothing of setup's in" if remove else "is wired already:"
        call.out.data(f"{plan.harness.name} {how} {', '.join(_name(file.path) for file in plan.files)}")


def _diff(change: Change) -> list[str]:
    return unified(_name(change.path), change.before, change.after)


def _name(path: Path) -> str:
    """A path as people know it: from the working folder, or from home."""
    if path.is_relative_to(standing := here()):
        return named(path.relative_to(standing).as_posix())
    with suppress(NoHome):
        if path.is_relative_to(home := at_home(Path.home)):
            return named(f"~/{path.relative_to(home).as_posix()}")
    return named(str(path))


def _tell_next(call: Call, plans: list[Plan]) -> None:
    for program in ("tur", "tur-mcp"):
        if shutil.which(program) is None:
            call.out.warn(f"{program} is not on the PATH, so a harness will not find it; install it as a tool of yours")
    keys = [plan.harness.key for plan in plans]
    if "codex" in keys:
        call.out.say("Codex runs new hooks once you have reviewed them: /hooks in Codex, in a trusted project")
    if any(plan.harness.key == "claude" and plan.reach == "user" for plan in plans):
        call.out.say("Claude Code writes ~/.claude.json while it runs; look there again once it was closed")
    call.out.say(f"the proof that it works: tur doctor {' '.join(keys)}")


def _payload(plans: list[Plan], reach: Reach, *, remove: bool, written: bool) -> dict[str, Any]:
    changing = any(plan.changes for plan in plans)
    done = "removed" if remove else "wired"
    return {
        "status": "unchanged" if not changing else done if written else "shown",
        "reach": reach.value,
        "harnesses": [
            {
                "harness": plan.harness.key,
                "files": [
                    {"path": str(file.path), "change": file.word, "diff": "\n".join(_diff(file))} for file in plan.files
                ],
                "notes": plan.notes,
            }
            for plan in plans
        ],
    }
