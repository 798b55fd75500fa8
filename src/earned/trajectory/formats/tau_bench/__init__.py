"""tau-bench results: `reader.py` holds the format."""
