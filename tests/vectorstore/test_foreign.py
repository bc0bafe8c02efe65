"""Questions in other languages, through the real encoder of sixteen of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vectorstore.foreign import ForeignQuestions, is_foreign


@pytest.fixture(scope="module")
def foreign() -> ForeignQuestions:
    return ForeignQuestions()


@pytest.mark.parametrize(
    "question",
    [
        "扩散模型怎么加速采样?",
        "CLIP 老是靠背景来判断类别",
        "Wie kann man das Training beschleunigen?",
        "Comment réduire les hallucinations des modèles ?",
        "¿Cómo se entrena un modelo sin datos?",
        "拡散モデルの高速化",
        "как ускорить обучение нейронной сети",
    ],
)
def test_other_languages_are_recognised(question: str) -> None:
    assert is_foreign(question)


@pytest.mark.parametrize(
    "question",
    [
        "what is Fox?",
        "Poincaré embeddings",
        "de novo protein design",
        "β-VAE and α-divergence",
        "naïve Bayes",
        "",
        "les",
        "How does it die out in the end",
    ],
)
def test_english_is_not_foreign(question: str) -> None:
    assert not is_foreign(question)


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("联邦学习中的隐私保护", {"federated", "learning", "privacy"}),
        ("图神经网络", {"graph", "neural", "network"}),
        ("réseaux de neurones profonds", {"networks", "neurons", "deep"}),
        ("画像認識の精度", {"image", "recognition", "accuracy"}),
    ],
)
def test_the_terms_of_the_field_come_out_in_english(foreign: ForeignQuestions, question: str, terms: set[str]) -> None:
    assert terms <= set(foreign.english(question).lower().replace("-", " ").split())


def test_names_and_english_terms_within_a_question_are_kept(foreign: ForeignQuestions) -> None:
    said = foreign.english("OmniVL-Guard 在哪些 benchmark 上测试过?")
    assert "OmniVL-Guard" in said
    assert "benchmark" in said


def test_words_that_name_nothing_give_nothing(foreign: ForeignQuestions) -> None:
    assert foreign.english("这是什么?") == ""


@given(st.text(max_size=60))
def test_any_text_is_one_or_the_other(text: str) -> None:
    assert is_foreign(text) in (True, False)
