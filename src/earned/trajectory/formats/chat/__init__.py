"""Chat messages of any provider: `reader.py` holds the format."""
