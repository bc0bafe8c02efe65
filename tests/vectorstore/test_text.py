"""Plain reading text of abstracts that hold LaTeX, Markdown, HTML, prices, and whatever else people paste."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectorstore.text import address_spans, is_math, math_spans, plain, readable

MARKUP = st.text(st.sampled_from(list("ab A1.,$\\{}[]()*_`'\"~^&<>;:/%#-|\n\t\x00\u200b\ud800é中")), max_size=60)


@pytest.mark.parametrize(
    ("source", "reading"),
    [
        (r"an approach, $\texttt{IDEAS}$, in which", "an approach, IDEAS, in which"),
        (r"by 25\% and $29.1\%$, up to 5$\times$ or $100\times$", "by 25% and 29.1%, up to 5× or 100×"),
        (r"$(\varepsilon, \delta)$-indistinguishable", "(ε, δ)-indistinguishable"),
        (r"$\Theta(1)$-far, $D^\mathtt{AD}$", "Θ(1)-far, D^AD"),
        (r"$\frac{a}{b+1}$ and $O(n^{1/2})$", "a/(b+1) and O(n^(1/2))"),
        (r"turned by $90^\circ$, the $n^{th}$", "turned by 90°, the nth"),
        (r"\textsc{Locate-Then-Correct} (LTC), \textit{Numca}", "Locate-Then-Correct (LTC), Numca"),
        (r"\textbf{bold $x$ and \emph{deep}} \cite{a}", "bold x and deep"),
        (r"G\"odel, \'Etienne, Ko\v{c}i\'{c}", "Gödel, Étienne, Kočić"),
        (r"Fig.~3 of \unknown{this}", "Fig. 3 of this"),
        ("``off-topic detector'' latents", "“off-topic detector” latents"),
        ('on ``poisoned" traces', "on “poisoned” traces"),
    ],
)
def test_latex_reads_as_text(source: str, reading: str) -> None:
    assert plain(source) == reading


@pytest.mark.parametrize(
    ("source", "reading"),
    [
        ("**Fox** (*F*aithfulness via e*X*pression), a", "Fox (Faithfulness via eXpression), a"),
        ("**A**daptive **R**eward (**AR**)", "Adaptive Reward (AR)"),
        ("the ***over-defense dilemma***: they", "the over-defense dilemma: they"),
        ("[the code](https://example.org/a_b_c)", "the code (https://example.org/a_b_c)"),
        ("see <https://example.org/Fox>.", "see https://example.org/Fox."),
        (r"at \url{https://example.org/x_y}.", "at https://example.org/x_y."),
        ("run `pip install x` first", "run pip install x first"),
    ],
)
def test_markdown_reads_as_text(source: str, reading: str) -> None:
    assert plain(source) == reading


@pytest.mark.parametrize(
    ("source", "reading"),
    [
        ("<jats:p>H<sub>2</sub>O &lt; <jats:italic>x</jats:italic></jats:p>", "H2O < x"),
        ("&lt;p&gt;Tom &amp;amp; Jerry&lt;/p&gt;", "Tom & Jerry"),
        ("<mml:math><mml:mi>x</mml:mi><mml:mo>+</mml:mo><mml:mn>1</mml:mn></mml:math>", "x+1"),
    ],
)
def test_html_reads_as_text(source: str, reading: str) -> None:
    assert plain(source) == reading


@pytest.mark.parametrize(
    "prose",
    [
        "from $5 to $12 a month",
        "cost $5 and 10$ more",
        "$5-$12 or $1,000/$2,000",
        "snake_case_name and __init__",
        "a < b and b > c",
        "2 * 3 * 4 is 2*3*4",
        "A*-search and B*-trees",
        "100% of R&D, item #3, 50 % {0,1}",
    ],
)
def test_ordinary_prose_is_left_alone(prose: str) -> None:
    assert plain(prose) == readable(prose) == prose


def test_invisible_and_broken_characters_are_removed() -> None:
    assert plain("a\x00b\u200bc\u202ed\ufeffe \ud800\x1b\n\t f") == "abcde f"
    assert plain("e\u0301") == "é"


def test_readable_keeps_mathematics_that_has_structure() -> None:
    assert readable(r"$\frac{a}{b}$ for $x_i$ and $100\times$, $\texttt{A}$") == r"$\frac{a}{b}$ for $x_i$ and 100×, A"
    assert readable(r"\(x^2\) and \[ \sum_i x_i \]") == r"$x^2$ and $\sum_i x_i$"


@pytest.mark.parametrize(
    "inner", ["x", r"\alpha", "19", r"29.1\%", "n = 3", r" \epsilon ", "O(n)", r"\text{if it is } x"]
)
def test_mathematics_is_told_from_prices(inner: str) -> None:
    assert is_math(inner)


@pytest.mark.parametrize("inner", ["5 to ", "5 and 10", "5 for one and ", " ", "", "a\n\nb", "5 (low) and ten more"])
def test_prices_are_told_from_mathematics(inner: str) -> None:
    assert not is_math(inner)


def test_spans_of_mathematics_and_addresses_point_into_the_text() -> None:
    text = r"It costs $5 to use $x_i$ or \(y\), see https://example.org/a.b."
    assert [text[start:end] for start, end in math_spans(text)] == ["$x_i$", r"\(y\)"]
    assert [text[start:end] for start, end in address_spans(text)] == ["https://example.org/a.b"]


@given(st.text() | MARKUP)
def test_any_text_comes_through_on_one_clean_line(text: str) -> None:
    for reading in (plain(text), readable(text)):
        assert reading == " ".join(reading.split())
        assert reading == unicodedata.normalize("NFC", reading)
        reading.encode("utf-8")
        assert "\x00" not in reading


@given(st.lists(st.from_regex(r"[A-Za-z]{1,9}[,.]?", fullmatch=True), max_size=12))
def test_plain_words_are_never_changed(words: list[str]) -> None:
    assert plain(" ".join(words)) == " ".join(words)


@pytest.mark.parametrize("piece", [r"\(", "$", "*a", r"\emph{", "<!--", "[x](", r"\begin{align}", "``", "{"])
def test_unclosed_markup_repeated_without_end_is_survived(piece: str) -> None:
    assert isinstance(plain(piece * 3000), str)
