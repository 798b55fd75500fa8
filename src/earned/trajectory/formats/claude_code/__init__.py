"""Claude Code: sessions (`session.py`) and the stream of `claude -p` (`stream.py`)."""
