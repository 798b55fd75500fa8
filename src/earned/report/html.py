"""`report.html`: one file that works from a disk, asks no network, runs no script, and shows input as text only.

Everything put into the page is escaped by the template engine after unseen characters were made visible; the page's own policy
forbids scripts, frames, forms, images and every style but its own, should something slip through all the same.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache, partial
from importlib.resources import files

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from earned.records import LABELS
from earned.report import wording
from earned.report.links import show_command, source_href
from earned.report.page import Page
from earned.report.plot import plot
from earned.report.text import clipped, safe_text

_TEMPLATES = ("report.html.j2", "parts.html.j2", "section.html.j2")
_STYLE = "report.css"


def html_chunks(page: Page) -> Iterator[bytes]:
    """The page, piece by piece."""
    style = _read(_STYLE)
    context = {
        "page": page,
        "card": page.card,
        "labels": LABELS,
        "plots": [plot(page.card.trajectory), plot(page.card.task)],
        "style": Markup(style),  # noqa: S704  # our own file
        "style_hash": _hash(style),
        "href": partial(source_href, folder=page.folder),
    }
    for text in _environment().get_template(_TEMPLATES[0]).generate(context):
        yield text.encode("utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=DictLoader({name: _read(name) for name in _TEMPLATES}),
        autoescape=True,
        finalize=_visible,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(words=wording, show_command=show_command, clipped=clipped)
    return environment


def _visible(value: object) -> object:
    """Runs on every value that a template prints, before it is escaped."""
    return value if isinstance(value, Markup) or not isinstance(value, str) else safe_text(value)


def _read(name: str) -> str:
    return (files("earned.report") / "templates" / name).read_text(encoding="utf-8")


def _hash(style: str) -> str:
    return base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
