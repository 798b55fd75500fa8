"""Ancestry as the trajectory itself shows it: every git command and its output, in order, decide what is known of a revision.

Base is the commit that HEAD stood at when the attempt began, with the agent's own commits on top. Without evidence the answer
is `unknown`, never a guess.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from earned.gitgraph import outputs
from earned.gitgraph.ancestry import (
    HEX,
    MAX_REF,
    Ancestry,
    beyond,
    combined,
    named_revisions,
    prints_commits,
    split_ref,
    unknown,
    yes,
)
from earned.gitgraph.memory import Memory
from earned.gitgraph.movers import FAILED, MOVERS, MOVING, STASH
from earned.gitgraph.readers import READERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from earned.records.fact import GitUse

_REFLOG = re.compile(r"(.*)@\{(.*)\}")


class SeenGraph:
    """Feed it every git fact with `observe`, in order; ask it with `ancestry`."""

    def __init__(self) -> None:
        self.memory = Memory()
        self.branch = ""
        """Name of the branch that HEAD is on, once shown."""
        self.head = ""
        """Hash of HEAD, once shown."""
        self.moved = ""
        """Why HEAD no longer stands on the base; empty while it does."""
        self.before = ""
        self.left = ""
        """Branch that HEAD was on when it moved away, where that was shown."""
        self.lowered = False
        """HEAD stands below the base: what lies between the two is not `HEAD..REF`."""
        self.stashes = 0
        self.hidden = False
        """The agent made commits whose hash was not shown."""
        self.stashed = False
        """The agent made stash entries (git does not show their hashes)."""
        self.last = ""
        self.reset = False
        self.plain: dict[str, int] = {}
        """Commits of unfiltered logs of HEAD -> whether the log was whole (2) or may go on below (1)."""
        self.mixed: list[tuple[list[outputs.Entry], bool]] = []

    def observe(self, use: GitUse, argv: Sequence[str], text: str, *, whole: bool = False, alone: bool = True) -> None:
        """Takes one git command with what it printed.

        `whole`: the output is neither cut off nor piped through anything. `alone`: nothing else of the action printed commits
        (`prints_commits`), so that what is shown is this command's; the same text given again is taken as not alone. Evidence
        that could belong to another command is then left out.
        """
        shared = False
        if prints_commits(use):
            shared = not alone or (text == self.last and len(text) > 0)
            self.last = text
        if use.operation in MOVING and FAILED.search(text[:20_000]):
            return
        handler = MOVERS.get(use.operation)
        if handler is not None:
            handler(self, use, tuple(argv), text)
            return
        reader = READERS.get(use.operation)
        if reader is not None and shared:
            self.place(outputs.log_entries(text, parents=False) if "commit " in text else [])
        elif reader is not None:
            reader(self, use, tuple(argv), text, whole)

    def ancestry(self, use: GitUse) -> Ancestry:
        """Whether all that the command reads is an ancestor of the base; of a range, both ends are asked."""
        refs, _ = named_revisions(use)
        answers = [self.of(ref) for ref in refs]
        reaching = beyond(use)
        if reaching:
            answers.append(Ancestry(ancestor="unknown", why=reaching))
        elif not refs:
            answers.append(self.head_answer("HEAD or the index"))
        return combined(answers)

    def of(self, ref: str) -> Ancestry:
        """The answer for one revision as written."""
        if len(ref) > MAX_REF:
            return unknown("the revision is too long to be one")
        stash = STASH.fullmatch(ref)
        if stash:
            return self.stash_answer(ref, int(stash[1] or 0))
        name, suffix = split_ref(ref)
        reflog = _REFLOG.fullmatch(name)
        if reflog:
            return (
                self.head_answer(ref)
                if reflog[1] in {"", "HEAD"} and reflog[2] == "0"
                else unknown(f"{ref} is an earlier position")
            )
        answer = self.named(name)
        if answer.ancestor == "no" and suffix and not suffix.startswith("^{"):
            return self.above(name, suffix, answer)
        return answer

    def named(self, name: str) -> Ancestry:
        """The answer for a name without suffix."""
        if name in {"HEAD", "@"} or (self.branch and name == self.branch):
            return self.head_answer(name)
        if name == "ORIG_HEAD":
            return (
                yes("ORIG_HEAD is where the agent's own reset or merge started")
                if self.reset
                else unknown("ORIG_HEAD was not set by the agent")
            )
        if HEX.fullmatch(name):
            answer = self.memory.verdict(name)
            if answer is not None:
                return answer
        at = self.memory.names.get(name)
        if at is not None:
            answer = self.memory.verdict(at)
            if answer is not None:
                return Ancestry(
                    ancestor=answer.ancestor, why=f"{name} was shown at {at[:12]}: {answer.why}" if at != name else answer.why
                )
        return unknown(f"nothing shown decides whether {name} is an ancestor")

    def above(self, name: str, suffix: str, answer: Ancestry) -> Ancestry:
        """`REF^` of a non-ancestor: its first parent, where that was shown."""
        commit = self.memory.names.get(name, name)
        if suffix in {"^", "~", "~1", "^1"} and HEX.fullmatch(commit):
            parents = self.memory.parents.get(self.memory.key(commit), ())
            found = self.memory.verdict(parents[0]) if parents else None
            if found is not None:
                return found
        return unknown(f"{name}{suffix} lies below {name}, which is no ancestor ({answer.why})")

    def head_answer(self, name: str) -> Ancestry:
        """HEAD and what follows it."""
        return unknown(f"{name}: {self.moved}") if self.moved else yes(f"{name} is the base or the agent's own work on it")

    def stash_answer(self, ref: str, number: int) -> Ancestry:
        """The agent's own stash entries are the newest."""
        return (
            yes(f"{ref} was stashed by the agent") if number < self.stashes else unknown(f"{ref} was not stashed by the agent")
        )

    def is_head(self, name: str) -> bool:
        """The revision stands for HEAD itself."""
        return name in {"HEAD", "@", "HEAD@{0}"} or (self.branch != "" and name == self.branch)

    def place(self, entries: Sequence[outputs.Entry]) -> None:
        """Records parents and the names that stand at commits."""
        for entry in entries:
            if entry.parents:
                self.memory.link(entry.hex, entry.parents)
                self.below_head(entry)
            for name in entry.names:
                if name not in {"HEAD", "grafted"}:
                    self.memory.names[name] = self.memory.key(entry.hex)
            if "HEAD" in entry.names:
                self.set_head(entry.hex)

    def below_head(self, entry: outputs.Entry) -> None:
        """A commit whose parent is HEAD lies beyond it, unless it is the agent's own."""
        known = {self.memory.key(parent) for parent in entry.parents}
        if self.head in known and not (self.moved or self.hidden or self.lowered or entry.stash):
            self.memory.add(entry.hex, "no", f"its parent is HEAD ({self.head[:12]})")

    def set_head(self, commit: str) -> None:
        """HEAD was shown at a commit: it is an ancestor, and a child of it that is not the agent's own is none."""
        if self.moved:
            return
        self.head = self.memory.key(commit)
        self.memory.add(commit, "yes", "shown as HEAD", override=True)
        if not (self.hidden or self.lowered or self.stashed):
            for child in self.memory.children.get(self.head, ()):
                self.memory.add(child, "no", f"its parent is HEAD ({self.head[:12]})")

    def move(self, refs: Sequence[str], operation: str) -> None:
        """The agent moved HEAD to, or merged, these revisions."""
        self.before = self.moved
        answers = [self.of(ref) for ref in refs] or [unknown("nothing named")]
        worst = combined(answers)
        if worst.ancestor == "yes":
            self.lowered = self.lowered or not all(self.is_head(ref) for ref in refs)
            return
        self.moved = f"HEAD was moved by git {operation} {' '.join(refs)}".rstrip()
