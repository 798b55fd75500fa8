#!/bin/sh
# Sees to the programs that some tests drive: installs them where that is possible (root and apt-get), else says what is skipped.
set -eu

packages=
note() { # program, package, what needs it
    command -v "$1" >/dev/null 2>&1 && return
    packages="$packages $2"
    missing="${missing:-}
  $1 (Debian package $2): $3"
}

note git git "the tests of ancestry and of the example trials need it"
note chromium chromium "the tests that open report.html in a browser are skipped"

[ -n "$packages" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086 # one word a package
    {
        apt-get install -y --no-install-recommends $packages ||
            { apt-get update && apt-get install -y --no-install-recommends $packages; }
    } >&2 </dev/null && exit 0
    echo "apt-get could not install:$packages" >&2
fi
echo "Not on this machine:$missing" >&2
