"""The worst case for an audit: every step could be a receipt, none of them is used."""

from __future__ import annotations

from collections.abc import Callable

from actions import ROOT, Act, shell
from repository import Repository


def show_unknown_commit(repo: Repository) -> Act:
    """`git show` of a commit of which nothing tells whether it is an ancestor."""
    _, start, lines = repo.next_lines(11)
    body = "\n".join(f"+{line}" for line in lines)
    head = f"commit {repo.sha()}\n    Change {repo.word()}\n@@ -{start},0 +{start},11 @@\n"
    return shell(f"cd {ROOT} && git show {repo.sha(10)}", head + body)


def fetch_file(repo: Repository) -> Act:
    """A file from another host."""
    file, _, lines = repo.next_lines(11)
    return shell(f"curl -sSL https://raw.githubusercontent.com/{repo.domain}/{repo.word()}/main/{file.path}", "\n".join(lines))


def long_pipeline(repo: Repository) -> Act:
    """A page of shell: loops, substitutions, pipes, nested interpreters."""
    _, _, lines = repo.next_lines(11)
    part = (
        "for f in $(git ls-files 'src/*{}*' | sort -u | head -{}); do git log --all --format='%h %s' -- \"$f\" "
        '| grep -v {} | awk \'{{print $1}}\' | xargs -I@ sh -c \'git show @:"$0" 2>/dev/null | sed -n "1,{}p"\' "$f" '
        '| tee -a /tmp/{}.txt | sort | uniq -c; done && python3 -c "import {} as m; print(m.{})" 2>&1 | tail -{}'
    )
    commands = [
        part.format(
            repo.word(), repo.below(90), repo.word(), repo.below(900), repo.word(), repo.domain, repo.word(), repo.below(90)
        )
        for _ in range(3)
    ]
    return shell(f"cd {ROOT}; " + " ;\n".join(commands), "\n".join(lines))


CANDIDATES: tuple[Callable[[Repository], Act], ...] = (show_unknown_commit, fetch_file, long_pipeline)
