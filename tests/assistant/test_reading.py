"""How an abstract is read: what leans on what, and which sentence does what."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assistant.reading import Reading, introducing, problem, read, result, standing, statements
from vectorstore.paper import Hit, Paper, Passage
from vectorstore.sentences import sentences

MakePaper = Callable[..., Paper]

ABSTRACT = (
    "Robots drop cups. Existing grippers use fixed forces to hold what they lift. However, they do not feel the weight. "
    "We propose GRASPY, a gripper that feels what it holds. It measures the slip of an object with a soft skin. "
    "This yields 40% fewer broken cups."
)


@pytest.fixture
def reading(make_paper: MakePaper) -> Reading:
    paper = make_paper("GRASPY", ABSTRACT)
    return read(Hit(paper, 0.9, tuple(Passage(start, end) for start, end in sentences(ABSTRACT))))


def test_a_sentence_that_leans_on_another_is_said_after_it(reading: Reading) -> None:
    *_, skin, cups = reading.sentences
    assert [each.leaning for each in reading.sentences] == [False, False, True, False, True, True]
    assert standing(reading, [cups]) == [skin, cups]
    assert standing(reading, [skin, cups]) == [reading.sentences[3], skin, cups]


def test_a_word_that_joins_stays_only_after_what_it_joins_to(reading: Reading) -> None:
    grippers, weight = reading.sentences[1:3]
    (first, _, second) = statements(reading, [weight])
    assert not isinstance(first, str)
    assert not isinstance(second, str)
    assert (first.text, second.text) == (grippers.text, "However, they do not feel the weight.")


def test_the_problem_is_the_difficulty_of_what_was_there_before(reading: Reading) -> None:
    assert problem(reading) == reading.sentences[2]


def test_what_a_paper_does_and_finds(reading: Reading) -> None:
    assert introducing(reading) == reading.sentences[3]
    assert result(reading) == reading.sentences[5]
