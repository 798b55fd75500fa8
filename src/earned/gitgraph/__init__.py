"""What is an ancestor of what: as a trajectory shows it, or exactly from a bundle."""

from earned.gitgraph.ancestry import Ancestry, prints_commits
from earned.gitgraph.bundle import KnownGraph
from earned.gitgraph.seen import SeenGraph

__all__ = ["Ancestry", "KnownGraph", "SeenGraph", "prints_commits"]
