"""Fields as people fill them in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectorstore.readers.fields import line, natural, people, prose, untex, words, year
from vectorstore.readers.objects.openalex import inverted


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (2021, 2021),
        (2021.0, 2021),
        ("2021.0", 2021),
        ("March 2021", 2021),
        ("2020/08//", 2020),
        ("20210305", 2021),
        ("2000 Nov-Dec", 2000),
        ("n.d.", None),
        ("in press", None),
        ("12021", None),
        (None, None),
        (True, None),
        (float("nan"), None),
        ([["1999"]], 1999),
    ],
)
def test_years(value: object, said: int | None) -> None:
    assert year(value) == said


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"{\"O}sterreich", "Österreich"),
        (r"{\'{a}}b \v{c} \o{} {\ss} {\AA}ngstr\"om", "áb č ø ß Ångström"),
        (r"{BERT}: {Pre-training} \& more", "BERT: Pre-training & more"),
        (r"50\% of \$5", r"50% of \$5"),
        (r"$\mathcal{O}(n^{2})$ {Time}", r"$\mathcal{O}(n^{2})$ Time"),
        (r"\textit{in vivo} --- \emph{now}", "in vivo --- now"),
        (r"\textless{}b{\textgreater}", "<b>"),
    ],
)
def test_latex_of_a_bibliography(tex: str, text: str) -> None:
    assert untex(tex) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("<jats:title>Abstract</jats:title><jats:p>We  show\nthis.</jats:p>", "We show this."),
        ("<jats:sec><jats:title>Aims</jats:title><jats:p>A.</jats:p></jats:sec>", "Aims: A."),
        ("H<sub>2</sub>O &lt;i&gt;in vivo&lt;/i&gt;", "H2O in vivo"),
        ("<mml:math><mml:mi>x</mml:mi><mml:mo>=</mml:mo><mml:mn>1</mml:mn></mml:math> holds", "x=1 holds"),
        ("Abstract: We show.", "We show."),
        ("Abstract—We show.", "We show."),
        ("Abstract Meaning Representation helps.", "Abstract Meaning Representation helps."),
        ("p < 0.05 and n > 3", "p < 0.05 and n > 3"),
        ("No abstract available", ""),
    ],
)
def test_abstracts_with_markup(value: str, text: str) -> None:
    assert prose(value) == text


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("Sui, Daniel Z.; van Heerden, Henriette", ["Daniel Z. Sui", "Henriette van Heerden"]),
        ("Chopyk, J and Nasko, DJ", ["J Chopyk", "DJ Nasko"]),
        ("Ayesha Hassim, Kgaugelo Lekota, and Jan Smit", ["Ayesha Hassim", "Kgaugelo Lekota", "Jan Smit"]),
        ("Lin W, Ha A.", ["Lin W", "Ha A"]),
        ("Lovelace, Ada", ["Ada Lovelace"]),
        ("Milchtaich, I.", ["I. Milchtaich"]),
        ("King, Jr., Martin Luther", ["Martin Luther King Jr."]),
        (
            [{"first": "Ann", "last": "Lee"}, {"name": "Bob"}, {"author": {"display_name": "Cy"}}],
            ["Ann Lee", "Bob", "Cy"],
        ),
        ([["Nadolsky", "P.", "Jr"]], ["P. Nadolsky Jr"]),
        ([None, "", {}, 3.5], ["3.5"]),
        ({}, []),
    ],
)
def test_names_from_what_people_write(value: object, names: list[str]) -> None:
    assert list(people(value)) == names


@given(st.text(max_size=200))
def test_cleaning_takes_any_text_and_leaves_what_can_be_stored(text: str) -> None:
    for clean in (words, line, prose, untex, natural):
        clean(text)
    for clean in (words, line, prose):
        clean(text).encode("utf-8")
        assert "\x00" not in clean(text)
    assert "\n" not in line(text)
    assert all(people(text))
    assert all(people([text, {"name": text}]))


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "first", "last", "author"]), inner, max_size=3), max_leaves=8))  # fmt: skip
def test_cleaning_takes_any_value(value: object) -> None:
    words(value), line(value), prose(value), people(value), year(value)


@given(st.lists(st.sampled_from(["cats", "dogs", "and", "sleep"]), max_size=30))
def test_an_inverted_abstract_is_put_in_order(text: list[str]) -> None:
    index: dict[str, list[int]] = {}
    for at, word in enumerate(text):
        index.setdefault(word, []).append(at)
    assert inverted(index) == " ".join(text)
