"""Terminal-Bench 1 trials: `trial.py` holds the format."""
