"""URLs and hosts in arguments. A host is lower case, without user and port."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_URL = re.compile(r"(?:https?|ftps?|git|ssh|sftp|rsync|ws|wss|s3|gs|hf|docker)://[^\s'\"<>|\\`]+", re.IGNORECASE)
_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/@\s]*@)?(\[[0-9A-Fa-f:.]+\]|[^/:?#\s]+)")
_SCP = re.compile(r"(?:[\w.-]+@)?((?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}|\d+\.\d+\.\d+\.\d+|localhost):(?!//)[\w~./-]*")
_BARE = re.compile(
    r"(?:[\w.-]+@)?((?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}|\d{1,3}(?:\.\d{1,3}){3}|localhost)(?::\d+)?(?:[/?#][^\s]*)?"
)
_DEVICE = re.compile(r"/dev/(?:tcp|udp)/([^/\s]+)/")
MAX_TEXT = 100_000
"""Characters of one argument that are searched for URLs."""


def urls_in(text: str) -> list[str]:
    """Every URL in a text, without trailing punctuation."""
    if "://" not in text:
        return []
    return [found.rstrip(".,;)]}") for found in _URL.findall(text[:MAX_TEXT])]


def host_of(url: str) -> str:
    """Host of a URL or of `user@host:path`; empty when there is none."""
    found = _AUTHORITY.match(url) or _SCP.fullmatch(url)
    return found[1].strip("[]").lower().rstrip(".") if found else ""


def bare_host(operand: str) -> str:
    """Host of `example.org/path` written without a scheme; empty when the operand is none."""
    found = _BARE.fullmatch(operand)
    return found[1].lower() if found else ""


def device_host(path: str) -> str:
    """Host of `/dev/tcp/HOST/PORT`."""
    found = _DEVICE.match(path)
    return found[1].lower() if found else ""


def hosts_of(urls: Iterable[str]) -> tuple[str, ...]:
    """Distinct hosts in order."""
    return tuple(dict.fromkeys(host for host in map(host_of, urls) if host))
