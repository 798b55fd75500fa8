"""Whether a harness says in a result that it left a part of it out.

Only phrases that harnesses and their sandboxes print are taken for a cut, where they print them: as a line of their own,
between two ellipses, at the begin or the end of the result. A file, a manual or a program that merely talks of it is none.
Collected from the sources of Claude Code, Codex, Gemini CLI and Qwen Code, OpenHands, SWE-agent, mini-swe-agent, Terminus,
Inspect, OpenCode, Goose, Roo Code, smolagents, Deep Agents and BuildKit, and from their public transcripts.
"""

from __future__ import annotations

import itertools
import re

BEGIN, END = 300, 400
"""Characters at the begin and the end of a result in which some harnesses say it."""
MAX_WORDS = 2000
"""Places of one result that are looked at; a text that talks of truncation that often is about it."""
_BEFORE, _AFTER = 200, 300
"""Characters of a line that are looked at, before and after the word."""

_WORD = re.compile("runcated|RUNCATED|omitted|elided|clipped|\u2026")
_UNIT = r"(?:lines?|characters?|chars?|bytes?|tokens?|[KMG]i?B|messages?|turns?)"
_COUNT = rf"\d[\d,.]{{0,12}} ?(?:(?:more|interior|additional|of \d[\d,.]{{0,12}}) )?{_UNIT}"
_GONE = r"(?:were |was |have been |has been )?(?:truncated|omitted|elided|clipped)"
_PLAIN = r"[^\n\"'`]"
"""Quotes belong to program text and to manuals."""
_WHAT = r"(?:tool |file |command |terminal )?(?:output|observation|content|response|results?|message|log|list|file)"
_LINE = re.compile(
    # [... 10 lines truncated ...]   ... [12 characters truncated] ...   [...20 lines omitted...]
    rf"[\[(<]{{0,2}} ?(?:\.\.\.|\u2026){_PLAIN}{{0,60}}{_COUNT} {_GONE}{_PLAIN}{{0,80}}"
    rf"|[\[(<]{{1,2}}{_COUNT} {_GONE}{_PLAIN}{{0,60}}[\])>]{{1,2}}{_PLAIN}{{0,10}}"
    # [... omitted 3 of 9 lines ...]
    rf"|[\[(<]{{0,2}} ?(?:\.\.\.|\u2026){_PLAIN}{{0,30}}(?:omitted|truncated) {_COUNT}{_PLAIN}{{0,40}}"
    # [... Observation truncated due to length ...]   [Tool output truncated: …]   <output truncated>   (File list truncated. …)
    rf"|[\[(<]{{1,2}} ?(?:\.\.\.|\u2026)? ?{_WHAT} {_GONE}\b{_PLAIN}{{0,200}}[\])>]{{1,2}}{_PLAIN}{{0,60}}"
    # [output clipped, log limit 2MiB reached]   ... [CONTENT TRUNCATED] ...   [truncated]   [Truncated: 12 lines]
    r"|(?:\.\.\. ?|\u2026 ?)?[\[(<]{1,2}(?:\.\.\. ?|\u2026 ?)?(?:content |output )?truncated\b"
    rf"{_PLAIN}{{0,120}}[\])>]{{1,2}}(?: ?\.\.\.| ?\u2026)?"
    rf"|(?:\.\.\.|\u2026) ?(?:{_WHAT} )?truncated{_PLAIN}{{0,60}}"
    # Observations should not exceeded 100000 characters. 12 characters were elided. …
    r"|Observations should not exceed(?:ed)? \d[\d,]{0,12} characters\b.{0,300}"
    # … +12 lines (ctrl+o to expand)
    rf"|\u2026 \+\d[\d,]{{0,12}} {_UNIT}{_PLAIN}{{0,60}}",
    re.IGNORECASE,
)
_INLINE = re.compile(
    # a number of tokens between two ellipses, or the same with dots; the tag of SWE-agent with its note
    rf"(?:\A|[^\[.])(?:\u2026|\.\.\.){_COUNT} (?:truncated|omitted)(?:\u2026|\.\.\.)"
    # the same in brackets
    rf"|(?:\u2026|\.\.\.)\[{_COUNT} (?:truncated|omitted)\](?:\u2026|\.\.\.)"
    r"|\.\.\._This content has been truncated to stay below \d{1,12} characters_\.\.\."
    r"|<response clipped>\s{0,4}(?:<NOTE>|\Z)"
    r"|<elided_chars>\s{0,4}\d"
)
_AT_BEGIN = re.compile(
    r"\s{0,20}(?:<[a-z_-]{1,40}>\s{0,4}){0,3}(?:Observation:\s{0,4})?\[?(?:"
    r"(?:Tool o|O)utput (?:was )?too large(?: \(|\. (?:Showing|Full)|;| and has been truncated)"
    r"|Tool result too large, the result of this tool call \S{1,100} was saved "
    r"|Warning: truncated output \(original token count: \d"
    r"|The output of your (?:call to \S{1,100}|last command|command) was too long"
    r"|private note: output was \d{1,9} lines and we are only showing"
    r"|(?:IMPORTANT: The )?[Ff]ile content (?:has been )?truncated\b"
    r")"
)
_AT_END = re.compile(
    r"(?m)^[ \t]{0,8}(?:"
    r"(?:<bash_metadata>)?bash tool truncated output as it exceeded \d"
    r"|\((?:\d[\d,]{0,12} files found\. )?Results are truncated\b"
    r"|\(?(?:Output|Results?) (?:was|were) truncated\b[^\n]{0,80}\)"
    r"|(?:<system-reminder>\s{0,4})?Note: The file [^\n]{1,300} was too large and has been truncated to the first \d"
    r"|\[?OUTPUT TRUNCATED - exceeded \d"
    r")"
)
_IN_PLACE = re.compile(r"\[?Old (?:tool result content cleared|environment output: \(\d{1,9} lines omitted\))[\].]{0,2}")
"""What stands in the place of a whole result that was taken out of the context later."""
MAX_IN_PLACE = 200
"""Characters of a result that holds nothing but such words."""
_OPEN_END = re.compile(r"(?:\.\.\.|\u2026) ?[\[(<]?truncated[\])>]?\s{0,20}\Z", re.IGNORECASE)
"""The cut text itself goes before it on the same line."""


def is_gone(text: str) -> bool:
    """Whether nothing of a result is left: other words stand in its place."""
    if len(text) > MAX_IN_PLACE:
        return False
    said = text.strip()
    if said.startswith(("Old ", "[Old ")):
        return _IN_PLACE.fullmatch(said) is not None
    return bool(said) and _WORD.search(said) is not None and _LINE.fullmatch(said) is not None


def is_cut(text: str) -> bool:
    """Whether the harness says that it left a part of this result out, or all of it."""
    if len(text) <= MAX_IN_PLACE and "Old " in text[:40] and is_gone(text):
        return True
    # A word that a phrase holds is found many times faster than the expression; no text is searched that holds none.
    is_marked = "runcated" in text or "omitted" in text or "elided" in text or "clipped" in text or "\u2026" in text
    if not (is_marked or "RUNCATED" in text):
        return _says_at_begin(text)
    if _says_at_begin(text) or _says_at_end(text):
        return True
    words = itertools.islice(_WORD.finditer(text), MAX_WORDS)
    return any(_marks(text, match.start()) for match in words)


def _says_at_begin(text: str) -> bool:
    begin = text[:BEGIN]
    if not ("oo l" in begin or "only showing" in begin or "truncated" in begin):
        return False
    return _AT_BEGIN.match(begin) is not None


def _says_at_end(text: str) -> bool:
    end = text[-END:]
    return ("runcated" in end or "RUNCATED" in end) and (_AT_END.search(end) is not None or _OPEN_END.search(end) is not None)


def _marks(text: str, at: int) -> bool:
    """Whether the word at this place belongs to such a phrase: the whole line, or a piece that nothing else looks like."""
    start = max(text.rfind("\n", max(0, at - _BEFORE), at) + 1, at - _BEFORE)
    end = text.find("\n", at, at + _AFTER)
    line = text[start : end if end >= 0 else at + _AFTER].strip()
    if _LINE.fullmatch(line) is not None:
        return True
    return _INLINE.search(text, max(0, at - 60), at + 60) is not None
