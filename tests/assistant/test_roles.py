"""Sentence roles: the model that ships, and the decoding of a whole abstract."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.roles import ROLES, bundled, decode, phrases_of


def test_an_ordinary_abstract_is_read_in_the_order_people_write_them() -> None:
    roles = bundled().roles(
        [
            "Retrieval has attracted much attention, but existing methods are slow.",
            "In this paper, we propose a novel index for token vectors.",
            "The index is trained with a contrastive loss on pairs of queries and passages.",
            "Experiments show that it outperforms strong baselines by 12%.",
        ]
    )
    assert roles[0] == "background"
    assert roles[-1] == "result"
    assert set(roles[1:3]) <= {"objective", "method"}


def test_no_sentences_have_no_roles() -> None:
    assert bundled().roles([]) == ()


@given(st.lists(st.text(max_size=80), max_size=12))
@settings(deadline=None)
def test_any_text_gets_a_role_a_sentence(sentences: list[str]) -> None:
    roles = bundled().roles(sentences)
    assert len(roles) == len(sentences)
    assert set(roles) <= set(ROLES)


def test_decoding_weighs_the_whole_sequence() -> None:
    emissions = np.array([[1.0, 0.0], [0.4, 0.5], [1.0, 0.0]], np.float32)
    apart, together = np.zeros((2, 2), np.float32), np.array([[0.0, -1.0], [-1.0, 0.0]], np.float32)
    none = np.zeros(2, np.float32)
    assert decode(emissions, apart, none, none) == [0, 1, 0]
    assert decode(emissions, together, none, none) == [0, 0, 0]


def test_every_number_is_the_same_phrase() -> None:
    assert phrases_of("12 tools") == phrases_of("7 tools")
