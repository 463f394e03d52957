"""Words as matching sees them: function words, stems, aliases. No dictionary is loaded."""

from __future__ import annotations

from functools import lru_cache

FUNCTION = frozenset(
    """
    a an the this that these those such some any each every all both either neither no not nor i me my mine we us our
    ours you your yours he him his she her hers it its they them their theirs one ones and or but if then else than as
    at by for from in into of off on onto out over per since so through till to toward towards under until up upon via
    with within without while whereas when whenever where wherever which who whom whose what why how because although
    though unless except about above after again against along among around before behind below beneath beside besides
    between beyond despite down during inside near outside is am are was were be been being do does did done doing has
    have had having can could may might must shall should will would ought need needs just very also too still yet
    already now currently only even quite rather there here ever never always s t ll re ve d m etc eg ie vs
    """.split()
)

FOREIGN_FUNCTION = frozenset(
    """
    der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren wird werden wurde wurden
    hat haben im am vom zum zur auf aus bei mit nach von vor zu um durch für als wie wir ihr sie er es man ich el la
    los las un una unos unas y o pero es son era eran está están fue ha han del al en con por para de que se lo su sus
    le les une des et ou mais est sont était au aux du dans sur avec pour par ce cette ces il elle on nous vous ils 的
    了 是 在 和 与 我 们 也 都 就 这 那 个
    """.split()
)

_IRREGULAR = {
    "sent": "send", "written": "write", "wrote": "write", "ran": "run", "kept": "keep", "built": "build",
    "held": "hold", "left": "leave", "made": "make", "taken": "take", "took": "take", "gave": "give",
    "given": "give", "went": "go", "gone": "go", "got": "get", "gotten": "get", "came": "come",
    "bought": "buy", "sold": "sell", "paid": "pay", "said": "say", "told": "tell", "met": "meet",
    "led": "lead", "lost": "lose", "won": "win", "chose": "choose", "chosen": "choose", "knew": "know",
    "known": "know", "began": "begin", "begun": "begin", "broke": "break", "broken": "break",
    "drove": "drive", "driven": "drive", "ate": "eat", "eaten": "eat", "drank": "drink", "drunk": "drink",
    "fell": "fall", "fallen": "fall", "flew": "fly", "flown": "fly", "froze": "freeze", "frozen": "freeze",
    "grew": "grow", "grown": "grow", "rose": "rise", "risen": "rise", "slept": "sleep", "spent": "spend",
    "stood": "stand", "swam": "swim", "taught": "teach", "thought": "think", "wore": "wear", "worn": "wear",
    "hung": "hang", "lit": "light", "shown": "show", "stored": "store", "dealt": "deal", "found": "find",
    "children": "child", "people": "person", "men": "man", "women": "woman", "indices": "index",
    "indexes": "index", "policies": "policy", "caches": "cache", "data": "data", "lives": "live",
    "using": "use", "used": "use", "uses": "use", "bases": "base", "databases": "database", "was": "be",
    "goes": "go", "does": "do", "does.": "do", "shipped": "ship", "deploys": "deploy", "leaves": "leave",
    "caching": "cache", "cached": "cache", "staging": "staging", "during": "during", "morning": "morning",
    "evening": "evening", "string": "string", "spring": "spring", "building": "build", "meeting": "meeting",
    "status": "status", "always": "always", "canvas": "canvas", "redis": "redis", "kubernetes": "kubernetes",
    "jenkins": "jenkins", "postgres": "postgresql", "analyses": "analysis", "analysis": "analysis",
    "nobody": "nobody", "news": "news", "series": "series", "species": "species", "https": "https",
}  # fmt: skip

ALIASES = {
    "postgres": "postgresql", "psql": "postgresql", "pg": "postgresql", "k8s": "kubernetes", "prod": "production",
    "db": "database", "repo": "repository", "repos": "repository", "js": "javascript", "ts": "typescript",
    "golang": "go", "config": "configuration", "configs": "configuration", "dev": "development",
    "docs": "documentation", "auth": "authentication", "env": "environment", "pkg": "package", "deps": "dependency",
    "mins": "minute", "min": "minute", "secs": "second", "sec": "second", "hrs": "hour", "hr": "hour",
    "approx": "about", "info": "information", "admin": "administrator", "max": "maximum", "app": "application",
    "apps": "application", "tz": "timezone", "favorite": "favourite", "color": "colour", "license": "licence",
    "behavior": "behaviour", "center": "centre", "gray": "grey", "organization": "organisation",
    "&": "and", "mandatory": "requir", "compulsory": "requir", "obligatory": "requir",
}  # fmt: skip

_VERBS = {
    noun: verb
    for pair in """
    deployment deploy|indentation indent|migration migrat|configuration configur|authentication authenticat
    |authorization authoriz|authorisation authoris|validation validat|installation install|compilation compil
    |documentation document|implementation implement|notification notify|encryption encrypt|decryption decrypt
    |compression compress|replication replicat|rotation rotat|invalidation invalidat|pagination paginat
    |serialization serializ|serialisation serialis|verification verify|generation generat|translation translat
    |registration register|subscription subscrib|publication publish|approval approv|removal remov|deletion delet
    |creation creat|execution execut|reservation reserv|preference prefer|retention retain|storag stor|payment pay
    |shipment ship|delivery deliver|departur depart|arrival arriv|allocation allocat|integration integrat
    |inspection inspect|collection collect|isolation isolat|transmission transmit|conversion convert|decision decid
    |permission permit|submission submit|inclusion includ|exclusion exclud|revocation revok|expiration expir
    |expiry expir|renewal renew|treatment treat|management manag|measurement measur|enrolment enrol|enrollment enroll
    |recruitment recruit|cancellation cancel|confirmation confirm|escalation escalat|evaluation evaluat
    |calculation calculat|synchronization synchroniz|synchronisation synchronis|restoration restor|termination terminat
    """.split("|")
    for noun, verb in [pair.split()]
}
"""Stem of a noun -> stem of the verb it is made of: `Indentation is four spaces`, `Indent with tabs`."""

LIGHT = frozenset(
    """run start begin kick take use get set go come need keep hold make work stay remain becom give put bring let
    happen now new current today time way thing lot bit part kind own same other more less longer most least much many
    few say know see look want turn mean includ contain provid happen occur apply cost carry sit stand lie live
    plac job one two still yet item note use used user""".split()
)
"""Stems that say little of what a text is about: left over on one side, they make no other subject."""


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Return a light English stem of a folded word: plurals, -ed, -ing, -ly off, a verb for its noun; short words and
    codes stay."""
    base = _bare(word)
    if base.endswith("e") and len(base) > 4:
        base = base[:-1]
    return _VERBS.get(base, base)


def _bare(word: str) -> str:
    if (found := _IRREGULAR.get(word)) is not None:
        return ALIASES.get(found, found)
    if (alias := ALIASES.get(word)) is not None:
        return alias
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        base = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        base = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        base = word[:-1]
    else:
        base = word
    for ending in ("ing", "ed"):
        if base.endswith(ending) and len(base) - len(ending) >= 3 and any(v in base[: -len(ending)] for v in "aeiouy"):
            root = base[: -len(ending)]
            if ending == "ed" and base.endswith("eed"):
                break
            if root[-1] == root[-2] and root[-1] in "bdgmnprt":
                root = root[:-1]
            base = root
            break
    if base.endswith("ly") and len(base) > 5:
        base = base[:-2]
    if base.endswith("i") and word != base:  # "applied" -> "appli" -> "apply"
        base = base[:-1] + "y"
    return ALIASES.get(base, base)


def content(word: str) -> bool:
    """True for a word that carries meaning of its own."""
    return word not in FUNCTION and word not in FOREIGN_FUNCTION


def root(word_stem: str) -> str:
    """Return the first letters of a long stem: `retention` and `retain` differ, `encrypt` and `encryption` do not."""
    return word_stem[:5]
