"""A cross-encoder as one more voice, for those who have one: it reads the question and a paper together.

None ships with paperchat. Any sentence-transformers ``CrossEncoder`` with one output may be named; its logit is taken for
log-odds, as models trained to tell relevant passages from others give them, and averaged with those of the scorer.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from vectorstore.encoder import going_offline
from vectorstore.errors import EncoderUnusable

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

log = logging.getLogger(__name__)

READ = 20  # papers read with each question: the first ones


class Reranker:
    """``relevance(question, papers, relevance)`` weighs the first papers anew."""

    def __init__(self, name: str) -> None:
        """The model ``name``, a folder or a hub name that is in the local cache; it is loaded when first asked."""
        self.name = name

    @cached_property
    def _model(self) -> CrossEncoder:
        return _load(self.name)

    def relevance(
        self, question: str, papers: Sequence[str], relevance: npt.NDArray[np.float32]
    ) -> npt.NDArray[np.float32]:
        """The relevance of papers, given as texts, most relevant first; shape (papers,), 0 to 1, in the same order."""
        if not len(papers):
            return relevance
        import torch

        read = self._model.predict(
            [(question, paper) for paper in papers], activation_fn=torch.nn.Identity(), show_progress_bar=False
        )
        sure = np.clip(relevance, 1e-6, 1 - 1e-6)
        odds = (np.log(sure / (1 - sure)) + np.asarray(read, np.float32)) / 2
        weighed: npt.NDArray[np.float32] = (1 / (1 + np.exp(-odds))).astype(np.float32)
        return weighed


def _load(name: str) -> CrossEncoder:
    going_offline()
    from sentence_transformers import CrossEncoder

    options: dict[str, Any] = {"device": "cpu", "local_files_only": True}
    try:
        model: CrossEncoder = CrossEncoder(name, **options)
    except (OSError, ValueError, ImportError, KeyError) as error:
        log.debug("loading %s failed", name, exc_info=True)
        raise EncoderUnusable(
            f"The cross-encoder {name} cannot be loaded. Give a folder or a model that is in the local Hugging Face "
            "cache, or unset PAPERCHAT_RERANKER."
        ) from error
    if model.num_labels != 1:
        raise EncoderUnusable(
            f"The cross-encoder {name} has {model.num_labels} outputs, not one that tells relevance. Name another PAPERCHAT_RERANKER."
        )
    return model
