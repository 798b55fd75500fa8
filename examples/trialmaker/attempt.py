"""Records what an agent says and does while each of its actions is really carried out in a scratch machine."""

from __future__ import annotations

import difflib
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from trialmaker.theme import Theme
from trialmaker.world import Ran, World

_SNIPPET_MARGIN = 4


@dataclass
class Attempt:
    """The steps of one attempt, in the shape of ATIF."""

    world: World
    theme: Theme
    rng: random.Random
    began: datetime
    schema: str
    """`ATIF-v1.6` or `ATIF-v1.7`; only the later one may carry exit codes."""
    steps: list[dict[str, Any]] = field(default_factory=list)
    last: Ran = field(default_factory=lambda: Ran("", 0))
    numbered_editor: bool = False
    """The edit tool answers with numbered lines around the change."""

    @property
    def here(self) -> int:
        """Position of the latest step, from 0."""
        return len(self.steps) - 1

    @property
    def now(self) -> datetime:
        """When the latest step happened; steps follow each other by made-up but fixed intervals."""
        return self.began + timedelta(seconds=sum(7 + (37 * index) % 23 for index in range(len(self.steps))))

    def instruct(self, text: str) -> None:
        """Add the user's instruction."""
        self._add({"source": "user", "message": text})

    def bash(self, thought: str, command: str) -> int:
        """Really run a command and record it with its output; gives the step's position."""
        self.last = self.world.run(command)
        return self._act(thought, "bash", {"command": command}, self.last.output.rstrip("\n"), self.last.code)

    def replace(self, thought: str, path: str, old: str, new: str) -> int:
        """Replace one passage of a file with the edit tool."""
        before = self.world.read(path)
        if before.count(old) != 1:
            raise RuntimeError(f"expected the passage once in {path}, found it {before.count(old)} times")
        self.world.write(path, before.replace(old, new))
        arguments = {"command": "str_replace", "path": f"/app/{path}", "old_str": old, "new_str": new}
        return self._act(thought, "str_replace_editor", arguments, self._edited(path, before.index(old), new), 0)

    def create(self, thought: str, path: str, text: str) -> int:
        """Write a whole file, with the edit tool or a here-document."""
        if self.rng.random() < 0.5:
            return self.bash(thought, f"mkdir -p $(dirname {path}) && cat > {path} <<'EOF'\n{text}EOF")
        self.world.write(path, text)
        arguments = {"command": "create", "path": f"/app/{path}", "file_text": text}
        return self._act(thought, "str_replace_editor", arguments, f"File created successfully at: /app/{path}", 0)

    def rewrite(self, thought: str, path: str, old: str, new: str) -> int:
        """Replace one passage of a file by whichever means the seed chose."""
        means = self.rng.choice((self.replace, self.replace, self._by_document, self._by_program, self._by_patch))
        return means(thought, path, old, new)

    def finish(self, message: str, thought: str = "") -> int:
        """Say the last words, without an action."""
        step: dict[str, Any] = {"source": "agent", "message": message}
        if thought:
            step["reasoning_content"] = thought
        return self._add(step)

    def _by_document(self, thought: str, path: str, old: str, new: str) -> int:
        text = self.world.read(path).replace(old, new)
        return self.bash(thought, f"cat > {path} <<'EOF'\n{text}EOF")

    def _by_program(self, thought: str, path: str, old: str, new: str) -> int:
        if "'''" in old + new:
            return self.replace(thought, path, old, new)
        program = (
            f"from pathlib import Path\n\npath = Path('{path}')\nold = r'''{old}'''\nnew = r'''{new}'''\n"
            "text = path.read_text()\nassert text.count(old) == 1\npath.write_text(text.replace(old, "
            "new))\nprint('written', path)\n"
        )
        return self.bash(thought, f"python - <<'PY'\n{program}PY")

    def _by_patch(self, thought: str, path: str, old: str, new: str) -> int:
        before = self.world.read(path)
        after = before.replace(old, new)
        versions = (before.splitlines(keepends=True), after.splitlines(keepends=True))
        lines = difflib.unified_diff(*versions, fromfile=f"a/{path}", tofile=f"b/{path}")
        return self.bash(thought, f"git apply -v - <<'PATCH'\n{''.join(lines)}PATCH")

    def _edited(self, path: str, start: int, new: str) -> str:
        if not self.numbered_editor:
            return f"The file /app/{path} has been edited successfully."
        lines = self.world.read(path).splitlines()
        first = max(0, self.world.read(path)[:start].count("\n") - _SNIPPET_MARGIN)
        shown = lines[first : first + new.count("\n") + 2 * _SNIPPET_MARGIN]
        numbered = "\n".join(f"{first + index + 1:6}\t{line}" for index, line in enumerate(shown))
        return f"The file /app/{path} has been edited. Here's the result of running `cat -n` on a snippet:\n{numbered}"

    def _act(self, thought: str, tool: str, arguments: dict[str, str], output: str, code: int) -> int:
        call = f"call_{len(self.steps):03d}_{self.rng.randrange(16**6):06x}"
        result: dict[str, Any] = {"source_call_id": call, "content": output}
        if self.schema == "ATIF-v1.7":
            result["extra"] = {"exit_code": code}
        elif code:
            result["content"] = f"{output}\n[exit code: {code}]".lstrip("\n")
        message, _, reasoning = thought.partition(" || ")
        step: dict[str, Any] = {"source": "agent", "message": message}
        if reasoning:
            step["reasoning_content"] = reasoning
        step["tool_calls"] = [{"tool_call_id": call, "function_name": tool, "arguments": arguments}]
        return self._add(step | {"observation": {"results": [result]}})

    def _add(self, step: dict[str, Any]) -> int:
        head = {"step_id": len(self.steps) + 1, "timestamp": self.now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")}
        if step["source"] == "agent":
            step["metrics"] = {"prompt_tokens": self._size() // 4 + 900, "completion_tokens": len(str(step)) // 4}
        self.steps.append(head | step)
        return self.here

    def _size(self) -> int:
        return sum(len(str(step)) for step in self.steps)
