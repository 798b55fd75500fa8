"""SWE-agent trajectories: `reader.py` holds the format."""
