"""Matches facts against the taxonomy's rules. A match is a signal: something to look at, never a label."""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec
import re2

from earned.audit.paths import absolute
from earned.audit.quotes import action_quote
from earned.records import Action, Channel, Fact, Finding, Trajectory, Write
from earned.taxonomy import Rule, Taxonomy, When, default_taxonomy

_MEMORY = 64 << 20
"""Bytes for the automaton: enough that it never has to give up on a text."""


class Match(msgspec.Struct, frozen=True):
    """One rule that one fact meets, with the address that it names."""

    rule: Rule
    fact: int
    address: str


class Ruleset:
    """A taxonomy's rules, sorted by what a fact must have at all for them to hold."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self.taxonomy = taxonomy
        self.order = {rule.id: place for place, rule in enumerate(taxonomy.rule)}
        self.git: dict[str, list[Rule]] = {}
        for rule in taxonomy.rule:
            for operation in rule.when.git:
                self.git.setdefault(operation, []).append(rule)
        self.network = [rule for rule in taxonomy.rule if rule.when.hosts or rule.when.urls]
        self.reads = [rule for rule in taxonomy.rule if rule.when.reads]
        self.writes = [rule for rule in taxonomy.rule if _looks_at_writes(rule.when)]
        special = {rule.id for group in (*self.git.values(), self.network, self.reads, self.writes) for rule in group}
        self.other = [rule for rule in taxonomy.rule if rule.id not in special]
        self._any_read = _automaton([rule.when.reads for rule in self.reads])
        self._any_write = _automaton([rule.when.writes or "" for rule in self.writes])
        self._any_hint = _automaton([rule.hint for rule in taxonomy.rule])

    def can_matter(self, action: Action) -> bool:
        """The prefilter: False only for an action whose facts no rule can match, by the rules' hints."""
        if action.kind in ("edit", "write"):
            return True  # few, and nothing to parse
        return self.text_can_matter(action.command or action.url or "\n".join(action.paths))

    def text_can_matter(self, text: str) -> bool:
        """Whether any rule's hint stands in a text."""
        return bool(self._any_hint.Match(text.encode("utf-8", "replace")))

    def matches(self, facts: tuple[Fact, ...]) -> tuple[Match, ...]:
        """Every (rule, fact) pair that holds, in the order of acting and of the taxonomy."""
        return tuple(match for index, fact in enumerate(facts) for match in self._of(index, fact))

    def path_channel(self, path: str) -> tuple[Channel, Rule] | None:
        """The channel that reading `path` belongs to, by the rules that look at nothing but paths read."""
        if not self._reads_matter((path,)):
            return None
        return next((rule.channel, rule) for rule in self.reads if _compiled(rule.when.reads).search(path))

    def _reads_matter(self, paths: tuple[str, ...]) -> bool:
        return any(self._any_read.Match(path.encode("utf-8", "replace")) for path in paths)

    def _writes_matter(self, fact: Fact) -> bool:
        paths = (absolute(write.path, fact.cwd) for write in fact.writes)
        return any(self._any_write.Match(path.encode("utf-8", "replace")) for path in paths)

    def _of(self, index: int, fact: Fact) -> list[Match]:
        rules = list(self.other)
        if fact.git is not None:
            rules += self.git.get(fact.git.operation.partition(" ")[0], ())
        if fact.hosts or fact.urls:
            rules += self.network
        if self._writes_matter(fact):
            rules += self.writes
        if self._reads_matter(_reads(fact)):
            rules += self.reads
        found = [Match(rule, index, address) for rule in rules if (address := holds(rule.when, fact)) is not None]
        return sorted(found, key=lambda match: self.order[match.rule.id]) if len(found) > 1 else found


def _automaton(patterns: list[str]) -> re2.Set:
    """All patterns at once; several times faster than `search`, and tells only whether any is found."""
    options = re2.Options()
    options.max_mem = _MEMORY
    automaton = re2.Set.SearchSet(options)
    for pattern in patterns:
        automaton.Add(pattern)
    automaton.Compile()
    return automaton


@cache
def default_ruleset() -> Ruleset:
    """The rules that ship with the package, compiled once."""
    return Ruleset(default_taxonomy())


def signals(found: tuple[Match, ...], facts: tuple[Fact, ...], trajectory: Trajectory) -> tuple[Finding, ...]:
    """Each match as a finding of strength `signal`, quoted from the action that it stands in."""
    return tuple(
        Finding(
            category=match.rule.category,
            rule=match.rule.name,
            quote=action_quote(trajectory.steps[facts[match.fact].step], facts[match.fact]),
            channel=match.rule.channel,
            address=match.address,
            strength="signal",
            why=match.rule.definition,
            acts=((facts[match.fact].step, facts[match.fact].action),),
        )
        for match in found
    )


def holds(when: When, fact: Fact) -> str | None:
    """The address that makes `when` hold for `fact` (a ref, URL, path or the command); None when it does not hold."""
    if not _plain_keys_hold(when, fact):
        return None
    if when.command and not _compiled(when.command).search(" ".join(fact.argv)):
        return None
    address = ""
    for pattern, texts in (
        (when.refs, fact.git.refs if fact.git else ()),
        (when.hosts, fact.hosts),
        (when.urls, fact.urls),
        (when.reads, _reads(fact) if when.reads else ()),
    ):
        if pattern:
            hit = _first(pattern, texts)
            if hit is None:
                return None
            address = hit
    if fact.urls and when.hosts:
        address = fact.urls[0]
    if _looks_at_writes(when):
        write = next((write for write in fact.writes if _write_holds(when, write, absolute(write.path, fact.cwd))), None)
        if write is None:
            return None
        address = write.path
    return address or _named(fact)


def _named(fact: Fact) -> str:
    """What a fact is about, for a rule that looks at neither path nor URL."""
    if fact.git is not None and fact.git.refs:
        return fact.git.refs[0]
    return " ".join(fact.argv)[:200] or fact.program


def _looks_at_writes(when: When) -> bool:
    return bool(when.writes or when.not_writes or when.written or when.write_operation)


def _plain_keys_hold(when: When, fact: Fact) -> bool:
    use = fact.git
    if when.git and (use is None or use.operation.partition(" ")[0] not in when.git):
        return False
    if when.ancestor and (use is None or use.ancestor not in when.ancestor):
        return False
    if when.content is not None and (use is None or (use.reads_content or use.delivers) != when.content):
        return False
    if when.program and fact.program not in when.program:
        return False
    if when.runs and fact.runs not in when.runs:
        return False
    return when.background is None or fact.background == when.background


def _write_holds(when: When, write: Write, path: str) -> bool:
    if when.writes and not _compiled(when.writes).search(path):
        return False
    if when.not_writes and _compiled(when.not_writes).search(path):
        return False
    if when.write_operation and write.operation not in when.write_operation:
        return False
    return not when.written or (write.text is not None and bool(_compiled(when.written).search(write.text)))


def _reads(fact: Fact) -> tuple[str, ...]:
    paths = fact.reads + tuple(write.source for write in fact.writes if write.source)
    return tuple(absolute(path, fact.cwd) for path in paths) if fact.cwd else paths


def _first(pattern: str, texts: tuple[str, ...]) -> str | None:
    compiled = _compiled(pattern)
    return next((text for text in texts if compiled.search(text)), None)


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re2._Regexp:
    return re2.compile(pattern)
