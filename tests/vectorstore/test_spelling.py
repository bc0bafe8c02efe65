from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectorstore.spelling import american, corrected

WORDS = ["learning", "generalization", "access", "attack", "diffusion", "recording"]


def knows(*words: str) -> Callable[[str], bool]:
    return lambda word: word in words or word in WORDS


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("no acess to weights", "no access to weights"),
        ("difusion", "diffusion"),
        ("genralizaton", "generalization"),  # two errors in a long word
        ("leraning", "learning"),  # two letters changed places
    ],
)
def test_a_typing_error_is_put_right(typed: str, meant: str) -> None:
    assert corrected(typed, knows("weights"), WORDS) == meant


@pytest.mark.parametrize("typed", ["attac", "SVEB", "Difusion", "x2", "ibuprofen", "z-atttack", "atack2"])
def test_names_and_words_near_no_other_are_left_alone(typed: str) -> None:
    assert corrected(typed, knows("attac"), WORDS) == typed


def test_a_known_word_behind_a_prefix_is_no_error() -> None:
    assert corrected("rewording", knows("wording"), WORDS) == "rewording"
    assert corrected("rewording", knows(), WORDS) == "recording"


def test_of_two_near_words_the_known_one_is_taken() -> None:
    assert corrected("metrix", lambda word: word == "matrix", ["metric", "matrix"]) == "matrix"


@pytest.mark.parametrize(
    ("british", "us"),
    [
        ("optimisation", "optimization"),
        ("regularised", "regularized"),
        ("analyse", "analyze"),
        ("behaviour", "behavior"),
        ("modelling", "modeling"),
        ("centre", "center"),
        ("catalogue", "catalog"),
        ("defence", "defense"),
    ],
)
def test_one_spelling_for_both_sides_of_the_ocean(british: str, us: str) -> None:
    assert american(british) == american(us)


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz ", max_size=40))
def test_known_words_stay_as_they_are(text: str) -> None:
    assert corrected(text, lambda word: True, WORDS) == text
