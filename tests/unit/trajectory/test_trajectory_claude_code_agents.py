from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from made_claude_code import SESSION, agent, answered, bash, said, use, user, write_lines
from made_files import only, rows, trajectories, trial, write_json, write_text

from earned.records import Companion, Step, Trajectory
from earned.trajectory import Candidate, discover
from earned.trajectory.formats.claude_code.agents import sides_of
from earned.trajectory.reading import Reading

TASK = {"description": "Look", "prompt": "Look around.", "subagent_type": "Explore"}
DONE = [{"type": "text", "text": "Done."}, {"type": "text", "text": "agentId: ab12 (for resuming)"}]
MAIN = [
    user("u1", "Fix it."),
    agent("a1", use("Task", TASK, "t1"), parent="u1"),
    answered("r1", DONE, "a1", "t1", toolUseResult={"status": "completed", "agentId": "ab12"}),
    agent("a2", said("Fixed."), parent="r1"),
]


def side(key: str = "ab12", prompt: str = "Look around.", command: str = "ls", **more: Any) -> list[dict[str, Any]]:
    """A subagent's lines."""
    shared = {"isSidechain": True, **({"agentId": key} if key else {}), **more}
    return [
        user(f"{key}-u", prompt, **shared),
        agent(f"{key}-a", bash(command, f"{key}-c"), parent=f"{key}-u", **shared),
        answered(f"{key}-r", "x.py", f"{key}-a", f"{key}-c", **shared),
    ]


def timed(lines: list[dict[str, Any]], *seconds: int) -> list[dict[str, Any]]:
    return [{**line, "timestamp": f"2026-01-01T00:00:{second:02d}.000Z"} for line, second in zip(lines, seconds, strict=True)]


def below(folder: Path, main: list[dict[str, Any]], **sides: list[dict[str, Any]]) -> Path:
    """A session's file with subagents' files in its folder."""
    for key, lines in sides.items():
        write_lines(folder / SESSION / "subagents" / f"agent-{key}.jsonl", lines)
    return write_lines(folder / f"{SESSION}.jsonl", main)


def who(made: Trajectory) -> list[tuple[str, str]]:
    return [(step.actor, step.subagent) for step in made.steps]


def shell(made: Trajectory) -> list[str]:
    return [action.command for step in made.steps for action in step.actions if action.kind == "shell"]


def gaps(made: Trajectory) -> list[str]:
    return [reason.what for reason in made.completeness.reasons]


def odd(made: Trajectory) -> str:
    return "\n".join(item.what for item in made.oddities)


def kinds(*paths: Path) -> dict[str, str]:
    """What discovery says of each file, by its name."""
    found = {}
    for item in discover(paths):
        assert isinstance(item, (Candidate, Companion)), item
        found[Path(item.path).name] = item.format if isinstance(item, Candidate) else item.kind
    return found


def test_a_subagents_steps_stand_behind_the_call_that_started_it(tmp_path: Path) -> None:
    made = only(below(tmp_path, MAIN, ab12=side()))
    assert who(made) == [("user", ""), ("agent", ""), ("subagent", "t1"), ("subagent", "t1"), ("agent", "")]
    prompt, act = made.steps[2:4]
    assert (prompt.text, prompt.copied) == ("Look around.", True)
    assert (act.actions[0].command, act.observations[0].text, act.copied) == ("ls", "x.py", False)
    assert act.source == f"{SESSION}/subagents/agent-ab12.jsonl#line 2"
    assert (made.completeness.grade, made.instruction, made.oddities) == ("full", "Fix it.", ())
    assert [Path(file.path).name for file in made.source.files] == [f"{SESSION}.jsonl", "agent-ab12.jsonl"]


def test_a_subagents_file_beside_the_session_is_a_part_of_it(tmp_path: Path) -> None:
    write_lines(tmp_path / "agent-ab12.jsonl", side(""))
    write_lines(tmp_path / "named-otherwise.jsonl", MAIN)
    (made,) = trajectories(tmp_path)
    assert who(made)[2] == ("subagent", "t1")
    assert kinds(tmp_path) == {"agent-ab12.jsonl": "subagent", "named-otherwise.jsonl": "claude-code"}


def test_of_several_sessions_each_has_its_own_subagents(tmp_path: Path) -> None:
    others = [{**line, "sessionId": "other"} for line in (*MAIN, *side("cd34"))]
    write_lines(tmp_path / "agent-ab12.jsonl", side())
    write_lines(tmp_path / "agent-cd34.jsonl", others[4:])
    write_lines(tmp_path / f"{SESSION}.jsonl", MAIN)
    write_lines(tmp_path / "other.jsonl", others[:4])
    read = {
        Path(item.path).name: [Path(file).name for file in item.files]
        for item in discover([tmp_path])
        if isinstance(item, Candidate)
    }
    assert read == {
        f"{SESSION}.jsonl": [f"{SESSION}.jsonl", "agent-ab12.jsonl"],
        "other.jsonl": ["other.jsonl", "agent-cd34.jsonl"],
    }


def test_a_subagents_file_alone_is_read_as_what_it_is(tmp_path: Path) -> None:
    made = only(write_lines(tmp_path / "agent-ab12.jsonl", side("")))
    assert who(made) == [("user", ""), ("subagent", "ab12")]
    assert (made.instruction, made.attempt, made.task, made.model) == ("Look around.", "agent-ab12", "unknown", "model-a")
    assert made.cohort.harness_version == "2.1.19"
    assert gaps(made) == ["the session that started this subagent is not among the files"]


def test_a_subagents_file_that_the_user_named_is_read_even_beside_its_session(tmp_path: Path) -> None:
    below(tmp_path, MAIN, ab12=side())
    path = tmp_path / SESSION / "subagents" / "agent-ab12.jsonl"
    assert kinds(path) == {"agent-ab12.jsonl": "claude-code"}
    assert kinds(tmp_path / SESSION) == {"agent-ab12.jsonl": "claude-code"}
    assert kinds(path, tmp_path / f"{SESSION}.jsonl") == {"agent-ab12.jsonl": "subagent", f"{SESSION}.jsonl": "claude-code"}


def test_a_session_that_is_none_does_not_swallow_its_subagents(tmp_path: Path) -> None:
    below(tmp_path, [{"type": "unheard-of"}], ab12=side())
    found = [item.path for item in discover([tmp_path]) if isinstance(item, Candidate)]
    assert [Path(path).name for path in found] == ["agent-ab12.jsonl"]


def test_lines_of_subagents_in_the_session_itself_are_found_by_their_prompt(tmp_path: Path) -> None:
    inline = side("", "Look around.")
    made = only(write_lines(tmp_path / "a.jsonl", [*MAIN[:2], *inline, *MAIN[2:]]))
    assert who(made) == [("user", ""), ("agent", ""), ("subagent", "t1"), ("subagent", "t1"), ("agent", "")]
    assert made.completeness.grade == "full"


def test_the_note_beside_a_subagents_file_names_the_call(tmp_path: Path) -> None:
    silent = [*MAIN[:2], answered("r1", "Async agent launched successfully.", "a1", "t1"), MAIN[3]]
    path = below(tmp_path, silent, ab12=side(prompt="Something else."))
    assert "the subagent" not in odd(only(path))
    assert who(only(path))[-1] == ("subagent", "ab12")
    write_json(tmp_path / SESSION / "subagents" / "agent-ab12.meta.json", {"agentType": "Explore", "toolUseId": "t1"})
    made = only(path)
    assert who(made)[2] == ("subagent", "t1")
    assert (made.completeness.grade, made.oddities) == ("full", ())


def test_a_subagent_that_nothing_attributes_is_said(tmp_path: Path) -> None:
    made = only(below(tmp_path, MAIN, ab12=side(), zz99=side("zz99", "Warm up.")))
    assert ("subagent", "zz99") in who(made)
    assert "subagents are attributed to no call (zz99)" in odd(made)


@pytest.mark.parametrize("more", [{}, {"is_error": True}])
def test_a_call_whose_subagent_left_no_lines_is_a_gap(tmp_path: Path, more: dict[str, Any]) -> None:
    lines = [*MAIN[:2], answered("r1", "Done.", "a1", "t1", **more), MAIN[3]]
    made = only(write_lines(tmp_path / "a.jsonl", lines))
    assert ("the steps of the subagent that a call started are not there" in gaps(made)) is not bool(more)


def test_a_subagents_lines_that_only_the_progress_of_its_call_holds_are_its_steps(tmp_path: Path) -> None:
    inner = [{key: line[key] for key in ("type", "message", "uuid")} for line in side()]
    progress = [
        {"type": "progress", "uuid": f"p{number}", "parentUuid": "a1", "sessionId": SESSION, "parentToolUseID": "t1"}
        | {"data": {"type": "agent_progress", "agentId": "ab12", "message": line}}
        for number, line in enumerate(inner)
    ]
    lines = [*MAIN[:2], *progress, *MAIN[2:]]
    alone = only(write_lines(tmp_path / "one" / "a.jsonl", lines))
    assert (shell(alone), alone.completeness.grade) == (["ls"], "full")
    both = only(below(tmp_path / "two", lines, ab12=side()))
    assert (shell(both), both.completeness.grade, both.oddities) == (["ls"], "full", ())


def test_subagents_in_the_background_stand_where_their_time_is(tmp_path: Path) -> None:
    main = timed(
        [
            *MAIN[:2],
            answered("r1", "Async agent launched.", "a1", "t1", toolUseResult={"agentId": "ab12", "status": "async_launched"}),
            agent("a2", bash("make", "c2"), parent="r1"),
            answered("r2", "", "a2", "c2"),
            agent("a3", bash("make test", "c3"), parent="r2"),
            answered("r3", "", "a3", "c3"),
        ],
        *(1, 2, 3, 10, 11, 30, 31),
    )
    made = only(below(tmp_path, main, ab12=timed(side(), 4, 20, 21)))
    assert shell(made) == ["make", "ls", "make test"]
    untimed = only(below(tmp_path / "untimed", [{**line, "timestamp": None} for line in main], ab12=side()))
    assert shell(untimed) == ["ls", "make", "make test"]


def test_a_subagents_subagent_is_attributed_to_its_own_call(tmp_path: Path) -> None:
    shared: dict[str, Any] = {"isSidechain": True, "agentId": "ab12"}
    inner = {**TASK, "prompt": "Look deeper."}
    nested = [
        *side(),
        agent("n1", use("Agent", inner, "t2"), parent="ab12-r", **shared),
        answered("n2", "Found.", "n1", "t2", toolUseResult={"agentId": "cd34"}, **shared),
    ]
    made = only(below(tmp_path, MAIN, ab12=nested, cd34=side("cd34", "Look deeper.", "pwd")))
    named = {
        step.subagent: [action.command for action in step.actions if action.command] for step in made.steps if step.actions
    }
    assert named["t2"] == ["pwd"]
    assert (made.completeness.grade, made.oddities) == ("full", ())


def test_lines_of_the_session_that_a_subagents_file_repeats_count_once(tmp_path: Path) -> None:
    inherited = [{**line, "isSidechain": True, "agentId": "ab12"} for line in MAIN[:1]]
    made = only(below(tmp_path, MAIN, ab12=[*inherited, *side()]))
    assert [step.text for step in made.steps].count("Fix it.") == 1
    assert not made.oddities


def test_a_broken_file_of_a_subagent_costs_no_other(tmp_path: Path) -> None:
    made = only(below(tmp_path, MAIN, ab12=side(), cd34=side("cd34")))
    (tmp_path / SESSION / "subagents" / "agent-cd34.jsonl").write_bytes(b"\xff\xfe{{{\n")
    (tmp_path / SESSION / "subagents" / "agent-ef56.meta.json").write_text("[")
    again = only(tmp_path / f"{SESSION}.jsonl")
    assert shell(again) == ["ls"]
    assert shell(made) == ["ls", "ls"]
    assert "lines cannot be read (1), the first is line 1 of agent-cd34.jsonl" in gaps(again)
    assert "the note of a subagent cannot be read" in odd(again)


def test_a_link_among_the_subagents_is_not_followed(tmp_path: Path) -> None:
    path = below(tmp_path / "in", MAIN, ab12=side())
    target = write_lines(tmp_path / "out" / "agent-cd34.jsonl", side("cd34"))
    (tmp_path / "in" / SESSION / "subagents" / "agent-cd34.jsonl").symlink_to(target)
    assert shell(only(path)) == ["ls"]


def test_only_files_of_the_candidate_are_opened(tmp_path: Path) -> None:
    path = below(tmp_path, MAIN, ab12=side())
    candidate = Candidate(path=str(path), format="claude-code", files=(str(path),))
    assert sides_of(Reading(candidate), str(path), {SESSION}) == []


def test_within_a_harbor_trial_the_session_with_its_subagents_is_the_agents_log(tmp_path: Path) -> None:
    home = trial(tmp_path)
    below(home / "agent" / "sessions" / "projects" / "-app", MAIN, ab12=side())
    write_text(home / "agent" / "claude-code.txt", "no stream\n")
    made = only(home)
    assert shell(made) == ["ls"]
    assert [step.actor for step in made.steps if step.actor in {"agent", "subagent"}].count("subagent") == 2
    assert f"agent/sessions/projects/-app/{SESSION}.jsonl (claude-code)" in made.source.recognised
    assert [step.index for step in made.steps] == list(range(len(made.steps)))


def test_a_folder_of_anything_else_beside_is_no_matter(tmp_path: Path) -> None:
    write_text(tmp_path / "agent-notes.jsonl", "not a session\n")
    path = write_lines(tmp_path / "a.jsonl", MAIN)
    assert [step.actor for step in own_steps(only(path))] == ["agent", "agent"]
    assert [type(row).__name__ for row in rows(tmp_path)] == ["Trajectory"]


def own_steps(made: Trajectory) -> list[Step]:
    return [step for step in made.steps if step.actor == "agent"]


def test_what_claude_code_keeps_around_a_session_is_a_companion(tmp_path: Path) -> None:
    below(tmp_path, MAIN, ab12=side())
    write_json(tmp_path / SESSION / "subagents" / "agent-ab12.meta.json", {"agentType": "Explore", "description": "Look"})
    write_text(tmp_path / SESSION / "tool-results" / "toolu_1.txt", "a large result\n")
    write_json(tmp_path / "sessions-index.json", {"version": 1, "entries": [{"sessionId": SESSION}]})
    write_lines(tmp_path / "list.jsonl", [{"type": "summary", "summary": "Fixing", "leafUuid": "a2"}])
    assert kinds(tmp_path) == {
        f"{SESSION}.jsonl": "claude-code",
        "agent-ab12.jsonl": "subagent",
        "agent-ab12.meta.json": "config",
        "toolu_1.txt": "tool_result",
        "sessions-index.json": "session_index",
        "list.jsonl": "session_index",
    }


def test_a_compressed_session_keeps_its_subagents(tmp_path: Path) -> None:
    path = below(tmp_path, MAIN, ab12=side())
    path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()
    assert shell(only(tmp_path)) == ["ls"]
    assert kinds(tmp_path) == {f"{SESSION}.jsonl.gz": "claude-code", "agent-ab12.jsonl": "subagent"}


@pytest.mark.parametrize(
    ("count", "missing"), [(12, ["the record counts 12 calls of a subagent, of which 1 are there"]), (1, [])]
)
def test_a_count_above_a_subagents_calls_says_that_some_are_missing(
    tmp_path: Path, count: int | None, missing: list[str]
) -> None:
    twin = {"status": "completed", "agentId": "ab12", "totalToolUseCount": count}
    counted = [*MAIN[:2], answered("r1", DONE, "a1", "t1", toolUseResult=twin), MAIN[3]]
    assert gaps(only(below(tmp_path, counted, ab12=side()))) == missing
