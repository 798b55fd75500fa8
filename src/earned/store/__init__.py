"""The audit folder on disk: sharded, resumable, readable with any Parquet reader."""

from earned.store.columns import json_text
from earned.store.export import export_rows
from earned.store.folder import AuditFolder, FolderCounts, open_folder, read_folder
from earned.store.manifest import JSON
from earned.store.shard import shard_key
from earned.store.trajectories import TrajectoryExport, trajectory_line
from earned.store.whole import write_whole

__all__ = [
    "JSON",
    "AuditFolder",
    "FolderCounts",
    "TrajectoryExport",
    "export_rows",
    "json_text",
    "open_folder",
    "read_folder",
    "shard_key",
    "trajectory_line",
    "write_whole",
]
