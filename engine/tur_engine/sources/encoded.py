"""Rule files are UTF-8: what is anything else is named, with what to do."""

from __future__ import annotations

import codecs

_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",  # begins like the mark of UTF-16, so it comes first
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def fault_in(raw: bytes) -> str:
    """Return why a file's bytes are not read, and what to do (`is UTF-16; save it as UTF-8`); empty for UTF-8."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        why = next((f"is {name}" for mark, name in _MARKS.items() if raw.startswith(mark)), "")
        return f"{why or f'is not UTF-8 at byte {error.start + 1}'}; save it as UTF-8"
    return "is not text, or UTF-16: it holds NUL characters; save it as UTF-8" if "\0" in text else ""
