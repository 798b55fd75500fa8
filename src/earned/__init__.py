"""earned: was the pass earned? The public functions are the commands, with the same names and defaults."""

__version__ = "0.1.0"
