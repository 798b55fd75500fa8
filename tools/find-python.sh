#!/bin/sh
# Prints a Python that can build the environment: 3.11 or newer, with the modules that `python -m venv` needs.
# As root on a machine with apt-get, the package that brings those modules is installed; elsewhere the message names it.
set -eu

suitable() {
    command -v "$1" >/dev/null 2>&1 && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

complete() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null
}

install_venv() {
    version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    echo "Installing python$version-venv: $1 has no ensurepip." >&2
    export DEBIAN_FRONTEND=noninteractive
    {
        apt-get install -y --no-install-recommends "python$version-venv" ||
            { apt-get update && apt-get install -y --no-install-recommends "python$version-venv"; }
    } >&2 </dev/null
}

incomplete=
for python in ${PYTHON:-python3 python3.11 python3.12 python3.13 python3.14}; do
    suitable "$python" || continue
    if complete "$python"; then
        command -v "$python"
        exit 0
    fi
    incomplete=${incomplete:-$python}
done

if [ -z "$incomplete" ]; then
    echo "Expected Python 3.11 or newer as one of: ${PYTHON:-python3, python3.11 to python3.14}; found none on PATH." >&2
    echo "Install one, or name it: make PYTHON=/path/to/python3.11 …" >&2
    exit 1
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    install_venv "$incomplete" && complete "$incomplete" && command -v "$incomplete" && exit 0
fi
echo "Expected $(command -v "$incomplete") to have the modules venv and ensurepip; it lacks them." >&2
echo "On Debian and Ubuntu they come with: apt-get install python3-venv" >&2
exit 1
