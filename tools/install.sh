#!/bin/sh
# Installs one of requirements/*.txt and this package (editable) into a virtual environment, which is made where it is missing.
# usage: install.sh VENV REQUIREMENTS
set -eu
venv=$1
requirements=$2

if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    python=$(sh tools/find-python.sh)
    echo "Setting up $venv with $("$python" --version)"
    "$python" -m venv "$venv"
fi
pip() {
    "$venv/bin/python" -m pip --disable-pip-version-check --quiet --quiet "$@" </dev/null
}
pip install --require-hashes --requirement "$requirements"
pip install --no-deps --editable .
