"""A cross-encoder of two layers, made here and trained on nothing, as a further voice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vectorstore.errors import EncoderUnusable
from vectorstore.library import Library
from vectorstore.paper import Paper
from vectorstore.reranker import Reranker


def cross_encoder(folder: Path, outputs: int = 1) -> str:
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder.mkdir()
    (folder / "vocab.txt").write_text(
        "\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cats", "dogs", "sleep"])
    )
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    small = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 8}
    BertForSequenceClassification(BertConfig(vocab_size=8, num_labels=outputs, **small)).save_pretrained(folder)
    return str(folder)


def test_its_logit_is_averaged_with_the_log_odds_of_the_scorer(tmp_path: Path) -> None:
    reranker = Reranker(cross_encoder(tmp_path / "model"))
    papers = ["cats sleep", "dogs sleep"]
    even = reranker.relevance("cats", papers, np.array([0.5, 0.5], np.float32))
    likely = reranker.relevance("cats", papers, np.array([0.9, 0.5], np.float32))
    assert likely[0] > even[0]
    assert likely[1] == pytest.approx(even[1])
    read = np.log(even / (1 - even)) * 2
    assert likely[0] == pytest.approx(1 / (1 + np.exp(-(np.log(9) + read[0]) / 2)), abs=1e-5)


def test_a_library_lets_it_read_the_first_papers(tmp_path: Path, make_paper: Callable[..., Paper]) -> None:
    library = Library.create(tmp_path / "library")
    list(library.sync([make_paper("a", "Cats sleep all day."), make_paper("b", "Dogs bark at cats.")]))
    before = {hit.paper.id: hit.relevance for hit in library.search("what do cats do")}

    class Opposed(Reranker):
        def relevance(self, question: str, papers: object, relevance: np.ndarray) -> np.ndarray:
            return 1 - relevance

    library.reranker = Opposed("none")
    after = [hit.paper.id for hit in library.search("what do cats do")]
    assert after == sorted(before, key=before.__getitem__)
    assert len(library.search("what do cats do", 1)) == 1


def test_a_model_that_is_not_there_or_tells_classes_is_refused_in_a_line(tmp_path: Path) -> None:
    for name in (str(tmp_path / "missing"), cross_encoder(tmp_path / "three", outputs=3)):
        with pytest.raises(EncoderUnusable, match="PAPERCHAT_RERANKER"):
            Reranker(name).relevance("cats", ["cats"], np.array([0.5], np.float32))
