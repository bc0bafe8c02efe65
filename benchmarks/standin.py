"""A stand-in for the encoder: in every way like it but for meaning and cost.

Vectors are drawn from a table by the hash of each word, so texts that share words are near, and the same text always has
the same vectors. Shapes and counts are those of the bundled encoder. It measures and tests all that is not the encoder.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from vectorstore.encoder import BUNDLED, AskedText, EncodedText, Vectors

DIMENSION = 384
TABLE = 30_000  # as many as the bundled encoder knows word pieces


class StandIn:
    """Has the verbs of ``vectorstore.encoder.Encoder`` that a library uses."""

    def __init__(self, name: str = BUNDLED) -> None:
        self.name = name
        self.dimension = DIMENSION

    def documents(self, texts: Sequence[Sequence[str]]) -> list[EncodedText]:
        encoded = []
        for text in texts:
            pieces = [_rows(sentence) for sentence in text]
            tokens = _table()[[row for own in pieces for row in own]]
            encoded.append(EncodedText(_mean(tokens), tokens, np.cumsum([0, *map(len, pieces)]).astype(np.int32)))
        return encoded

    def question(self, text: str) -> AskedText:
        tokens = _table()[_rows(text)]
        return AskedText(_mean(tokens), tokens, tuple(_words(text)))

    def knows(self, word: str) -> bool:
        return len(_words(word)) == 1

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.stack([_mean(_table()[_rows(text)]) for text in texts])


def _words(text: str) -> list[str]:
    return re.findall(r"\w{1,6}|[^\w\s]", text.casefold())


def _rows(text: str) -> list[int]:
    return [_row(word) for word in _words(text)]


@lru_cache(maxsize=200_000)
def _row(word: str) -> int:
    return zlib.crc32(word.encode()) % TABLE


def _mean(tokens: Vectors) -> Vectors:
    mean = tokens.sum(axis=0) if len(tokens) else np.ones(DIMENSION, np.float32)
    unit: Vectors = (mean / max(1e-12, float(np.linalg.norm(mean)))).astype(np.float32)
    return unit


@cache
def _table() -> Vectors:
    rows = np.random.default_rng(7).standard_normal((TABLE, DIMENSION), dtype=np.float32)
    table: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return table
