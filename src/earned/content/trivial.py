"""Lines that prove nothing by being alike: blank ones, braces, bare keywords, imports, short common idioms."""

from __future__ import annotations

import re

from earned.content.lines import line_key

MIN_KEY = 8
"""Characters of a key below which a line carries no weight: `x = 1`, `end`, `});`."""
MIN_WORD_CHARACTERS = 6
"""Letters and digits that a line needs to say anything; below that it is punctuation."""
MAX_TRIVIAL = 120
"""Characters beyond which no idiom is looked for."""

_IMPORT = re.compile(
    r"import\b|from [\w.]+ import\b|#\s*include\b|using [\w.:]+\s*;|use [\w:]+(?:::[\w{}, :*]+)?\s*;|package [\w.]+|"
    r"require(?:_relative)?\b|(?:const|let|var) [\w{}, ]+ = require\(|export \* from |@import\b|source \S+$|load\("
)
_BARE_JUMP = re.compile(
    r"(?:return|yield|raise|throw|break|continue|goto|await|del|assert|print|echo|exit)"
    r"(?: *\(?[\w.]*\)?| (?:nil|null|None), *err| new \w+\(\)| not \w+| -?\d+)? *;?$"
)
_IDIOM = re.compile(
    r"(?:if __name__ == ['\"]__main__['\"]:|(?:async )?def \w+\((?:self|cls)?\)(?: -> None)?:|def (?:setUp|tearDown)\(.*"
    r"|def __init__\(self[^)]{0,20}\)(?: -> None)?:|@(?:property|staticmethod|classmethod|override|Override|pytest\.fixture)"
    r"|for \w{1,4} in (?:range\(\w{1,9}\)|\w{1,9}):|for \(.{0,12}\w = 0; .{0,24}\+\+\w?\) *\{?"
    r"|while (?:True|true|1|\(true\)).{0,2}"
    r"|except(?: [\w.]+(?: as \w+)?)?:|(?:\} *)?catch *\([\w ]*\) *\{|if err != nil \{|super\(\).__init__\(.{0,20}\)"
    r"|else if|elif|public static void main\(.{0,30}|['\"]use strict['\"];?|set -[a-z]+|!.{0,40}bin/.{0,20}|/usr/bin/env.{0,20}"
    r"|(?:self|this)\.\w+ = None;?|global \w+|class \w{1,20}(?:\(object\)|\(\))?: *|pass"
    r"|logger = logging.getLogger\(__name__\))$"
)
_ASSIGNED_TO_SELF = re.compile(r"(?:self|this)\.(\w+) = (\w+);?$")
_COMMENT_MARKS = "#/*;%!-=~_ \t"
_KEYWORD_LIST = """
else try finally pass break continue return end fi done esac then begin do default except rescue ensure loop
endif endfor endwhile endfunction true false null none nil void private public protected static abstract final
"""
_KEYWORDS = frozenset(_KEYWORD_LIST.split())
_WORD = re.compile(r"\w+")


def is_trivial(line: str) -> bool:
    """Whether a line carries no weight, as it stands in a text (decorated or not) or as its key."""
    key = line_key(line).strip(_COMMENT_MARKS) if line.lstrip()[:1] in ("#", "/", "*", ";", "%") else line_key(line)
    if len(key) < MIN_KEY or sum(map(len, _WORD.findall(key[:200]))) < MIN_WORD_CHARACTERS:
        return True
    if len(key) > MAX_TRIVIAL:
        return False
    return _says_nothing(key) or _IMPORT.match(line_key(line)) is not None


def _says_nothing(key: str) -> bool:
    if _BARE_JUMP.match(key) or _IDIOM.match(key):
        return True
    own = _ASSIGNED_TO_SELF.match(key)
    if own is not None and own[1].lstrip("_") == own[2]:
        return True
    return all(word.lower() in _KEYWORDS for word in _WORD.findall(key))
