"""Sentences as spans on the text as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectorstore.paper import Paper
from vectorstore.readers import read
from vectorstore.sentences import sentences

SEEDS = Path(__file__).parents[2] / "seeds"


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Attacks such as GCG (Zou et al., 2023) are slow.|We fix this.",
        "Some models, e.g., CLIP, and others, i.e. BERT, fail.|It is so.",
        "See Fig. 3 vs. Eq. 4 for more.|It is 3.5% better!|Really?|Yes.",
        "Erasing 100 concepts in 4.3 s.|Code: https://github.com/a/b.c.",
        "Let $x. Y$ be given.|Then $f(x)=1.5$ holds.",
        'He said "It works."|Then he left.',
        "The ***dilemma***: it is **bold.**|We go on.",
        "It was shown by J. Smith and others.|Vitamin D.|This is a test.",
        "Nodes (a. First. b. Second.) are merged.|All is well.",
        "We call it this.|iDEM is fast.|mRNA too.",
        "the lift rose .|the flow did not .",
        "See https://a.org/x.Y now.|Fine.",
        "Ends here.|\n\nA heading\n\n|And more",
    ],
)
def test_sentences_end_where_a_reader_says(text: str) -> None:
    expected = [piece.strip() for part in text.split("|") for piece in part.split("\n\n") if piece.strip()]
    assert split(text.replace("|", " ")) == expected


def test_chinese_sentences_need_no_blanks() -> None:
    assert split("我们提出一种方法。它很快！真的吗？是的。") == ["我们提出一种方法。", "它很快！", "真的吗？", "是的。"]


def test_a_full_stop_without_a_blank_ends_a_sentence_of_prose() -> None:
    assert split("It helps clustering.In this paper, we go on.") == ["It helps clustering.", "In this paper, we go on."]


def test_nothing_gives_no_sentence() -> None:
    assert sentences("") == sentences(" \n\t ") == []


def test_seed_abstracts_have_four_to_eleven_sentences_each() -> None:
    counts = [len(sentences(paper.abstract)) for paper in read(SEEDS) if isinstance(paper, Paper)]
    assert len(counts) == 38
    assert (min(counts), max(counts)) == (4, 11)


@given(st.text() | st.text(st.sampled_from(list("aA1 .!?。,()[]$\"'\n*\\{}éß")), max_size=80))
def test_spans_are_trimmed_in_order_and_hold_every_character(text: str) -> None:
    spans = sentences(text)
    last = 0
    for start, end in spans:
        assert last <= start < end
        assert text[start:end] == text[start:end].strip()
        assert not text[last:start].strip()
        last = end
    assert not text[last:].strip()
