"""Evidence on texts small enough to check by hand."""

from __future__ import annotations

import numpy as np
import pytest

from vectorstore.encoder import AskedText
from vectorstore.evidence import FEATURES, gather
from vectorstore.labels import fold_name
from vectorstore.scorer import Scorer
from vectorstore.tokens import StoredText

EAST, NORTH = [1.0, 0.0], [0.0, 1.0]


def stored(*sentences: list[list[float]], terms: str = "", names: tuple[str, ...] = ()) -> StoredText:
    tokens = np.array([token for sentence in sentences for token in sentence], np.float32)
    bounds = np.cumsum([0, *(len(sentence) for sentence in sentences)]).astype(np.int32)
    means = np.array([*(np.mean(sentence, axis=0) for sentence in sentences), tokens.mean(axis=0)])
    return StoredText(
        names=tuple(fold_name(name) for name in names),
        terms=tuple(terms.split()),
        spans=np.array([[10 * n, 10 * n + 9] for n in range(len(sentences))], np.int32),
        bounds=bounds,
        means=np.round(127 * means / np.linalg.norm(means, axis=1, keepdims=True)).astype(np.int8),
        tokens=np.round(tokens * 127).astype(np.int8),
    )


def asked(*tokens: list[float], words: str) -> AskedText:
    vectors = np.array(tokens, np.float32)
    whole = vectors.mean(axis=0)
    return AskedText(whole / np.linalg.norm(whole), vectors, tuple(words.split()))


def row(evidence_row: np.ndarray) -> dict[str, float]:
    return dict(zip(FEATURES, map(float, evidence_row), strict=True))


def test_similarities_are_those_worked_out_by_hand() -> None:
    texts = {"both": stored([EAST], [NORTH]), "east": stored([EAST, EAST])}
    found = gather("quasars zebra", asked(EAST, NORTH, words="quasars zebra"), texts, {}, lambda word: 0.5)
    both, east = (row(each) for each in found.rows)
    assert both["late"] == pytest.approx(1.0, abs=0.01)  # each question token has its match
    assert east["late"] == pytest.approx(0.5, abs=0.01)  # only one of two has
    assert both["late_sentence"] == pytest.approx(0.5, abs=0.01)  # no one sentence has both
    assert both["whole"] == pytest.approx(1.0, abs=0.01)
    assert east["whole"] == pytest.approx(0.5**0.5, abs=0.01)
    assert both["sentence"] == pytest.approx(0.5**0.5, abs=0.01)
    assert [passage.score for passage in found.passages(0)] == pytest.approx([0.5**0.5] * 2, abs=0.01)


def test_words_count_by_their_rarity() -> None:
    texts = {"a": stored([EAST], terms="quasar"), "b": stored([EAST], terms="zebra")}
    rarity = {"quasar": 0.9, "zebra": 0.1}
    found = gather("quasars zebra", asked(EAST, EAST, words="quasars zebra"), texts, {}, rarity.__getitem__)
    assert row(found.rows[0])["coverage"] == pytest.approx(0.9)
    assert row(found.rows[1])["coverage"] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("question", "name", "matches"),
    [
        ("LTC", "LTC", True),
        ("what is locate then correct?", "Locate-Then-Correct", True),
        ("causal armor", "CausalArmor", True),
        ("z erase results", "Z-Erase", True),
        ("the foxes", "Fox", False),
        ("a mcu board", "MCUs", False),
    ],
)
def test_a_paper_is_known_by_its_name_however_it_is_written(question: str, name: str, matches: bool) -> None:
    texts = {"a": stored([EAST], names=(name,))}
    found = gather(question, asked(EAST, words="x"), texts, {}, lambda word: 0.5)
    assert (row(found.rows[0])["name"] > 0) is matches


def test_no_candidates_give_no_evidence() -> None:
    found = gather("q", asked(EAST, words="q"), {}, {}, lambda word: 0.5)
    assert found.ids == ()
    assert Scorer.bundled().probability(found.rows).shape == (0,)


def test_probabilities_lie_between_zero_and_one() -> None:
    rows = np.random.default_rng(0).normal(size=(50, len(FEATURES))).astype(np.float32)
    probability = Scorer.bundled().probability(rows)
    assert ((probability >= 0) & (probability <= 1)).all()


def test_names_fold_to_words() -> None:
    assert fold_name("Z-Erase: Naïve_Ünlearning") == "z erase naive unlearning"
