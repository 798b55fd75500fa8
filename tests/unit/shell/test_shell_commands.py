"""A command text gives the facts of each simple command in it, however it is nested, joined or redirected."""

from __future__ import annotations

import pytest

from earned.records import Fact, Write
from earned.shell import Session, command_facts, located


def programs(command: str) -> list[str]:
    return [fact.program for fact in command_facts(command)]


def one(command: str, program: str) -> Fact:
    return next(fact for fact in command_facts(command) if fact.program == program)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("a | b |& c", "a b c"),
        ("a && b || c; d & e", "a b c d e"),
        ("a\nb\n\nc", "a b c"),
        ("(a; b) && { c; d; }", "a b c d"),
        ("if a; then b; elif c; then d; else e; fi", "a b c d e"),
        ("while a; do b; done; until c; do d; done", "a b c d"),
        ("case $x in 1) a;; *) b;; esac", "a b"),
        ("for i in 1 2; do a; done", "a a"),
        ("! a; time b", "a b"),
        ('bash -c "a && b" x', "a b"),
        ("sh -lc 'a'", "a"),
        ("eval 'a; b'", "a b"),
        ("x $(a `b`)", "b a x"),
        ("x <(a) >(b)", "a b x"),
        ('x "in quotes $(a)"', "a x"),
        ("x <<EOF\n$(a)\nEOF\n", "a x"),
        ("x <<'EOF'\n$(a)\nEOF\n", "x"),
        ("sudo -u me env A=1 timeout -k 1 5 nice -n 3 a -x", "a"),
        ("nohup setsid stdbuf -o L command exec a", "a"),
        ("uv run --with x a; poetry run b; bundle exec c", "a b c"),
        ("echo f | xargs -I{} a {}", "echo a"),
        ("find . -name x -exec a {} \\; -exec b {} +", "find a b"),
        ("f() { a; }; f; f", "a a"),
        ("function f { a; }; f", "a"),
        ("alias g='a -x'; g y", "alias a"),
        ("trap 'a' EXIT", "trap a"),
        ("tmux new -d 'a | b'", "tmux a b"),
        ("docker exec -i box a b", "docker a"),
        ("echo 'a; b' | bash", "echo bash a b"),
        ("[ -f $(a) ] && b", "a b"),
        ("# comment ; a\nb # c", "b"),
        ("a \\\n  b", "a"),
        (":(){ :|:& };:", ": :"),
    ],
)
def test_every_simple_command_is_found_in_order_of_execution(command: str, expected: str) -> None:
    assert programs(command) == expected.split()


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("p 'a b' \"c d\" e\\ f", ["a b", "c d", "e f"]),
        ("p $'a\\tb\\x41\\n'", ["a\tbA\n"]),
        ("p 'it'\\''s'", ["it's"]),
        ("p a{b,c}d {1..3}", ["abd", "acd", "1", "2", "3"]),
        ("p '{a,b}' {x}", ["{a,b}", "{x}"]),
        ("f=x; p $f ${f} \"$f\" '$f' $g", ["x", "x", "x", "$f", "$g"]),
        ("f='a b'; p $f \"$f\"", ["a", "b", "a b"]),
        ("x=(a b); p ${x[1]} ${x[@]}", ["b", "a", "b"]),
        ("p ${f:-d}; true", ["d"]),
        ("f=a.py; (p ${f%.py} ${f##*.})", ["a", "py"]),
        ('export f=x; p "$f/y"', ["x/y"]),
        ("r=$(git rev-parse abc); p $r", ["abc"]),
        ("x=`date`; p $x", ["$x"]),
        ('p "$(cat <<E\nhi\nE\n)"', ["hi"]),
        ("p é 'ü' $(x)", ["é", "ü", "$(x)"]),
    ],
)
def test_quoting_and_literal_variables_are_decoded(command: str, arguments: list[str]) -> None:
    assert list(one(command, "p").argv[1:]) == arguments


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("cd /a && cd b; p", "/a/b"),
        ("cd /a; cd ..; p", "/"),
        ("cd a; p", "a"),
        ("(cd /a); p", ""),
        ("cd /a; cd /b; cd -; p", "/a"),
        ("pushd /a; popd; p", ""),
        ("x=/a; cd $x; p", "/a"),
        ("bash -c 'cd /a'; p", ""),
        ("cd $unknown; p", "$unknown"),
    ],
)
def test_the_working_directory_is_followed(command: str, cwd: str) -> None:
    assert one(command, "p").cwd == cwd


@pytest.mark.parametrize(
    ("command", "program", "write"),
    [
        ("cat > f <<'E'\nx $y\nE\n", "cat", Write(path="f", operation="write", text="x $y\n")),
        ("cat <<E >> f\nx\nE\n", "cat", Write(path="f", operation="append", text="x\n")),
        ("cat <<-E > f\n\tx\n\tE\n", "cat", Write(path="f", operation="write", text="x\n")),
        ("tee f <<< x", "tee", Write(path="f", operation="write", text="x\n")),
        ("echo x | tee -a f", "tee", Write(path="f", operation="append", text="x\n")),
        ("echo -e 'a\\nb' > f", "echo", Write(path="f", operation="write", text="a\nb\n")),
        ("printf '%s=%s\\n' a b > f", "printf", Write(path="f", operation="write", text="a=b\n")),
        ("x > f 2>&1", "x", Write(path="f", operation="write")),
        ("x 2> f", "x", Write(path="f", operation="write")),
        ("x &> f", "x", Write(path="f", operation="write")),
        ("{ echo a; echo b; } > f", "{", Write(path="f", operation="write", text="a\nb\n")),
        ("> f", ">", Write(path="f", operation="write", text="")),
        ("cat a > f", "cat", Write(path="f", operation="copy", source="a")),
        ("cat < a > f", "cat", Write(path="f", operation="copy", source="a")),
        ("cp -r a b", "cp", Write(path="b", operation="copy", source="a")),
        ("cp -t d a", "cp", Write(path="d", operation="copy", source="a")),
        ("mv a b", "mv", Write(path="b", operation="copy", source="a")),
        ("ln -sf a b", "ln", Write(path="b", operation="copy", source="a")),
        ("dd if=a of=b", "dd", Write(path="b", operation="copy", source="a")),
        ("sed -i 's/a/b/' f", "sed", Write(path="f", operation="replace", text="s/a/b/")),
        ("perl -pi -e 's/a/b/' f", "perl", Write(path="f", operation="replace", text="s/a/b/")),
        ("patch -p1 < d", "patch", Write(path=".", operation="patch", source="d")),
        ("rm -rf f", "rm", Write(path="f", operation="delete")),
        ("touch f", "touch", Write(path="f", operation="write")),
        ("chmod +x f", "chmod", Write(path="f", operation="replace")),
        ("curl -fsSL https://h.org/a -o f", "curl", Write(path="f", operation="download", source="https://h.org/a")),
        ("curl -O https://h.org/a", "curl", Write(path="a", operation="download", source="https://h.org/a")),
        ("wget https://h.org/a?x=1", "wget", Write(path="a", operation="download", source="https://h.org/a?x=1")),
        ("curl https://h.org/a > f", "curl", Write(path="f", operation="download", source="https://h.org/a")),
        ("curl https://h.org/a | tee f", "tee", Write(path="f", operation="download", source="https://h.org/a")),
        ("tar xzf a.tgz -C d", "tar", Write(path="d", operation="copy", source="a.tgz")),
        ("unzip -d d a.zip", "unzip", Write(path="d", operation="copy", source="a.zip")),
        ("find d -delete", "find", Write(path="d", operation="delete")),
        ("for f in a; do x > $f; done", "x", Write(path="a", operation="write")),
    ],
)
def test_writes_are_found_with_text_and_source(command: str, program: str, write: Write) -> None:
    assert write in one(command, program).writes


@pytest.mark.parametrize("command", ["x > /dev/null", "x 2>&1", "x >&2", "ls", "cat a", "sed 's/a/b/' f", "curl https://h.org"])
def test_nothing_is_written_where_nothing_is(command: str) -> None:
    assert not any(fact.writes for fact in command_facts(command))


@pytest.mark.parametrize(
    ("command", "reads"),
    [
        ("cat a b", ["a", "b"]),
        ("head -n 5 a", ["a"]),
        ("grep -rn -A 3 pat a b", ["a", "b"]),
        ("grep -e pat a", ["a"]),
        ("sed -n '1,5p' a", ["a"]),
        ("awk -F: '{print $1}' a", ["a"]),
        ("jq . a", ["a"]),
        ("python -m json.tool a", ["a"]),
        ("unzip -p a.whl b", ["a.whl"]),
        ("tar -xOf a.tar b", ["a.tar"]),
        ("diff -u a b", ["a", "b"]),
        ("x < a", ["a"]),
        ("python a.py", ["a.py"]),
        ("cp a b", ["a"]),
    ],
)
def test_operands_that_are_read(command: str, reads: list[str]) -> None:
    assert [path for fact in command_facts(command) for path in fact.reads] == reads


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("git show x", True),
        ("git show x | head -5 | grep a", True),
        ("git show x | wc -l", False),
        ("git show x > f", False),
        ("git show x > /dev/null", False),
        ("git show x 2>/dev/null", True),
        ("git show x | tee f", True),
        ("git show x | tee f > /dev/null", False),
        ("git show x | patch -p1", False),
        ("a=$(git show x)", False),
        ("echo $(git show x)", True),
        ("diff <(git show x) f", True),
        ("(git show x) > f", False),
        ("bash -c 'git show x' | cat", True),
        ("git show x | python -m json.tool", True),
    ],
)
def test_whether_output_is_shown(command: str, shown: bool) -> None:
    assert one(command, "git").shows is shown


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("x &", True),
        ("nohup x", True),
        ("setsid -f x", True),
        ("(x; y) &", True),
        ("echo 'x' | at now", True),
        ("echo '* * * * * x' | crontab -", True),
        ("tmux new -d x", True),
        ("x", False),
        ("x && y", False),
    ],
)
def test_background_commands(command: str, expected: bool) -> None:
    assert one(command, "x").background is expected


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        ("pytest -x", "tests"),
        ("python3.11 -m pytest a", "tests"),
        ("python -m unittest", "tests"),
        ("npm run test:unit", "tests"),
        ("yarn test", "tests"),
        ("go test ./...", "tests"),
        ("cargo test", "tests"),
        ("./gradlew test", "tests"),
        ("make -C d test", "tests"),
        ("python test_x.py", "tests"),
        ("bash run_tests.sh", "tests"),
        ("./tests/test.sh", "tests"),
        ("python manage.py test app", "tests"),
        ("bash /tests/test.sh", "grader"),
        ("pytest /tests/test_outputs.py", "grader"),
        ("python grader.py", "grader"),
        ("./verify.sh", "grader"),
        ("python a.py", "program"),
        ("node a.js", "program"),
        ("npm run build", "program"),
        ("ls", ""),
        ("go build", ""),
        ("cargo build", ""),
    ],
)
def test_what_is_run(command: str, runs: str) -> None:
    assert command_facts(command)[0].runs == runs


@pytest.mark.parametrize(
    ("command", "host"),
    [
        ("curl https://User:pw@RAW.Example.org:8443/a", "raw.example.org"),
        ("curl example.org/a", "example.org"),
        ("wget -q http://h.org/a", "h.org"),
        ("git clone git@github.com:a/b.git", "github.com"),
        ("git clone https://github.com/a/b", "github.com"),
        ("git fetch https://github.com/a/b main", "github.com"),
        ("git ls-remote https://h.org/a", "h.org"),
        ("git remote add up https://h.org/a", "h.org"),
        ("pip install --index-url https://i.org/simple x", "i.org"),
        ("gh api repos/a/b", "github.com"),
        ("ssh me@h.org ls", "h.org"),
        ("scp h.org:/a b", "h.org"),
        ("nc -w 1 h.org 80", "h.org"),
        ("exec 3<>/dev/tcp/h.org/80", "h.org"),
        ("x < /dev/tcp/1.2.3.4/80", "1.2.3.4"),
    ],
)
def test_hosts(command: str, host: str) -> None:
    assert host in {found for fact in command_facts(command) for found in fact.hosts}


@pytest.mark.parametrize("command", ["pip install requests", "python -m pip download x", "npm pack left-pad", "go get x/y"])
def test_no_host_is_made_up_for_a_registry_that_the_command_does_not_name(command: str) -> None:
    assert [fact.hosts for fact in command_facts(command) if fact.hosts] == []


@pytest.mark.parametrize(
    "command", ["pip install -e .", "pip install ./a.whl", "npm run build", "git fetch origin", "ls", "echo example"]
)
def test_no_host_is_made_up(command: str) -> None:
    assert not any(fact.hosts or fact.urls for fact in command_facts(command))


def test_via_names_the_way_outermost_first() -> None:
    (fact,) = command_facts("sudo bash -c 'eval \"timeout 5 git show x\"'")
    assert fact.via == ("sudo", "bash -c", "eval", "timeout")


def test_spans_point_into_the_text_also_after_wide_characters() -> None:
    command = "écho 'ü😀'; (git show x)"
    fact = one(command, "git")
    assert command[fact.start : fact.end] == "git show x"


def test_a_script_written_earlier_gives_its_facts_when_it_is_run() -> None:
    session = Session()
    command_facts("cat > s.sh <<'E'\ngit show $1\nE\n", cwd="/app", session=session)
    facts = command_facts("cd /app && bash s.sh abc1", session=session)
    assert facts[-1].git is not None
    assert facts[-1].git.refs == ("abc1",)
    assert facts[-1].via == ("bash s.sh",)


def test_a_script_is_found_by_its_directory_and_its_first_line() -> None:
    session = Session()
    session.remember("tool", "#!/usr/bin/env python3\nopen('o','w').write('1')\n", cwd="/app")
    assert any(fact.writes for fact in command_facts("./tool", cwd="/app", session=session))
    assert not any(fact.writes for fact in command_facts("./tool", cwd="/elsewhere", session=session))


def test_session_keeps_aliases_functions_variables_and_directory() -> None:
    session = Session()
    command_facts("alias g=git; f() { cat $1; }; export R=abc1; cd /app", session=session)
    assert command_facts("g show $R", session=session)[0].git is not None
    assert command_facts("f x", session=session)[0].reads == ("x",)
    assert command_facts("ls", session=session)[0].cwd == "/app"


def test_a_subshell_leaves_nothing_in_the_session() -> None:
    session = Session()
    command_facts("(alias g=git; R=1; cd /x)", session=session)
    assert session.version == 0


def test_equal_histories_have_equal_versions() -> None:
    first, second = Session(), Session()
    for session in (first, second):
        command_facts("R=1; echo a > s.sh", session=session)
    assert first.version == second.version != 0


def test_cached_results_still_change_the_session() -> None:
    for _ in range(2):
        session = Session()
        command_facts("alias q=git", session=session)
        assert session.aliases == {"q": "git"}


@pytest.mark.parametrize(
    ("path", "cwd", "expected"),
    [("a", "/x", "/x/a"), ("../a", "/x/y", "/x/a"), ("/a", "/x", "/a"), ("$f", "/x", "$f"), ("a", "", "a")],
)
def test_located(path: str, cwd: str, expected: str) -> None:
    assert located(path, cwd) == expected
