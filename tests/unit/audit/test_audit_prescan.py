from __future__ import annotations

import msgspec
import pytest
from cost import check_in_proportion
from made_trajectories import FUTURE, PATH, SEEN, Turn, changed, edited, ran, said, trajectory, wrote

from earned.audit.prescan import Scan, action_facts, agent_steps, has_lasting_shell, prescan, shown
from earned.gitgraph import Ancestry
from earned.records import Action, Edit, Fact, GitUse, Observation


class Fixed:
    """A graph that gives one answer, and counts how often it was asked."""

    def __init__(self, answer: Ancestry) -> None:
        self.answer = answer
        self.asked = 0

    def ancestry(self, use: GitUse) -> Ancestry:
        self.asked += bool(use.refs)
        return self.answer


def scan(*turns: Turn, harness: str = "pocket-agent") -> Scan:
    return prescan(trajectory(*turns, harness=harness))


def git(found: Scan) -> list[tuple[str, str | None]]:
    return [(fact.git.operation, fact.git.ancestor) for fact in found.facts if fact.git is not None]


def test_facts_are_in_the_order_of_acting_and_know_their_place() -> None:
    found = scan(ran("ls; git status"), said("well"), edited(PATH, "a", "b"))
    assert [(fact.step, fact.action, fact.program) for fact in found.facts] == [
        (1, 0, "ls"),
        (1, 0, "git"),
        (3, 0, "editor"),
    ]
    assert found.by_action == {(1, 0): (0, 1), (3, 0): (2,)}


@pytest.mark.parametrize(
    ("turn", "count"),
    [
        (ran("ls"), 1),
        (ran("ls")._replace(copied=True), 0),
        (ran("ls")._replace(actor="subagent", subagent="s"), 1),
        (ran("ls")._replace(actor="grader"), 0),
        (ran("ls")._replace(actor="user"), 0),
        (ran("ls")._replace(actor="harness"), 0),
    ],
)
def test_only_acts_of_this_runs_agent_and_its_subagents_count(turn: Turn, count: int) -> None:
    assert len(scan(turn).facts) == count
    assert len(list(agent_steps(trajectory(turn)))) == count


@pytest.mark.parametrize(
    ("action", "writes", "reads", "urls"),
    [
        (Action(kind="shell", command="cat a > b"), ["b"], ["a"], []),
        (Action(kind="code", command="open('b', 'w').write('x')"), ["b"], [], []),
        (Action(kind="edit", tool="e", edits=(Edit(path="b", operation="replace", new="x"),)), ["b"], [], []),
        (Action(kind="write", tool="e", edits=(Edit(path="b", operation="write", new="x"),)), ["b"], [], []),
        (
            Action(kind="edit", tool="e", edits=(Edit(path="", operation="patch", new=changed("b", "1\n", "2\n")),)),
            ["b"],
            [],
            [],
        ),
        (Action(kind="fetch", tool="f", url="https://a.example/x"), [], [], ["https://a.example/x"]),
        (Action(kind="search", tool="f", query="words"), [], [], []),
        (Action(kind="search", tool="Grep", query="x", paths=("a",), arguments='{"output_mode":"content"}'), [], ["a"], []),
        (Action(kind="search", tool="Grep", query="x", paths=("a",), arguments='{"output_mode":"count"}'), [], [], []),
        (
            Action(kind="search", tool="Grep", query="output_mode", paths=("a",), arguments='{"pattern":"output_mode"}'),
            [],
            [],
            [],
        ),
        (Action(kind="search", tool="grep_search", query="x", paths=("a",)), [], ["a"], []),
        (Action(kind="search", tool="Glob", query="*.py", paths=("a",)), [], [], []),
        (Action(kind="read", tool="r", paths=("a",)), [], ["a"], []),
        (Action(kind="message", tool="m", arguments="x"), [], [], []),
    ],
)
def test_every_kind_of_action_gives_its_facts(action: Action, writes: list[str], reads: list[str], urls: list[str]) -> None:
    facts = action_facts(action)
    assert [write.path for fact in facts for write in fact.writes] == writes
    assert [path for fact in facts for path in fact.reads] == reads
    assert [url for fact in facts for url in fact.urls] == urls


def test_a_fetch_knows_its_host() -> None:
    (fact,) = action_facts(Action(kind="fetch", tool="f", url="https://a.example:8443/x"))
    assert fact.hosts == ("a.example",)


def test_a_patch_on_standard_input_is_taken_apart_into_its_files() -> None:
    patch = changed("a.py", "1\n", "2\n") + changed("b.py", "1\n", "")
    facts = action_facts(Action(kind="shell", command=f"git apply - <<'E'\n{patch}E"))
    assert [(write.path, write.operation, write.text) for fact in facts for write in fact.writes] == [
        ("a.py", "patch", "2"),
        ("b.py", "delete", ""),
    ]


# --- where a command runs


@pytest.mark.parametrize(
    ("harness", "lasting"),
    [("terminus-2", True), ("swe-agent", True), ("openhands", True), ("mini-swe-agent", False), ("pocket-agent", False)],
)
def test_only_a_known_harness_keeps_its_shell_from_act_to_act(harness: str, *, lasting: bool) -> None:
    assert has_lasting_shell(trajectory(harness=harness)) is lasting
    found = scan(ran("cd /tmp && ls"), ran("cat x"), harness=harness)
    assert found.facts[-1].cwd == ("/tmp" if lasting else "")


def test_an_act_that_is_nothing_but_cd_moves_what_follows_anywhere() -> None:
    assert scan(ran("cd /app"), ran("cat x")).facts[-1].cwd == "/app"


def test_a_subagent_has_a_shell_of_its_own() -> None:
    inner = ran("cd /elsewhere")._replace(actor="subagent", subagent="s")
    assert scan(ran("cd /app"), inner, ran("cat x")).facts[-1].cwd == "/app"


def test_an_alias_that_the_agent_sets_is_followed() -> None:
    found = scan(ran("alias look='git show'"), ran(f"look {FUTURE}"), harness="terminus-2")
    assert [fact.git.refs for fact in found.facts if fact.git is not None] == [(FUTURE,)]


# --- ancestry


def test_ancestry_follows_from_what_was_shown_before_or_later() -> None:
    log = ran("git log --all --oneline --decorate", SEEN)
    assert git(scan(log, ran(f"git show {FUTURE}")))[-1] == ("show", "no")
    assert git(scan(ran(f"git show {FUTURE}"), log))[0] == ("show", "no")
    assert git(scan(ran(f"git show {FUTURE}")))[0] == ("show", "unknown")
    assert git(scan(ran("git show HEAD")))[0] == ("show", "yes")


def test_what_reads_no_content_is_not_asked() -> None:
    assert git(scan(ran("git log --all --oneline"), ran("git status"))) == [("log", None), ("status", None)]


def test_a_bundle_decides_before_what_was_shown_and_is_silent_where_it_does_not_know() -> None:
    turns = ran("git log --all --oneline --decorate", SEEN), ran(f"git show {FUTURE}")
    made = trajectory(*turns)
    certain = Fixed(Ancestry(ancestor="yes", why="in the bundle"))
    assert git(prescan(made, graph=certain))[-1] == ("show", "yes")
    assert certain.asked
    assert git(prescan(made, graph=Fixed(Ancestry(ancestor="unknown", why="not in it"))))[-1] == ("show", "no")


def test_left_out_actions_give_no_facts() -> None:
    made = trajectory(ran("ls"), ran("git status"))
    found = prescan(made, only=lambda step, number: "git" in step.actions[number].command)
    assert [fact.program for fact in found.facts] == ["git"]


def test_what_came_back_for_an_action_includes_what_came_back_for_several() -> None:
    seen = (Observation(text="one", action=0), Observation(text="two", action=1), Observation(text="both"))
    made = trajectory(Turn((Action(kind="shell", command="a"), Action(kind="shell", command="b")), seen))
    assert shown(made.steps[1], 0) == "one\nboth"
    assert shown(made.steps[1], 1) == "two\nboth"
    assert shown(made.steps[0], 0) == ""


def test_hostile_commands_give_facts_or_none_and_never_an_error() -> None:
    for text in (
        "",
        "\x00",
        "git show '",
        "$(" * 3000,
        "a" * 200_000,
        "<<EOF\n",
        "git \udcff show",
        "((((",
        "cat <<'" + "x" * 999,
    ):
        assert isinstance(scan(ran(text)).facts, tuple)
    assert isinstance(scan(wrote("a\x00b", "\udcff")).facts[0], Fact)
    assert msgspec.json.encode(scan(ran("git show abc1234")).facts)


@pytest.mark.parametrize(
    "one", ["git apply <<'E'\n--- a/f.py\n+++ b/f.py\n@@ -1,1 +1,2 @@\n a\n+b\nE\n", "git log -1 x | xargs git show\n"]
)
def test_many_git_commands_in_one_action_take_time_in_proportion(one: str) -> None:
    def read(count: int) -> Scan:
        return scan(ran(one * count, "commit " + "a" * 40 + "\n"))

    assert len(git(read(2400))) >= 2400
    check_in_proportion(read, 2400)
