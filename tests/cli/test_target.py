"""Where an export goes: whole or not at all, through a link, into plain files only, told by the name it was given."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Programs
from tests.disks import filled
from tur_engine.cli.target import write
from tur_engine.errors import TurError
from tur_engine.unwritten import reason

LINES = ("one", "two")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs links and pipes")


def test_it_goes_through_links_and_the_mode_stays(workdir: Path) -> None:
    (workdir / "real").mkdir()
    real = workdir / "real" / "file"
    real.write_text("old")
    real.chmod(0o640)
    (workdir / "near").symlink_to("real/file")
    (workdir / "far").symlink_to("near")
    assert write("far", LINES, force=True) == 2
    assert (real.read_text(), stat.S_IMODE(real.stat().st_mode)) == ("one\ntwo\n", 0o640)
    assert (workdir / "far").is_symlink()
    assert (workdir / "near").is_symlink()
    assert [path.name for path in real.parent.iterdir()] == ["file"]


@pytest.mark.parametrize("force", [False, True])
def test_what_is_no_file_stays(workdir: Path, force: bool) -> None:
    os.mkfifo(workdir / "pipe")
    (workdir / "link").symlink_to("pipe")
    for named in ("pipe", "link", "/dev/null"):
        with pytest.raises(TurError, match=f"^{named} is no plain file; .*write to - "):
            write(named, LINES, force=force)
    assert stat.S_ISFIFO((workdir / "pipe").stat().st_mode)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize("words", [(), ("--force",)])
@pytest.mark.parametrize("named", ["/dev/stdout", "/dev/fd/1", "/dev/../dev/stdout"])
def test_standard_output_has_a_name_of_its_own(named: str, words: tuple[str, ...], tur: Programs, store: Path) -> None:
    ran = tur("export", named, *words)
    assert (ran.code, ran.out, ran.err) == (2, "", f"tur: {named} is standard output; name it -\n")


def test_what_cannot_be_written_is_told_by_its_own_name(tur: Programs, store: Path, workdir: Path) -> None:
    (workdir / "circle").symlink_to("circle")
    for named, why in (
        ("/nonexistent/x", "there is no folder /nonexistent; make it, or name another place"),
        ("y" * 300, "the name is too long; take a shorter one"),
        ("circle", f"{os.strerror(errno.ELOOP)}; name another place"),
    ):
        ran = tur("export", named, "--force")
        assert (ran.code, ran.out, ran.err) == (1, "", f"tur: {named} cannot be written: {why}\n")
    assert (workdir / "circle").is_symlink()


def test_a_name_may_be_as_long_as_the_disk_allows(workdir: Path) -> None:
    assert write("y" * 255, LINES, force=False) == 2


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EACCES, "you may not write in /there; "),
        (errno.EROFS, "the disk of /there is read-only; "),
        (errno.ENOSPC, "there is no room left on the disk of /there; "),
        (errno.ENOTDIR, "there is no folder /there; "),
        (errno.EIO, f"{os.strerror(errno.EIO)}; "),
    ],
)
def test_a_reason_comes_with_what_to_do(number: int, said: str) -> None:
    error = OSError(number, os.strerror(number), "/there/.tur-new-1")
    assert reason(error, Path("/there")).startswith(said)


def test_a_full_disk_and_one_that_is_read_only(small: Path) -> None:
    file = small / "x"
    file.write_text("old")
    filling = filled(small)
    with pytest.raises(TurError, match=f"^{file} cannot be written: there is no room left on the disk of {small}; "):
        write(str(file), LINES, force=True)
    filling.unlink()
    subprocess.run(["mount", "-o", "remount,ro", small], check=True)
    with pytest.raises(TurError, match=f"^{file} cannot be written: the disk of {small} is read-only; "):
        write(str(file), LINES, force=True)
    assert file.read_text() == "old"
    assert [path.name for path in small.iterdir()] == ["x"]
