"""One invented repository: its files, its history's identifiers, and the change that an attempt makes to it."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from blocks import FIXES, SENTENCES, SOURCE, TESTS
from sheets import Sheet, make_sheets
from words import DOMAIN_MARK, Stock, choose_words, make_stock

SHEETS = 16
FILES = 10
BLOCKS_OF_FILE = 17
SENTENCES_OF_TRIAL = 200
CONTEXT = 3
"""Lines around a change in a patch, as git shows them."""


class SourceFile(NamedTuple):
    """A file of the repository at its base commit."""

    path: str
    lines: list[str]


class Hunk(NamedTuple):
    """One change: lines of a file at its base commit give way to others."""

    file: SourceFile
    start: int
    """Index of the first line that is replaced."""
    removed: list[str]
    added: list[str]

    @property
    def patch(self) -> str:
        """As `git diff` prints it, without the header of the file."""
        before = self.file.lines[self.start - CONTEXT : self.start]
        end = self.start + len(self.removed)
        after = self.file.lines[end : end + CONTEXT]
        first, around = self.start - CONTEXT + 1, len(before) + len(after)
        head = f"@@ -{first},{around + len(self.removed)} +{first},{around + len(self.added)} @@"
        body = [f" {line}" for line in before] + [f"-{line}" for line in self.removed]
        body += [f"+{line}" for line in self.added] + [f" {line}" for line in after]
        return "\n".join([head, *body])


class Material(NamedTuple):
    """Everything that is prepared once for all trials."""

    stock: Stock
    source: list[Sheet]
    fixes: list[Sheet]
    tests: list[Sheet]
    talk: list[Sheet]


def make_material() -> Material:
    """Names and sheets; the same in every run."""
    return Material(
        make_stock(),
        make_sheets(SOURCE, FILES, BLOCKS_OF_FILE, SHEETS),
        make_sheets(FIXES, 4, 1, SHEETS),
        make_sheets(TESTS, 1, 4, SHEETS),
        make_sheets(SENTENCES, SENTENCES_OF_TRIAL, 1, SHEETS),
    )


class Repository:
    """What one trial works on. Every method draws, so that the same question twice gets two answers."""

    def __init__(self, material: Material, rng: Random) -> None:
        self.rng = rng
        self.domain = rng.choice(material.stock.domains)
        self.words = choose_words(material.stock, rng, (2000, 400, 1000))
        self._snake = "\n".join(self.words.snake).replace(DOMAIN_MARK, self.domain).split("\n")
        self._hex = rng.randbytes(6000).hex()
        self._at = rng.randrange(1000)
        self._read = 0
        self.talk = self._pieces(material.talk, material)
        source = self._pieces(material.source, material)
        self.files = [SourceFile(f"src/{self.domain}/{self.word()}.py", text.split("\n")) for text in source]
        self.hunks = [
            self._hunk(file, text) for file, text in zip(self.files, self._pieces(material.fixes, material), strict=False)
        ]
        self.test_path = f"tests/test_{self.word()}.py"
        self.test_lines = self._pieces(material.tests, material)[0].split("\n")

    def _pieces(self, sheets: list[Sheet], material: Material) -> list[str]:
        sheet = sheets[int(self.rng.random() * len(sheets))]
        return sheet.fill(choose_words(material.stock, self.rng, sheet.counts), self.domain)

    def _hunk(self, file: SourceFile, text: str) -> Hunk:
        start = self.rng.randint(CONTEXT, len(file.lines) - 20)
        return Hunk(file, start, file.lines[start : start + self.rng.randint(1, 5)], text.split("\n"))

    def word(self) -> str:
        """A name that the code could hold."""
        return self.names(1)[0]

    def names(self, count: int) -> list[str]:
        """Names that the code could hold."""
        return self._some(self._snake, count)

    def class_name(self) -> str:
        """A class name that the code could hold."""
        return self._some(self.words.camel, 1)[0]

    def number(self) -> str:
        """A number as it stands in code."""
        return self.numbers(1)[0]

    def numbers(self, count: int) -> list[str]:
        """Numbers as they stand in code."""
        return self._some(self.words.numbers, count)

    def _some(self, pool: list[str], count: int) -> list[str]:
        self._at += count + 1
        start = self._at % (len(pool) - count)
        return pool[start : start + count]

    def sha(self, length: int = 40) -> str:
        """An object name of git."""
        self._at += 1
        start = self._at * 7 % (len(self._hex) - length)
        return self._hex[start : start + length]

    def below(self, bound: int) -> int:
        """A random integer in [0, bound)."""
        return int(self.rng.random() * bound)

    def say(self) -> str:
        """A sentence of the agent."""
        self._at += 1
        return self.talk[self._at % len(self.talk)]

    def file(self) -> SourceFile:
        """Any file."""
        return self.files[self.below(FILES)]

    def next_lines(self, count: int) -> tuple[SourceFile, int, list[str]]:
        """A stretch of some file that was not looked at before (until all was), and the number of its first line from 1."""
        every = self._read // 1000
        start = self._read % 1000
        file = self.files[every % FILES]
        if start >= len(file.lines):
            self._read = (every + 1) * 1000
            return self.next_lines(count)
        self._read += count
        return file, start + 1, file.lines[start : start + count]

    def keep_one_hunk(self) -> None:
        """Makes the change one of a single place, twice as long."""
        first, second = self.hunks[:2]
        self.hunks = [first._replace(added=[*first.added, "", *second.added])]

    @property
    def test_patch(self) -> str:
        """The new test file, as `git diff` prints it."""
        added = "\n".join(f"+{line}" for line in self.test_lines)
        head = f"diff --git a/{self.test_path} b/{self.test_path}\nnew file mode 100644\nindex 0000000..{self.sha(7)}\n"
        return f"{head}--- /dev/null\n+++ b/{self.test_path}\n@@ -0,0 +1,{len(self.test_lines)} @@\n{added}\n"

    def hunk_patch(self, hunk: Hunk) -> str:
        """One change, as `git diff` prints it."""
        path = hunk.file.path
        head = f"diff --git a/{path} b/{path}\nindex {self.sha(7)}..{self.sha(7)} 100644\n--- a/{path}\n+++ b/{path}\n"
        return f"{head}{hunk.patch}\n"

    @property
    def patch(self) -> str:
        """The whole submission."""
        return "".join([*map(self.hunk_patch, self.hunks), self.test_patch])
