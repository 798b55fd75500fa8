"""Paths as commands and patches name them: joined, compared, and told apart as scratch or tests."""

from __future__ import annotations

import posixpath

import re2

_SCRATCH = re2.compile(r"^(/dev/|/tmp/|/var/tmp/)|^\.$")
WHOLE_TREE = "the working tree"
"""Stands for a path where an act changed whatever there was to change."""
_TEST_FILE = re2.compile(
    r"(^|/)(tests?|__tests__|spec)/|(^|/)test_[^/]*$|_test\.\w+$|\.(test|spec)\.\w+$|(^|/)conftest\.py$|Tests?\.java$"
)


def absolute(path: str, cwd: str) -> str:
    """`path` joined to the directory that the command text is in, normalised; relative when that is not known."""
    joined = posixpath.normpath(posixpath.join(cwd, path)) if cwd else posixpath.normpath(path)
    return joined.removeprefix("./")


def is_scratch(path: str) -> bool:
    """Whether a path lies where nothing is graded: a temporary folder, a device."""
    return bool(_SCRATCH.search(path))


def same_file(path: str, graded: str) -> bool:
    """Whether a path as a command names it can be the file of the submission: equal, or one ends with the other."""
    left, right = path.strip("/"), graded.strip("/")
    return left == right or left.endswith("/" + right) or right.endswith("/" + left)


def is_test_file(path: str) -> bool:
    """Whether a path is, by the names that test runners go by, a test or part of a test suite."""
    return bool(_TEST_FILE.search(path))
