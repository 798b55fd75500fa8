"""Who acts within a span of an Inspect transcript: the agent, a subagent, a tool, or a scorer.

Spans nest by id. Logs before 2025 have `step` events instead, which nest by their order, and events within events.
"""

from __future__ import annotations

import msgspec

from earned.records.trajectory import Actor
from earned.trajectory.formats.inspect.calls import Place
from earned.trajectory.formats.inspect.records import Event

_SCORING = frozenset({"scorer", "scorers"})
_APART = frozenset({"subtask", "branch"})


class Span(msgspec.Struct):
    """What is known of a span, with what it takes over from those around it."""

    owner: str = ""
    """The subagent whose span it is; empty for the main agent."""
    tool: str = ""
    """The tool that runs in it: a model that is asked there is not the agent."""
    has_agent: bool = False
    is_scoring: bool = False
    scorer: str = ""
    is_known: bool = False
    call: Place | None = None
    """Turn and number of the call that the tool answers."""

    def inner(self) -> Span:
        """A span within this one."""
        return Span(self.owner, self.tool, self.has_agent, self.is_scoring, self.scorer, is_known=True, call=self.call)

    def model(self) -> tuple[Actor, str]:
        """Who speaks when a model answers here, and the subagent's name."""
        if self.is_scoring:
            return "grader", ""
        name = self.tool or self.owner
        return ("subagent", name) if name else ("agent", "")


class Spans:
    """All spans of one transcript."""

    def __init__(self) -> None:
        self._root = Span()
        self._by_id: dict[str, Span] = {}
        self._around = [self._root]
        """Steps and events that are open, for events that name no span."""
        self._names: dict[str, int] = {}
        self._last_tool: tuple[str, Span] | None = None

    def of(self, event: Event) -> Span:
        """The span of an event."""
        return self._by_id.get(event.span_id or "", self._around[-1])

    def begin(self, event: Event) -> None:
        """A span begins."""
        span = self._by_id.get(event.parent_id or "", self._root).inner()
        self._enter(span, event.type or event.name or "", event.name or "")
        if event.id:
            self._by_id[event.id] = span

    def _enter(self, span: Span, kind: str, name: str) -> None:
        if kind in _SCORING:
            span.is_scoring = True
            span.scorer = name if kind == "scorer" else ""
        elif kind == "tool":
            span.tool = name or "tool"
            span.call = None
            self._last_tool = name, span
        elif kind in _APART or (kind == "agent" and (span.has_agent or span.tool)):
            span.owner = self._named(name or kind)
            span.tool = ""
        span.has_agent = span.has_agent or kind == "agent"

    def _named(self, name: str) -> str:
        count = self._names[name] = self._names.get(name, 0) + 1
        return name if count == 1 else f"{name}#{count}"

    def step(self, event: Event) -> None:
        """A step of an older log begins or ends."""
        if event.action == "begin":
            span = self._around[-1].inner()
            self._enter(span, event.type or "", event.name or "")
            self._around.append(span)
        elif len(self._around) > 1:
            self._around.pop()

    def answers(self, event: Event, call: Place) -> None:
        """A tool's event stands in the span that was begun for it last: what is run there belongs to that call."""
        if self._last_tool is not None and self._last_tool[0] == event.function:
            self._last_tool[1].call = call
            self._last_tool = None

    def inside(self, event: Event, call: Place | None) -> None:
        """Events that stand within an event of an older log begin."""
        span = self.of(event).inner()
        kind = "tool" if event.event == "tool" else "subtask"
        self._enter(span, kind, event.function or event.name or "")
        span.call = call
        self._around.append(span)

    def outside(self) -> None:
        """They end."""
        self._around.pop()
