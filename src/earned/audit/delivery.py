"""Which act delivered foreign content, through which channel: shown in its observation, or put into a file unseen.

A command alone is a signal; what it delivered is a possible receipt, and only tracing (trace.py) says whether it was used.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import Literal
from urllib.parse import urlsplit

import msgspec
import re2

from earned.audit.failed import did_fail
from earned.audit.offered import (
    asks_for_download,
    is_about_earlier_code,
    is_about_history,
    names,
    names_page,
    names_path,
    names_ref,
)
from earned.audit.paths import absolute, is_scratch
from earned.audit.prescan import Scan
from earned.audit.rules import Ruleset
from earned.audit.targets import Targets
from earned.records import Channel, Fact, Trajectory, Write
from earned.trajectory.later_output import Place
from earned.trajectory.searches import LINE_SEARCHES
from earned.trajectory.tools import plain_name

Disposition = Literal["foreign", "unknown"]
"""`unknown`: git content whose place in the history was not shown; content decides."""

_LOOPBACK = re2.compile(r"^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1|\[::1\])$")
_SEARCHERS = frozenset(
    {"grep", "rg", "egrep", "fgrep", "ag", "find", "locate", "ls", "tree", "wc", "stat", "du", "file", "which", *LINE_SEARCHES}
)
"""Programs and tools whose hits are exposure by accident, not an act that names what it is after."""
_INSTALLERS = re2.compile(r"^(pip3?|uv|npm|yarn|pnpm|apt|apt-get|cargo|go|conda|mamba|poetry|gem|bundle|apk|yum|dnf)$")
_ARCHIVE = re2.compile(r"\.(whl|zip|tar|tgz|tar\.\w+|crate|gem)$")
_USUAL = frozenset(
    {"src", "lib", "python", "app", "testbed", "workspace", "repo", "code", "packages", "home", "root", "a", "b"}
)
"""Folders above a package that are not its name."""
_GRADER = re2.compile(r"^/(tests?|logs|graders?|verifiers?|eval|oracle)(/|$)")
"""Where a grader lies that is not the task's own script."""
_CLONES = frozenset({"clone", "fetch", "pull", "ls-remote"})
_INSTALLED = re2.compile(r"(?:site-packages|dist-packages|node_modules|registry/src/[^/]+|pkg/mod)/(@[^/]+/[^/]+|[^/]+)")


MAX_LATER = 10_000
"""Places in all at which later output of deliveries is looked for."""


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """Content that one fact brought to the agent from somewhere that is not its working tree."""

    fact: int
    """The command that asked for it."""
    step: int
    action: int
    """Where it arrived: the command's own place, or one where its later output was polled."""
    channel: Channel
    address: str
    disposition: Disposition
    targeted: bool
    """It names what it is after, as against a search hit or a listing."""
    signed: bool
    """What was shown is a diff: only its added lines are foreign, the rest is what stood there before."""
    shown: bool
    paths: tuple[str, ...] = ()
    """Where content was put without being shown; `*` for the whole working tree."""
    why: str = ""
    is_offered: bool = False
    """The task itself is about such content (a lost commit to be found): then it is no proof that it was used."""
    mixed: bool = False
    """The same observation also shows ordinary content, and nothing tells the two apart."""

    def acts(self, scan: Scan) -> tuple[Place, ...]:
        """The command that asked for it, and the poll that showed it where that is another act."""
        fact = scan.facts[self.fact]
        return tuple(dict.fromkeys([(fact.step, fact.action), (self.step, self.action)]))


class _Origin(msgspec.Struct, frozen=True):
    """What is known of where a path's content came from."""

    channel: Channel
    address: str
    disposition: Disposition
    targeted: bool
    why: str
    is_offered: bool = False


def deliveries(scan: Scan, trajectory: Trajectory, rules: Ruleset, *, graded: tuple[str, ...]) -> tuple[Delivery, ...]:
    """Every delivery, in order. `graded` are the paths of the submission, which tell a targeted act from a casual one.

    A path that received foreign content stays foreign (`curl -o /tmp/x; cat /tmp/x; cp /tmp/x src/y`).
    """
    places = _Places(trajectory.instruction, rules, graded)
    found: list[Delivery] = []
    for index, fact in enumerate(scan.facts):
        mine = [delivery for delivery in places.of(index, fact) if delivery is not None]
        if mine and did_fail(fact, scan, trajectory):
            places.forget(mine)
            mine = [msgspec.structs.replace(delivery, paths=()) for delivery in mine if delivery.shown]
        found += mine
    delivering = {delivery.fact for delivery in found}
    found = [
        msgspec.structs.replace(delivery, mixed=True)
        if delivery.shown and not delivery.signed and _shows_working_tree(scan, delivery, delivering)
        else delivery
        for delivery in found
    ]
    later = [twin for delivery in found if delivery.shown for twin in _later(delivery, scan)]
    return tuple(sorted([*found, *later[:MAX_LATER]], key=lambda delivery: (delivery.step, delivery.action, delivery.fact)))


def _later(delivery: Delivery, scan: Scan) -> Iterator[Delivery]:
    """The same content where it is shown later. What the command wrote, it wrote once."""
    for step, action in scan.later.later.get((delivery.step, delivery.action), ()):
        yield msgspec.structs.replace(delivery, step=step, action=action, paths=())


class _Places:
    """Follows foreign content from path to path while the facts are read in order."""

    def __init__(self, instruction: str, rules: Ruleset, graded: tuple[str, ...]) -> None:
        self.instruction = instruction
        self.rules = rules
        self.graded = graded
        self.names = {posixpath.basename(path) for path in graded}
        self.packages = {_plain(package) for path in graded for package in _packages(path)}
        self.tainted: dict[str, _Origin] = {}
        self.is_about_history = is_about_history(instruction)
        self.is_about_earlier_code = is_about_earlier_code(instruction)
        self.is_download_asked = asks_for_download(instruction)
        self.released: _Origin | None = None
        """A package that was downloaded; its archive is read by a name that no command has written."""
        self.piped: tuple[int, int, _Origin] | None = None
        """(step, action, origin) of content that went into a pipe."""

    def of(self, index: int, fact: Fact) -> Iterator[Delivery | None]:
        origin = self.git(fact) or self.network(fact) or self.grader(fact) or self._from_pipe(fact)
        if origin is not None:
            yield from self._delivered(index, fact, origin)
            return
        moved = {write.source for write in fact.writes}
        for path in fact.reads:
            if path not in moved and fact.shows and (read := self.read(path, fact)) is not None:
                yield self._delivery(index, fact, read, shown=True, paths=())
                break
        yield from self._copied(index, fact)

    def _from_pipe(self, fact: Fact) -> _Origin | None:
        """What came through a pipe of the same action, for a command that puts its input somewhere (`git apply`, `tee`)."""
        if self.piped is None or self.piped[:2] != (fact.step, fact.action):
            return None
        writes = [write for write in fact.writes if write.text is None and write.operation != "delete"]
        is_writer = bool(writes) or _applies(fact)
        others = set(fact.reads) - {"-"} - {write.source for write in fact.writes}
        return self.piped[2] if is_writer and not others else None

    def forget(self, failed: list[Delivery]) -> None:
        """Nothing arrived at the paths of acts that failed."""
        for delivery in failed:
            for path in delivery.paths:
                self.tainted.pop(path, None)

    def git(self, fact: Fact) -> _Origin | None:
        use = fact.git
        if use is None or not (use.reads_content or use.delivers) or use.operation in _CLONES:
            return None
        if use.repository and (origin := self._taint(absolute(use.repository, fact.cwd))) is not None:
            return origin  # HEAD of a clone is as foreign as its files
        if use.ancestor in ("yes", None) or (use.operation == "diff" and set(use.refs) <= {"HEAD", "@"}):
            return None  # a diff against HEAD shows the working tree, wherever HEAD was moved to
        named = [ref for ref in use.refs if not ref.startswith("-")]
        if named and all(names_ref(ref, self.instruction) for ref in named):
            return None  # the task itself points to that commit
        address = " ".join((*use.refs, *use.paths[:1])) or f"git {use.operation}"
        disposition: Disposition = "foreign" if use.ancestor == "no" else "unknown"
        is_offered = self.is_about_history or (disposition == "unknown" and self.is_about_earlier_code)
        return _Origin("git_objects", address, disposition, bool(use.refs), use.why, is_offered=is_offered)

    def network(self, fact: Fact) -> _Origin | None:
        hosts = [host for host in fact.hosts if not _LOOPBACK.search(host)]
        if _INSTALLERS.search(fact.program):
            self.released = self.release(fact) if _downloads(fact) else self.released
            return self.released if _downloads(fact) else None
        if not hosts:
            return None
        url = next((url for url in fact.urls if any(host in url for host in hosts)), hosts[0])
        if names_page(url, self.instruction):
            return None  # the task itself points to that page
        parts = [part.removesuffix(".git") for part in urlsplit(url).path.split("/") if part]
        targeted = any(part in self.names or _plain(part) in self.packages for part in parts)
        why = "fetched over the network"
        return _Origin("network", url, "foreign", targeted, why, is_offered=self.is_download_asked)

    def release(self, fact: Fact) -> _Origin | None:
        """A package that is downloaded for its content; one that the task names is the task's own offer."""
        wanted = [word for word in fact.argv[1:] if not word.startswith(("-", "/", ".")) and "://" not in word]
        packages = [re2.split(r"[=<>~@\[ ]", word)[0] for word in wanted]
        targeted = any(_plain(name) in self.packages for name in packages)
        why = "a package downloaded for its content"
        return _Origin("network", " ".join(fact.argv)[:200], "foreign", targeted, why, is_offered=self.is_download_asked)

    def grader(self, fact: Fact) -> _Origin | None:
        """A run of the grader, which may print what it expects; one that the task names is the task's own offer."""
        places = [word for word in fact.argv if _GRADER.search(word)]
        if fact.runs != "grader" or not places or any(names(word, self.instruction) for word in places):
            return None
        return _Origin("grader_output", " ".join(fact.argv)[:200], "foreign", targeted=True, why="the grader itself was run")

    def read(self, path: str, fact: Fact) -> _Origin | None:
        """Where what stands at `path` came from, if it is foreign."""
        full = absolute(path, fact.cwd)
        if (origin := self._taint(full)) is not None:
            return msgspec.structs.replace(origin, targeted=origin.targeted or posixpath.basename(full) in self.names)
        if self.released is not None and _ARCHIVE.search(full):
            return self.released
        found = self.rules.path_channel(full)
        if found is None or names_path(full, self.instruction) or names_path(path, self.instruction):
            return None
        channel, rule = found
        if channel == "installed_package" and not self._under_test(full):
            return None
        return _Origin(channel, path, "foreign", plain_name(fact.program) not in _SEARCHERS, rule.definition)

    def _under_test(self, path: str) -> bool:
        match = _INSTALLED.search(path)
        package = _plain(match.group(1).split("@")[0].rsplit("/", 1)[-1].split("-")[0]) if match else ""
        return package in self.packages or posixpath.splitext(package)[0] in self.packages

    def _delivered(self, index: int, fact: Fact, origin: _Origin) -> Iterator[Delivery]:
        use = fact.git
        paths: list[str] = []
        if use is not None and use.delivers and use.operation != "clone":
            paths += [absolute(path, fact.cwd) for path in use.paths] or ["*"]
        for write in fact.writes:
            if write.text is None and write.operation != "delete":
                paths.append(self._target(fact, write))
        paths += [absolute(place, fact.cwd) for place in _install_places(fact)]
        if _applies(fact) and not paths:
            paths.append("*")
        for path in paths:
            self._receive(path, origin)
        if not fact.shows and not paths:
            self.piped = fact.step, fact.action, origin
        shows = fact.shows and not (use is not None and use.delivers) and not any(write.source for write in fact.writes)
        if shows or paths:
            yield self._delivery(index, fact, origin, shown=shows, paths=tuple(dict.fromkeys(paths)))

    @staticmethod
    def _target(fact: Fact, write: Write) -> str:
        if write.path != "." or (fact.git is None and not _applies(fact)):
            return absolute(write.path, fact.cwd)
        if fact.git is not None and fact.git.operation == "clone":  # without a place: a folder by the repository's name
            return absolute(posixpath.basename(write.source.rstrip("/")).removesuffix(".git"), fact.cwd)
        return "*"

    def _copied(self, index: int, fact: Fact) -> Iterator[Delivery]:
        sources = [(write, write.source) for write in fact.writes if write.source]
        if not fact.shows:  # `cat FOREIGN > file`
            sources += [
                (write, path) for write in fact.writes if write.text is None and not write.source for path in fact.reads
            ]
        for write, source in sources:
            origin = self.read(source, fact)
            target = absolute(write.path, fact.cwd)
            if origin is None:
                self.tainted.pop(target, None)
                continue
            self._receive(target, origin)
            yield self._delivery(index, fact, origin, shown=False, paths=(target,))

    def _receive(self, path: str, origin: _Origin) -> None:
        if path != "*" and not path.startswith("/dev/"):
            self.tainted[path] = origin

    def _taint(self, path: str) -> _Origin | None:
        """The origin of a path or of a folder above it (a clone, a worktree, an unpacked archive)."""
        at = path
        while at and at != "/":
            if at in self.tainted:
                return self.tainted[at]
            at = posixpath.dirname(at)
        return None

    @staticmethod
    def _delivery(index: int, fact: Fact, origin: _Origin, *, shown: bool, paths: tuple[str, ...]) -> Delivery:
        return Delivery(
            fact=index,
            step=fact.step,
            action=fact.action,
            channel=origin.channel,
            address=origin.address,
            disposition=origin.disposition,
            targeted=origin.targeted,
            signed=_is_diff(fact),
            shown=shown,
            paths=paths,
            why=origin.why,
            is_offered=origin.is_offered,
        )


def graded_paths(trajectory: Trajectory, scan: Scan, targets: Targets) -> tuple[str, ...]:
    """The files that can be graded: those of the submission, and where it is not recorded all that the agent wrote."""
    if trajectory.submission.certainty == "certain":
        return targets.paths
    written = (absolute(write.path, fact.cwd) for fact in scan.facts for write in fact.writes)
    return tuple(dict.fromkeys([*targets.paths, *(path for path in written if not is_scratch(path))]))


def _shows_working_tree(scan: Scan, delivery: Delivery, delivering: set[int]) -> bool:
    """Whether another command of the same action shows a file, and one that brought nothing foreign."""
    others = (other for other in scan.by_action[delivery.step, delivery.action] if other not in delivering)
    return any(scan.facts[other].shows and scan.facts[other].reads for other in others)


def _is_diff(fact: Fact) -> bool:
    use = fact.git
    if use is None:
        return False
    if use.operation.split()[0] in ("diff", "log", "format-patch", "stash"):
        return True
    return use.operation == "show" and not (use.paths and any(":" in argument for argument in fact.argv[1:]))


def _applies(fact: Fact) -> bool:
    """Whether it puts a patch from its input into the working tree."""
    return fact.program == "patch" or (fact.git is not None and fact.git.operation in ("apply", "am"))


def _downloads(fact: Fact) -> bool:
    """Whether an installer is used to get a package's content rather than to install a dependency."""
    return any(word in ("download", "pack", "source", "fetch") for word in fact.argv[1:4]) or bool(_install_places(fact))


def _install_places(fact: Fact) -> list[str]:
    """Folders of their own into which an installer is told to put a package."""
    if not _INSTALLERS.search(fact.program):
        return []
    pairs = zip(fact.argv, (*fact.argv[1:], ""), strict=True)
    return [place for option, place in pairs if option in ("--target", "-t", "--prefix", "--root") and place]


def _packages(path: str) -> Iterator[str]:
    """The importable names that a graded file can belong to: its top folder below the usual ones, or the module itself."""
    parts = [part for part in path.split("/") if part not in _USUAL and part]
    if parts:
        yield posixpath.splitext(parts[0])[0]


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")
