"""Inline programs give the facts of their literal calls; what they compute stays out."""

from __future__ import annotations

import pytest

from earned.records import Fact, Write
from earned.shell import Session, command_facts, program_facts


def python(text: str) -> tuple[Fact, ...]:
    return program_facts(text, "python")


@pytest.mark.parametrize(
    "text",
    [
        "import subprocess\nsubprocess.run(['git', 'show', 'abc1'])",
        "import subprocess as sp\nsp.check_output('git show abc1', shell=True)",
        "from subprocess import run as r\nr(['git', 'show', 'abc1'], capture_output=True)",
        "import os; os.system('cd /x && git show abc1 | head')",
        "import os\nprint(os.popen('git show abc1').read())",
        "c = 'abc1'\nimport os\nos.system(f'git show {c}')",
        "c = 'abc1'\nimport os\nos.system('git show ' + c)",
        "c = 'abc1'\nimport os\nos.system('git show %s' % c)",
        "import subprocess, shlex\nsubprocess.run(shlex.split('git show abc1'))",
        "cmd = ['git', 'show', 'abc1']\nimport subprocess\nsubprocess.run(['bash', '-c', 'git show abc1'])",
        "!git show abc1",
        "def f():\n    try:\n        import os\n        os.system('git show abc1')\n    except Exception: pass",
        "print 'python two'\nimport os\nos.system('git show abc1')",
    ],
)
def test_a_command_run_by_python_is_read(text: str) -> None:
    found = [fact.git for fact in python(text) if fact.git is not None]
    assert [use.refs for use in found] == [("abc1",)]


@pytest.mark.parametrize(
    "text", ["x = 'git show abc1'", "# os.system('git show abc1')", "print('git show abc1')", "import os\nos.system(cmd)"]
)
def test_text_that_is_not_run_is_no_command(text: str) -> None:
    assert not any(fact.git for fact in python(text))


@pytest.mark.parametrize(
    ("text", "write"),
    [
        ("open('f', 'w').write('x')", Write(path="f", operation="write", text="x")),
        ("with open('f', mode='w') as h:\n    h.write('a')\n    h.write('b')", Write(path="f", operation="write", text="ab")),
        ("h = open('f', 'a')\nh.write('a')", Write(path="f", operation="append", text="a")),
        ("with open('f', 'w') as h:\n    h.write(x)", Write(path="f", operation="write", source="?")),
        ("import json\njson.dump({}, open('f', 'w'))", Write(path="f", operation="write")),
        ("from pathlib import Path\nPath('a', 'f').write_text('x')", Write(path="a/f", operation="write", text="x")),
        ("from pathlib import Path\np = Path('a')\n(p / 'f').write_text('x')", Write(path="a/f", operation="write", text="x")),
        ("import os\nopen(os.path.join('a', 'f'), 'w')", Write(path="a/f", operation="write")),
        ("import shutil\nshutil.copy('a', 'f')", Write(path="f", operation="copy", source="a")),
        ("import os\nos.rename('a', 'f')", Write(path="f", operation="copy", source="a")),
        ("import os\nos.remove('f')", Write(path="f", operation="delete")),
        (
            "s = open('f').read()\ns = s.replace('x', 'y')\nopen('f', 'w').write(s)",
            Write(path="f", operation="replace", text="y", removed="x"),
        ),
        (
            "with open('f') as h:\n    s = h.read()\nold = 'x'\nwith open('f', 'w') as h:\n    h.write(s.replace(old, 'y', 1))",
            Write(path="f", operation="replace", text="y", removed="x"),
        ),
        (
            "from pathlib import Path\np = Path('f')\np.write_text(p.read_text().replace('a', 'b').replace('x', 'y'))",
            Write(path="f", operation="replace", text="y", removed="x"),
        ),
        ("s = open('g').read()\nopen('f', 'w').write(s.replace('x', 'y'))", Write(path="f", operation="write", source="?")),
        ("s = open('f').read()\nopen('f', 'w').write(s.replace(x, 'y'))", Write(path="f", operation="write", source="?")),
        (
            "s = open('f').read().replace('x', 'y')\ns += z\nopen('f', 'w').write(s)",
            Write(path="f", operation="write", source="?"),
        ),
        (
            "from urllib.request import urlretrieve\nurlretrieve('https://h.org/a', 'f')",
            Write(path="f", operation="download", source="https://h.org/a"),
        ),
    ],
)
def test_files_that_python_writes(text: str, write: Write) -> None:
    assert write in [found for fact in python(text) for found in fact.writes]


@pytest.mark.parametrize(
    "text",
    [
        "open('f').read()",
        "open('f', 'rb')",
        "from pathlib import Path\nPath('f').read_text()",
        "s = 'a'.replace('a', 'b')",
        "open_file('f')\nagentskills.open_file('f', 30)",
    ],
)
def test_files_that_python_only_reads(text: str) -> None:
    facts = python(text)
    assert not any(fact.writes for fact in facts)
    assert all(fact.reads == ("f",) for fact in facts)


@pytest.mark.parametrize(
    "text",
    [
        "import requests\nrequests.get('https://H.org/a')",
        "import requests as r\nr.request('GET', 'https://h.org/a')",
        "import urllib.request\nurllib.request.urlopen('https://h.org/a').read()",
        "from urllib.request import urlopen\nu = 'https://h.org'\nurlopen(u + '/a')",
        "import httpx\nhttpx.get(url='https://h.org/a')",
        "import requests\nrequests.get(f'https://h.org/{x}')",
        "import socket\nsocket.create_connection(('x', 1)); import http.client\nhttp.client.HTTPSConnection('h.org')",
    ],
)
def test_hosts_that_python_reaches(text: str) -> None:
    assert {host for fact in python(text) for host in fact.hosts} == {"h.org"}


@pytest.mark.parametrize(
    ("text", "program", "argument"),
    [
        ("import jinja2\nprint(jinja2.__file__)", "__file__", "jinja2"),
        ("import inspect, jinja2\nprint(inspect.getsource(jinja2.loaders))", "inspect.getsource", "jinja2.loaders"),
        ("from inspect import getsource\nfrom a.b import c\ngetsource(c)", "inspect.getsource", "a.b.c"),
    ],
)
def test_source_of_an_installed_module(text: str, program: str, argument: str) -> None:
    assert (program, (argument,)) in [(fact.program, fact.argv) for fact in python(text)]


def test_git_objects_read_without_git() -> None:
    text = "import zlib\np = '.git/objects/ab/cd'\nprint(zlib.decompress(open(p, 'rb').read()))"
    assert [fact.git.operation for fact in python(text) if fact.git] == ["objects", "objects"]
    assert not any(fact.git for fact in python("import zlib\nzlib.decompress(open('a', 'rb').read())"))


@pytest.mark.parametrize(
    ("command", "via"),
    [
        ("python -c \"import os; os.system('git show x')\"", ("python -c", "os.system")),
        ("python3.12 - <<'E'\nimport os; os.system('git show x')\nE\n", ("python -", "os.system")),
        ("echo \"import os; os.system('git show x')\" | python", ("python -", "os.system")),
        ("node -e \"require('child_process').execSync('git show x')\"", ("node -e", "execSync")),
        ("perl -e 'print `git show x`'", ("perl -e", "`")),
        ("perl -e 'system(\"git show x\")'", ("perl -e", "system")),
        ("ruby -e 'puts `git show x`'", ("ruby -e", "`")),
        ("php -r 'echo shell_exec(\"git show x\");'", ("php -r", "shell_exec")),
    ],
)
def test_programs_inside_commands_are_read(command: str, via: tuple[str, ...]) -> None:
    assert [fact.via for fact in command_facts(command) if fact.git] == [via]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("fs.writeFileSync('f', 'x')", "node"),
        ("require('fs').appendFileSync(\"f\", `x`)", "node"),
        ("File.write('f', 'x')", "ruby"),
        ("file_put_contents('f', 'x');", "php"),
    ],
)
def test_files_that_scanned_programs_write(text: str, language: str) -> None:
    assert [(write.path, write.text) for fact in program_facts(text, language) for write in fact.writes] == [("f", "x")]


def test_urls_in_scanned_programs() -> None:
    assert program_facts("fetch('https://H.org/a')", "node")[0].hosts == ("h.org",)


def test_a_script_written_and_run_by_python() -> None:
    session = Session()
    command_facts("python -c \"open('s.py', 'w').write('import os; os.system(\\'git show x\\')')\"", cwd="/a", session=session)
    assert any(fact.git for fact in command_facts("python s.py", cwd="/a", session=session))


@pytest.mark.parametrize(
    "text",
    ["(" * 100_000, "a+" * 50_000 + "a", "\x00", "x = [" * 5_000, "é" * 1_000, "def f(:", "'" * 99_999, "os.system(" * 3_000],
)
def test_broken_python_gives_no_error(text: str) -> None:
    assert isinstance(python(text), tuple)
