"""What was typed in a dialog and not written: kept for one sitting, and never on a disk."""

from __future__ import annotations

from collections.abc import Mapping


class Drafts:
    """Texts by what they are about, and there by the field they stood in."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, str]] = {}

    def keep(self, about: str, texts: Mapping[str, str]) -> None:
        """Keep these in place of what was kept about the same; none at all forgets it."""
        self._kept.pop(about, None)
        if texts:
            self._kept[about] = dict(texts)

    def of(self, about: str) -> Mapping[str, str]:
        """What was kept about this, by field."""
        return self._kept.get(about, {})
