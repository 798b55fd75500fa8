"""A tolerant scan of program text that is not parsed: Node, Perl, Ruby, PHP, Python 2, fragments. Literal strings only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from earned.records.fact import Fact, Write, WriteOperation
from earned.shell.item import Shell
from earned.shell.network import hosts_of, urls_in
from earned.shell.options import names

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_ITEMS = 2_000
_STRING = r"""(?:[rbuf]{0,2}(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`))"""
_CALL = re.compile(
    r"\b(execSync|execFileSync|exec|execFile|spawnSync|spawn|os\.system|os\.popen|system|popen|qx|shell_exec|passthru"
    r"|check_output|check_call|subprocess\.\w+|getoutput"
    r"|readFileSync|readFile|createReadStream|require|File\.read|IO\.read|File\.readlines|file_get_contents|open|io\.open"
    r"|writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream|File\.write|IO\.write|file_put_contents"
    r"|copyFileSync|copyFile|renameSync|rename|cpSync|FileUtils\.cp|FileUtils\.mv|shutil\.\w+"
    r"|unlinkSync|rmSync|unlink|File\.delete|os\.remove)[ \t]{0,4}\(?\s{0,8}\[?\s{0,8}"
    + _STRING
    + r"(?:\s{0,8},\s{0,8}"
    + _STRING
    + ")?"
)
_BACKTICKS = re.compile(r"`([^`\n]{1,5000})`|%x\{([^}\n]{1,5000})\}|\bqx\s*[{(/|]([^})/|\n]{1,5000})[})/|]")
_RUN = names(
    "execSync execFileSync exec execFile spawnSync spawn os.system os.popen system popen qx shell_exec "
    "passthru check_output check_call getoutput"
)
_READ = frozenset(
    ["readFileSync", "readFile", "createReadStream", "File.read", "IO.read", "File.readlines", "file_get_contents"]
)
_WRITE: dict[str, WriteOperation] = {
    **dict.fromkeys(
        ["writeFileSync", "writeFile", "createWriteStream", "File.write", "IO.write", "file_put_contents"], "write"
    ),
    **dict.fromkeys(["appendFileSync", "appendFile"], "append"),
}
_COPY = names(
    "copyFileSync copyFile renameSync rename cpSync FileUtils.cp FileUtils.mv shutil.copy shutil.copyfile "
    "shutil.move shutil.copy2"
)
_DELETE = frozenset(["unlinkSync", "rmSync", "unlink", "File.delete", "os.remove", "shutil.rmtree"])
_LIST = re.compile(r"""['"]([^'"\n]*)['"]""")


def scanned_items(text: str, language: str) -> list[Fact | Shell]:
    """Calls with literal arguments, and URLs, in the order of the text."""
    found: list[tuple[int, Fact | Shell]] = []
    for match in _CALL.finditer(text):
        item = _item(match, text)
        if item is not None:
            found.append((match.start(), item))
        if len(found) >= MAX_ITEMS:
            break
    if language in {"perl", "ruby", "php"}:
        for match in _BACKTICKS.finditer(text):
            found.append((match.start(), Shell("`", text=next(filter(None, match.groups()), ""))))
            if len(found) >= 2 * MAX_ITEMS:
                break
    found += [(text.find(url), Fact(program="url", argv=(url,), urls=(url,), hosts=hosts_of((url,)))) for url in _urls(text)]
    return [item for _, item in sorted(found, key=lambda pair: pair[0])]


def _urls(text: str) -> Iterable[str]:
    return list(dict.fromkeys(urls_in(text)))[:100]


def _item(match: re.Match[str], text: str) -> Fact | Shell | None:
    name, first, second = match[1], _first(match.groups()[1:4]), _first(match.groups()[4:7])
    if name in _RUN or name.startswith("subprocess."):
        if "[" in match[0] or name in {"spawn", "spawnSync", "execFile", "execFileSync"}:
            end = text.find("]", match.end())
            return Shell(
                name,
                words=(
                    first,
                    *_LIST.findall(text[match.end(2 + _which(match)) : end if 0 <= end < match.end() + 2_000 else match.end()]),
                ),
            )
        return Shell(name, text=first)
    if name in _READ or (name == "require" and "/" in first):
        return Fact(program=name, argv=(first,), reads=(first,))
    if name in _WRITE:
        literal = next((group for group in match.groups()[4:7] if group is not None), None)
        return Fact(program=name, argv=(first,), writes=(Write(path=first, operation=_WRITE[name], text=literal),))
    if name in _COPY:
        return Fact(
            program=name, argv=(first, second), reads=(first,), writes=(Write(path=second, operation="copy", source=first),)
        )
    if name in _DELETE:
        return Fact(program=name, argv=(first,), writes=(Write(path=first, operation="delete"),))
    return _opened(name, first, second) if name in {"open", "io.open"} else None


def _which(match: re.Match[str]) -> int:
    return next((index for index, group in enumerate(match.groups()[1:4]) if group is not None), 0)


def _first(groups: Iterable[str | None]) -> str:
    return next((group for group in groups if group is not None), "")


def _opened(name: str, path: str, mode: str) -> Fact:
    if path in {"<", ">", ">>"} and mode:  # Perl: open(my $f, '<', 'path') without the handle in the match
        path, mode = mode, {"<": "r", ">": "w", ">>": "a"}[path]
    if mode[:1] in {"w", "a", "x", ">"} or path.startswith(">"):
        operation: WriteOperation = "append" if mode.startswith("a") or path.startswith(">>") else "write"
        return Fact(program=name, argv=(path, mode), writes=(Write(path=path.lstrip("> "), operation=operation),))
    return Fact(program=name, argv=(path, mode), reads=(path.lstrip("< "),))
