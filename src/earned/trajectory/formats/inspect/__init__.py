"""Inspect AI logs: `log.py` holds the format."""
