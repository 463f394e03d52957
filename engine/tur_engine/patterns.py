"""Patterns that are compiled when they are first asked for: a cold start meets few of them, and each costs a tenth of a
millisecond or more."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def later(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what behaves as `re.compile(pattern, flags)` does where its methods are called."""
    return cast("re.Pattern[AnyStr]", _Later(pattern, flags))


class _Later:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._given = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._given), name)
        self.__dict__[name] = found  # asked once: from then on it is looked up as any attribute is
        return found
