"""Python program text: calls that read, write, fetch or run, with literal values folded. Parsed, never executed."""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING, NamedTuple

import re2

from earned.records.fact import Fact, GitUse, Write, WriteOperation
from earned.shell.item import Shell
from earned.shell.network import hosts_of
from earned.shell.options import names
from earned.shell.python_values import MAX_FOLD, Values

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUNS = {
    **dict.fromkeys(
        [
            f"subprocess.{name}"
            for name in ("run", "call", "check_call", "check_output", "Popen", "getoutput", "getstatusoutput")
        ],
        0,
    ),
    **dict.fromkeys(
        ["os.system", "os.popen", "os.execvp", "os.execv", "os.spawnvp", "commands.getoutput", "pexpect.spawn", "pexpect.run"],
        0,
    ),
    **dict.fromkeys(["asyncio.create_subprocess_shell", "sh", "get_ipython.system", "pty.spawn"], 0),
}
_FETCH = frozenset(
    [
        f"{library}.{verb}"
        for library in ("requests", "httpx", "aiohttp", "session")
        for verb in ("get", "post", "head", "put", "request", "stream")
    ]
    + [
        "urllib.request.urlopen",
        "urllib.request.Request",
        "urllib2.urlopen",
        "urllib.urlopen",
        "urlopen",
        "http.client.HTTPSConnection",
    ]
    + [
        "http.client.HTTPConnection",
        "socket.create_connection",
        "urllib3.request",
        "wget.download",
        "ftplib.FTP",
        "cloudscraper.get",
    ]
)
_DOWNLOADS = frozenset(["urllib.request.urlretrieve", "urllib.urlretrieve", "urlretrieve", "wget.download", "hf_hub_download"])
_OPEN = names("open io.open codecs.open gzip.open bz2.open lzma.open builtins.open zipfile.ZipFile tarfile.open")
_READS = names(
    "linecache.getlines linecache.getline np.load numpy.load pd.read_csv pandas.read_csv runpy.run_path os.listdir os.walk"
    " open_file agentskills.open_file"
)
_COPIES = dict.fromkeys(["shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "os.link", "os.symlink"], 2)
_MOVES = frozenset(["shutil.move", "os.rename", "os.replace"])
_DELETES = frozenset(["os.remove", "os.unlink", "shutil.rmtree", "os.rmdir"])
_SOURCES = frozenset(
    ["inspect.getsource", "inspect.getsourcelines", "inspect.getsourcefile", "inspect.getfile", "inspect.getmodule", "dis.dis"]
)
_METHOD_READS = frozenset(["read_text", "read_bytes", "iterdir", "glob", "rglob"])
_METHOD_WRITES: dict[str, WriteOperation] = {"write_text": "write", "write_bytes": "write", "touch": "write"}
_REPOSITORIES = frozenset(["git.Repo", "dulwich.repo.Repo", "pygit2.Repository", "dulwich.porcelain.open_repo"])
_TESTS = frozenset(["pytest.main", "unittest.main", "doctest.testmod", "nose.main"])


_LEAVES = (ast.Name, ast.Constant, ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop, ast.arguments)
_WORTH = re2.compile(
    r"subprocess|commands|pexpect|system|popen|exec|spawn|shell|pty|open|Path|path|read_|write_|requests|http|url|aiohttp|session"
    r"|wget|ftp|socket|cloudscraper|hf_hub|zip|tar|linecache|load|csv|runpy|listdir|walk|shutil|link|rename|replace|remove|rmtree"
    r"|rmdir|inspect|dis|__file__|import_module|__import__|find_spec|[gG]it|pytest|unittest|doctest|nose|zlib|touch|glob|iterdir|\bsh\b"
    r"|(?m:^[!%])",
)
"""One of these stands in every program of which anything is recorded."""


def python_items(text: str) -> list[Fact | Shell] | None:
    """What a Python program does; None when it does not parse (Python 2, a fragment, nesting beyond the parser)."""
    if not _WORTH.search(text.encode("utf-8", "replace")):
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(_without_magic(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _Program(tree).items


def _without_magic(text: str) -> str:
    """Notebook lines `!cmd` and `%magic` are no Python; they become calls of the same length of line."""
    if "\n!" not in f"\n{text}" and "\n%" not in f"\n{text}":
        return text
    lines = (
        f"os.system({line[1:]!r})" if line.startswith("!") else "" if line.startswith("%") else line
        for line in text.split("\n")
    )
    return "\n".join(lines)


class Held(NamedTuple):
    """The text of a file that a program read, in which literals may have been replaced."""

    path: str
    pairs: tuple[tuple[str, str], ...] = ()
    """Old and new text, in order."""


class _Program(Values):
    """One pass in the order of the text: names that hold literals, then calls."""

    def __init__(self, tree: ast.AST) -> None:
        super().__init__()
        self.items: list[Fact | Shell] = []
        self.files: dict[str, int] = {}
        """Name of an open file -> index of the fact that opened it."""
        self.opened: dict[int, int] = {}
        self.held: dict[str, Held] = {}
        """Name that holds the text of a file, with what was replaced in it."""
        for node in _in_order(tree):
            self.visit(node)

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                self.imports[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                self.imports[alias.asname or alias.name] = f"{node.module or ''}.{alias.name}".lstrip(".")
        elif isinstance(node, ast.Assign):
            self.assign(node.targets, node.value)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self.assign([node.optional_vars], node.context_expr)
        elif isinstance(node, ast.AugAssign):
            self.held.pop(self.dotted(node.target), None)
        elif isinstance(node, ast.For):
            self.names.pop(self.dotted(node.target), None)
        elif isinstance(node, ast.Call):
            self.call(node)
        elif isinstance(node, ast.Attribute) and node.attr == "__file__":
            self.add("__file__", (self.dotted(node.value),))

    def assign(self, targets: list[ast.expr], content: ast.expr) -> None:
        for target in targets:
            if not isinstance(target, ast.Name):
                continue
            folded, held = self.fold(content), self.held_in(content)
            self.held.pop(target.id, None)
            if held is not None:
                self.held[target.id] = held
            if folded is None:
                self.names.pop(target.id, None)
            else:
                self.names[target.id] = folded
            if isinstance(content, ast.Call) and self.dotted(content.func) in _OPEN:
                self.call(content)
                if id(content) in self.opened:
                    self.files[target.id] = self.opened[id(content)]

    def add(self, program: str, argv: tuple[str, ...] = (), **more: object) -> int:
        self.items.append(Fact(program=program, argv=argv, **more))  # type: ignore[arg-type]
        return len(self.items) - 1

    def call(self, node: ast.Call) -> None:
        if id(node) in self.opened:
            return
        name = self.dotted(node.func)
        if name in _RUNS:
            self.runs(name, node)
        elif name in _OPEN:
            self.open(name, node)
        elif name in _FETCH or name in _DOWNLOADS or name.endswith((".urlopen", ".urlretrieve")):
            self.fetch(name, node)
        elif name in _COPIES or name in _MOVES or name in _DELETES:
            self.files_moved(name, node)
        elif name in _SOURCES or name in {"importlib.import_module", "__import__", "importlib.util.find_spec"}:
            self.add(name, tuple(self.named(argument) for argument in node.args[:1]))
        elif name in _READS:
            self.add(name, self.arguments(node), reads=self.arguments(node)[:1])
        elif name in _REPOSITORIES or name.startswith(("dulwich.porcelain.", "git.Git")):
            self.add(
                name,
                self.arguments(node),
                git=GitUse(operation=name.rpartition(".")[2], repository="".join(self.arguments(node)[:1])),
            )
        elif name in _TESTS:
            self.add(name, self.arguments(node), runs="tests")
        elif name == "zlib.decompress":
            self.decompress(name)
        elif isinstance(node.func, ast.Attribute):
            self.method(node.func, node)

    def method(self, func: ast.Attribute, node: ast.Call) -> None:
        """`Path(…).read_text()`, `file.write(text)`, `file.extractall(to)`."""
        verb = func.attr
        index = self.files.get(func.value.id, -1) if isinstance(func.value, ast.Name) else -1
        if index < 0 and isinstance(func.value, ast.Call) and verb in {"write", "writelines"}:
            if self.dotted(func.value.func) in _OPEN or self.is_path_open(func.value.func):
                self.call(func.value)
            index = self.opened.get(id(func.value), -1)
        if index >= 0 and verb in {"write", "writelines"}:
            self.written(index, node.args[0] if node.args else None)
        elif verb in _METHOD_READS or verb in _METHOD_WRITES or verb in {"unlink", "rename", "replace", "open"}:
            path = self.fold(func.value)
            if path is not None and (verb not in {"replace", "rename", "glob"} or self.is_path(func.value)):
                self.path_method(path, verb, node)

    def is_path_open(self, node: ast.expr) -> bool:
        """`Path(…).open` or `name.open` of a path."""
        return isinstance(node, ast.Attribute) and node.attr == "open" and self.fold(node.value) is not None

    def is_path(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and self.dotted(node.func).endswith("Path")

    def path_method(self, path: str, verb: str, node: ast.Call) -> None:
        program = f"Path.{verb}"
        argument = self.fold(node.args[0]) if node.args else None
        if verb in _METHOD_WRITES:
            replaced = self.replaced(path, node.args[0]) if argument is None and node.args else ()
            writes = replaced or (Write(path=path, operation=_METHOD_WRITES[verb], text=argument),)
            self.add(program, (path,), writes=writes)
        elif verb == "unlink":
            self.add(program, (path,), writes=(Write(path=path, operation="delete"),))
        elif verb in {"rename", "replace"}:
            if argument is not None:
                self.add(program, (path, argument), reads=(path,), writes=_moved(path, argument))
        elif verb == "open" and argument and argument[0] in "wax":
            self.opened[id(node)] = self.add(program, (path, argument), writes=(_opening(path, argument),))
        else:
            self.add(program, (path,), reads=(path,))

    def runs(self, name: str, node: ast.Call) -> None:
        if not node.args:
            return
        first = node.args[0]
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        cwd = self.fold(keywords["cwd"]) or "" if "cwd" in keywords else ""
        if isinstance(first, ast.List | ast.Tuple):
            words = [self.fold(item) for item in first.elts]
            self.items.append(Shell(name, words=tuple("$_" if word is None else word for word in words), cwd=cwd))
            return
        text = self.fold(first)
        if text is None and isinstance(first, ast.Call) and self.dotted(first.func) == "shlex.split" and first.args:
            text = self.fold(first.args[0])
        if text is None:
            text = self.partly(first)
        if text:
            self.items.append(Shell(name, text=text, cwd=cwd))

    def open(self, name: str, node: ast.Call) -> None:
        path = self.fold(node.args[0]) if node.args else None
        if path is None:
            return
        mode_node = (
            node.args[1] if len(node.args) > 1 else next((item.value for item in node.keywords if item.arg == "mode"), None)
        )
        mode = self.fold(mode_node) or "r" if mode_node is not None else "r"
        if mode[0] in "wax" or "+" in mode:
            index = self.add(name, (path, mode), writes=(_opening(path, mode),))
        else:
            index = self.add(name, (path, mode), reads=(path,))
        self.opened[id(node)] = index

    def held_in(self, node: ast.expr, level: int = 0) -> Held | None:
        """The file whose text an expression is, whole but for replacements of literals by literals; None where it is none."""
        if isinstance(node, ast.Name):
            return self.held.get(node.id)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or level > MAX_FOLD:
            return None
        inner, verb = node.func.value, node.func.attr
        if verb == "replace" and (held := self.held_in(inner, level + 1)) is not None:
            old, new = (self.fold(argument) for argument in node.args[:2]) if len(node.args) > 1 else (None, None)
            return Held(held.path, (*held.pairs, (old, new))) if old and new is not None else None
        path = self.fold(inner) if verb == "read_text" else self.read_by(inner) if verb == "read" and not node.args else None
        return Held(path) if path else None

    def read_by(self, node: ast.expr) -> str | None:
        """The path that `open(path)` or the name of an open file reads."""
        if isinstance(node, ast.Name) and node.id in self.files:
            fact = self.items[self.files[node.id]]
            return next(iter(fact.reads), None) if isinstance(fact, Fact) else None
        is_open = isinstance(node, ast.Call) and self.dotted(node.func) in _OPEN
        return self.fold(node.args[0]) if is_open and node.args else None  # type: ignore[attr-defined]

    def replaced(self, path: str, node: ast.expr) -> tuple[Write, ...]:
        """The replacements, where a file gets its own text with literals replaced by literals."""
        held = self.held_in(node)
        if held is None or held.path != path:
            return ()
        return tuple(Write(path=path, operation="replace", text=new, removed=old) for old, new in held.pairs)

    def written(self, index: int, node: ast.expr | None) -> None:
        """Adds text to the write of an open file; text that is not literal makes it unknown."""
        fact = self.items[index]
        if not isinstance(fact, Fact) or not fact.writes:
            return
        text = self.fold(node) if node is not None else None
        first = fact.writes[0]
        replaced = self.replaced(first.path, node) if text is None and node is not None and first.text is None else ()
        if replaced and first.source != "?":
            self.items[index] = Fact(program=fact.program, argv=fact.argv, writes=replaced)
            return
        known = text is not None and not first.removed and (first.text is not None or first.source != "?")
        write = Write(
            path=first.path,
            operation=first.operation,
            text=(first.text or "") + (text or "") if known else None,
            source="" if known else "?",
        )
        self.items[index] = Fact(program=fact.program, argv=fact.argv, writes=(write,))

    def fetch(self, name: str, node: ast.Call) -> None:
        found = [text for text in map(self.fold, [*node.args[:3], *(item.value for item in node.keywords)]) if text]
        parts = [self.partly(argument) for argument in node.args[:2] if self.fold(argument) is None]
        urls = tuple(text for text in (*found, *parts) if "://" in text)
        hosts = hosts_of(urls) or (tuple(found[:1]) if name.endswith(("Connection", "create_connection", "FTP")) else ())
        writes: tuple[Write, ...] = ()
        if name in _DOWNLOADS or name.endswith("urlretrieve"):
            path = next((text for text in found if "://" not in text), "")
            writes = (Write(path=path, operation="download", source=next(iter(urls), "")),)
        self.add(name, tuple(found), urls=urls, hosts=hosts, writes=writes)

    def files_moved(self, name: str, node: ast.Call) -> None:
        paths = self.arguments(node)
        if not paths:
            return
        if name in _DELETES:
            self.add(name, paths, writes=(Write(path=paths[0], operation="delete"),))
        elif len(paths) > 1:
            writes = (
                _moved(paths[0], paths[1]) if name in _MOVES else (Write(path=paths[1], operation="copy", source=paths[0]),)
            )
            self.add(name, paths, reads=(paths[0],), writes=writes)

    def decompress(self, name: str) -> None:
        paths = tuple(path for item in self.items if isinstance(item, Fact) for path in item.reads if ".git" in path)
        self.add(
            name,
            (),
            git=GitUse(operation="objects", paths=paths, reads_content=True) if paths or self.names_objects() else None,
        )

    def names_objects(self) -> bool:
        return any(".git/objects" in text or ".git" in text.split("/") for text in self.names.values())


def _moved(source: str, target: str) -> tuple[Write, ...]:
    return (Write(path=target, operation="copy", source=source), Write(path=source, operation="delete"))


def _opening(path: str, mode: str) -> Write:
    return Write(path=path, operation="append" if mode.startswith("a") else "replace" if mode.startswith("r") else "write")


def _in_order(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes that may matter, parents before children, in the order of the text; no recursion."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        below: list[ast.AST] = []
        for content in vars(node).values():
            if isinstance(content, list):
                below += [item for item in content if isinstance(item, ast.AST) and not isinstance(item, _LEAVES)]
            elif isinstance(content, ast.AST) and not isinstance(content, _LEAVES):
                below.append(content)
        below.reverse()
        waiting += below
