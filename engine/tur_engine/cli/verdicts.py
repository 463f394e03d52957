"""How `tur learn` answers: the outcome in words, or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .. import payloads
from ..records import (
    Belief,
    Conflict,
    ConflictReport,
    ConflictState,
    LearnResult,
    OnConflict,
    Outcome,
    SettledBefore,
    Verb,
)
from ..text import excerpt, visible
from .output import terminal

if TYPE_CHECKING:
    from ..engine import Engine
    from ..errors import ConflictHeld
    from ..facade.store import Store
    from ..records import ResolutionResult
    from .call import Call
    from .output import Output

_NEEDS = {Verb.MERGE: " --text TEXT", Verb.BRANCH: " --side challenger --scope SCOPE"}


def seed_line(sign: str, shown_id: str, text: str, *, to_settle: bool = True) -> str:
    """The first line of the interruption, as the seed has it (EP-0134, motivation)."""
    return (
        f"{sign} TMS Contradiction Detected: New assertion conflicts with existing memory "
        f'{shown_id} ("{visible(text, newlines=False)}").{" Action required:" if to_settle else ""}'
    )


def tell(
    call: Call,
    engine: Store,
    result: LearnResult,
    *,
    policy: OnConflict = OnConflict.HOLD,
    by_default: bool = False,
) -> None:
    """Say what the gate decided under `policy`. `by_default`: nobody chose what happens on a clash."""
    if call.json:
        mode = {"on_conflict": policy.value} if result.dry_run else {}
        call.out.json(payloads.learn(result, kept=policy is not OnConflict.FAIL) | mode)
    for sentence in result.warnings:
        call.out.warn(visible(sentence, newlines=False))
    if result.outcome is Outcome.INVARIANT:
        _tell_invariant(call, engine, result)
    elif result.outcome is Outcome.CONFLICT:
        _tell_held(call, engine, result)
    elif result.outcome is Outcome.COMMITTED and result.conflicts:
        _warn_contested(call, engine, result, by_default)
    if not call.json:
        line = _line(engine, result, call.out, policy)
        if line:
            call.out.data(line)


def tell_failed(call: Call, engine: Store, error: ConflictHeld) -> int:
    """`--on-conflict fail`: the verdict stands, nothing was recorded."""
    result: LearnResult | None = getattr(error, "result", None)
    if call.json and result is not None:
        call.out.json(payloads.learn(result, kept=False))
    if result is not None:
        for report in payloads.strongest_first(result.conflicts):
            _show_clash(call.out, engine, report)
    call.out.say(visible(str(error)))
    return error.exit_code


def tell_asked(call: Call, engine: Engine, result: LearnResult, settled: Sequence[ResolutionResult]) -> None:
    """After the prompt: how the case stands now."""
    still_open = _still_open(engine, result)
    if call.json:
        payload = payloads.learn(result)
        payload["status"] = Outcome.CONFLICT.value if still_open else _ending(settled)
        payload["resolutions"] = [payloads.resolution(step) for step in settled]
        call.out.json(payload)
    elif settled and not still_open:
        call.out.data(call.out.paint(_ending_line(engine, result, settled), "green"))
    for conflict in still_open:
        shown = engine.short(conflict.id)
        call.out.say(f"held, waiting in {shown}. Settle it in tur-tui, or with: tur resolve {shown} VERB --reason WHY")


def _still_open(engine: Engine, result: LearnResult) -> list[Conflict]:
    fresh = [engine.conflict(report.conflict.id) for report in result.conflicts]
    return [conflict for conflict in fresh if conflict.state is not ConflictState.RESOLVED]


def _ending(settled: Sequence[ResolutionResult]) -> str:
    verbs = {step.verb for step in settled}
    if Verb.REFUTE in verbs:
        return "refuted"
    return "aborted" if Verb.ABORT in verbs else Outcome.COMMITTED.value


def _ending_line(engine: Store, result: LearnResult, settled: Sequence[ResolutionResult]) -> str:
    shown = engine.short(result.id) if result.id else "the candidate"
    merged = next((step.memory_id for step in settled if step.memory_id), None)
    if merged:
        return f"Merged into {engine.short(merged)}"
    return {
        "refuted": f"Refuted {shown}: the existing memory stands",
        "aborted": f"Discarded {shown}",
    }.get(_ending(settled), f"Learned {shown}")


def _line(engine: Store, result: LearnResult, out: Output, policy: OnConflict) -> str:
    shown = engine.short(result.id) if result.id and not result.dry_run else f"a {_type_word(result)}"
    stamp = f" (event {result.seq}, root {result.merkle.root[:12]})" if result.merkle and result.seq else ""
    if result.outcome is Outcome.DUPLICATE:
        known = engine.short(result.duplicate_of or result.id or "")
        return f"Already known as {known}" + ("; nothing written" if result.dry_run else f"; confirmed{stamp}")
    if result.outcome is Outcome.PROPOSED:
        if result.dry_run:
            return f"Would be proposed as {shown}; nothing written"
        proposal = f" as {engine.short(result.proposal_id)}" if result.proposal_id else ""
        return f"Proposed {shown}{proposal}: it waits, and has no force until it is approved{stamp}"
    if result.outcome is Outcome.CONFLICT:
        return _would_stop(result, policy) if result.dry_run else out.paint(f"Held {shown}{stamp}", "yellow")
    if result.outcome is Outcome.INVARIANT:
        return ""
    contested = ", contested" if result.conflicts else ""
    if result.dry_run:
        return f"Would be learned{contested}; nothing written"
    return out.paint(f"Learned {shown}{contested}{stamp}", "yellow" if contested else "green")


def _would_stop(result: LearnResult, policy: OnConflict) -> str:
    """What a learn would do with what clashes, under the mode in force."""
    if policy is OnConflict.FAIL:
        return "Would be refused (on-conflict is fail); nothing written"
    if policy is OnConflict.ASK and result.conflicts:
        if terminal():
            return "Would be held until you answer what to do with it; nothing written"
        return "Would be held, for there is no terminal to ask on; nothing written"
    return "Would be held; nothing written"


def _type_word(result: LearnResult) -> str:
    return (result.id or "memory").partition("-")[0]


def _tell_invariant(call: Call, engine: Store, result: LearnResult) -> None:
    if result.invariant is not None:
        call.out.message(payloads.invariant_error(engine.short(result.invariant.id)))
    if result.invariant_store is not None:
        where = visible(result.invariant_store, newlines=False)
        advice = f"propose there: tur-adm --store {where} proposal submit"
        call.out.say(f"that invariant is of the store at {where}; {advice}")
    if result.proposal_id is not None:
        call.out.say(f"filed as {engine.short(result.proposal_id)}; it waits, and has no force until it is approved")


def _tell_held(call: Call, engine: Store, result: LearnResult) -> None:
    for report in payloads.strongest_first(result.conflicts):
        _show_clash(call.out, engine, report)
    if result.settled_before is not None:
        call.out.message(f"  {settled_sentence(engine, result.settled_before)}")
    if result.dry_run:
        return
    if not result.conflicts and result.id is not None:
        call.out.message(f"  It waits for a person: tur-adm admit {engine.short(result.id)} --reason WHY")
    for report in result.conflicts:
        shown = engine.short(report.conflict.id)
        if report.conflict.incumbent.approved or report.conflict.state is ConflictState.ESCALATED:
            call.out.message(f"  It waits for a person: tur-tui, or tur-adm resolve {shown} VERB")
        else:
            call.out.message(f"  Settle it with: tur resolve {shown} VERB --reason WHY")
            call.out.message(f"  VERB is {_verbs(report.conflict.suggested)}")


def _verbs(suggested: Verb) -> str:
    """Every verb with what it needs; the suggested one is named as no more than that."""
    *most, last = (
        f"{verb}{_NEEDS.get(verb, '')}{' (suggested)' if verb is suggested else ''}"
        for verb in (Verb(name) for name in payloads.OPTIONS)
    )
    return f"{', '.join(most)} or {last}"


def _show_clash(out: Output, engine: Store, report: ConflictReport) -> None:
    incumbent = report.conflict.incumbent
    shown = known_id(engine, incumbent)
    line = seed_line(out.sign(), shown, incumbent.memory.content, to_settle=report.recorded)
    out.message(line)
    why(out, report.conflict)


def why(out: Output, conflict: Conflict) -> None:
    """One line: the strongest evidence and how sure the verdict is."""
    if conflict.reason:
        out.told(f"  Why: {visible(conflict.reason, newlines=False)} ({conflict.probability:.0%} sure)".split(" "))


def known_id(engine: Store, belief: Belief) -> str:
    """The id people see."""
    return engine.short(belief.id)


def settled_sentence(engine: Store, settled: SettledBefore) -> str:
    """When, by whom and why the same text was settled earlier."""
    because = f": {excerpt(settled.reason, 200)}" if settled.reason else ", no reason given"
    by = visible(str(settled.by), newlines=False)
    how = f"{settled.verb}, {engine.short(settled.conflict_id)}"
    return f"Settled before on {settled.at.astimezone():%Y-%m-%d %H:%M} by {by} ({how}){because}"


def _warn_contested(call: Call, engine: Store, result: LearnResult, by_default: bool) -> None:
    for report in payloads.strongest_first(result.conflicts):
        incumbent = report.conflict.incumbent
        shown = known_id(engine, incumbent)
        text = visible(incumbent.memory.content, newlines=False)
        escalated = report.conflict.state is ConflictState.ESCALATED
        how = "it waits for a person: tur-tui, or tur-adm" if escalated else "settle it with: tur"
        settle = "" if result.dry_run else f"; {how} resolve {engine.short(report.conflict.id)} VERB"
        both = "both would be active" if result.dry_run else "both are active"
        call.out.warn(f'this contradicts {shown} ("{text}"), and {both}{settle}')
    if result.settled_before is not None:
        call.out.warn(settled_sentence(engine, result.settled_before))
    if by_default:
        call.out.say("to stop it instead: --on-conflict hold, or TUR_ON_CONFLICT=hold")


def warn_of_merge(out: Output, engine: Engine, text: str, conflict_id: str) -> bool:
    """Warn of every memory that the merged text would still contradict; True where there is one."""
    reports = engine.check_text(text, conflict=conflict_id).conflicts
    for report in reports:
        incumbent = report.conflict.incumbent
        words = visible(incumbent.memory.content, newlines=False)
        out.warn(f'the merged text contradicts {known_id(engine, incumbent)} ("{words}")')
    return bool(reports)
