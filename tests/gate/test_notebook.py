"""What the cells of a notebook hand to a shell is read as commands."""

from __future__ import annotations

import json

import pytest

from tur_engine.gate.guardrail import read_file

CELLS = [{"cell_type": "code", "source": ["%%bash\n", "npm ci"]}, {"cell_type": "markdown", "source": "# Text"}]


@pytest.mark.parametrize(
    "added",
    [
        "!npm ci",
        "!!npm ci",
        "out = !npm ci",
        "import os\nif True:\n    !npm \\\n      ci",
        "%sx npm ci",
        "%system npm ci",
        "%%bash\nnpm ci",
        "\n%%sh -e\nls\nnpm \\\nci",
        "%%!\nnpm ci",
        "%%script bash\nnpm ci",
        "%%script /usr/bin/env bash\nnpm ci",
        'get_ipython().system("npm ci")',
        "import os; os.system('npm ci')",
        json.dumps({"cells": CELLS, "nbformat": 4}, indent=1),
        '    "import os\\n",\n    "!npm ci\\n",',
    ],
)
def test_shell_lines_of_cells_are_commands(added: str) -> None:
    told = [action.statement for action in read_file("a/b.ipynb", added)]
    assert told[1:] == ["JavaScript dependencies are installed with npm."]


def test_a_magic_that_runs_a_program_is_that_program() -> None:
    (_, action) = read_file("b.ipynb", "%pip install requests")
    assert action.statement == "Python packages are installed with pip."


@pytest.mark.parametrize(
    "added", ["a != npm", "![npm ci](x.png)", "# !npm ci", "%%writefile a.txt\nnpm ci", '{"cells": 3}', "[1]", '"', ""]
)
def test_other_lines_are_none(added: str) -> None:
    assert len(read_file("b.ipynb", added)) == 1
