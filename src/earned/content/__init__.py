"""Texts only: undecorate, line keys, values, fingerprints, longest run, patch and edit replay. Pure: no I/O."""
