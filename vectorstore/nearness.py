"""How near statements are to the sentences of a paper, from the token vectors that are kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vectorstore.encoder import AskedText, Vectors
from vectorstore.tokens import StoredText


@dataclass(frozen=True, slots=True)
class Nearness:
    """A statement beside the sentences of an abstract, which stand at ``spans`` in it.

    ``cosines`` has one number a sentence, that of its mean vector with the statement's; ``tokens`` has shape (pieces of
    the statement, sentences), the best cosine of each piece in each sentence.
    """

    spans: tuple[tuple[int, int], ...]
    cosines: Vectors
    tokens: Vectors


def nearness(statements: Sequence[AskedText], text: StoredText) -> list[Nearness]:
    """Each statement, its tokens in the dimensions that are kept (``TokenStore.question``), beside the text."""
    count = len(text.spans)
    spans = tuple((int(start), int(end)) for start, end in text.spans)
    bounds = text.bounds[len(text.bounds) - 1 - count :]  # a title comes before the sentences of the abstract
    means = text.means[len(text.means) - 1 - count : -1].astype(np.float32) / np.float32(127)
    filled = np.flatnonzero(np.diff(bounds))
    kept = text.tokens.astype(np.float32) / np.float32(127)
    found = []
    for statement in statements:
        tokens = np.zeros((len(statement.tokens), count), np.float32)
        if len(filled):
            tokens[:, filled] = np.maximum.reduceat(statement.tokens @ kept.T, bounds[filled], axis=1)
        cosines: Vectors = (means @ statement.whole).astype(np.float32)
        found.append(Nearness(spans, cosines, tokens))
    return found
