"""The trajectories that `earned read --export` writes: `reader.py` holds the format."""
