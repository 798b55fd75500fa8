"""Codex: rollouts (`rollout.py`) and the output of `codex exec --json` (`exec.py`)."""
