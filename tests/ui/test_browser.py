"""The window as a person meets it, in Chromium."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.ui.conftest import FakeAssistant
from tests.ui.test_app import free_port
from ui.app import build, launch

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
QUIET += ["--disable-component-update", "--disable-sync"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        CHROMIUM is None and not os.environ.get("PAPERCHAT_REQUIRE_BROWSER"),
        reason="no Chromium on this machine: install Debian's package chromium to run the browser tests",
    ),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    window, port = build(FakeAssistant()), free_port()
    launch(window, "127.0.0.1", port, wait=False)
    yield f"http://127.0.0.1:{port}/"
    window.close()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A visitor's own page. Whatever it asks for must lie on this machine."""
    page = browser.new_page(viewport={"width": 1280, "height": 860})
    outside: list[str] = []
    page.on("request", lambda request: None if is_here(request.url, address) else outside.append(request.url))
    page.goto(address)
    expect(page.get_by_label("Question")).to_be_visible()
    yield page
    page.close()
    assert outside == []


def is_here(url: str, address: str) -> bool:
    return url.startswith((address, address.replace("http", "ws"), "data:", "blob:"))


def ask(page: Page, question: str) -> None:
    page.get_by_label("Question").fill(question)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Send")).to_be_visible()


def test_ask_see_the_citation_click_it_see_the_sentence_then_follow_up(page: Page) -> None:
    ask(page, "What do cats do?")
    mark = page.locator("a.cite").first
    expect(mark).to_have_text("1")
    mark.click()
    expect(page.locator("#source-1 mark")).to_have_text("Cats sleep all day.")
    expect(page.locator("#source-1 mark")).to_be_in_viewport()
    ask(page, "stars")
    expect(page.locator("a.cite").nth(1)).to_have_text("2")
    ask(page, "and cats again")
    expect(page.locator("a.cite").nth(2)).to_have_text("1")
    expect(page.locator(".question")).to_have_count(3)


def test_an_example_starts_the_chat_and_new_chat_ends_it(page: Page) -> None:
    page.get_by_role("button", name="What do stars burn?").click()
    expect(page.locator("a.cite")).to_have_text("1")
    page.get_by_role("button", name="New chat").click()
    expect(page.locator(".question")).to_have_count(0)
    expect(page.get_by_role("button", name="What do stars burn?")).to_be_visible()


def test_hostile_text_is_shown_and_nothing_of_it_runs(page: Page) -> None:
    ask(page, 'Poison: <img src=x onerror="window.hacked=3"> <script>window.hacked=4</script>')
    expect(page.locator("a.cite").first).to_have_text("1")
    assert page.evaluate("window.hacked") is None
    assert page.title() == "paperchat"


def test_two_visitors_share_nothing(page: Page, browser: Browser, address: str) -> None:
    ask(page, "cats")
    expect(page.locator("a.cite")).to_have_count(1)
    other = browser.new_page()
    other.goto(address)
    expect(other.get_by_label("Question")).to_be_visible()
    ask(other, "stars")
    expect(other.locator("a.cite")).to_have_text("1")
    expect(other.locator(".question")).to_have_count(1)
    other.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    ask(page, "stars")
    expect(page.locator("a.cite")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
