"""Formulas of papers, which may hold anything."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.mathematics import mathml


class Markup(HTMLParser):
    """The tags and attributes that a browser would see."""

    def __init__(self, shown: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: dict[str, str | None] = {}
        self.feed(shown)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(attrs)


def test_symbols_and_structure_are_drawn() -> None:
    shown = mathml("$\\alpha < \\frac{1}{n}$")
    assert "<mi>α</mi><mo>&lt;</mo><mfrac>" in shown


@pytest.mark.parametrize(
    "hostile",
    [
        "<img/src=x/onerror=alert(1)>",
        "<svg/onload=alert(1)>",
        "</mtext></math><script>alert(1)</script>",
        "&lt;img/src=x/onerror=alert(1)&gt;",
        "&amp;lt;img/src=x/onerror=alert(1)&amp;gt;",
    ],
)
def test_text_inside_a_formula_stays_text(hostile: str) -> None:
    markup = Markup(mathml(f"$\\frac{{\\text{{{hostile}}}}}{{2}}$"))
    assert all(re.fullmatch("m[a-z]+", tag) for tag in markup.tags)


def test_links_and_styles_are_left_out() -> None:
    for formula in (
        r"$\href{javascript:alert(1)}{x}$",
        r"$\style{background:url(http://evil.example)}{x}$",
        r"$\class{danger}{x}$",
        r"$\color{red}{x}$",
    ):
        assert set(Markup(mathml(formula)).attributes) <= {"xmlns", "display"}, formula


def test_no_space_pushes_a_formula_over_its_neighbours() -> None:
    assert "999em" not in mathml(r"$a\hspace{-999em}b$")
    assert 'width="2em"' in mathml(r"$a\qquad b$")


def test_latex_beyond_the_converter_is_shown_as_text() -> None:
    assert "<math" not in mathml("$" + "{" * 1500 + "$")


@given(st.text(alphabet="ab<>&;\\\"'{}^_ /=$#1", max_size=50))
def test_any_formula_is_mathematics_or_text(formula: str) -> None:
    assert all(re.fullmatch("m[a-z]+", tag) for tag in Markup(mathml(f"${formula}$")).tags)
