"""The same learns through upstream Tur 0.15.1; run by `benchmarks/gate.py --upstream` in an environment of its own.

`python upstream.py FOLDER`: reads `{"fill": [...], "offered": [...]}` from standard input, saves the first list, then
checks and saves each of the second as its MCP server's `learn` does, and prints the milliseconds of each as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path


def main() -> None:
    work = json.load(sys.stdin)
    home = Path(sys.argv[1])
    persona = home / "personas" / "00000000-0000-4000-8000-000000000000"
    (home / "project" / ".tur").mkdir(parents=True)
    os.environ |= {"TUR_HOME": str(home), "TUR_PROJECT_DIR": str(home / "project")}
    os.chdir(home / "project")
    from tur.memory import ContradictionInterceptor  # type: ignore[import-not-found]
    from tur.memory.storage import MemoryManager  # type: ignore[import-not-found]
    from tur.models import Memory, MemoryScope, MemoryType  # type: ignore[import-not-found]

    def memory(text: str) -> object:
        return Memory(type=MemoryType.FACT, scope=MemoryScope.INCARNATION, tags=["bench"], content=text)

    manager = MemoryManager(base_dir=persona)
    for text in work["fill"]:
        manager.save(memory(text))
    took = []
    for text in work["offered"]:
        began = time.perf_counter()
        manager = MemoryManager(base_dir=persona)
        ContradictionInterceptor(manager).check_conflicts(text, MemoryType.FACT, MemoryScope.INCARNATION)
        manager.save(memory(text))
        took.append(1000 * (time.perf_counter() - began))
    print(json.dumps(took))


if __name__ == "__main__":
    main()
