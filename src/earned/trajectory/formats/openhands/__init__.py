"""OpenHands: version 0 (`v0.py`) and version 1 (`v1.py`)."""
