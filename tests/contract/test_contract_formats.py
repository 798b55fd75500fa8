from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import made_terminal
import pytest
import render_openhands
import render_openhands_v1
import render_terminal_bench
from made_attempt import RENDERINGS, Attempt, Call, Turn, rendering
from made_claude_code import SESSION, agent, answered, use, user, write_lines
from made_claude_code import bash as bash_block
from made_files import atif, bash, call, mini, swe_agent, trial, write_json, write_text
from render_chat import messages_of

from earned.records import Observation, Skip, Step, Submission, Trajectory
from earned.trajectory import FORMATS, Candidate, Format, check_format, load_format

ATTEMPT = Attempt(turns=(Turn("I look.", (Call("bash", command="ls", result="a.py"), Call("bash", command="cat a.py"))),))
SHARED = Path(__file__).parents[2].parent / "shared" / "data" / "trajectories"


def samples(name: str, folder: Path) -> list[Path]:
    if name == "harbor":
        parent = bash("ls", "a")
        parent["observation"]["results"][0]["subagent_trajectory_ref"] = [{"trajectory_id": "child"}]
        child = {**atif(bash("cat x")), "trajectory_id": "child"}
        document = atif(parent, subagent_trajectories=[child], continued_trajectory_ref="trajectory.cont-1.json")
        home = trial(folder, document=document)
        write_json(home / "agent" / "trajectory.cont-1.json", atif(call("write_file", {"path": "/a", "content": "é"})))
        write_text(home / "artifacts" / "a.txt", "x")
        return [home]
    if name == "atif":
        return [write_json(folder / "a.json", atif(bash("ls", "x")))]
    if name == "mini-swe-agent":
        value = mini(("ls", "x"))
        return [write_json(folder / "a.traj.json", value), write_json(folder / "b.traj.json", value["messages"])]
    if name == "swe-agent":
        value = swe_agent(("ls", "x"), ("edit 1:1\nx\nend_of_edit", "ok"))
        return [write_json(folder / "a.traj", value), write_json(folder / "b.traj", {"attempts": [value]})]
    if name == "inspect":
        return [rendering(kind)[0](ATTEMPT, folder) for kind in ("inspect", "inspect-json")]
    if name == "terminal-bench":
        listed = write_json(folder / "list" / "a_results.json", {"results": [made_terminal.result()]})
        recording = made_terminal.cast(folder / "a.cast", [0.1, "o", made_terminal.typed("ls", "a.py")])
        return [render_terminal_bench.render(ATTEMPT, folder), listed, recording]
    if name == "claude-code":
        main = rendering(name)[0](ATTEMPT, folder / "one")
        spawned = [agent("a", use("Task", {"prompt": "Look."}, "t")), answered("r", "agentId: ab12", "a", "t")]
        below = [{**line, "isSidechain": True} for line in (user("su", "Look."), agent("sa", bash_block("ls"), parent="su"))]
        write_lines(folder / "two" / SESSION / "subagents" / "agent-ab12.jsonl", below)
        write_lines(folder / "two" / f"{SESSION}.jsonl", [user("u", "Fix it."), *spawned])
        return [main, folder / "two"]
    if name == "openhands":
        return [render_openhands.render(ATTEMPT, folder), *openhands_files(folder)]
    if name == "openhands-v1":
        made = render_openhands_v1.events(ATTEMPT)
        home = render_openhands_v1.conversation(folder, made[1:4])
        render_openhands_v1.conversation(home / "subagents", made[2:3], name="sub-1")
        return [render_openhands_v1.render(ATTEMPT, folder), home, write_json(folder / "lists" / "a.json", made)]
    if name == "chat":
        return chat_files(folder)
    if name in RENDERINGS:
        render, _ = rendering(name)
        return [render(ATTEMPT, folder)]
    pytest.fail(f"no samples of the format {name}")


def chat_files(folder: Path) -> list[Path]:
    """An object in either notation, a list of attempts, lines of them, and a message on each line."""
    told = messages_of(ATTEMPT)
    attempts = [{"task_id": "a", "reward": 1, "messages": told}, {"prompt": told[:2], "completion": told[2:], "reward": 0}]
    return [
        rendering("chat")[0](ATTEMPT, folder),
        rendering("chat-anthropic")[0](ATTEMPT, folder / "anthropic"),
        write_json(folder / "runs.json", attempts),
        write_text(folder / "runs.jsonl", "".join(json.dumps(value) + "\n" for value in attempts)),
        write_text(folder / "talk.jsonl", "".join(json.dumps(message) + "\n" for message in told)),
    ]


def openhands_files(folder: Path) -> list[Path]:
    """A list of events, rows with pairs of them and with one, and a session."""
    made = render_openhands.events(ATTEMPT)
    pairs = {"instance_id": "a", "swe_instance": {}, "git_patch": "", "history": [made[4:6], made[6:8]]}
    for event in made:
        write_json(folder / "sid" / "events" / f"{event['id']}.json", event)
    rows = "".join(json.dumps(value) + "\n" for value in (pairs, render_openhands.row(ATTEMPT)))
    return [write_json(folder / "sid.json", made), write_text(folder / "old" / "output.jsonl", rows), folder / "sid"]


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_built_in_format_keeps_the_contract(name: str, tmp_path: Path) -> None:
    check_format(load_format(name), samples(name, tmp_path))


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("atif", "atif/*.json"),
        ("claude-code", "claude-code"),
        ("claude-code-stream", "claude-code"),
        ("codex", "codex/synthetic-rollout.jsonl"),
        ("codex-exec", "codex/synthetic-exec.jsonl"),
        ("inspect", "inspect/log_*"),
        ("mini-swe-agent", "mini-swe-agent/local.traj.json"),
        ("openhands-v1", "openhands/v1-conversation"),
        ("swe-agent", "swe-agent/v*/*.traj"),
        ("tau-bench", "openai-chat/tau-bench-airline-40.json"),
    ],
)
def test_public_files_keep_the_contract(name: str, pattern: str) -> None:
    found = sorted(SHARED.glob(pattern))
    if not found:
        pytest.skip("the public files are not beside the repository")
    check_format(load_format(name), found)


def broken(**changes: object) -> Format:
    """The reader of bare documents, with its trajectories changed."""
    whole = load_format("atif")

    def read(candidate: Candidate) -> Iterator[Trajectory | Skip]:
        for item in whole.read(candidate):
            yield replace_in(item, changes) if isinstance(item, Trajectory) else item

    return replace(whole, read=read)


def replace_in(item: Trajectory, changes: dict[str, object]) -> Trajectory:
    fields = {name: getattr(item, name) for name in item.__struct_fields__}
    return Trajectory(**{**fields, **changes})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"steps": (Step(index=1, actor="agent"),)}, "not numbered"),
        ({"steps": (Step(index=0, actor="agent", observations=(Observation(text="x", action=3),)),)}, "action 3"),
        ({"steps": (Step(index=0, actor="agent", subagent="x"),)}, "subagent"),
        ({"submission": Submission(patch="x")}, "contradict|holds"),
        ({"submission": Submission(recovered="recorded", certainty="certain")}, "nothing"),
    ],
)
def test_a_reader_that_breaks_a_rule_is_caught(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_format(broken(**changes), samples("atif", tmp_path))


def test_a_reader_that_raises_on_damage_is_caught(tmp_path: Path) -> None:
    whole = load_format("atif")
    (sample,) = samples("atif", tmp_path)
    size = sample.stat().st_size

    def read(candidate: Candidate) -> Iterator[Trajectory | Skip]:
        if Path(candidate.path).stat().st_size != size:
            raise ValueError("cut")
        yield from whole.read(candidate)

    with pytest.raises(AssertionError, match="raised ValueError"):
        check_format(replace(whole, read=read), [sample])


def test_a_reader_that_does_not_know_its_sample_is_caught(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="does not recognise"):
        check_format(load_format("atif"), [write_text(tmp_path / "a.json", "{}")])


def test_ids_that_depend_on_the_place_are_caught(tmp_path: Path) -> None:
    whole = load_format("atif")

    def read(candidate: Candidate) -> Iterator[Trajectory | Skip]:
        for item in whole.read(candidate):
            yield replace_in(item, {"id": candidate.path}) if isinstance(item, Trajectory) else item

    with pytest.raises(AssertionError, match="ids change"):
        check_format(replace(whole, read=read), samples("atif", tmp_path))
