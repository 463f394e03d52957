"""Who may sign: keys made, taken up, enrolled and revoked (CONTRACTS 6)."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import BadInput, NoKey, NotAllowed, WrongPassphrase
from ..govern import keys as keyfiles
from ..govern.points import can_sign
from ..govern.reviewers import one_of, told_key
from ..govern.signer import Signer
from ..govern.statement import hexes_of, key_id
from ..ledger import Reads, Writing
from ..ledger.effects import reviewer
from ..records import EventKind, KeyFile, ReviewerKey
from ..text import counted, visible
from .signing import Signing, needed


class Enrolling(Signing):
    """Who may sign: keys made, taken up, enrolled and revoked."""

    def keys(self) -> list[ReviewerKey]:
        """Return the keys enrolled in this store, the first one first, revoked ones too."""
        here = {key.id for key in keyfiles.listed()}
        with self._engine._reads() as (_, reads):
            return [told_key(reads, key, here) for key in reads.reviewer_keys()]

    def own_keys(self) -> list[ReviewerKey | KeyFile]:
        """Return the keys on this machine; as reviewer's keys where they are enrolled in this store."""
        enrolled = {key.id: key for key in self.keys()}
        return [enrolled.get(key.id, key) for key in keyfiles.listed()]

    def init_key(self, name: str, passphrase: str) -> ReviewerKey | KeyFile:
        """Make a key file, and enrol the key where the store has none yet; a file of that name is taken up then.

        Returns the reviewer's key where it was enrolled, else the file. Raises BadInput, NotAllowed, WrongPassphrase.
        """
        self._engine._writable()
        name = keyfiles.check_name(name)
        first = not self.keys()
        known = [key for key in keyfiles.listed() if key.name == name]
        if known and not first:
            raise NotAllowed(f"there is a key named {name!r} on this machine already; choose another name")
        if known:
            return self._enrol_first(keyfiles.unlock(known[0], passphrase))
        signer, file = keyfiles.create(name, passphrase)
        if not first:
            return file
        try:
            return self._enrol_first(signer)
        except BaseException:
            keyfiles.discard(file)
            raise

    def _enrol_first(self, signer: Signer) -> ReviewerKey:
        with self._writing() as (tx, _, reads):
            if reads.reviewer_keys():
                raise NotAllowed("another key was enrolled a moment ago; ask its reviewer to enrol yours")
            self._append_key(tx, reads, signer.public, signer.name, [signer])
        return self._key(signer.key_id)

    def usable_keys(self, names: Sequence[str] = ()) -> list[KeyFile]:
        """Return the keys on this machine that `unlock` would try: those named, else those enrolled. Raises NoKey."""
        if not names:
            return self._candidates(None)
        found = [self._candidates(name) for name in names]
        for name, keys in zip(names, found, strict=True):
            if len(keys) > 1:
                raise NoKey(f"{name!r} names {len(keys)} keys on this machine; give more of the id")
        return [keys[0] for keys in found]

    def unlock(self, passphrase: str, key: str | None = None) -> Signer:
        """Return the signer of a key on this machine: the named one, else one enrolled here that the passphrase opens.

        Raises NoKey, WrongPassphrase.
        """
        wrong: WrongPassphrase | None = None
        for file in self._candidates(key):
            try:
                return keyfiles.unlock(file, passphrase)
            except WrongPassphrase as e:
                wrong = e
        assert wrong is not None
        raise wrong

    def _candidates(self, key: str | None) -> list[KeyFile]:
        files = keyfiles.listed()
        may = {each.id: each for each in self.keys() if each.revoked_seq is None}
        if chosen := [file for file in files if file.id in may] if key is None else keyfiles.named(files, key):
            return chosen
        if not may:
            raise NoKey("this store has no reviewer yet; make the first key with `tur-adm key init`")
        hexes = hexes_of(key) if key is not None else ""
        meant = [
            each
            for each in may.values()
            if key is None or each.name == key.strip() or (hexes and each.id[4:].startswith(hexes))
        ]
        if not meant:
            raise NoKey(f"no key on this machine is named {key!r}; `tur-adm key list` shows them")
        raise NoKey(_out_of_reach(meant))

    def enrol(self, public: str, name: str, signers: Sequence[Signer]) -> ReviewerKey:
        """Let another reviewer sign. Raises BadInput for a bad key or name; NoKey, NotAllowed for the signers."""
        name, public = keyfiles.check_name(name), public.strip().lower()
        try:
            hex = key_id(public)
        except ValueError:
            raise BadInput("a public key is 64 hex digits, as `tur-adm key export-public` prints it") from None
        if not can_sign(bytes.fromhex(public)):
            raise BadInput(
                "nobody can hold the private half of this key: compare it with what its owner sent, or ask anew"
            )
        with self._writing() as (tx, _, reads):
            held = [key for key in reads.reviewer_keys() if key.until is None]
            if any(key.key == hex for key in held):
                raise NotAllowed(f"key-{hex[:8]} is enrolled already")
            if any(key.name == name for key in held):
                raise BadInput(f"a reviewer named {name!r} is enrolled already; give another name")
            self._append_key(tx, reads, public, name, signers)
        return self._key(f"key-{hex}")

    def _append_key(self, tx: Writing, reads: Reads, public: str, name: str, signers: Sequence[Signer]) -> None:
        hex = key_id(public)
        effects = [reviewer(hex, public, name)]
        self._append(tx, reads, EventKind.ENROLLED, hex, signers, effects, public=public, name=name)

    def revoke(self, key: str, signers: Sequence[Signer], reason: str) -> int:
        """Let a key sign no more; what it signed stands. Returns the event. Raises NotAllowed for the last key."""
        reason = needed(reason)
        with self._writing() as (tx, _, reads):
            held = [each for each in reads.reviewer_keys() if each.until is None]
            found = one_of(held, key)
            left, quorum = len(held) - 1, reads.quorum().highest
            if left < 1:
                raise NotAllowed(f"{found.name} holds the last key; enrol another reviewer first")
            if left < quorum:
                raise NotAllowed(
                    f"{left} reviewer{'s' * (left != 1)} would be left and the quorum is {quorum}; "
                    "lower it with `tur-adm policy quorum`, or enrol another reviewer first"
                )
            effects = [reviewer(found.key, found.public, found.name, on=False)]
            return self._append(tx, reads, EventKind.REVOKED, found.key, signers, effects, reason=reason)

    def _key(self, id: str) -> ReviewerKey:
        return next(key for key in reversed(self.keys()) if key.id == id)


def _out_of_reach(meant: Sequence[ReviewerKey]) -> str:
    """Return in words why none of these enrolled keys can be used here: a spoilt file before one that is not there."""
    spoilt = {path.name[:8] for path, _ in keyfiles.unfit()}
    found = [each for each in meant if each.id[4:12] in spoilt] or (list(meant) if len(meant) == 1 else [])
    if found:
        told = visible(keyfiles.whereabouts_of(found[0].id, found[0].name), newlines=False)
        why = f": {told}; bring it back from a copy, or"
    else:
        why = f" (the key files of its {counted(len(meant), 'reviewer')} are not in {visible(str(keyfiles.folder()))});"
    return (
        f"no key on this machine may sign for this store{why} ask a reviewer to enrol yours "
        "(`tur-adm key export-public`, `tur-adm key enrol`)"
    )
