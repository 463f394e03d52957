"""The throw-away store of the doctor: a fact that can be contradicted, and an invariant in force.

`python -m tur_engine.wiring.stage FOLDER` lays it down, in a process of its own, so that home, keys and witness are
those of the stage and never the user's.
"""

from __future__ import annotations

import os
import secrets
import site
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from ..errors import TurError

SERVICE = "The billing service listens on port {}"
PORT = 8443
FACT = SERVICE.format(PORT)
RULE = "Never force-push to main."
FORBIDDEN = "git push --force origin main"
HARMLESS = "git status"
SECONDS = 180


class Stage(NamedTuple):
    """Where the test clashes are played."""

    folder: Path

    @property
    def work(self) -> Path:
        """The project's folder, with the store in it."""
        return self.folder / "work"

    def environment(self, more: dict[str, str] | None = None) -> dict[str, str]:
        """The environment of what is started here: the user's, with another home and nothing said of tur."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("TUR_", "XDG_", "CLAUDE_"))}
        kept |= more or {}
        home = str(self.folder / "home")
        kept |= dict.fromkeys(("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"), home)
        kept.setdefault("PYTHONUSERBASE", site.getuserbase())  # where `pip install --user` put the programs' modules
        for variable in ("TUR_HOME", "CODEX_HOME"):
            kept.pop(variable, None)
        if "TUR_NO_JUDGE" in os.environ:
            kept["TUR_NO_JUDGE"] = os.environ["TUR_NO_JUDGE"]
        return kept

    def set_up(self) -> None:
        """Make the folders and lay the store down. Raises TurError with what went wrong."""
        for name in ("home", "work"):
            (self.folder / name).mkdir(parents=True)
        try:
            done = subprocess.run(
                [sys.executable, "-m", __name__, str(self.work)],
                env=self.environment(),
                cwd=self.work,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise TurError(f"the throw-away store could not be laid down within {SECONDS} seconds") from None
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no word why"])[-1]
            raise TurError(f"the throw-away store could not be laid down: {last}")


def lay_down(work: Path) -> None:
    """Found the store, learn the fact, put the invariant in force by a key made for the occasion."""
    from ..engine import Engine
    from ..governor import Governor
    from ..records import Author, AuthorKind, Draft, MemoryType

    with Engine.init(work, actor=Author(kind=AuthorKind.HUMAN, name="doctor"), nested=True) as engine:
        engine.learn(Draft(content=FACT, author=engine.actor))
        filed = engine.propose(Draft(content=RULE, type=MemoryType.AXIOM, author=engine.actor))
        governor, word = Governor(engine), secrets.token_urlsafe(24)
        governor.init_key("doctor", word)
        if filed.proposal_id is None or not governor.approve(filed.proposal_id, governor.unlock(word)).in_force:
            raise TurError(f"the test invariant could not be put in force ({filed.outcome})")


if __name__ == "__main__":
    try:
        lay_down(Path(sys.argv[1]))
    except TurError as error:
        sys.exit(str(error))
