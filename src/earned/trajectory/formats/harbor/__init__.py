"""Harbor trials: `trial.py` holds the format."""
