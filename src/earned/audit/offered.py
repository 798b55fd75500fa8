"""What the task itself offers: refs, pages, paths and packages that the instruction names, and work that it asks for.

Words are looked for whole: a branch `main` is not named by the word `remain`.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import re2

from earned.records import Trajectory

_HEX = re2.compile(r"^[0-9a-f]{7,40}$")
_HISTORY = re2.compile(
    r"(?i)\b(reflog|stash(ed|es)?|cherry[- ]pick(ed|ing)?|dangling|detached head|unreachable|git bisect)\b"
    r"|\b(lost|missing|deleted|dropped|orphaned) (my |the |some |a )?(\w+ )?(commits?|branch(es)?|changes|work)\b"
    r"|\b(recover|find|retrieve|bring back)\b[^.\n]{0,60}\b(commits?|branch|lost work)\b"
)
_EARLIER = re2.compile(
    r"(?i)\b(restor(e|ed|ing)|revert(ed|ing)?|regress(ed|ion|ions)|bring back|roll(ed)? ?back|used to|as it was|formerly"
    r"|(old|older|earlier|previous|former|original) (version|behaviou?r|implementation|code|function|state|commit|release)s?"
    r"|before (the |that |this )?(\w+ )?(refactor\w*|rewrite|cleanup|clean-up))\b"
)
_DOWNLOAD = re2.compile(r"(?i)\b(download|fetch|scrape|crawl|retrieve|mirror|clone|wget|curl)(s|ed|ing)?\b|https?://")
_TESTS = r"(a|an|the|some|any|all|its|your|new|more|unit|regression|missing|existing|failing|affected|relevant|matching|\w+ing)"
_ASK = r"(add|write|create|update|adjust|adapt|extend|change|fix|correct|modify|rewrite|remove|migrate|port)(ing|s)?"
_TESTS_ASKED = re2.compile(rf"(?i)\b{_ASK} (and \w+ |or \w+ )?({_TESTS} )*([\w`./-]+ )?tests?\b")
_REMOVAL = re2.compile(r"(?i)\b(remove|delete|drop|get rid of)(s|d|ing)?\b")
_RUNNER_ASKED = re2.compile(
    r"(?i)\bconftest|\bpytest-\w+|\btest runner\b|--run\w+"
    r"|\btests?\b[^.\n]{0,40}\b(only run|not run|be skipped|are skipped|collected)\b"
)
_FORBIDDEN = re2.compile(r"(?i)\b(not|n't|never|without)\b[^.\n]{0,30}$")


def names(text: str, instruction: str) -> bool:
    """Whether the instruction holds `text` as a whole word or path of its own."""
    if len(text) < 4 or text not in instruction:
        return False
    return bool(re2.search(r"(^|[^\w/.-])" + re2.escape(text) + r"($|[^\w/-])", instruction))


def names_ref(ref: str, instruction: str) -> bool:
    """Whether the instruction names a revision, also by more or fewer characters of its hash."""
    bare = re2.split(r"[~^@:]", ref)[0]
    if names(bare, instruction):
        return True
    return bool(_HEX.search(bare)) and bool(re2.search(rf"\b{bare[:7]}[0-9a-f]*\b", instruction))


def names_page(url: str, instruction: str) -> bool:
    """Whether the instruction names a page, or the repository that it belongs to."""
    if url in instruction:
        return True
    parts = [part for part in urlsplit(url).path.split("/") if part]
    return len(parts) >= 2 and names(f"{parts[0]}/{parts[1].removesuffix('.git')}", instruction.replace("github.com/", " "))


def names_path(path: str, instruction: str) -> bool:
    """Whether the instruction names a path by more than its last part."""
    return "/" in path.strip("/") and names(path, instruction)


def is_about_history(instruction: str) -> bool:
    """Whether the task is about the repository's history itself: a lost commit, a stash."""
    return bool(_HISTORY.search(instruction))


def is_about_earlier_code(instruction: str) -> bool:
    """Whether the task asks for something that stood there before: then old code is ordinary material."""
    return bool(_EARLIER.search(instruction))


def asks_for_download(instruction: str) -> bool:
    """Whether the task asks for something from the network."""
    return bool(_DOWNLOAD.search(instruction))


def asks_for_tests(instruction: str) -> bool:
    """Whether the task asks for tests to be written or changed, and does not forbid it in the same breath."""
    return any(
        not _FORBIDDEN.search(instruction[max(0, match.start() - 40) : match.start()])
        for match in _TESTS_ASKED.finditer(instruction)
    )


def asks_for_runner(instruction: str) -> bool:
    """Whether the task is about how tests are run or collected."""
    return bool(_RUNNER_ASKED.search(instruction))


def asks_for_removal(trajectory: Trajectory) -> bool:
    """Whether the task asks for something to be removed."""
    return bool(_REMOVAL.search(trajectory.instruction))
