#!/bin/sh
# Writes requirements/*.txt from uv.lock; with --check, fails if uv.lock or one of them is stale. Needs no network to check.
# pip installs from these files, so that a machine's own pip settings hold and nobody needs uv to use the package.
set -eu
uv=${UV:-.venv/bin/uv}

export_to() { # file, groups
    $uv export --quiet --frozen --no-emit-project --no-annotate --no-header "$2" >"$1"
}

if [ "${1:-}" = --check ]; then
    $uv lock --quiet --check --offline
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    export_to "$scratch/package.txt" --no-default-groups
    export_to "$scratch/tools.txt" --all-groups
    for name in package tools; do
        cmp -s "$scratch/$name.txt" "requirements/$name.txt" ||
            { echo "requirements/$name.txt is older than uv.lock; write it anew: sh tools/lock.sh" >&2; exit 1; }
    done
    exit 0
fi
$uv lock --quiet
export_to requirements/package.txt --no-default-groups
export_to requirements/tools.txt --all-groups
