"""Readers: files and folders of recorded attempts become trajectories, with outcomes joined and nothing left out unsaid."""

from earned.trajectory.candidate import Candidate
from earned.trajectory.completeness.grade import completeness_of
from earned.trajectory.contract import check_format
from earned.trajectory.discover import discover
from earned.trajectory.format import FORMATS, Folder, Format, load_format
from earned.trajectory.outcomes.claim import Claim
from earned.trajectory.outcomes.joined import Outcomes, load_outcomes, skip_of
from earned.trajectory.read import read_candidate
from earned.trajectory.submission.recovered import recover

__all__ = [
    "FORMATS",
    "Candidate",
    "Claim",
    "Folder",
    "Format",
    "Outcomes",
    "check_format",
    "completeness_of",
    "discover",
    "load_format",
    "load_outcomes",
    "read_candidate",
    "recover",
    "skip_of",
]
