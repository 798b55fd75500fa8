"""The report in a real browser: it looks for nothing outside itself, fits narrow and wide, and can be read and reached."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from made_passes import STAMP, attempts_of, made_counts, made_passes, made_skips

from earned.report import integrity_card, write_reports

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((found for name in NAMES if (found := shutil.which(name))), None)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
CONTRAST = """
selector => {
  const parse = text => text.match(/[\\d.]+/g).map(Number);
  const channel = value => { value /= 255; return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
  const luminance = rgb => 0.2126 * channel(rgb[0]) + 0.7152 * channel(rgb[1]) + 0.0722 * channel(rgb[2]);
  const ground = node => {
    for (; node; node = node.parentElement) {
      const rgb = parse(getComputedStyle(node).backgroundColor);
      if (rgb.length === 3 || rgb[3] > 0) return rgb;
    }
    return [255, 255, 255];
  };
  return Math.min(...[...document.querySelectorAll(selector)].map(node => {
    const pair = [luminance(parse(getComputedStyle(node).color)), luminance(ground(node))].sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05);
  }));
}
"""
READABLE = 4.5
"""Contrast that WCAG 2.2 asks of ordinary text at level AA."""

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason=f"no browser found as {', '.join(NAMES)}"),
    pytest.mark.skipif(importlib.util.find_spec("playwright") is None, reason="playwright is not installed"),
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("audit")
    passes = made_passes(40)
    card = integrity_card(
        passes, attempts=attempts_of(passes), skipped=made_counts(), stamp=STAMP, task_selection="all tasks found"
    )
    write_reports(folder, card, lambda: iter(passes), made_skips())
    return Path(folder / "report.html").as_uri()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # only where it is installed

    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


def open_page(browser: Browser, report: str, width: int, scheme: Literal["dark", "light"] = "light") -> Page:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(report)
    return page


def test_the_page_asks_for_nothing_and_complains_of_nothing(browser: Browser, report: str) -> None:
    page = browser.new_page()
    requests: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(report)
    assert [url for url in requests if url not in {report, "data:,"}] == []
    assert complaints == []


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_the_page_does_not_scroll_sideways(browser: Browser, report: str, width: int) -> None:
    page = open_page(browser, report, width)
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [390, 1280])
def test_wide_tables_scroll_inside_their_box(browser: Browser, report: str, width: int) -> None:
    page = open_page(browser, report, width)
    outside = "[...document.querySelectorAll('table')].filter(t => !t.closest('.scroll') && t.scrollWidth > innerWidth).length"
    assert page.evaluate(outside) == 0


def test_a_script_that_got_into_the_page_would_not_run(browser: Browser, report: str) -> None:
    page = open_page(browser, report, 1280)
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = true\">')")
    page.wait_for_timeout(100)
    assert page.evaluate("window.ran") is None


def test_the_first_key_press_reaches_the_way_past_the_navigation(browser: Browser, report: str) -> None:
    page = open_page(browser, report, 1280)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")


def test_evidence_and_its_mark_lead_to_each_other(browser: Browser, report: str) -> None:
    page = open_page(browser, report, 1280)
    page.click("#p1-e-1 a.ref")
    assert page.url.endswith("#p1-m-1")
    page.click("#p1-m-1")
    assert page.url.endswith("#p1-e-1")
    assert page.inner_text("mark:has(#p1-m-1)") == "1git show 4f0b2c1"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_readable_in_both_schemes(browser: Browser, report: str, scheme: Literal["dark", "light"]) -> None:
    page = open_page(browser, report, 1280, scheme)
    assert page.evaluate(CONTRAST, ".chip, .sub, .ref, mark, pre, code, td, th, dt, a, .cut, .axis span") >= READABLE


def test_printing_shows_what_is_folded_away(browser: Browser, report: str) -> None:
    page = open_page(browser, report, 1280)
    page.emulate_media(media="print")
    assert page.locator("#skipped details ul").first.is_visible()
