"""Walks the statements of one command in the order of execution and records what each simple command does.

The state that the shell keeps (working directory, variables, functions, aliases, files written) is followed as far as it is
literal. Both branches of a condition are walked; a loop over literal words runs for each of them. Bounded in facts, loop turns
and nesting, so that no input is walked for long.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from typing import TYPE_CHECKING

from earned.records.fact import Fact, Runs, Write
from earned.shell import programs
from earned.shell.builtin import BUILTINS
from earned.shell.decode import expand, value
from earned.shell.effects import Call, Effects, Stream, effects, object_use, run_script, written
from earned.shell.frame import Frame, joined, passes_on, placed, program_name
from earned.shell.grammar import read_script
from earned.shell.inline import program_items
from earned.shell.item import Shell
from earned.shell.launch import LAUNCHERS
from earned.shell.network import device_host
from earned.shell.options import split_options
from earned.shell.runners import grader_path
from earned.shell.session import Session, located
from earned.shell.state import State
from earned.shell.syntax import (
    SPLIT,
    Background,
    Function,
    Loop,
    Pipeline,
    Redirect,
    Scoped,
    Sequence,
    Simple,
    Statement,
    Substitution,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Sequence as Row

MAX_FACTS = 20_000
MAX_DEPTH = 20
"""Texts inside texts (`bash -c`, `eval`, functions, scripts)."""
MAX_LEVELS = 120
"""Nested statements, all texts together."""
MAX_TURNS = 16
"""Literal words for which a loop's body is walked one by one; of more, only the body as written."""
MAX_LOOPS = 400
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL | re.ASCII)
_SHEBANG = re.compile(r"#!\s*\S*?(?:/env\s+(?:-S\s+)?)?([A-Za-z]+)[\d.]*(?:\s|$)")


class Walk(State):
    """One walk over one command text; `facts` and `changes` are its result."""

    def __init__(self, cwd: str, session: Session | None) -> None:
        super().__init__(cwd, session)
        self.facts: list[Fact] = []
        self.loops = MAX_LOOPS

    def text(self, text: str, frame: Frame) -> Stream:
        """Walks a command text; a text too deep inside others is left unread."""
        if frame.depth >= MAX_DEPTH:
            return Stream()
        return self.run(read_script(text), frame._replace(depth=frame.depth + 1))

    def run(self, statement: Statement, frame: Frame) -> Stream:
        """Walks one statement and gives what it prints, as far as that is known."""
        if len(self.facts) >= MAX_FACTS or frame.level >= MAX_LEVELS:
            return Stream()
        return _STATEMENTS[type(statement)](self, statement, frame)

    def sequence(self, statement: Sequence, frame: Frame) -> Stream:
        """Statements one after another."""
        deeper = frame._replace(level=frame.level + 1)
        streams = [self.run(item, deeper) for item in statement.items]
        return joined(streams)

    def pipeline(self, statement: Pipeline, frame: Frame) -> Stream:
        """Each command reads what the one before prints; only what the last lets through is visible."""
        visible = [frame.shows]
        for item in reversed(statement.items[1:]):
            visible.append(visible[-1] and passes_on(item))
        stream = frame.stdin
        for item, shows in zip(statement.items, reversed(visible), strict=True):
            stream = self.run(item, frame._replace(shows=shows, stdin=stream, level=frame.level + 1))
        return stream

    def background(self, statement: Background, frame: Frame) -> Stream:
        """`a &`."""
        return self.run(statement.body, frame._replace(background=True, level=frame.level + 1))

    def scoped(self, statement: Scoped, frame: Frame) -> Stream:
        """A subshell or a group; a subshell leaves no state behind."""
        inside = self.redirected(statement.redirects, frame) if statement.redirects else frame
        state = (
            (self.cwd, self.previous, dict(self.variables), dict(self.functions), dict(self.aliases))
            if statement.subshell
            else None
        )
        self.subshells += statement.subshell
        out = self.run(statement.body, frame._replace(shows=inside.shows, stdin=inside.stdin, level=frame.level + 1))
        self.subshells -= statement.subshell
        if state is not None:
            self.cwd, self.previous, self.variables, self.functions, self.aliases = state
        if inside.targets or inside.reads or inside.others or inside.hosts:
            self.emit("(" if statement.subshell else "{", (), inside, Effects(out=out))
        return out if not inside.targets else Stream()

    def loop(self, statement: Loop, frame: Frame) -> Stream:
        """The body for each literal word."""
        deeper = frame._replace(level=frame.level + 1)
        self.substitutions(statement.words, deeper, "$()")
        values = expand(statement.words, self.variables)
        literal = (
            0 < len(values) <= MAX_TURNS
            and len(values) <= self.loops
            and not any("$" in item or "`" in item for item in values)
        )
        if not literal:
            self.variables.pop(statement.name, None)
            return self.run(statement.body, deeper)
        streams = []
        for item in values:
            self.loops -= 1
            self.variables[statement.name] = item
            streams.append(self.run(statement.body, deeper))
        return joined(streams)

    def function(self, statement: Function, _frame: Frame) -> Stream:
        """A definition; its body is walked where it is called."""
        self.functions[statement.name] = statement.body
        self.change(("functions", statement.name, statement.body))
        return Stream()

    def simple(self, command: Simple, frame: Frame) -> Stream:
        """Assignments, redirections and the command itself."""
        if frame.span is None:
            frame = frame._replace(span=(command.start, command.end))
        for assignment in command.assignments:
            self.substitutions(assignment.words, frame, "$()", shows=False)
        if command.words:
            shows = type(command.words[0]) is str and command.words[0] in {"echo", "printf", "cat"}
            self.substitutions(command.words, frame, "$()", shows=shows)
        inside = self.redirected(command.redirects, frame) if command.redirects else frame
        words = expand(command.words, self.variables)
        if not words:
            self.assign(command)
            if inside.targets or inside.reads or inside.others or inside.hosts:
                self.emit(">", (), inside, Effects(out=inside.stdin if inside.reads else Stream("")))
            return Stream()
        if command.assignments:
            inside = self.prefixed(command, words[0], inside)
        return self.call(words, inside)

    def prefixed(self, command: Simple, first: str, frame: Frame) -> Frame:
        """`NAME=value program`: kept as how it is reached; `export NAME=value` sets it."""
        if first in _DECLARATIONS:
            self.assign(command)
            return frame
        return frame._replace(via=(*frame.via, *(f"env {assignment.name}" for assignment in command.assignments)))

    def assign(self, command: Simple) -> None:
        """Sets variables whose value is literal; any other value makes the variable unknown."""
        for name, words in command.assignments:
            content = (
                SPLIT.join(expand(words, self.variables))
                if len(words) > 1
                else value(words[0], self.variables)
                if words
                else ""
            )
            self.set(name, content)

    def substitutions(self, words: Iterable[Word], frame: Frame, name: str, *, shows: bool = False) -> None:
        """Walks `$(…)`, backticks and `<(…)` inside words; what they print is shown where the command prints its arguments."""
        for word in words:
            if type(word) is str:
                continue
            for piece in word:
                if isinstance(piece, Substitution):
                    inner = frame.inner(piece.kind if name == "$()" else name, shows=shows or piece.kind == "<()")
                    self.subshells += 1
                    cwd = self.cwd
                    self.run(piece.body, inner._replace(level=frame.level + 1, stdin=Stream()))
                    self.cwd = cwd
                    self.subshells -= 1

    def redirected(self, redirects: Row[Redirect], frame: Frame) -> Frame:
        """Applies redirections: where input comes from, where output goes, what stays visible."""
        stdin, shows = frame.stdin, frame.shows
        targets: list[tuple[str, str]] = []
        others: list[Write] = []
        reads: list[str] = []
        hosts: list[str] = []
        for kind, fd, word in redirects:
            self.substitutions((word,), frame, "$()", shows=False)
            text = value(word, self.variables)
            if kind == "document":
                stdin = Stream(text)
            elif text.startswith("&") or not text:
                continue
            elif kind == "read":
                stdin = Stream(None, text)
                reads += [] if text.startswith("/dev/") else [text]
            elif fd in {1, -1}:
                shows = shows and text in {"/dev/stdout", "/dev/stderr", "/dev/tty"}
                targets += [] if text.startswith("/dev/") else [(text, kind)]
            elif not text.startswith("/dev/"):
                others.append(Write(path=text, operation="append" if kind == "append" else "write"))
            hosts += filter(None, [device_host(text)])
        return frame._replace(
            stdin=stdin, shows=shows, targets=tuple(targets), others=tuple(others), reads=tuple(reads), hosts=tuple(hosts)
        )

    def call(self, words: Row[str], frame: Frame) -> Stream:
        """One command with its words known."""
        name = words[0]
        if name in self.functions:
            return self.call_function(words, frame)
        if name in self.aliases:
            return self.call_alias(words, frame)
        program = program_name(name)
        special = _SPECIAL.get(program)
        if special is not None:
            return special(self, program, words, frame)
        if program in programs.RUN_PREFIXES and len(words) > 1:
            found = self.run_prefix(program, words, frame)
            if found is not None:
                return found
        return self.program(program, words, frame)

    def program(self, program: str, words: Row[str], frame: Frame) -> Stream:
        """A program of the tables, or one that is run by its path."""
        call = Call(program, tuple(words[1:]), self.cwd, frame.stdin)
        found = effects(call)
        if "/" in words[0] and found == Effects():
            return self.script(words[0], words, frame)
        if "(" in program:
            return Stream()
        return self.emit(program, words, frame, found)

    def emit(self, program: str, words: Row[str], frame: Frame, found: Effects) -> Stream:
        """Records one fact, with the files that its output is redirected to; gives what goes on through a pipe."""
        writes = found.writes + frame.others
        if frame.targets:
            writes += tuple(written(path, operation, found.out) for path, operation in frame.targets)
        span = frame.span or (0, 0)
        reads = found.reads + frame.reads if frame.reads else found.reads
        fact = Fact(
            program=program,
            argv=tuple(words),
            cwd=self.cwd,
            reads=reads,
            writes=writes,
            hosts=found.hosts + frame.hosts if frame.hosts else found.hosts,
            urls=found.urls,
            git=found.git or (object_use(reads, self.cwd) if frame.reads else None),
            runs=found.runs,
            background=frame.background or program in programs.DETACHING,
            via=frame.via,
            start=span[0],
            end=span[1],
            shows=frame.shows,
        )
        self.facts.append(fact)
        if writes:
            self.keep(writes)
        return Stream() if frame.targets else found.out

    def script(self, path: str, words: Row[str], frame: Frame, language: str = "") -> Stream:
        """A script that is run: recorded, and walked when its text is known."""
        found = run_script(path)
        self.emit(program_name(words[0]), words, frame, found)
        text = self.known_script(path)
        if text is not None:
            shebang = _SHEBANG.match(text[:200])
            spoken = language or programs.LANGUAGES.get(posixpath.splitext(path)[1]) or (shebang[1] if shebang else "shell")
            label = " ".join(words[:2]) if language else words[0]
            arguments = tuple(words[2:] if language else words[1:])
            self.inline(text, spoken, frame.inner(label), arguments)
        return Stream()

    def inline(self, text: str, language: str, frame: Frame, arguments: tuple[str, ...] = ()) -> Stream:
        """Program text in any language; shell text is walked with its arguments as `$1`, `$2` and so on."""
        if language == "shell" or language in programs.SHELLS:
            return self.with_arguments(arguments, lambda: self.text(text, frame))
        if frame.depth < MAX_DEPTH:
            deeper = frame._replace(depth=frame.depth + 1)
            for item in program_items(text, language):
                self.item(item, deeper)
        return Stream()

    def item(self, item: Fact | Shell, frame: Frame) -> None:
        """One thing that an inline program does."""
        if len(self.facts) >= MAX_FACTS:
            return
        if isinstance(item, Fact):
            span = frame.span or (0, 0)
            git = object_use(item.reads, self.cwd)
            runs: Runs = "grader" if any(map(grader_path, item.reads)) and item.runs else item.runs
            self.facts.append(placed(item, self.cwd, frame, span, git=git, runs=runs))
            self.keep(item.writes)
            return
        cwd = self.cwd
        self.cwd = located(item.cwd, cwd) if item.cwd else cwd
        inner = frame.inner(item.label, shows=item.shows)
        if item.words:
            self.call(item.words, inner._replace(depth=frame.depth + 1)) if frame.depth < MAX_DEPTH else None
        else:
            self.text(item.text, inner)
        self.cwd = cwd

    def call_function(self, words: Row[str], frame: Frame) -> Stream:
        """A function of this trajectory, with its arguments."""
        if frame.depth >= MAX_DEPTH:
            return Stream()
        body = self.functions[words[0]]
        inner = frame.inner(f"function {words[0]}")
        self.functions.pop(words[0])  # a function that calls itself is walked once
        inner = inner._replace(depth=frame.depth + 1, level=frame.level + 1, shows=frame.shows)
        out = self.with_arguments(tuple(words[1:]), lambda: self.run(body, inner))
        self.functions.setdefault(words[0], body)
        return self.composite(words, frame, out)

    def call_alias(self, words: Row[str], frame: Frame) -> Stream:
        """An alias of this trajectory, with the words after it."""
        text = self.aliases.pop(words[0])
        rest = " ".join(map(shlex.quote, words[1:]))
        out = self.text(f"{text} {rest}", frame.inner(f"alias {words[0]}"))
        self.aliases.setdefault(words[0], text)
        return self.composite(words, frame, out)

    def composite(self, words: Row[str], frame: Frame, out: Stream) -> Stream:
        """What a command with commands inside prints, where it is redirected."""
        if frame.targets or frame.others or frame.hosts:
            self.emit(program_name(words[0]), words, frame, Effects(out=out))
            return Stream()
        return out

    def run_prefix(self, program: str, words: Row[str], frame: Frame) -> Stream | None:
        """`uv run pytest`, `bundle exec rspec`; None when the sub-command is another one."""
        split = split_options(words[1:], programs.RUN_VALUED, stop=True)
        if not split.operands or split.operands[0] not in programs.RUN_PREFIXES[program]:
            return None
        inner = split_options(split.operands[1:], programs.RUN_VALUED, stop=True)
        rest = inner.operands or inner.rest
        if not rest:
            return None
        return self.call(rest, frame._replace(via=(*frame.via, f"{program} {split.operands[0]}")))


_DECLARATIONS = frozenset(["export", "declare", "local", "readonly", "typeset"])
_STATEMENTS: dict[type, Callable[..., Stream]] = {
    Simple: Walk.simple,
    Sequence: Walk.sequence,
    Pipeline: Walk.pipeline,
    Background: Walk.background,
    Scoped: Walk.scoped,
    Loop: Walk.loop,
    Function: Walk.function,
}
_SPECIAL = {**LAUNCHERS, **BUILTINS}
"""Commands that change the shell's state or run others."""
