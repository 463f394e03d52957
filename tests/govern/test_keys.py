"""Key files: outside the store, for their owner alone, opened by the passphrase and by nothing else (CONTRACTS 6)."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.govern.signing import RITA
from tur_engine.engine import Engine
from tur_engine.errors import BadInput, NoKey, NotAllowed, WrongPassphrase
from tur_engine.govern import keys
from tur_engine.governor import Governor, KeyFile
from tur_engine.records import Author, ReviewerKey

WORD = "correct horse battery"
MARA = Author.parse("human:mara")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "keys"
    monkeypatch.setenv("TUR_KEYS", str(place))
    return place


@pytest.fixture
def governor(workdir: Path) -> Governor:
    return Governor(Engine.init(workdir, actor=MARA))


def test_a_key_lies_outside_the_store_and_is_its_owners_alone(folder: Path) -> None:
    signer, file = keys.create("mara b.", WORD)
    path = Path(file.path)
    assert path == folder / f"{signer.key_hex[:8]}-mara_b..pem"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    text = path.read_bytes()
    assert b"BEGIN ENCRYPTED PRIVATE KEY" in text
    assert b"BEGIN PRIVATE KEY" not in text
    assert list(folder.iterdir()) == [path]
    assert keys.listed() == [file]
    assert file.name == "mara b."


def test_without_a_folder_named_it_is_the_users_own(home: Path) -> None:
    assert keys.folder().is_relative_to(home)
    assert keys.listed() == []


def test_the_passphrase_opens_it_and_nothing_else(folder: Path) -> None:
    signer, file = keys.create("mara", WORD)
    assert keys.unlock(file, WORD).sign(b"x") == signer.sign(b"x")
    for wrong in ("", WORD[:-1], WORD + "\n", "ä" * 8, "\udcff" * 8, *(f"guess number {n}" for n in range(16))):
        with pytest.raises(WrongPassphrase, match="nothing was changed"):
            keys.unlock(file, wrong)
    assert keys.unlock(file, WORD).key_id == signer.key_id


@pytest.mark.parametrize("short", ["", "1234567"])
def test_a_short_passphrase_makes_no_key(folder: Path, short: str) -> None:
    with pytest.raises(BadInput, match="at least 8"):
        keys.create("mara", short)
    assert keys.listed() == []


@pytest.mark.parametrize("name", ["", " ", "two\nlines", "x" * 65, "\x1b]0;x\x07"])
def test_a_bad_name_makes_no_key(folder: Path, name: str) -> None:
    with pytest.raises(BadInput):
        keys.create(name, WORD)
    assert keys.listed() == []


def test_a_damaged_file_says_so(folder: Path) -> None:
    _, file = keys.create("mara", WORD)
    _, other = keys.create("other", WORD)
    path, whole = Path(file.path), Path(file.path).read_bytes()
    swapped = keys._PUBLIC.search(Path(other.path).read_bytes())
    assert swapped is not None
    path.write_bytes(keys._PUBLIC.sub(swapped.group(), whole))
    assert [key.name for key in keys.listed()] == ["other"]
    Path(other.path).unlink()
    [altered] = keys.named(keys.listed(), "mara")
    with pytest.raises(NoKey, match="two halves do not fit"):
        keys.unlock(altered, WORD)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(NoKey, match="damaged"):
        keys.unlock(file, WORD)
    path.unlink()
    with pytest.raises(NoKey, match="cannot be read"):
        keys.unlock(file, WORD)
    (folder / "notes.pem").write_text("no key")
    assert keys.listed() == []
    assert keys.unfit() == [(folder / "notes.pem", "is no whole key file")]


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _of_another(path: Path) -> None:
    _, file = keys.create("tom", WORD)
    path.write_bytes(Path(file.path).read_bytes())


SPOILT: list[tuple[Callable[[Path], object], str]] = [
    (Path.unlink, r"is not there: .*-\*\.pem"),
    (lambda path: path.write_bytes(b""), "is empty"),
    (lambda path: path.write_bytes(os.urandom(400)), "is no whole key file"),
    (lambda path: path.write_bytes(path.read_bytes().replace(b"MI", b"M!")), "is no whole key file"),
    (lambda path: path.write_bytes(path.read_bytes()[:-60]), "is no whole key file"),
    (_folder, "is a folder"),
    (_of_another, r"holds another key: that of tom \(key-[0-9a-f]{8}\)"),
]


@pytest.mark.parametrize(("spoil", "why"), SPOILT)
def test_the_sole_reviewers_file_is_named_with_what_is_wrong(
    folder: Path, governor: Governor, spoil: Callable[[Path], object], why: str
) -> None:
    governor.init_key("mara", WORD)
    [path] = folder.iterdir()
    spoil(path)
    for name in (None, "mara"):
        with pytest.raises(NoKey, match=f"the key file of mara,? {why}; bring it back from a copy, or ask") as told:
            governor.unlock(WORD, name)
        assert str(folder) in str(told.value)
    listed = [key.id for key in keys.listed()]
    assert len(set(listed)) == len(listed)
    assert [spoilt for spoilt, _ in keys.unfit()] == ([path] if path.exists() else [])


def test_the_first_key_of_a_store_is_enrolled_a_second_one_is_not(folder: Path, governor: Governor) -> None:
    first = governor.init_key("mara", WORD)
    assert isinstance(first, ReviewerKey)
    assert (first.here, first.enrolled_by) == (True, first.id)
    second = governor.init_key("tom", "another passphrase")
    assert isinstance(second, KeyFile)
    assert {key.id: type(key) for key in governor.own_keys()} == {first.id: ReviewerKey, second.id: KeyFile}
    assert governor.unlock(WORD).key_id == first.id
    assert governor.unlock("another passphrase", "tom").key_id == second.id
    with pytest.raises(WrongPassphrase):
        governor.unlock("another passphrase")
    with pytest.raises(NotAllowed, match="a key named 'tom'"):
        governor.init_key("tom", WORD)


def test_a_key_is_taken_up_in_another_store(folder: Path, governor: Governor, tmp_path: Path) -> None:
    first = governor.init_key("mara", WORD)
    elsewhere = Governor(Engine.init(tmp_path / "other", actor=MARA))
    with pytest.raises(NoKey, match="no reviewer yet"):
        elsewhere.unlock(WORD)
    with pytest.raises(WrongPassphrase):
        elsewhere.init_key("mara", "not the passphrase")
    assert elsewhere.keys() == []
    assert elsewhere.init_key("mara", WORD).id == first.id
    assert len(keys.listed()) == 1


def test_who_has_no_key_is_told_what_to_do(folder: Path, governor: Governor) -> None:
    with pytest.raises(NoKey, match="tur-adm key init"):
        governor.unlock(WORD)
    governor._enrol_first(RITA)
    keys.create("mara", WORD)
    with pytest.raises(NoKey, match="ask a reviewer to enrol yours"):
        governor.unlock(WORD)
    with pytest.raises(NoKey, match="no key on this machine is named 'tom'"):
        governor.unlock(WORD, "tom")


def test_a_file_that_could_not_be_enrolled_does_not_stay(
    folder: Path, governor: Governor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(governor, "keys", list)  # another process enrols between the look and the lock
    governor._enrol_first = lambda signer: (_ for _ in ()).throw(NotAllowed("a moment ago"))  # type: ignore[method-assign]
    with pytest.raises(NotAllowed, match="a moment ago"):
        governor.init_key("mara", WORD)
    assert keys.listed() == []


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TUR_KEYS", os.fspath(tmp_path / "file" / "keys"))
    with pytest.raises(NotAllowed, match="cannot be written"):
        keys.create("mara", WORD)
