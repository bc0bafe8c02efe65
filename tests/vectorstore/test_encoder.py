from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectorstore.encoder import Encoder, _windows
from vectorstore.errors import EncoderUnusable


def test_a_short_text_gets_the_vector_that_sentence_transformers_gives(encoder: Encoder) -> None:
    text = "Sparse circuits are easier to understand."
    expected = encoder._model.encode([text], normalize_embeddings=True)[0]
    assert encoder.documents([[text]])[0].whole @ expected == pytest.approx(1, abs=1e-4)


def test_each_sentence_owns_its_tokens(encoder: Encoder) -> None:
    seen = encoder.documents([["Cats sleep.", "", "Dogs bark loudly."]])[0]
    assert seen.bounds[0] == 0
    assert seen.bounds[-1] == len(seen.tokens)
    assert list(np.diff(seen.bounds) > 0) == [True, False, True]


def test_the_end_of_a_long_text_is_not_lost(encoder: Encoder) -> None:
    filler = ["The method is evaluated on many tasks with care and patience."] * 40
    seen = encoder.documents([[*filler, "It doubles the yield of tomatoes."]])[0]
    assert len(seen.tokens) > encoder.window
    question = encoder.question("tomato yield").whole
    last = seen.tokens[seen.bounds[-2] :].mean(axis=0)
    first = seen.tokens[: seen.bounds[1]].mean(axis=0)
    assert question @ last > question @ first + 0.2


def test_a_sentence_longer_than_the_window_is_read_to_its_end(encoder: Encoder) -> None:
    seen = encoder.documents([["word " * 700]])[0]
    assert len(seen.tokens) == 700


def test_vectors_have_unit_length_and_a_batch_changes_nothing(encoder: Encoder) -> None:
    texts = [["One."], ["Two words, then a few more of them."], ["Three."]]
    together = encoder.documents(texts)
    for text, seen in zip(texts, together, strict=True):
        assert np.linalg.norm(seen.whole) == pytest.approx(1, abs=1e-4)
        assert seen.whole @ encoder.documents([text])[0].whole == pytest.approx(1, abs=1e-3)


def test_an_empty_text_has_no_tokens_and_harms_nothing(encoder: Encoder) -> None:
    assert len(encoder.documents([[]])[0].tokens) == 0
    assert encoder.embed([]).shape == (0, encoder.dimension)


def test_an_unknown_encoder_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(EncoderUnusable, match="cannot be loaded") as caught:
        Encoder(str(tmp_path / "no-such-model"))
    assert "\n" not in str(caught.value)


@given(st.lists(st.lists(st.integers(0, 9), max_size=30), max_size=20), st.integers(1, 25))
@settings(max_examples=200, deadline=None)
def test_windows_keep_every_piece_in_order_and_fit(sentences: list[list[int]], room: int) -> None:
    windows = _windows(sentences, room)
    assert [piece for window in windows for piece in window] == [piece for sentence in sentences for piece in sentence]
    assert all(0 < len(window) <= room for window in windows)
