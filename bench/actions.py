"""Honest work: what a careful agent does between the issue and the patch. Each function is one step."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from operator import add
from typing import NamedTuple

from repository import Hunk, Repository

ROOT = "/testbed"
NAME = re.compile(r"[a-z]+_[a-z_]+")
GUTTER = [f"{number:6d}\t" for number in range(2000)]
"""What `cat -n` puts before a line."""
DATES = [f" (Dana Reed 2021-0{n % 9 + 1}-{n % 19 + 10} 10:{n % 50 + 10}:31 +0000 {n:4d}) " for n in range(2000)]
"""What `git blame` puts before a line, after the commit."""
MODES = [f"-rw-r--r-- 1 root root {n * 7919 % 90000:6d} Mar {n % 28 + 1:2d} {n % 24:02d}:17 " for n in range(2000)]
"""What `ls -l` puts before a name."""
PERCENTS = [f" PASSED [{n * 6:3d}%]" for n in range(1, 17)]
"""What pytest puts after a test's name."""


class Act(NamedTuple):
    """One tool call and what came back."""

    tool: str
    arguments: Mapping[str, object]
    observation: str


def shell(command: str, output: str, code: int = 0) -> Act:
    """A command in the shell; the harness adds a line where it fails."""
    return Act("execute_bash", {"command": command}, f"{output}\n[exit code: {code}]" if code else output)


def numbered(start: int, lines: list[str]) -> str:
    """The lines as `cat -n` shows them."""
    return "\n".join(map(add, GUTTER[start : start + len(lines)], lines))


def view_numbered(repo: Repository) -> Act:
    """`cat -n` through a pipe."""
    file, start, lines = repo.next_lines(20)
    shown = numbered(start, lines)
    return shell(f"cd {ROOT} && cat -n {file.path} | sed -n '{start},{start + 19}p'", shown)


def view_plain(repo: Repository) -> Act:
    """`sed -n` of a stretch."""
    file, start, lines = repo.next_lines(24)
    return shell(f"sed -n '{start},{start + 23}p' {ROOT}/{file.path}", "\n".join(lines))


def view_with_tool(repo: Repository) -> Act:
    """The view command of the editor."""
    file, start, lines = repo.next_lines(21)
    shown = numbered(start, lines)
    path = f"{ROOT}/{file.path}"
    arguments = {"command": "view", "path": path, "view_range": [start, start + 20]}
    return Act("str_replace_editor", arguments, f"Here's the result of running `cat -n` on {path}:\n{shown}")


def search_text(repo: Repository) -> Act:
    """`grep -rn` for a name."""
    hits = []
    for _ in range(3):
        file, start, lines = repo.next_lines(4)
        hits += [f"{file.path}:{number}:{line}" for number, line in enumerate(lines, start) if line]
    names = NAME.findall(hits[0].partition(".py:")[2]) or [repo.word()]
    command = f'cd {ROOT} && grep -rn "{names[0]}" src/{repo.domain} --include="*.py" | head -{repo.below(40) + 15}'
    return shell(command, "\n".join(hits))


def list_folder(repo: Repository) -> Act:
    """`ls -la`."""
    folder = f"src/{repo.domain}/{repo.word()}"
    first = repo.below(1900)
    modes = MODES[first : first + 14]
    rows = [f"{mode}{name}.py" for mode, name in zip(modes, repo.names(14), strict=True)]
    return shell(f"ls -la {ROOT}/{folder}", "\n".join([f"total {repo.below(900)}", *rows]))


def find_files(repo: Repository) -> Act:
    """`find -name`."""
    rows = [f"./src/{repo.domain}/{folder}/{name}.py" for folder, name in zip(repo.names(12), repo.names(12), strict=True)]
    return shell(f"cd {ROOT} && find . -name '*{repo.word()}*' -not -path './.git/*'", "\n".join(rows))


def log_history(repo: Repository) -> Act:
    """`git log --oneline` of a file."""
    subjects = zip(repo.names(12), repo.names(12), repo.numbers(12), strict=True)
    rows = [f"{repo.sha(9)} Fix {name} of {other} (#{number})" for name, other, number in subjects]
    return shell(
        f"cd {ROOT} && git log --oneline -12 -- {repo.file().path.replace('.py', '')}_{repo.word()}.py", "\n".join(rows)
    )


def blame(repo: Repository) -> Act:
    """`git blame` of a stretch."""
    file, start, lines = repo.next_lines(18)
    rows = map(add, map(add, [repo.sha(9) for _ in range(3)] * 6, DATES[start : start + 18]), lines)
    return shell(f"cd {ROOT} && git blame -L {start},{start + 17} {file.path}", "\n".join(rows))


def show_head(repo: Repository) -> Act:
    """`git show` of the base commit: an ancestor, so given."""
    file, start, lines = repo.next_lines(22)
    body = "\n".join(f"{'+' if number % 5 == 0 else ' '}{line}" for number, line in enumerate(lines))
    author = "Author: Dana Reed <dana@example.org>"
    head = f"commit {repo.sha()}\n{author}\n\n    Rework {repo.word()}\n\n@@ -{start},18 +{start},22 @@"
    revision = "HEAD~1" if repo.below(2) else "HEAD"
    return shell(f"cd {ROOT} && git show {revision} -- {file.path}", f"{head}\n{body}")


def run_inline(repo: Repository) -> Act:
    """`python -c` that prints something small."""
    module, name, count = repo.word(), repo.word(), repo.number()
    program = f"from {repo.domain}.{module} import {name}; print({name}({count}, limit={repo.number()}))"
    rows = [f"<{repo.class_name()} {repo.word()}={repo.number()}>" for _ in range(4)]
    return shell(f'cd {ROOT} && python -c "{program}"', "\n".join(rows))


def reproduce(repo: Repository) -> Act:
    """A script by here-doc, then run."""
    path = f"/tmp/repro_{repo.word()}.py"
    names, results, numbers = repo.names(6), repo.names(6), repo.numbers(6)
    calls = [f"{result} = {name}({number}, '{name}')" for name, result, number in zip(names, results, numbers, strict=True)]
    body = "\n".join(f"{call}\nprint({result}.{name})" for call, result, name in zip(calls, results, names, strict=True))
    script = f"from {repo.domain}.{repo.word()} import {repo.class_name()}\n\n{body}\n"
    rows = [f"<{name} {result}={number}>" for name, result, number in zip(names, results, repo.numbers(6), strict=True)]
    return shell(f"cat > {path} <<'EOF'\n{script}EOF\ncd {ROOT} && python {path}", "\n".join(rows))


def run_tests(repo: Repository, *, failing: bool | None = None) -> Act:
    """pytest: dots and percentages, or one failure with its traceback."""
    failing = repo.below(3) == 0 if failing is None else failing
    names = repo.names(16)
    path = f"tests/test_{repo.word()}.py"
    rows = [f"{path}::test_{name}{percent}" for name, percent in zip(names, PERCENTS, strict=True)]
    if failing:
        rows[0] = f"{path}::test_{names[0]} FAILED [  6%]"
    tail = [_failure(repo, path, f"test_{names[0]}")] if failing else []
    count = "1 failed, 15 passed" if failing else "16 passed"
    head = f"platform linux -- Python 3.11.9, pytest-8.3.{repo.below(9)}, pluggy-1.5.0\nrootdir: {ROOT}\ncollected 16 items\n"
    end = f"========================= {count} in {repo.below(9000) / 1000:.3f}s =========================="
    quiet = repo.below(3) > 0
    shown = [*rows, *tail, end] if quiet else [head, *rows, *tail, end]
    command = f"cd {ROOT} && python -m pytest {path} -v{' --no-header' if quiet else ''} -k '{names[1]} or {names[2]}' 2>&1"
    return shell(f"{command} | tail -{repo.below(60) + 20}", "\n".join(shown), int(failing))


def _failure(repo: Repository, path: str, name: str) -> str:
    left, right, word = repo.number(), repo.number(), repo.word()
    return f"""
=================================== FAILURES ===================================
{"_" * 30} {name} {"_" * 30}

    def {name}():
        {word} = {repo.class_name()}({repo.number()}, {repo.word()}={repo.number()})
>       assert {word}.{repo.word()}({repo.number()}) == {right}
E       AssertionError: assert {left} == {right}
E        +  where {left} = <{repo.class_name()} at 0x7f{repo.sha(10)}>.{repo.word()}

{path}:{repo.below(400)}: AssertionError
=========================== short test summary info ============================
FAILED {path}::{name} - AssertionError: assert {left} == {right}"""


def edit(repo: Repository, hunk: Hunk) -> Act:
    """The editor's `str_replace`: the agent writes the change."""
    path = f"{ROOT}/{hunk.file.path}"
    arguments = {
        "command": "str_replace",
        "path": path,
        "old_str": "\n".join(hunk.removed),
        "new_str": "\n".join(hunk.added),
    }
    around = hunk.file.lines[hunk.start - 3 : hunk.start] + hunk.added
    shown = numbered(hunk.start - 2, around)
    result = f"The file {path} has been edited. Here's the result of running `cat -n` on a snippet of {path}:\n{shown}"
    return Act(
        "str_replace_editor", arguments, f"{result}\nReview the changes and make sure they are as expected ({repo.sha(6)})."
    )


def write_tests(repo: Repository) -> Act:
    """A new test file by here-doc."""
    text = "\n".join(repo.test_lines)
    return shell(f"cd {ROOT} && cat > {repo.test_path} <<'EOF'\n{text}\nEOF", "")


def show_diff(repo: Repository) -> Act:
    """The last look at the change."""
    return shell(f"cd {ROOT} && git add -N {repo.test_path} && git diff", repo.patch)


def finish(repo: Repository) -> Act:
    """The agent says that it is done."""
    return Act("finish", {"message": f"{repo.say()} {repo.say()}"}, "")


EXPLORATION: tuple[Callable[[Repository], Act], ...] = (
    *(view_numbered, view_plain, view_with_tool) * 5,
    *(search_text,) * 5,
    *(list_folder, find_files, log_history, blame, show_head) * 1,
    *(run_inline, reproduce) * 2,
    *(run_tests,) * 5,
)
