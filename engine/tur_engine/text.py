"""The only place where text enters: what may be stored, how it is matched, how it is shown.

Three forms of one text:
- *stored*: NFC, LF line ends, nothing else changed (`accept`);
- *folded*: for matching only: look-alikes, zero-width characters, contractions, case (`fold`);
- *visible*: for people: whatever could steer a terminal or hide is shown as a mark (`visible`).
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from .errors import BadInput
from .patterns import later

MAX_CHARS = 8192

_MISSING = {
    "content": "; say in a sentence what is to be remembered",
    "action": "; give the command, the action or the plan",
    "note": "; say what is to be jotted down",
    "author name": "; write NAME, agent:NAME or human:NAME",
}
"""What to do about an empty text, by what it is."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE = later(r"[\ud800-\udfff]")

# Characters that are invisible or reorder what is read, by the name on their mark. Kept in storage, never obeyed.
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
    0x180F: "FVS4",
    0x3164: "HF",
    0xFFA0: "HHF",
    **{0x180B + i: f"FVS{i + 1}" for i in range(3)},
    **{0xFE00 + i: f"VS{i + 1}" for i in range(15)},
    **{0xE0100 + i: f"VS{i + 17}" for i in range(240)},
    **dict.fromkeys(range(0xE0000, 0xE0080), "TAG"),
}
# The rest of Unicode's default-ignorable and format characters: their mark is the number.
_NAMELESS = (
    "\u2065\ufff0-\ufff8\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
)
# Asks for a symbol in colour. Too common in agents' texts to be marked, and terminals disagree on its width.
_IN_COLOUR = "\ufe0f"
_HIDDEN_CHARACTER = re.compile(f"[{''.join(map(chr, _HIDDEN))}{_NAMELESS}{_IN_COLOUR}]")

# Cyrillic and Greek letters that pass for Latin ones (UTS 39), folded only inside words that mix scripts.
_LOOKALIKE = str.maketrans(
    dict(zip("аеорсухіјѕһԁԛԝвкмнтг", "aeopcyxijshdqwbkmhtr", strict=True))
    | dict(zip("αορνικτυχεηβγɡ", "aopviktuxenbyg", strict=True))  # omega stays: kΩ is no kW
)
_WORD = re.compile(r"[^\W_]+")
_LATIN = re.compile(r"[a-z]")
_FOREIGN = later(r"[Ͱ-Ͽа-ӿԀ-ԯɡ]")

_PUNCTUATION = str.maketrans(
    {
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "ʼ": "'", "′": "'", "`": "'", "´": "'",
        "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "″": '"',
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "﹘": "-", "－": "-",
        "…": "...", "•": "-", "·": "-", "≥": ">=", "≤": "<=", "≠": "!=", "×": "x", "→": "->",
    }
)  # fmt: skip

# What a text must hold for the pattern to find anything: most texts are done after these looks.
_CONTRACTIONS = (
    ("can't", re.compile(r"\bcan't\b"), "cannot"),
    ("won't", re.compile(r"\bwon't\b"), "will not"),
    ("shan't", re.compile(r"\bshan't\b"), "shall not"),
    ("n't", re.compile(r"(?<!\w')\b(\w+)n't\b(?!'\w)"), r"\1 not"),
    (
        "nt",
        re.compile(r"\b(are|is|was|were|do|does|did|has|have|had|must|should|would|could|need)nt\b"),
        r"\1 not",
    ),
    ("cant", re.compile(r"\bcant\b"), "cannot"),
    ("dont", re.compile(r"\bdont\b"), "do not"),
    ("let's", re.compile(r"\blet's\b"), "let us"),
    ("i'm", re.compile(r"\b(i)'m\b"), r"\1 am"),
    ("'re", re.compile(r"\b(we|you|they)'re\b"), r"\1 are"),
    ("'ll", re.compile(r"\b(i|we|you|they|he|she|it)'ll\b"), r"\1 will"),
    ("'ve", re.compile(r"\b(i|we|you|they)'ve\b"), r"\1 have"),
    ("'s", re.compile(r"\b(he|she|it|that|there|here|what|who)'s\b"), r"\1 is"),
    ("'d", re.compile(r"\b(i|we|you|they|he|she)'d\b"), r"\1 would"),
)
_CURTAILED = re.compile(r"nt\b")

_SPACE = re.compile(r"\s+")
# Letters of scripts written without blanks; after NFKC, so without the compatibility blocks.
_BREAK = re.compile(r"[\n\r\t]")
_CJK = (
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U000323af"
)


@cache
def _token() -> re.Pattern[str]:
    """Compiled where a text needs it: the ranges take longer than a hundred texts do."""
    return re.compile(
        rf"(?P<unparted>[{_CJK}]+)"
        r"|[a-z][a-z0-9]*(?:\+\+|#)(?!\w)"  # c++, c#
        r"|\d+(?:[.,:]\d+)+"  # 3.11, 10,000, 09:30
        rf"|[^\W_{_CJK}]+(?:'[^\W_{_CJK}]+)?"
    )


# The same for folded ASCII, in one sweep.
_ASCII_TOKEN = re.compile(r"[a-z][a-z0-9]*(?:\+\+|#)(?!\w)|\d+(?:[.,:]\d+)+|[a-z0-9]+(?:'[a-z0-9]+)?")


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
    if not _HIDDEN_CHARACTER.sub("", text).strip():
        raise BadInput(f"{what} is empty{_MISSING.get(what, '')}")
    if len(text) > limit:
        raise BadInput(f"{what} has {len(text):,} characters; at most {limit:,} fit, split it")
    return text


def visible(text: str, *, newlines: bool = True) -> str:
    """Return `text` fit for a screen: hidden and control characters become marks such as ‹RLO›.

    With `newlines=False` line breaks and tabs become single spaces (one-line rows).
    """
    text = _SURROGATE.sub(lambda m: f"‹U+{ord(m.group()):04X}›", text)
    text = _HIDDEN_CHARACTER.sub(_mark, text)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", "    " if newlines else " ")
    if not newlines:
        text = _SPACE.sub(" ", text).strip()
    return _CONTROL.sub(lambda m: f"‹U+{ord(m.group()):04X}›", text)


def unseen(text: str) -> list[int]:
    """Return where characters stand that `visible` shows as marks, or leaves out."""
    return [found.start() for pattern in (_HIDDEN_CHARACTER, _CONTROL) for found in pattern.finditer(text)]


def named(path: str) -> str:
    """Return a path fit for a screen, on one line: its line breaks and tabs become marks too."""
    return visible(_BREAK.sub(lambda m: f"‹U+{ord(m.group()):04X}›", path))


def _mark(found: re.Match[str]) -> str:
    character = found.group()
    name = _HIDDEN.get(ord(character)) or f"U+{ord(character):04X}"
    return "" if character == _IN_COLOUR else f"‹{name}›"


def excerpt(text: str, width: int = 80) -> str:
    """Return the text on one line, visible, cut to `width` characters with an ellipsis."""
    line = visible(text, newlines=False)
    return line if len(line) <= width else line[: max(1, width - 1)].rstrip() + "…"


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 memory`, `2 memories`, `1,204 events`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _unmask(found: re.Match[str]) -> str:
    word = found.group()
    return word.translate(_LOOKALIKE) if _FOREIGN.search(word) and _LATIN.search(word) else word


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return the form used for matching only: NFKC, case, look-alikes, contractions, blanks folded. Idempotent."""
    if text.isascii():
        return _spelt_out(text.replace("`", "'").lower())
    for _ in range(4):  # one step opens the next: an unmasked letter takes its accent, a folded one composes
        before = text
        text = _HIDDEN_CHARACTER.sub("", text).translate(_PUNCTUATION)
        text = unicodedata.normalize("NFKC", text).casefold().translate(_PUNCTUATION)
        if _FOREIGN.search(text):
            text = _WORD.sub(_unmask, text)
        text = _spelt_out(text)
        if text == before:
            break
    return text


def _spelt_out(text: str) -> str:
    if "'" in text or _CURTAILED.search(text):
        for needle, pattern, full in _CONTRACTIONS:
            if needle in text:
                text = pattern.sub(full, text)
    return " ".join(text.split())


def tokens(text: str) -> list[str]:
    """Return the words of `text` for full-text search: folded, `C#` and `3.11` whole, CJK as bigrams."""
    folded = fold(text)
    if folded.isascii():
        return _ASCII_TOKEN.findall(folded)
    found: list[str] = []
    for match in _token().finditer(folded):
        word = match.group()
        if match.lastgroup:
            found.extend([word] if len(word) == 1 else [word[i : i + 2] for i in range(len(word) - 1)])
        else:
            found.append(word)
    return found
