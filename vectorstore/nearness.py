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
    """Each statement beside the text, in the dimensions that are kept (``TokenStore.question``)."""
    count = len(text.spans)
    spans = tuple((int(start), int(end)) for start, end in text.spans)
    first = len(text.bounds) - 1 - count  # a title comes before the sentences of the abstract
    filled = [n for n in range(count) if text.bounds[first + n] < text.bounds[first + n + 1]]
    if not statements or not filled:
        return [
            Nearness(spans, np.zeros(count, np.float32), np.zeros((len(s.tokens), count), np.float32))
            for s in statements
        ]
    starts = np.array([text.bounds[first + n] for n in filled])
    lengths = np.array([text.bounds[first + n + 1] - text.bounds[first + n] for n in filled])
    ends = int(starts[-1] + lengths[-1])
    rows = np.concatenate([*(s.tokens for s in statements), np.stack([s.whole for s in statements])])
    similar = rows @ (text.tokens[starts[0] : ends].astype(np.float32).T / 127)
    offsets = starts - starts[0]
    best, sums = np.maximum.reduceat(similar, offsets, axis=1), np.add.reduceat(similar, offsets, axis=1)
    norms = np.array([text.norms[first + n] for n in filled])
    found, at = [], 0
    for number, statement in enumerate(statements):
        cosines, tokens = np.zeros(count, np.float32), np.zeros((len(statement.tokens), count), np.float32)
        cosines[filled] = sums[len(rows) - len(statements) + number] / np.maximum(lengths * norms, 1e-6)
        tokens[:, filled] = best[at : at + len(statement.tokens)]
        at += len(statement.tokens)
        found.append(Nearness(spans, cosines, tokens))
    return found
