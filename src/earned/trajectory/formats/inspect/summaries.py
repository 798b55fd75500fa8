"""Whether an archive's summaries give a sample the scores that the sample itself gives it.

Inspect writes `summaries.json` from the samples when a run ends, and again when a log is scored anew or edited: where one says
that an attempt passed and the other that it did not, one of them was changed by other means.
"""

from __future__ import annotations

from earned.errors import FormatError
from earned.records.trajectory import Status
from earned.trajectory.decode.oddities import Oddities
from earned.trajectory.formats.inspect.archive import SUMMARIES, summarised
from earned.trajectory.formats.inspect.records import Header, Sample
from earned.trajectory.formats.inspect.scores import scores_of
from earned.trajectory.sources.zips import Archive


class Summaries:
    """The statuses in the summaries of one archive, gone through when a sample asks first."""

    def __init__(self, archive: Archive, header: Header) -> None:
        self._archive = archive
        self._header = header
        self._told: dict[str, dict[str, Status]] | None = None

    def against(self, sample: Sample, place: str) -> str:
        """What the summary says otherwise than the sample at `place`, both named; empty where they agree."""
        if self._told is None:
            self._told = self._read()
        told = self._told.get(_name(sample), {})
        for name, own in self._known(sample).items():
            other = told.get(name, own)
            if (own == "passed") != (other == "passed"):
                return f"{place}/scores/{name} says {own}; {SUMMARIES} says {other}"
        return ""

    def _read(self) -> dict[str, dict[str, Status]]:
        told: dict[str, dict[str, Status]] = {}
        try:
            if SUMMARIES in self._archive:
                for member, _, sample in summarised(self._archive, set(), Oddities()):
                    told[member] = self._known(sample)
        except FormatError:
            return told
        return told

    def _known(self, sample: Sample) -> dict[str, Status]:
        scores = scores_of(sample, self._header, "", lambda _: False)
        return {score.name: score.status for score in scores if score.status != "unknown"}


def _name(sample: Sample) -> str:
    return f"{sample.id}_epoch_{sample.epoch}"
