"""What programs do with their arguments, as data: which operands are read, written, fetched, run.

A row is knowledge about a program's command line (its manual page); `effects` applies it. Adding a program adds a row.
"""

from __future__ import annotations

from typing import NamedTuple

from earned.shell.options import names


class Reads(NamedTuple):
    """Shows the content of its operands. `skip`: leading operands that are no files; an option of `unless` makes it 0."""

    valued: frozenset[str] = frozenset()
    skip: int = 0
    unless: frozenset[str] = frozenset()
    passes: bool = True
    """Without operands it passes its input on, so that what is piped in stays visible."""


_GREP = Reads(
    names(
        "-e -f -m -A -B -C -d -D --include --exclude --exclude-dir --regexp --file --max-count --after-context "
        "--before-context --context --color --colour -t -T -g --glob --type --type-not -M --max-columns --max- "
        "depth -r --replace --iglob --sort -j"
    ),
    1,
    names("-e -f --regexp --file --files"),
)
_GNU_GREP = _GREP._replace(valued=_GREP.valued - {"-r", "-t", "-T", "-g", "-M", "-j"})
_SED = Reads(names("-e -f -l --expression --file --line-length"), 1, names("-e -f --expression --file"))
_AWK = Reads(names("-F -v -f -i --file --assign --field-separator"), 1, names("-f --file"))
_HEAD = Reads(names("-n -c --lines --bytes -s --pid"))
_PLAIN = Reads()
_DIGEST = Reads(passes=False)

READERS: dict[str, Reads] = {
    **dict.fromkeys(
        ["cat", "tac", "rev", "more", "less", "most", "view", "zcat", "bzcat", "xzcat", "zstdcat", "gzcat"], _PLAIN
    ),
    **dict.fromkeys(["expand", "unexpand", "glow", "mdcat", "open", "fmt", "comm"], _PLAIN),
    **dict.fromkeys(["nano", "vim", "vi", "emacs", "pico", "ed", "ex"], Reads(names("-c --cmd -S -u"), passes=False)),
    **dict.fromkeys(["head", "tail"], _HEAD),
    **dict.fromkeys(["bat", "batcat"], Reads(names("-r --line-range -l --language --style --theme -H --paging --color"))),
    **dict.fromkeys(["grep", "egrep", "fgrep", "zgrep"], _GNU_GREP),
    **dict.fromkeys(["rg", "ripgrep", "ag", "ack"], _GREP),
    **dict.fromkeys(["sed", "gsed"], _SED),
    **dict.fromkeys(["awk", "gawk", "mawk", "nawk"], _AWK),
    "nl": Reads(names("-b -d -f -h -i -l -n -s -v -w")),
    "cut": Reads(names("-d -f -c -b --delimiter --fields --characters --bytes --output-delimiter")),
    "sort": Reads(names("-k -t -o -S -T --key --field-separator --output --parallel")),
    "uniq": Reads(names("-f -s -w")),
    "column": Reads(names("-s -o -c -t -N")),
    "fold": Reads(names("-w")),
    "paste": Reads(names("-d")),
    "join": Reads(names("-1 -2 -t -o -e -a -v -j")),
    "pr": Reads(names("-l -w -o -h")),
    "xxd": Reads(names("-l -s -c -g -o")),
    "od": Reads(names("-t -A -N -j -w")),
    **dict.fromkeys(["hexdump", "hd"], Reads(names("-n -s -e -f"))),
    "strings": Reads(names("-n -t -e")),
    "diff": Reads(names("-U -C -W -x -I --exclude --label -L")),
    **dict.fromkeys(["cmp", "colordiff", "sdiff", "vimdiff", "icdiff", "delta"], Reads(names("-n -i -w"))),
    "jq": Reads(names("-f --from-file --arg --argjson --slurpfile --indent"), 1, names("-f --from-file")),
    "yq": Reads(names("-f --from-file --arg"), 1, frozenset()),
    **dict.fromkeys(["wc", "md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum", "sum", "b2sum"], _DIGEST),
    **dict.fromkeys(["base64", "base32"], Reads(names("-w --wrap"), passes=False)),
    **dict.fromkeys(
        ["readelf", "objdump", "nm", "ldd", "uncompyle6", "decompyle3", "pycdc", "pycdas"], Reads(names("-j -x -M -b"))
    ),
    **dict.fromkeys(["pygmentize", "highlight"], Reads(names("-l -f -O -S"))),
    **dict.fromkeys(["pdftotext", "catdoc", "docx2txt", "pandoc"], Reads(names("-t -f -o --to --from"))),
    "sqlite3": Reads(names("-cmd -separator"), passes=False),
    "iconv": Reads(names("-f -t -o")),
    "tr": Reads(skip=99),
    "tee": Reads(skip=99),
}

COPIERS: dict[str, frozenset[str]] = {
    "cp": names("-t --target-directory -S --suffix"),
    "mv": names("-t --target-directory -S --suffix"),
    "ln": names("-t --target-directory -S --suffix"),
    "install": names("-m -o -g -t --mode --owner --group --target-directory -S --suffix"),
    "rsync": names("-e --rsh --exclude --include --filter -f --files-from --rsync-path --log-file"),
    "scp": names("-P -i -o -F -c -l -S -J"),
    "ditto": frozenset(),
}
"""Program -> options with a value. Operands: sources, then one destination."""

TOUCHERS: dict[str, tuple[str, int, frozenset[str]]] = {
    "touch": ("write", 0, names("-d -t -r --date --reference")),
    "truncate": ("write", 0, names("-s -r --size --reference")),
    "rm": ("delete", 0, frozenset()),
    "unlink": ("delete", 0, frozenset()),
    "rmdir": ("delete", 0, frozenset()),
    "shred": ("delete", 0, names("-n -s")),
    "chmod": ("replace", 1, frozenset()),
    "chown": ("replace", 1, frozenset()),
    "chgrp": ("replace", 1, frozenset()),
    "chattr": ("replace", 1, frozenset()),
    "setfacl": ("replace", 0, names("-m -x")),
    "mkfifo": ("write", 0, names("-m")),
    "sponge": ("write", 0, frozenset()),
    "gzip": ("replace", 0, frozenset()),
    "gunzip": ("replace", 0, frozenset()),
    "autopep8": ("replace", 0, frozenset()),
    "black": ("replace", 0, names("-l --line-length -t")),
    "isort": ("replace", 0, frozenset()),
    "dos2unix": ("replace", 0, frozenset()),
}
"""Program -> what it does to its operands, leading operands that are no paths, options with a value."""

ARCHIVES: dict[str, frozenset[str]] = {
    "tar": names("-f --file -C --directory -T -X --exclude --transform --strip-components -I"),
    "bsdtar": names("-f -C --exclude --strip-components"),
    "unzip": names("-d -x -P"),
    "7z": frozenset(),
    "cpio": names("-D -F -I -O"),
    "bsdcpio": frozenset(),
}

DOWNLOADERS: dict[str, frozenset[str]] = {
    "curl": names(
        "-o -H -d -X -u -A -e -b -c -T -F -m -x -w -K -E -r -z -C --output --header --data --data-raw --data- "
        "binary --request --user --user-agent --referer --cookie --cookie-jar --upload-file --form --max-time "
        "--connect-timeout --proxy --write-out --retry --retry-delay --url --resolve --cacert --cert --key "
        "--config --data-urlencode --output-dir --range --retry-max-time -y -Y"
    ),
    "wget": names(
        "-O -o -P -t -T -U -e -a -w -Q -l -A -R -D -I -X --output-document --directory-prefix --tries --timeout "
        "--user-agent --header --post-data --post-file --method --body-data --user --password --level --accept "
        "--reject --referer --output-file --domains -i"
    ),
    "aria2c": names("-o -d -x -s -j -k --out --dir --header --user-agent --split"),
    **dict.fromkeys(["http", "https", "httpie", "xh"], names("-o --output -a --auth --timeout --session")),
    **dict.fromkeys(["lynx", "w3m", "links", "elinks", "axel", "fetch", "youtube-dl", "yt-dlp"], names("-o -O -T -width")),
    **dict.fromkeys(["hf", "huggingface-cli", "kaggle", "gdown"], names("--local-dir -p -O --output --revision --repo-type")),
}
DIRECTORY_OPTIONS = ("-P", "--directory-prefix", "-d", "--dir", "--output-dir", "--local-dir")

CONNECTORS: dict[str, frozenset[str]] = {
    **dict.fromkeys(["ssh", "sftp", "mosh"], names("-p -i -o -l -F -J -L -R -D -P -b -c")),
    **dict.fromkeys(["nc", "ncat", "netcat", "telnet", "socat"], names("-w -p -s -x -X -e -c -i -q")),
    **dict.fromkeys(
        ["ping", "ping6", "dig", "nslookup", "host", "drill", "traceroute", "whois"], names("-c -w -W -i -t -p -s")
    ),
    **dict.fromkeys(["ftp", "lftp", "tftp"], names("-e -u -p -c")),
    "openssl": names("-connect -servername"),
}
"""Programs that name a host as an operand."""

PACKAGES: dict[str, tuple[frozenset[str], str]] = {
    **dict.fromkeys(
        ["pip", "pip3", "pipx", "uv", "poetry", "pdm", "conda", "mamba"],
        (names("install download add wheel sync"), ""),
    ),
    **dict.fromkeys(
        ["npm", "yarn", "pnpm", "bun"],
        (names("install i ci add pack view info show"), ""),
    ),
    "go": (names("get install mod"), ""),
    "cargo": (names("install fetch add update search vendor"), ""),
    "gem": (names("install fetch unpack update"), ""),
    "bundle": (names("install update"), ""),
    "composer": (names("install require update"), ""),
    **dict.fromkeys(["apt", "apt-get"], (names("install update download source upgrade build-dep"), "")),
    **dict.fromkeys(["apk", "yum", "dnf", "brew", "pacman", "zypper"], (names("add install update download -S"), "")),
    **dict.fromkeys(
        ["mvn", "gradle", "gradlew", "mvnw"],
        (names("dependency:get dependency:copy dependency:resolve"), ""),
    ),
    **dict.fromkeys(
        ["gh", "glab", "hub"],
        (names("api repo pr issue release gist search browse run clone"), "github.com"),
    ),
    **dict.fromkeys(["docker", "podman"], (names("pull push login"), "")),
    "deno": (names("install add cache"), "deno.land"),
    "svn": (names("checkout co export cat log"), ""),
    "hg": (names("clone pull"), ""),
}
"""Program -> sub-commands that go to a network, and the host they go to unless one is named.

Empty where the machine's own configuration says which registry is asked, and the command does not.
"""

PREFIXES: dict[str, tuple[frozenset[str], int]] = {
    "sudo": (names("-u -g -h -p -C -U --user --group"), 0),
    "doas": (names("-u -C"), 0),
    "env": (names("-u -C -S --unset --chdir"), 0),
    "timeout": (names("-k -s --kill-after --signal"), 1),
    "gtimeout": (names("-k -s"), 1),
    "nice": (names("-n --adjustment"), 0),
    "ionice": (names("-c -n -p"), 0),
    "chrt": (names("-p"), 1),
    "taskset": (frozenset(), 1),
    "stdbuf": (names("-i -o -e"), 0),
    "unbuffer": (frozenset(), 0),
    "time": (names("-f -o --format --output"), 0),
    "nohup": (frozenset(), 0),
    "setsid": (frozenset(), 0),
    "command": (frozenset(), 0),
    "builtin": (frozenset(), 0),
    "exec": (names("-a"), 0),
    "chroot": (frozenset(), 1),
    "strace": (names("-e -o -p -s -u"), 0),
    "ltrace": (names("-e -o -p -s -u"), 0),
    "flock": (names("-w -E --timeout"), 1),
    "watch": (names("-n -d --interval"), 0),
    "faketime": (frozenset(), 1),
    "catchsegv": (frozenset(), 0),
    "xvfb-run": (names("-n -s -e -f"), 0),
    "busybox": (frozenset(), 0),
    "parallel": (names("-j -a -I --jobs"), 0),
    "npx": (names("-p --package"), 0),
    "bunx": (frozenset(), 0),
    "unshare": (frozenset(), 0),
    "gosu": (frozenset(), 1),
    "su-exec": (frozenset(), 1),
}
"""Program -> options with a value, and operands of its own, before the command that it runs."""
RUN_PREFIXES: dict[str, frozenset[str]] = {
    **dict.fromkeys(["uv", "poetry", "pdm", "pipenv", "rye", "hatch", "conda", "mamba", "micromamba"], frozenset({"run"})),
    **dict.fromkeys(["pnpm", "npm", "yarn", "bundle", "rbenv", "pyenv", "asdf", "mise", "direnv"], frozenset({"exec"})),
}
RUN_VALUED = names("-n -p --name --prefix -e --env --with --extra --group --python --package -E --project --directory")
DETACHING = frozenset(
    ["nohup", "setsid", "disown", "crontab", "at", "batch", "daemonize", "start-stop-daemon", "inotifywait", "systemd-run"]
)

SHELLS = frozenset(["bash", "sh", "zsh", "dash", "ksh", "ash", "fish"])
INTERPRETERS: dict[str, tuple[str, frozenset[str], frozenset[str]]] = {
    "python": ("python", frozenset({"-c"}), names("-W -X -m -Q")),
    "pypy": ("python", frozenset({"-c"}), names("-W -X -m")),
    "ipython": ("python", frozenset({"-c"}), frozenset()),
    "node": ("node", frozenset({"-e", "--eval", "-p", "--print", "-pe"}), names("-r --require --import")),
    "nodejs": ("node", frozenset({"-e", "--eval", "-p", "--print"}), names("-r --require")),
    "bun": ("node", frozenset({"-e", "--eval"}), frozenset()),
    "deno": ("node", frozenset({"eval"}), frozenset()),
    "ts-node": ("node", frozenset({"-e"}), frozenset()),
    "tsx": ("node", frozenset({"-e"}), frozenset()),
    "perl": ("perl", frozenset({"-e", "-E"}), names("-I -M -m")),
    "ruby": ("ruby", frozenset({"-e"}), names("-I -r")),
    "php": ("php", frozenset({"-r"}), names("-d -f")),
    "lua": ("lua", frozenset({"-e"}), names("-l")),
    "Rscript": ("r", frozenset({"-e"}), frozenset()),
    "osascript": ("applescript", frozenset({"-e"}), frozenset()),
    "julia": ("julia", frozenset({"-e"}), frozenset()),
    "java": ("java", frozenset(), names("-cp -classpath -jar")),
    "dotnet": ("dotnet", frozenset(), frozenset()),
}
"""Program (version digits removed) -> language, options whose value is program text, options with another value."""
LANGUAGES = {
    ".py": "python",
    ".js": "node",
    ".mjs": "node",
    ".cjs": "node",
    ".ts": "node",
    ".pl": "perl",
    ".rb": "ruby",
    ".php": "php",
    ".sh": "shell",
}
