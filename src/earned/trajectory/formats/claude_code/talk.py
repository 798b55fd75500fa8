"""What is said in a Claude Code conversation becomes turns, the same for session files and for streams."""

from __future__ import annotations

from earned.trajectory.formats.claude_code.agents import STARTERS, Agents
from earned.trajectory.formats.claude_code.found import Found
from earned.trajectory.formats.claude_code.records import Block, Message, Twin
from earned.trajectory.formats.claude_code.told import SUMMARY, is_result, told
from earned.trajectory.formats.claude_code.turns import Line, Turns


class Talk:
    """One conversation with its subagents while it is read."""

    def __init__(self) -> None:
        self.turns = Turns()
        self.agents = Agents()
        self.found = Found()
        self._heard: set[tuple[str, str]] = set()
        """Line and text of what was said in the user's place."""

    def heard(
        self,
        message: Message,
        line: Line,
        twin: Twin,
        *,
        is_injected: bool,
        is_summary: bool,
        denial: str | None = None,
    ) -> None:
        """A message in the user's place: results, a person's words, or Claude Code's.

        Args:
            message: As recorded.
            line: Where it stands.
            twin: The structured twin of the one result in it.
            is_injected: The record says that no person wrote it.
            is_summary: It sums up the conversation before a compaction.
            denial: Why the call that it answers was not carried out.
        """
        content = message.content
        if isinstance(content, list):
            results = [block for block in content if is_result(block)]
            for block in results:
                self.answered(block, line, twin if len(results) == 1 else None, denial)
            if len(results) == len(content):
                return
        for is_put_in, text in told(content):
            if line.uuid and self._is_again(line.uuid, text):
                continue
            if is_summary or text.startswith(SUMMARY):
                self.found.note_summary(self.turns, self.turns.add("harness", text, line, copied=True), line)
            elif is_put_in or is_injected:
                self.found.note_injected(self.turns.add("harness", text, line))
            elif line.agent:
                self.turns.add("subagent", text, line, copied=True)
                self.agents.prompted(line.agent, text)
            else:
                self.found.note_typed(self.turns.add("user", text, line), text)

    def _is_again(self, uuid: str, text: str) -> bool:
        """Whether a line of the same id said the same."""
        if (uuid, text) in self._heard:
            self.turns.replayed += 1
            return True
        self._heard.add((uuid, text))
        return False

    def answered(self, block: Block, line: Line, twin: Twin, denial: str | None = None) -> None:
        """A result; the twin is its own."""
        call = self.turns.result(block, line, twin, denial=denial)
        if call is not None and call.action.tool in STARTERS:
            self.agents.answered(block.tool_use_id or "", call, twin, is_error=block.is_error)
