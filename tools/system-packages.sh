#!/bin/sh
# Sees to what some tests use beyond Python: installs it where that is possible (root and apt-get), else says what is missing.
set -eu

packages=
missing=
note() { # what is missing, Debian package, what needs it
    packages="$packages $2"
    missing="$missing
  $1 (Debian package $2): $3"
}
have() { # any of these programs
    for program; do
        command -v "$program" >/dev/null 2>&1 && return
    done
    return 1
}
have_file() {
    for file; do
        [ -e "$file" ] && return
    done
    return 1
}

have git || note git git "the tests of ancestry and of the example trials need it"
have curl || note curl curl "the example trials that use a network run it, against a server of their own"
have chromium chromium-browser google-chrome ||
    note chromium chromium "the tests that open report.html in a browser are skipped"
have_file /usr/lib/*/libatomic.so.1 /usr/lib64/libatomic.so.1 /usr/lib/libatomic.so.1 /lib/*/libatomic.so.1 ||
    ! [ "$(uname -s)" = Linux ] || note libatomic.so.1 libatomic1 "the driver of the browser tests does not start without it"

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
