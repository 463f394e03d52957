"""The distinctive words of a text: what a lexical probe searches for."""

from __future__ import annotations

from ..text import tokens

STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "there",
        "here",
        "it",
        "its",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "do",
        "does",
        "did",
        "done",
        "have",
        "has",
        "had",
        "having",
        "will",
        "would",
        "shall",
        "should",
        "can",
        "could",
        "may",
        "might",
        "must",
        "and",
        "or",
        "but",
        "nor",
        "so",
        "if",
        "then",
        "than",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "of",
        "off",
        "on",
        "onto",
        "out",
        "over",
        "to",
        "under",
        "up",
        "with",
        "without",
        "within",
        "about",
        "after",
        "before",
        "between",
        "during",
        "through",
        "per",
        "via",
        "we",
        "our",
        "us",
        "i",
        "my",
        "me",
        "you",
        "your",
        "he",
        "she",
        "they",
        "them",
        "their",
        "his",
        "her",
        "who",
        "whom",
        "which",
        "what",
        "when",
        "where",
        "why",
        "how",
        "not",
        "no",
        "only",
        "all",
        "any",
        "some",
        "each",
        "every",
        "both",
        "few",
        "more",
        "most",
        "other",
        "such",
        "own",
        "same",
        "too",
        "very",
        "just",
        "also",
        "now",
        "still",
        "yet",
        "ever",
        "never",
        "again",
        "always",
        "once",
        "new",
        "old",
        "use",
        "uses",
        "used",
        "using",
        "one",
        "two",
    ]
)


_ENDINGS = ("ies", "es", "s", "ing", "ed", "d")


def forms(word: str) -> tuple[str, ...]:
    """Return a word and its regular forms, `deploy` `deploys` `deployed` `deploying`, whether or not there are such."""
    if not (word.isascii() and word.isalpha()) or len(word) < 4:
        return (word,)
    bases = [word]
    for ending in _ENDINGS:
        base = word.removesuffix(ending)
        if len(base) < 3 or base == word:
            continue
        bases.append(base + "y" if ending == "ies" else base)
        if ending in ("ing", "ed"):
            bases.append(base + "e")
            if base[-1] == base[-2] and len(base) > 3:
                bases.append(base[:-1])
    found = [word]
    for base in bases:
        found += [base, f"{base}s", f"{base}es", f"{base}d", f"{base}ed", f"{base}ing"]
        if base.endswith("e"):
            found.append(f"{base[:-1]}ing")
        elif base.endswith("y"):
            found.append(f"{base[:-1]}ies")
    return tuple(dict.fromkeys(found))


def distinctive(text: str) -> list[str]:
    """Return the words that carry meaning, in order, each once; all words where nothing else is left."""
    words = list(dict.fromkeys(tokens(text)))
    return [word for word in words if word not in STOP] or words
