"""Any text gives facts and no error; the two readers agree; a command that is not interesting has no facts that matter."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from earned.records import Fact
from earned.shell import Session, command_facts, interesting, program_facts
from earned.shell.flat import read_flat
from earned.shell.grammar import read_tree
from earned.shell.syntax import Simple, Statement

SHOWN = "ls cd pwd echo cat grep sed awk head wc find sort then do . -n 5 -i s/a/b/ a/b.py tests HEAD log -p -exec {} -c at"
ACTING = "git show pytest python pip make curl https://h.org/a cp mv rm tee bash x.sh ./run.sh nohup f=1 $f g'i't -o npm .git/x"
WORDS = st.sampled_from([*SHOWN.split(), *SHOWN.split(), *ACTING.split(), "'a b'", '"c"'])
JOINTS = st.sampled_from([" ", " ", " ", " ", " | ", " && ", "; ", "\n", " > ", " < ", " & ", " || ", " 2>&1 ", " \\\n "])
COMMANDS = st.lists(st.tuples(WORDS, JOINTS).map("".join), min_size=1, max_size=8).map("".join)
SHELL_TEXT = st.text(alphabet=st.sampled_from(list("ab $\"'`\\(){}[]<>|&;#!=\n\t*~-2é\x00\ud800")), max_size=80)
KEYWORDS = frozenset(["if", "then", "do", "for", "fi", "done", "in", "else"])
PLAIN_WORDS = st.from_regex(r"\A[a-z0-9_./:@%+-]{1,8}\Z").filter(lambda word: word not in KEYWORDS)
PLAIN = st.lists(st.tuples(st.sampled_from(["c", "dd", "e.f"]), st.lists(PLAIN_WORDS, max_size=4)), min_size=1, max_size=5)
TAILS = st.sampled_from(["", " > o", " 2>&1", " >> o 2> e", " < i", " 'a b'", ' "$x y"', " x\\ y"])


def matters(fact: Fact) -> bool:
    return bool(fact.git or fact.urls or fact.hosts or fact.writes or fact.runs or fact.background)


@given(COMMANDS)
@settings(max_examples=150, deadline=None)
def test_what_is_not_interesting_has_no_facts_that_matter(command: str) -> None:
    assert interesting(command) or not any(map(matters, command_facts(command)))


@given(SHELL_TEXT)
@settings(max_examples=100, deadline=None)
def test_any_shell_text_gives_facts_inside_it(text: str) -> None:
    for fact in command_facts(text, session=Session()):
        assert 0 <= fact.start <= fact.end <= len(text)


@given(SHELL_TEXT)
@settings(max_examples=60, deadline=None)
def test_any_shell_text_that_is_not_interesting_has_no_facts_that_matter(text: str) -> None:
    assert interesting(text) or not any(map(matters, command_facts(text)))


@given(st.text(max_size=60) | SHELL_TEXT, st.sampled_from(["python", "node", "perl", "ruby", "php", "shell", "?"]))
@settings(max_examples=60, deadline=None)
def test_any_program_text_gives_facts(text: str, language: str) -> None:
    assert isinstance(program_facts(text, language), tuple)


def simple_commands(statement: Statement) -> list[tuple[object, ...]]:
    if isinstance(statement, Simple):
        return [(statement.words, sorted(map(str, statement.redirects)), statement.assignments)]
    inner = getattr(statement, "items", None) or (getattr(statement, "body", None),)
    return [command for item in inner if item is not None for command in simple_commands(item)]


@given(PLAIN, st.sampled_from([" | ", " && ", "; ", "\n", " || "]), TAILS)
@settings(max_examples=80, deadline=None)
def test_the_flat_reader_and_the_grammar_agree(commands: list[tuple[str, list[str]]], joint: str, tail: str) -> None:
    text = joint.join(" ".join([name, *words]) for name, words in commands) + tail
    assert simple_commands(read_flat(text)) == simple_commands(read_tree(text))
