"""Which messages of an Inspect transcript were seen already: every input of a model repeats the conversation before it.

In order of trust: the place in the pool of messages, the message's id, its content. Going over a million inputs that are ranges
of the pool costs one look at each message.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from earned.trajectory.formats.inspect.records import Message


class Seen:
    """Remembers messages."""

    def __init__(self, pool: Sequence[Message]) -> None:
        self._pool = pool
        self._places = bytearray(len(pool))
        """1 where the message of the pool was seen."""
        self._first = 0
        """All before it were seen."""
        self._ids: set[str] = set()
        self._contents: set[object] = set()
        self.has_gaps = False
        """Whether a range led out of the pool."""

    def note_id(self, name: str | None) -> None:
        """A message of that id was seen."""
        if name:
            self._ids.add(name)

    def note(self, message: Message) -> None:
        """The message was seen."""
        self.note_id(message.id)
        self._contents.add(_content(message))

    def is_fresh(self, message: Message) -> bool:
        """Whether the message was not seen; from now on it was."""
        if message.id and message.id in self._ids:
            return False
        content = _content(message)
        known = content in self._contents
        self.note_id(message.id)
        self._contents.add(content)
        return not known

    def fresh_in_pool(self, refs: Sequence[Sequence[int]]) -> Iterator[tuple[int, Message]]:
        """The messages of ranges `[start, end)` of the pool that were not seen, with their places."""
        places = self._places
        for ref in refs:
            start, end = (max(0, ref[0]), ref[1]) if len(ref) == 2 else (0, 0)
            self.has_gaps = self.has_gaps or end > len(places)
            at = places.find(0, max(start, self._first), max(0, end)) if end > self._first else -1
            while at >= 0:
                places[at] = 1
                message = self._pool[at]
                if message.id not in self._ids and self.is_fresh(message):
                    yield at, message
                at = places.find(0, at + 1, end)
            if self._first < len(places) and places[self._first]:
                unseen = places.find(0, self._first)
                self._first = unseen if unseen >= 0 else len(places)


def _content(message: Message) -> object:
    """What is the same when a message is repeated: its calls if it has any, else its text; thoughts may be left out."""
    calls = tuple([call.id or "" for call in message.tool_calls]) if message.tool_calls else ()
    if any(calls):
        return calls
    content = message.content
    text = content if isinstance(content, str) or content is None else tuple(part.text for part in content if part.text)
    return message.role, message.tool_call_id if isinstance(message.tool_call_id, str) else "", text
