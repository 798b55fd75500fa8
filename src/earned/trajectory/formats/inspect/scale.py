"""Which scorers of an Inspect log count beyond 1, so that a score of 1 need not be full credit.

No log names the maximum of a numeric score (`scorer/_metric.py`): its other scores are all that tells of it. An archive has
them in its summaries; of a document the scores of every sample are looked up, with nothing else decoded, once a first number
was met. A sample that lies alone tells no more than itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from earned.errors import FormatError
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.decode.spans import Buffer, Span, elements, entries
from earned.trajectory.formats.inspect.archive import summarised
from earned.trajectory.formats.inspect.records import Header, Sample
from earned.trajectory.formats.inspect.samples import decoded
from earned.trajectory.formats.inspect.scores import number_in, values_of
from earned.trajectory.sources.zips import Archive

_SCORES = ("scores", "score")
_OBJECT = ord("{")


class Scales:
    """The scales of one log's scorers; the log's scores are gone through when a number is met first."""

    def __init__(self, samples: Callable[[], Iterable[Sample]], header: Header) -> None:
        self._samples = samples
        self._header = header
        self._over: set[str] | None = None

    def is_over_one(self, name: str) -> bool:
        """Whether a score of this name is above 1 anywhere in the log."""
        if self._over is None:
            self._over = set()
            for sample in self._samples():
                numbers = ((value.name, number_in(value.value)) for value in values_of(sample, self._header))
                self._over.update(name for name, number in numbers if number is not None and number > 1)
        return name in self._over


def scores_in_summaries(archive: Archive) -> Iterator[Sample]:
    """The samples of an archive as far as summaries hold them; of one that cannot be read those before it."""
    try:
        yield from (sample for _, _, sample in summarised(archive, set(), Oddities()))
    except FormatError:
        return


def scores_in_document(buffer: Buffer, samples: Span) -> Iterator[Sample]:
    """The samples of a document, of each nothing but the scores."""
    try:
        for span in elements(buffer, samples.start):
            pairs = ((key, at) for key, at in entries(buffer, span.start) if key in _SCORES)
            found = next(((key, at) for key, at in pairs if buffer[at.start] == _OBJECT), None)
            if found is not None:
                key, at = found
                yield decoded(b'{"%b":%b}' % (key.encode(), bytes(buffer[at.start : at.end])), Sample, Oddities(), "")
    except FormatError:
        return
