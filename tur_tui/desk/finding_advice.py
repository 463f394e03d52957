"""What a person is told about a finding: who reads it, and what to do in the files where a verb would act."""

from __future__ import annotations

from tur_engine.records import Preview, Verb
from tur_engine.rulebook import Report

from ..actions import key
from .findings import Finding


def notes(finding: Finding, report: Report | None) -> list[str]:
    """Beside the reasons: who reads both, where else it is said, what to do."""
    told = []
    if (clash := finding.clash) is not None:
        agents = ", ".join(clash.agents)
        if clash.a.memory:
            told.append(f"Read by {agents}." if agents else "No agent we know reads the file.")
        else:
            told.append(f"{agents} read both." if len(clash.agents) > 1 else f"{agents} reads both." if agents else "")
            told[-1] = told[-1] or "No agent reads both; people work by both."
    if finding.also:
        told.append(f"Said too at {', '.join(finding.also)}.")
    if report is not None and not report.judged and finding.clash is not None:
        told.append("The neural judge is not installed: words and symbols alone decided.")
    return told


def told_verb(finding: Finding | None, verb: Verb) -> str:
    """What a person is to do in the files where the verb would do it in the ledger."""
    if finding is None or len(finding.sides) < 2:
        return "A scan changes nothing, and here is no pair to decide."
    a, b = finding.sides[:2]
    one, other = a.short_id or a.place, b.place
    if a.approved and verb in (Verb.SUPERSEDE, Verb.MERGE, Verb.BRANCH):
        return f"{one} is an invariant: change {other}, or file a proposal with tur propose."
    opens = f"{key('source.open')} opens the side that is pointed at"
    said = {
        Verb.SUPERSEDE: f"Let {other} stand: take {one} out, or change it ({opens}).",
        Verb.REFUTE: f"Let {one} stand: take {other} out, or change it ({opens}).",
        Verb.MERGE: f"Write one text in {other} and take {one} out; Claude Code and Gemini import it with @path.",
        Verb.FORCE: f"Say in {one} and in {other} when each holds.",
        Verb.BRANCH: f"Move {other} to the rule file of the folder it is meant for, or give its file globs.",
        Verb.DISMISS: "If they go together: tur scan --baseline FILE leaves out from then on what FILE knows.",
        Verb.ABORT: f"Take {other} out of its file.",
    }[verb]
    if a.memory and verb is Verb.SUPERSEDE:
        return f"If the file is right: tur learn its text with --supersedes {a.short_id}."
    if a.memory and verb is Verb.MERGE:
        return f"Write one text in {other}, and tur learn it with --supersedes {a.short_id}."
    if a.memory and verb is Verb.FORCE:
        return f"Say in {other} when it holds; the memory {a.short_id} is settled with tur learn --allow-conflict."
    return said


def struck(finding: Finding | None, verb: Verb) -> Preview:
    """The verb as the bar shows it: not to be had here, with what to do in its place."""
    return Preview(verb=verb, allowed=False, reason=f"A scan changes nothing. {told_verb(finding, verb)}")
