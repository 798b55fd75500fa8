"""What holds for every test: a slow machine is no failure, and a failing example of a property test can be run again."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("house", deadline=None, print_blob=True)
settings.load_profile("house")
