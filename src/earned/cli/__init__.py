"""The command line: parses, calls a flow, prints. Nothing heavy is imported before a command runs."""

from earned.cli.main import main

__all__ = ["main"]
