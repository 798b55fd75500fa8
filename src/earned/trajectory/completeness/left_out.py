"""Messages that say that others are missing from the record: `[... 12 messages omitted ...]`, `[context truncated]`, a summary.

A summary is what a harness puts into the place of the talk that it took out of the context. Else only a message that holds
nothing else, or a line in brackets at its begin or end, is taken for such a note: who speaks of omitted messages in a sentence
leaves nothing out. What a result leaves out is for `cuts` to tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from earned.records import Step
from earned.trajectory.steps import Steps

MAX_NOTE = 200
"""Characters of such a note."""
MAX_AROUND = 20_000
"""Characters of a message at whose begin or end one is looked for."""
_GONE = r"(?:omitted|removed|truncated|elided|hidden|dropped|deleted|trimmed|pruned|skipped|left out|not shown|clipped|cut)"
_SUMMED = r"(?:condensed|summari[sz]ed|compacted|compressed)"
_WERE = r"(?:(?:were|was|have been|has been|are|is) )?"
_WHICH = r"(?:more|earlier|previous|older|prior|intermediate|intervening|middle|initial|first|last|oldest)"
_MANY = rf"(?:(?:the|some|several|all|many) )?(?:(?:\d[\d,]{{0,9}}|{_WHICH}) ){{0,3}}"
_SAID = rf"(?:\d[\d,]{{0,9}}|{_WHICH}) "
"""Which messages: a number or a word, without which a sentence may speak of any."""
_THINGS = (
    r"(?:(?:chat|conversation|user|assistant|tool) )?"
    r"(?:messages?|turns?|steps?|exchanges?|interactions?|events?|rounds?|calls?)"
)
_TALK = (
    r"(?:the )?(?:(?:earlier|previous|prior|older|chat|message|above) ){0,2}"
    r"(?:conversation|context|history|dialogue|transcript|trajectory)(?: history| window| so far)?"
)
_WHY = (
    r"(?:,? (?:to (?:save|free|fit|reduce|stay|keep|make|shorten|limit)|due to|for|because"
    r"|from (?:the |this )?(?:context|history|conversation|record|log|trajectory|transcript))\b.{0,80})?"
)
_LEFT_OUT = re.compile(
    rf"(?:{_MANY}{_SAID}{_THINGS} {_WERE}{_GONE}|{_GONE}:? {_MANY}{_SAID}{_THINGS}|{_TALK} {_WERE}{_GONE}"
    rf"|(?:omitting|removing) {_MANY}{_SAID}{_THINGS}){_WHY}",
    re.IGNORECASE,
)
_SUMMED_UP = re.compile(
    rf"(?:{_MANY}{_SAID}{_THINGS} {_WERE}{_SUMMED}|{_SUMMED}:? {_MANY}{_SAID}{_THINGS}|{_TALK} {_WERE}{_SUMMED}){_WHY}",
    re.IGNORECASE,
)
_SUMMARY = re.compile(
    # Claude Code; Codex; OpenHands; Inspect; Gemini CLI
    r"This session is being continued from a previous conversation\b"
    r"|Another language model started to solve this problem and produced a summary"
    r"|<CONVERSATION SUMMARY>|<conversation[-_]summary>|<state_snapshot>"
    r"|\[CONTEXT COMPACTION SUMMARY\]"
)
"""How what a harness puts into the place of a talk begins."""
_SUMS_UP = re.compile(
    r"(?:Here is|The following is|Below is) an? summary of (?:the|our|this|all|what) (?:previous |earlier |prior |whole )?"
    r"(?:conversation|interaction|session|history|discussion|trajectory|messages)\b"
    r"|\W{0,4}(?:Previous|Earlier|Prior) (?:conversation|context|session|history) (?:summary|summarized)\b"
    r"|\W{0,4}(?:Conversation|Context|Session) summary ?:"
    r"|\W{0,4}Summary of (?:the )?(?:previous|earlier|prior) "
    r"(?:conversation|messages|turns|steps|context|session|interactions?)\b",
    re.IGNORECASE,
)
"""How other such summaries begin, and also what a person may ask about."""
_BRACKETS = re.compile(r"[\[(<{*_-]{1,4} ?(.{1,200}?) ?[\])>}*_-]{1,4}")
_DOTS = " .\u2026\t"


def note_left_out(steps: Steps) -> None:
    """Add a reason for each message that says so. A sum is no gap where the record keeps what was summed up."""
    is_asked = has_acted = False
    for step in steps.steps:
        is_first, is_asked = step.actor == "user" and not is_asked, is_asked or step.actor == "user"
        has_acted = has_acted or (step.actor == "agent" and bool(step.actions) and not step.copied)
        if not step.text or step.copied or step.actor == "grader":
            continue
        if not (steps.keeps_all and has_acted) and _is_summary(step, is_first=is_first):
            steps.missing("a summary stands in the place of what was done before, which may not be recorded", step=step.index)
            continue
        if len(step.text) > MAX_AROUND:
            continue
        note = _note(step, is_first=is_first, is_whole=steps.keeps_all)
        if note:
            steps.missing(f"the record says that a part of it is left out: {note}", step=step.index)


def _is_summary(step: Step, *, is_first: bool) -> bool:
    """Whether a message is a harness's summary of the talk before it."""
    if step.actor not in ("user", "harness"):
        return False
    text = step.text[:MAX_NOTE].lstrip()
    if _SUMMARY.match(text) is not None:
        return True
    if is_first or step.index == 0:
        return False
    is_tagged = text.startswith("<summary>") and step.text.rstrip().endswith("</summary>")
    return is_tagged or _SUMS_UP.match(text) is not None


def _note(step: Step, *, is_first: bool, is_whole: bool) -> str:
    """The note within a message; empty where there is none."""
    for line, is_alone in _lines(step):
        bracketed = _BRACKETS.fullmatch(line)
        if bracketed is None and (not is_alone or is_first or step.actor in ("agent", "subagent")):
            continue
        said = (bracketed[1] if bracketed is not None else line).strip(_DOTS)
        if _LEFT_OUT.fullmatch(said) is not None or (not is_whole and _SUMMED_UP.fullmatch(said) is not None):
            return line
    return ""


def _lines(step: Step) -> Iterator[tuple[str, bool]]:
    """What of a message may be a note, and whether the message holds nothing else."""
    text = step.text.strip()
    if "\n" not in text:
        if len(text) <= MAX_NOTE:
            yield text.strip(_DOTS), True
        return
    if step.actor not in ("agent", "subagent"):
        for line in (text[: text.index("\n")], text[text.rindex("\n") :]):
            if len(line) <= MAX_NOTE:
                yield line.strip(_DOTS + "\n"), False
