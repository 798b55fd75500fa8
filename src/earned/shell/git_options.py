"""What git's options mean, as data: which take a value, which reach beyond HEAD, which show names only."""

from __future__ import annotations

from earned.shell.options import names

GLOBAL_VALUED = names("-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env")
REACHING = names("--all --branches --remotes --tags -g --walk-reflogs --reflog --glob --batch-all-objects --unreachable")
REACHING_MORE = frozenset(["--lost-found", "--dangling", "--alternate-refs", "--unshallow"])
NAMES_ONLY = names("--stat --shortstat --numstat --name-only --name-status --no-patch -s --quiet --summary --dirstat --check")
PATCH = names("-p -u --patch -c --cc -L --patch-with-stat --unified -U")
LOG_VALUED = names(
    "-n -S -G -L -U --grep --author --committer --since --until --after --before --max-count --skip --format "
    "--pretty --date -O --glob --exclude --diff-filter --decorate-refs --output -l"
)
VALUED: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        ["log", "show", "diff", "whatchanged", "shortlog", "rev-list", "format-patch", "diff-tree", "difftool", "range-diff"],
        LOG_VALUED,
    ),
    "blame": frozenset(["-L", "-S", "--since", "--date", "--contents"]),
    "annotate": frozenset(["-L", "-S"]),
    "grep": names("-e -f -A -B -C -m -O --max-depth --threads --max-count"),
    "checkout": frozenset(["-b", "-B", "--orphan", "--conflict", "--pathspec-from-file"]),
    "switch": frozenset(["-c", "-C", "--create", "--orphan", "--conflict"]),
    "restore": frozenset(["-s", "--source", "--conflict", "--pathspec-from-file"]),
    "commit": names("-m -F -C -c --message --author --date --file --fixup --squash -t"),
    "clone": names("-b --branch --depth -o --origin -c --config --reference -j --filter --shallow-since -u"),
    "fetch": names("--depth --deepen --shallow-since -o -j --refmap --filter --upload-pack"),
    "pull": frozenset(["--depth", "-s", "-X", "-o", "-j"]),
    "merge": frozenset(["-m", "-s", "-X", "-F", "--strategy", "--strategy-option"]),
    "rebase": frozenset(["--onto", "-s", "-X", "-x", "--exec"]),
    "cherry-pick": frozenset(["-m", "-s", "-X", "--mainline", "--strategy"]),
    "revert": frozenset(["-m", "-s", "-X", "--mainline"]),
    "archive": frozenset(["-o", "--output", "--format", "--prefix", "--remote"]),
    "apply": frozenset(["-p", "-C", "--directory", "--exclude", "--include", "--whitespace"]),
    "am": frozenset(["-p", "-C", "--directory"]),
    "cat-file": frozenset(["--path"]),
    "branch": names("-u --set-upstream-to --contains --merged --no-merged --sort --format --points-at"),
    "tag": names("-m -F -u --contains --merged --no-merged --sort --format --points-at"),
    "for-each-ref": frozenset(["--sort", "--format", "--count", "--contains", "--merged"]),
    "stash": frozenset(["-m", "--message"]),
    "worktree": frozenset(["-b", "-B", "--reason"]),
    "bundle": frozenset(["--version"]),
    "reset": frozenset(["--pathspec-from-file"]),
    "config": frozenset(["-f", "--file", "--default", "--type"]),
    "init": frozenset(["-b", "--initial-branch", "--template"]),
    "clean": frozenset(["-e", "--exclude"]),
}
TWO_WORDS = names("stash worktree remote bundle submodule notes bisect lfs sparse-checkout")
