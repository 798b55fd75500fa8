"""Texts of an Inspect sample: what an `attachment://` stands for, and what a message's content says.

A long text stands in the log once, under its hash (in chunked samples, its number), and every place that repeats it names that.
A reference is looked up where a text is read, so that what nobody shows is never unpacked.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from earned.records import Action, Observation
from earned.trajectory.decode.lenient import as_json
from earned.trajectory.decode.messages import decoded_arguments
from earned.trajectory.formats.inspect.records import Content, Part
from earned.trajectory.steps import observation
from earned.trajectory.tools import action_of

MAX_DEPTH = 40
"""Levels of arguments that are searched for references."""
_PROTOCOLS = ("attachment://", "tc://")
_NAME = re.compile("[0-9a-f]{32}|[0-9]{1,11}")
"""Anything else behind a protocol is a text that begins so."""


class Told(NamedTuple):
    """What a message's content says."""

    text: str
    reasoning: str
    actions: tuple[Action, ...]
    """Tools that ran on the provider's side, within the model's turn."""
    observations: tuple[Observation, ...]
    """Their results."""


class Texts:
    """Looks up attachments; `lost` counts the references that lead nowhere."""

    def __init__(self, found: Callable[[str], str | None]) -> None:
        self._found = found
        self.lost = 0

    def of(self, text: str) -> str:
        """The text, or the one that it refers to."""
        if not text.startswith(_PROTOCOLS):
            return text
        name = text.partition("://")[2]
        found = self._found(name)
        if found is None:
            self.lost += _NAME.fullmatch(name) is not None
            return text
        return found

    def within(self, value: Any, depth: int = 0) -> Any:
        """A decoded value with every reference in it looked up."""
        if isinstance(value, str):
            return self.of(value)
        if isinstance(value, dict) and depth <= MAX_DEPTH:
            for item in value.values():
                if not isinstance(item, str) or item.startswith(_PROTOCOLS):
                    return {key: self.within(item, depth + 1) for key, item in value.items()}
            return value  # nothing is built anew for most arguments
        if isinstance(value, list) and depth <= MAX_DEPTH:
            return [self.within(item, depth + 1) for item in value]
        return value

    def told(self, content: Content) -> Told:
        """A message's content, taken apart."""
        if not isinstance(content, list):
            return Told(self.of(content or ""), "", (), ())
        texts: list[str] = []
        thoughts: list[str] = []
        actions: list[Action] = []
        observations: list[Observation] = []
        for part in content:
            if part.type == "reasoning":
                thoughts.append(self.of((part.summary if part.redacted else part.reasoning) or part.summary or ""))
            elif part.type == "tool_use":
                result = part.result if part.result or part.error is None else part.error
                observations.append(observation(self.result(result), len(actions)))
                arguments = self.within(decoded_arguments(self.within(part.arguments)))
                actions.append(action_of(part.name or "", arguments, part.id or ""))
            else:
                texts.append(self._part(part))
        return Told("\n".join(texts), "\n".join(filter(None, thoughts)), tuple(actions), tuple(observations))

    def _part(self, part: Part) -> str:
        return self.of(part.text) if part.text is not None else f"[{part.type or 'part'}]"

    def plain(self, content: Content) -> str:
        """Text of a message that calls nothing."""
        return self.of(content) if isinstance(content, str) else self.told(content).text

    def result(self, value: Any) -> str:
        """Text of a tool's result: a text, a number, a part or a list of parts. Images are named in brackets."""
        if isinstance(value, str):
            return self.of(value)
        if value is None:
            return ""
        if isinstance(value, list):
            return "\n".join(self.result(item) for item in value) if _parts(value) else as_json(self.within(value))
        if isinstance(value, dict) and isinstance(value.get("type"), str):
            text = value.get("text")
            return self.of(text) if isinstance(text, str) else f"[{value['type']}]"
        return as_json(self.within(value))


def _parts(value: list[Any]) -> bool:
    return all(isinstance(item, dict) and isinstance(item.get("type"), str) for item in value)
