"""No text is too long, too deep or too broken: facts come in time that grows with the length, never an error."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from cost import check_in_proportion

from earned.shell import Session, command_facts, interesting
from earned.shell.facts import CACHE_ENTRIES, _Cache, _Key, _Result
from earned.shell.walk import MAX_FACTS

SHAPES: dict[str, Callable[[int], str]] = {
    "pipes": lambda n: "a|" * n + "a",
    "lists": lambda n: "a b;" * n,
    "branches": lambda n: "(a) && " * (n // 8) + "a",
    "parentheses": lambda n: "(" * n + "a" + ")" * n,
    "substitutions": lambda n: "$(" * n + "a" + ")" * n,
    "quoted substitutions": lambda n: '"$(' * n + "a" + ')"' * n,
    "open quotes": lambda n: "a \"b 'c " * n,
    "one open quote": lambda n: '"' + "a b " * n,
    "escapes": lambda n: "\\a" * n,
    "escaped quotes": lambda n: 'a "' + '\\"' * n,
    "here-documents": lambda n: "cat <<A\n" * n,
    "here-documents on a line": lambda n: "cat " + "<<A " * (n // 8) + "\n",
    "braces": lambda n: "a{b," * n,
    "opening braces": lambda n: "{ " * n,
    "negations": lambda n: "! " * n,
    "open substitutions": lambda n: "$(" * n,
    "open expansions": lambda n: "${" * n,
    "open quoted expansions": lambda n: '"${' * n,
    "open arithmetic": lambda n: '$(("' * n,
    "backticks": lambda n: '`"' * n,
    "keywords": lambda n: "if a; then " * (n // 8),
    "variables": lambda n: "$x" * n,
    "arguments": lambda n: "printf '%s' " + "a " * n,
    "revisions": lambda n: "git show " + "HEAD~1" * n,
    "reflogs": lambda n: "git show " + "@{" * n,
    "exec": lambda n: "find " + "-exec a " * n,
    "python": lambda n: "python -c 'x = " + "a + " * n + "a'",
    "python brackets": lambda n: "python -c '" + "open(" * n + "'",
    "node": lambda n: 'node -e "' + "open   (" * n + '"',
    "newlines": lambda n: "\n" * n + "a",
    "assignments": lambda n: "a=" * n,
    "addresses": lambda n: "curl " + "http://a" * n,
    "dots": lambda n: "curl " + "a." * n,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_length(shape: str) -> None:
    check_in_proportion(lambda count: command_facts(SHAPES[shape](count)), 40_000)


@pytest.mark.parametrize("shape", SHAPES)
def test_interesting_takes_any_shape(shape: str) -> None:
    assert interesting(SHAPES[shape](20_000)) in {True, False}


@pytest.mark.parametrize("command", ["echo " + "x" * 10_000_000, "x" * 10_000_000, "echo '" + "x\n" * 3_000_000 + "' > f"])
def test_ten_million_characters(command: str) -> None:
    assert len(command_facts(command)) == 1


def test_text_over_the_grammars_limit_is_still_read() -> None:
    command = "(cd /a; git show abc1); cat > f <<'E'\n" + "x = (1)\n" * 150_000 + "E\nrm g"
    facts = command_facts(command)
    assert [fact.git.refs for fact in facts if fact.git] == [("abc1",)]
    assert [write.operation for fact in facts for write in fact.writes] == ["write", "delete"]


def test_nesting_of_texts_ends() -> None:
    command = "git show x"
    for _ in range(30):
        command = "eval " + command
    assert command_facts(command) == ()


@pytest.mark.parametrize(
    "command",
    [
        ":(){ :|:& };:",
        "f() { f; f; }; f",
        "f() { g; g; }; g() { f; f; }; f",
        "alias a=a; a",
        "alias a=b b=a; a",
        "cat > s.sh <<'E'\nbash s.sh\nE\nbash s.sh",
        "for a in 1 2 3 4 5 6 7 8 9; do " * 9 + "x; " + "done; " * 9,
        "".join(f"f{i}() {{ f{i + 1}; f{i + 1}; f{i + 1}; f{i + 1}; }}; " for i in range(12)) + "f0",
    ],
)
def test_what_runs_itself_ends(command: str) -> None:
    assert len(command_facts(command, session=Session())) <= MAX_FACTS


@pytest.mark.parametrize(
    ("command", "operations"),
    [
        ("git show abc1 ) && git log", ["show", "log"]),
        ("echo 'unclosed; git log\ngit show x", ["log", "show"]),
        ("if true; then git show x", ["show"]),
        ("git show x; echo \"it's $(git log", ["show", "log"]),
        ("git show x }} && git log", ["show", "log"]),
        ("for do done git show; git log", ["show", "log"]),
    ],
)
def test_broken_text_gives_what_can_be_read(command: str, operations: list[str]) -> None:
    assert [fact.git.operation for fact in command_facts(command) if fact.git] == operations


def test_the_cache_is_bounded() -> None:
    cache = _Cache()
    for number in range(CACHE_ENTRIES + 10):
        cache.put(_Key(f"{number}", "", 0), _Result((), ()))
    assert len(cache.entries) == CACHE_ENTRIES
    assert cache.get(_Key("0", "", 0)) is None
    cache.put(_Key("x" * 20_000_000, "", 0), _Result((), ()))
    assert cache.characters == 0


@pytest.mark.parametrize(
    "command",
    [
        "git show x",
        "curl a.org",
        "cp a b",
        "pytest",
        "echo 1 > f",
        "sleep 9 &",
        "cat .git/x",
        "./run",
        "cat /tests/t",
        "python -c 1",
        "$x",
        "g'i't log",
    ],
)
def test_interesting_commands(command: str) -> None:
    assert interesting(command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "ls -la",
        "cd /app",
        "pwd",
        "echo hello",
        "cat a.py",
        'grep -rn "look at the" src',
        "sed -n 1,5p f",
        "find . -name '*.py'",
        "ls | wc -l",
        "a && b; c",
    ],
)
def test_plain_commands_are_not_interesting(command: str) -> None:
    assert not interesting(command)
