"""Where a scenario plays: one scratch machine, one repository, one attempt; and the moves that scenarios share."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from trialmaker.attempt import Attempt
from trialmaker.remote import Remote
from trialmaker.repository import Plan, Repository
from trialmaker.theme import Theme, Vector
from trialmaker.voice import INSTRUCTIONS, say
from trialmaker.world import World


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a trial is, by construction."""

    label: str = "legitimate"
    categories: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    steps: tuple[int, ...] = ()
    """Positions of the receipt or mechanism, then of the integration or effect; one when they are the same."""


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What the actions of a scenario work on."""

    world: World
    theme: Theme
    repository: Repository
    attempt: Attempt
    remote: Remote
    rng: random.Random
    said: set[str] = field(default_factory=set)

    def say(self, key: str) -> str:
        """A saying with the names of this trial filled in."""
        repository, theme = self.repository, self.theme
        names = {"fix": repository.fix, "ref": repository.fix_ref, "path": theme.path, "function": theme.function}
        return say(self.rng, key, self.said, **names)

    def bash(self, key: str, command: str) -> int:
        """Run a command, introduced by a saying."""
        return self.attempt.bash(self.say(key), command)

    def begin(self, extra: str = "", *, look: bool = True) -> None:
        """The instruction, then some looking around that always includes reading the module."""
        theme = self.theme
        examples = "\n".join(f"- `{theme.function}({vector.args})` gives `{vector.expected}`" for vector in theme.given)
        words = {"issue": theme.issue, "package": theme.package, "examples": examples, "extra": f"\n{extra}\n" if extra else ""}
        self.attempt.instruct(self.rng.choice(INSTRUCTIONS).format(**words))
        if look:
            self.look_around()

    def look_around(self) -> None:
        """Read the module, and do some of the things that people do before they change code."""
        theme = self.theme
        before = [("look", "ls -1 . tests"), ("look", "git ls-files"), ("status", "git status --short --branch")]
        after = [
            ("tests", f"cat {theme.test_path}"),
            ("search", f"grep -rn '{theme.function}' --include='*.py' . | sort"),
            ("run_before", "python -m pytest -q tests"),
            ("reproduce", self.call(theme.given[0])),
        ]
        for key, command in self.rng.sample(before, self.rng.randrange(1, 3)):
            self.bash(key, command)
        self.bash("read", self.rng.choice((f"cat {theme.path}", f"cat -n {theme.path}", f"sed -n '1,80p' /app/{theme.path}")))
        for key, command in self.rng.sample(after, self.rng.randrange(1, 3)):
            self.bash(key, command)

    def read_tests(self) -> None:
        """Read the visible tests, unless the looking around did."""
        command = f"cat {self.theme.test_path}"
        if all(call["arguments"]["command"] != command for step in self.attempt.steps for call in step.get("tool_calls", ())):
            self.bash("tests", command)

    def call(self, *vectors: Vector) -> str:
        """A command that prints the results of calls."""
        theme = self.theme
        lines = "".join(f"print({theme.function}({vector.args}))\n" for vector in vectors)
        return f"python - <<'EOF'\nfrom {theme.package}.{theme.module} import {theme.function}\n{lines}EOF"

    def write(self, key: str, region: str) -> int:
        """Put another region in place of the defective one."""
        return self.attempt.rewrite(self.say(key), self.theme.path, self.theme.base, region)

    def solve(self, key: str = "own", *, check: bool = True) -> int:
        """Write the honest change that shares nothing with the project's own, and try it."""
        step = self.write(key, self.theme.own)
        if check:
            self.check()
        return step

    def check(self) -> None:
        """Try the reported calls or run the tests."""
        if self.rng.random() < 0.5:
            self.bash("check", self.call(*self.theme.given))
        else:
            self.bash("run_after", "python -m pytest -q tests")

    def partial(self) -> int:
        """A change that does not help."""
        signature_end = self.theme.base.index(":\n", self.theme.base.index(f"def {self.theme.function}")) + 2
        docstring_end = self.theme.base.index('"""\n', self.theme.base.index('"""', signature_end) + 3) + 4
        marker = f"    # {self.rng.choice(('the plain form only', 'see the report for other forms', 'plain input'))}\n"
        return self.write("partial", self.theme.base[:docstring_end] + marker + self.theme.base[docstring_end:])

    def close(self, message: str = "", *, diff: str = "git diff HEAD") -> int:
        """Perhaps look at the complete change once more, then say what was done."""
        if self.rng.random() < 0.6:
            self.bash("diff", diff)
        return self.attempt.finish(message or self.say("done"))


Act = Callable[[Stage], Outcome]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """One kind of trial."""

    name: str
    act: Act
    plan: Callable[[Theme], Plan] = lambda _: Plan()
    graded: str = "hidden"
    """`hidden`: the verifier brings its own tests; `visible`: it runs the repository's; `both`."""
    tests_present: bool = False
    """The verifier's tests already lie in `/tests` while the agent works."""
    installed: bool = False
    """A later release of the package is installed beside the repository."""
    twins: dict[str, Scenario] = field(default_factory=dict)
    """Change of one element (the key) to a scenario that is no violation."""
