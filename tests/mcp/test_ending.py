"""How `tur-mcp` ends on standard input and output: at Ctrl-C, without a listener, on a full disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.mcp import story
from tests.mcp.test_stdio import HELLO
from tur_engine.cli import __main__ as tur
from tur_engine.engine import Engine


@contextmanager
def talking(
    repo_root: Path, workdir: Path, home: Path, output: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[bytes]]:
    """Start the server and greet it; it is ended where the test leaves it running."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tur_engine.mcp", "--as", "otter"],
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=subprocess.PIPE,
        cwd=workdir,
        env={"PYTHONPATH": str(repo_root / "engine"), "HOME": str(home), "TUR_NO_JUDGE": "1"},
    )
    with process:
        assert process.stdin is not None
        process.stdin.write(HELLO)
        process.stdin.flush()
        if process.stdout is not None:
            process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Wait for the end; the exit code, and what was said on stderr."""
    assert process.stderr is not None
    return process.wait(30), process.stderr.read().decode()


LEARNS = (
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/call",'
    b'"params":{"name":"learn","arguments":{"content":"The queue is RabbitMQ"}}}\n'
)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_one_interrupt_ends_it_while_it_waits_for_a_line(repo_root: Path, workdir: Path, home: Path) -> None:
    with talking(repo_root, workdir, home) as process:
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, "")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_one_interrupt_ends_it_while_a_call_waits(repo_root: Path, workdir: Path, home: Path) -> None:
    wait = LEARNS.replace(b'RabbitMQ"', b'RabbitMQ","type":"core","wait_seconds":300')
    assert tur.main(["init"]) == 0
    with talking(repo_root, workdir, home) as process:
        assert process.stdin is not None
        process.stdin.write(wait)
        process.stdin.flush()
        with Engine.open(workdir, actor=story.ANNA) as people:
            while not people.proposals():
                assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, "")


@pytest.mark.slow
@pytest.mark.parametrize("closes_input", [True, False])
def test_a_client_that_vanishes_leaves_no_trace(closes_input: bool, repo_root: Path, workdir: Path, home: Path) -> None:
    with talking(repo_root, workdir, home) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(LEARNS)
        process.stdin.flush()
        process.stdout.close()
        if closes_input:
            process.stdin.close()
        assert ended(process) == (0, "")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="pipes that do not wait")
def test_pipes_that_do_not_wait_are_waited_for(repo_root: Path, workdir: Path, home: Path) -> None:
    ends = [*os.pipe(), *os.pipe()]
    for end in (ends[0], ends[3]):
        os.set_blocking(end, False)
    process = subprocess.Popen(
        [sys.executable, "-m", "tur_engine.mcp"],
        stdin=ends[0],
        stdout=ends[3],
        cwd=workdir,
        env={"PYTHONPATH": str(repo_root / "engine"), "HOME": str(home)},
    )
    os.close(ends[0])
    os.close(ends[3])
    with open(ends[1], "wb", buffering=0) as says, open(ends[2], "rb") as hears:
        says.write(HELLO + b'{"jsonrpc":"2.0","id":"%s","method":"ping"}\n' % (b"x" * 200_000))
        hears.readline()
        assert len(hears.readline()) > 200_000
    assert process.wait(30) == 0


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_a_full_disk_is_one_sentence(repo_root: Path, workdir: Path, home: Path) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    with talking(repo_root, workdir, home, full) as process:
        os.close(full)
        told = "tur-mcp: standard output cannot be written to (No space left on device); it ended\n"
        assert ended(process) == (1, told)
