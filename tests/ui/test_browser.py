"""The window as a person meets it, in Chromium."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from threading import Semaphore

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


class Pace:
    """Holds the drafts of a slow answer back until the test lets the next one through; each question has its own."""

    def __init__(self) -> None:
        self._drafts: defaultdict[str, Semaphore] = defaultdict(lambda: Semaphore(0))

    def __call__(self, question: str) -> None:
        self._drafts[question].acquire(timeout=20)

    def go_on(self, question: str, drafts: int = 1) -> None:
        self._drafts[question].release(drafts)


@pytest.fixture(scope="module")
def pace() -> Pace:
    return Pace()


@pytest.fixture(scope="module")
def address(pace: Pace) -> Iterator[str]:
    window, port = build(FakeAssistant(pace)), free_port()
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


def send(page: Page, question: str) -> None:
    page.get_by_label("Question").fill(question)
    page.keyboard.press("Enter")


def ask(page: Page, question: str) -> None:
    asked = page.locator(".question").count()
    send(page, question)
    expect(page.locator(".question")).to_have_count(asked + 1)
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
    expect(page.locator("#sources mark")).to_contain_text("{{this}} ${window.hacked=5}")
    assert page.locator("#sources :is(img, script, iframe)").count() == 0
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


def test_a_citation_is_followed_on_the_page_whatever_its_address(page: Page, address: str) -> None:
    page.goto(address + "?__theme=dark")
    ask(page, "cats")
    for _ in range(2):
        page.locator("a.cite").press("Enter")
        expect(page.locator("#quote-1-0:target")).to_have_count(1)
        expect(page.locator("#source-1")).to_be_focused()
    expect(page.locator(".question")).to_have_count(1)


def test_a_second_question_stays_in_the_box_until_the_first_is_answered(page: Page, pace: Pace) -> None:
    send(page, "cats slowly, please")
    expect(page.get_by_text("Searching")).to_be_visible()
    send(page, "stars")
    expect(page.get_by_text("Wait for it or stop it")).to_be_visible()
    expect(page.get_by_label("Question")).to_have_value("stars")
    pace.go_on("cats slowly, please", 2)
    expect(page.locator("a.cite")).to_have_text("1")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("a.cite")).to_have_text(["1", "2"])


def press_stop(page: Page) -> None:
    """Stop, and wait until both the window and the server have."""
    with page.expect_response(lambda response: response.url.endswith("/cancel")):
        page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Send")).to_be_visible()


def test_stop_keeps_what_was_written(page: Page, pace: Pace) -> None:
    send(page, "cats slowly but stop")
    pace.go_on("cats slowly but stop")
    expect(page.locator(".answer strong")).to_have_text("cats")
    press_stop(page)
    pace.go_on("cats slowly but stop", 2)
    ask(page, "stars")
    expect(page.locator(".question")).to_have_text(["cats slowly but stop", "stars"])
    expect(page.locator(".answer").first).to_have_text("cats")


def test_stop_before_any_answer_gives_the_question_back(page: Page, pace: Pace) -> None:
    send(page, "cats slowly or never")
    expect(page.get_by_text("Searching")).to_be_visible()
    press_stop(page)
    pace.go_on("cats slowly or never", 2)
    expect(page.get_by_label("Question")).to_have_value("cats slowly or never")
    expect(page.locator(".question")).to_have_count(0)


def test_one_slow_answer_does_not_hold_up_another_visitor(
    page: Page, browser: Browser, address: str, pace: Pace
) -> None:
    send(page, "cats slowly, while others ask")
    expect(page.get_by_text("Searching")).to_be_visible()
    other = browser.new_page()
    other.goto(address)
    ask(other, "stars")
    expect(other.locator("a.cite")).to_have_text("1")
    other.close()
    pace.go_on("cats slowly, while others ask", 2)
    expect(page.locator("a.cite")).to_have_text("1")


def test_shift_and_enter_begin_a_new_line(page: Page) -> None:
    page.get_by_label("Question").fill("What do")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("cats do?")
    expect(page.get_by_label("Question")).to_have_value("What do\ncats do?")
    expect(page.locator(".question")).to_have_count(0)


def test_the_question_box_stays_in_a_narrow_window_and_the_answer_is_seen(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 640})
    for question in ("cats", "stars", "Poison: obey"):
        ask(page, question)
        expect(page.locator(".question").last).to_be_in_viewport()
    page.locator("a.cite").last.click()
    expect(page.locator("#source-3 mark")).to_be_in_viewport()
    expect(page.get_by_label("Question")).to_be_in_viewport()
    page.locator("#source-3").get_by_label("Back to the answer").click()
    expect(page.locator("#turn-3")).to_be_in_viewport()


@pytest.mark.parametrize("width", [390, 1280])
def test_each_visitor_downloads_what_their_own_answers_cite(
    page: Page, browser: Browser, address: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 860})
    expect(page.get_by_role("button", name="BibTeX")).to_be_hidden()
    ask(page, "cats")
    expect(page.locator("a.cite")).to_have_count(1)
    other = browser.new_page()
    other.goto(address)
    ask(other, "stars")
    expect(other.locator("a.cite")).to_have_count(1)
    assert "title = {stars}" in downloaded(other, "BibTeX", "papers.bib")
    other.close()
    assert "title = {cats}" in downloaded(page, "BibTeX", "papers.bib")
    assert "TI  - cats" in downloaded(page, "RIS", "papers.ris")
    assert '"title": "cats"' in downloaded(page, "CSL-JSON", "papers.csl.json")
    assert "## 1. cats" in downloaded(page, "Markdown", "conversation.md")
    assert "Cats sleep all day.</mark>" in downloaded(page, "HTML", "conversation.html")


def downloaded(page: Page, button: str, name: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).click()
    assert download.value.suggested_filename == name
    return download.value.path().read_text(encoding="utf-8")


def test_a_saved_conversation_leads_from_the_citation_to_the_sentence(
    page: Page, browser: Browser, tmp_path: Path
) -> None:
    ask(page, "Poison: obey")
    expect(page.locator("a.cite").first).to_have_text("1")
    file = tmp_path / "conversation.html"
    file.write_text(downloaded(page, "HTML", "conversation.html"), encoding="utf-8")
    saved = browser.new_page()
    saved.set_viewport_size({"width": 390, "height": 700})
    saved.goto(file.as_uri())
    saved.locator("a.cite").first.click()
    expect(saved.locator("#source-1 mark").first).to_be_in_viewport()
    assert saved.evaluate("document.documentElement.scrollWidth") <= 390
    assert saved.evaluate("window.hacked") is None
    saved.close()


def test_filters_go_with_every_question_and_are_seen_when_folded(page: Page) -> None:
    folded = page.locator("#filters")
    folded.get_by_role("button", name="Filters").click()
    page.get_by_label("Author").fill("Ada Lovelace")
    expect(folded).to_contain_text("Filters: by Ada Lovelace")
    ask(page, "cats")
    expect(page.locator(".answer")).to_have_text("Only papers by Ada Lovelace.")
    page.get_by_role("button", name="Clear").click()
    expect(folded).not_to_contain_text("by Ada Lovelace")
    ask(page, "stars")
    expect(page.locator("a.cite")).to_have_count(1)
