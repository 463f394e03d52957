"""The only place where text enters: what may be stored, how it is matched, how it is shown.

Three forms of one text:
- *stored*: NFC, LF line ends, nothing else changed (`accept`);
- *folded*: for matching only: look-alikes, zero-width characters, contractions, case (`fold`);
- *visible*: for people: whatever could steer a terminal or hide is shown as a mark (`visible`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from .errors import BadInput

MAX_CHARS = 8192

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")

# Characters that are invisible or reorder what is read. Kept in storage, never obeyed.
_HIDDEN = {
    0x00AD: "SHY",
    0x034F: "CGJ",
    0x061C: "ALM",
    0x115F: "HCF",
    0x1160: "HJF",
    0x17B4: "KIV",
    0x17B5: "KIV",
    0x180E: "MVS",
    0x200B: "ZWSP",
    0x200C: "ZWNJ",
    0x200D: "ZWJ",
    0x200E: "LRM",
    0x200F: "RLM",
    0x2028: "LS",
    0x2029: "PS",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x2060: "WJ",
    0x2061: "FA",
    0x2062: "IT",
    0x2063: "IS",
    0x2064: "IP",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
    0x206A: "ISS",
    0x206B: "ASS",
    0x206C: "IAFS",
    0x206D: "AAFS",
    0x206E: "NADS",
    0x206F: "NODS",
    0xFEFF: "BOM",
    0xFFF9: "IAA",
    0xFFFA: "IAS",
    0xFFFB: "IAT",
    **dict.fromkeys(range(917504, 917632), "TAG"),
}
_HIDDEN_SPAN = re.compile("[" + "".join(re.escape(chr(c)) for c in _HIDDEN) + "]")
_DROP_HIDDEN = dict.fromkeys(_HIDDEN, None)

# Cyrillic and Greek letters that pass for Latin ones (UTS 39), folded only inside words that mix scripts.
_LOOKALIKE = str.maketrans(
    dict(zip("аеорсухіјѕһԁԛԝвкмнтг", "aeopcyxijshdqwbkmhtr", strict=True))
    | dict(zip("αορνικτυχεηωβγɡ", "aopviktuxenwbyg", strict=True))
)
_LATIN = re.compile(r"[a-z]")
_FOREIGN = re.compile(r"[Ͱ-Ͽа-ӿԀ-ԯɡ]")

_PUNCTUATION = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "ʼ": "'", "′": "'", "`": "'", "´": "'",
        "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "″": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "﹘": "-", "－": "-",
        "…": "...", "•": "-", "·": "-", "≥": ">=", "≤": "<=", "≠": "!=", "×": "x", "→": "->",
    }
)  # fmt: skip

_CONTRACTIONS = (
    (re.compile(r"\bcan't\b"), "cannot"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bshan't\b"), "shall not"),
    (re.compile(r"\b(\w+)n't\b"), r"\1 not"),
    (re.compile(r"\b(are|is|was|were|do|does|did|has|have|had|must|should|would|could|need)nt\b"), r"\1 not"),
    (re.compile(r"\b(can)nt\b"), "cannot"),
    (re.compile(r"\bdont\b"), "do not"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"\b(i)'m\b"), r"\1 am"),
    (re.compile(r"\b(we|you|they)'re\b"), r"\1 are"),
    (re.compile(r"\b(i|we|you|they|he|she|it)'ll\b"), r"\1 will"),
    (re.compile(r"\b(i|we|you|they)'ve\b"), r"\1 have"),
    (re.compile(r"\b(he|she|it|that|there|here|what|who)'s\b"), r"\1 is"),
    (re.compile(r"\b(i|we|you|they|he|she)'d\b"), r"\1 would"),
)

_SPACE = re.compile(r"\s+")
_CJK = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힯"
_TOKEN = re.compile(
    rf"[{_CJK}]+"
    r"|[a-z][a-z0-9]*(?:\+\+|#)(?!\w)"  # c++, c#
    r"|\d+(?:[.,:]\d+)+"  # 3.11, 10,000, 09:30
    r"|[^\W_]+(?:'[^\W_]+)?"
)


def accept(text: str, what: str = "content", limit: int = MAX_CHARS) -> str:
    """Return `text` as it will be stored: NFC, LF. Raises BadInput for what must not enter."""
    if not isinstance(text, str):
        raise BadInput(f"{what} must be text, not {type(text).__name__}")
    if found := _SURROGATE.search(text):
        raise BadInput(
            f"{what} holds a lone surrogate (U+{ord(found.group()):04X}) at character {found.start() + 1}; "
            "send valid UTF-8"
        )
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    if found := _CONTROL.search(text):
        raise BadInput(
            f"{what} holds a control character (U+{ord(found.group()):04X}) at character {found.start() + 1}; "
            "only newline and tab are allowed"
        )
    if not text.strip() or not text.translate(_DROP_HIDDEN).strip():
        raise BadInput(f"{what} is empty; say in a sentence what is to be remembered")
    if len(text) > limit:
        raise BadInput(f"{what} has {len(text):,} characters; at most {limit:,} fit, split it")
    return text


def visible(text: str, *, newlines: bool = True) -> str:
    """Return `text` fit for a screen: hidden and control characters become marks such as ‹RLO›.

    With `newlines=False` line breaks and tabs become single spaces (one-line rows).
    """
    text = _SURROGATE.sub(lambda m: f"‹U+{ord(m.group()):04X}›", text)
    text = _HIDDEN_SPAN.sub(lambda m: f"‹{_HIDDEN[ord(m.group())]}›", text)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    " if newlines else " ")
    if not newlines:
        text = _SPACE.sub(" ", text).strip()
    return _CONTROL.sub(lambda m: f"‹U+{ord(m.group()):04X}›", text)


def excerpt(text: str, width: int = 80) -> str:
    """Return the text on one line, visible, cut to `width` characters with an ellipsis."""
    line = visible(text, newlines=False)
    return line if len(line) <= width else line[: max(1, width - 1)].rstrip() + "…"


def _unmask(word: str) -> str:
    if _FOREIGN.search(word) and _LATIN.search(word):
        return word.translate(_LOOKALIKE)
    return word


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return the form used for matching only: NFKC, case, look-alikes, contractions, blanks folded."""
    text = unicodedata.normalize("NFKC", text.translate(_DROP_HIDDEN).translate(_PUNCTUATION)).casefold()
    text = text.translate(_PUNCTUATION)
    if _FOREIGN.search(text):
        text = " ".join(_unmask(word) for word in text.split())
    if "'" in text or "nt" in text:
        for pattern, full in _CONTRACTIONS:
            text = pattern.sub(full, text)
    return _SPACE.sub(" ", text).strip()


def tokens(text: str) -> list[str]:
    """Return the words of `text` for full-text search: folded, `C#` and `3.11` whole, CJK as bigrams."""
    found: list[str] = []
    for match in _TOKEN.finditer(fold(text)):
        word = match.group()
        if word[0] >= "぀" and re.match(rf"[{_CJK}]", word[0]):
            found.extend([word] if len(word) == 1 else [word[i : i + 2] for i in range(len(word) - 1)])
        else:
            found.append(word)
    return found
