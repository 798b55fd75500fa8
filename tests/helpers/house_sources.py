"""The repository's own files as the house tests look at them: places, parsed modules, and what is tracked."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "earned"
CODE_FOLDERS = ("src", "tests", "tools", "examples", "bench")


@cache
def modules(*folders: str) -> tuple[Path, ...]:
    """Python files below the given folders of the repository, sorted; audited trials and scratch folders are not code."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return tuple(path for path in found if not {"trials", "build", "__pycache__"} & set(path.relative_to(ROOT).parts))


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of one file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@cache
def rooms() -> tuple[str, ...]:
    """Top-level folders and modules of the package, by name."""
    return tuple(sorted(path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()))


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a syntax tree, nested ones too."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def place(path: Path, node: ast.AST | None = None) -> str:
    """`path:line` below the repository, for messages."""
    where = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return f"{where}:{getattr(node, 'lineno', 1)}"


@cache
def tracked_files() -> tuple[Path, ...] | None:
    """Files that git tracks and that are there; None where this is no git work tree."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listing.returncode != 0:
        return None
    paths = (ROOT / name for name in listing.stdout.decode().split("\0") if name)
    return tuple(path for path in paths if path.is_file())
