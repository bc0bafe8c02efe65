"""The token vectors of every paper, kept small on disk and read for a question's candidates alone.

Late interaction (ColBERT, Khattab and Zaharia 2020) needs a vector for each word piece of a paper. They are derived
from the papers in Chroma, one SQLite row a paper, 8 bits a number. With the bundled encoder they are kept in the 192
dimensions of its 384 that hold most of their length (benchmarks/train_basis.py): half the bytes and half the arithmetic.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vectorstore.encoder import BUNDLED, AskedText, EncodedText, Vectors

# SQLite's oldest supported limit of variables in one statement
VARIABLES = 900
PAGE = 32_768  # bytes of a page of the file: a row is a page or two, not a dozen
MAPPED = 1 << 40  # bytes of the file that may be read where the system holds them, without a copy


@dataclass(frozen=True, slots=True)
class StoredText:
    """A paper as the scorer sees it.

    ``tokens`` are 8-bit token vectors, shape (pieces, kept dimensions), ``tokens / 127`` having about unit length; sentence i
    of the text is ``tokens[bounds[i]:bounds[i + 1]]``. The last sentences are the abstract's, at ``spans`` in it, shape
    (sentences of the abstract, 2); where there is a title it is the sentence before them.
    ``means`` are the 8-bit unit vectors of the sentences and, last, of the whole text, in all dimensions of the encoder:
    shape (sentences + 1, dimension). ``names`` are the names people may call the paper by, folded; ``terms`` its index
    terms, in order.
    """

    names: tuple[str, ...]
    terms: tuple[str, ...]
    spans: npt.NDArray[np.int32]
    bounds: npt.NDArray[np.int32]
    means: npt.NDArray[np.int8]
    tokens: npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Row:
    """A row to keep: the paper's id, the fingerprint of the text it was made from, and what is kept of it."""

    id: str
    fingerprint: str
    names: tuple[str, ...]
    terms: tuple[str, ...]
    spans: Sequence[tuple[int, int]]
    encoded: EncodedText


class TokenStore:
    """An SQLite file with the token vectors. Safe to read from several threads and processes while one writes."""

    def __init__(self, file: Path, encoder: str, dimension: int) -> None:
        self._file = file
        self._of_thread = threading.local()
        self._basis = _basis(encoder)
        self._dimension = dimension
        self._kept = dimension if self._basis is None else self._basis.shape[1]
        with self._connection() as connection:
            connection.execute(f"PRAGMA page_size={PAGE}")
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS texts (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, names TEXT NOT NULL,"
                " terms TEXT NOT NULL, spans BLOB NOT NULL, bounds BLOB NOT NULL, means BLOB NOT NULL, tokens BLOB NOT NULL) WITHOUT ROWID"
            )

    def write(self, rows: Iterable[Row], remove: Collection[str] = ()) -> None:
        """Keep the rows, each in place of an older one with its id, and drop ``remove``. All or nothing."""
        with self._connection() as connection:
            connection.executemany("DELETE FROM texts WHERE id = ?", [(id,) for id in remove])
            connection.executemany(
                "INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        row.id,
                        row.fingerprint,
                        "\n".join(row.names),
                        " ".join(row.terms),
                        np.array(row.spans, np.int32).tobytes(),
                        row.encoded.bounds.astype(np.int32).tobytes(),
                        _bytes(_means(row.encoded)).tobytes(),
                        _bytes(self._reduced(row.encoded.tokens)).tobytes(),
                    )
                    for row in rows
                ],
            )

    def read(self, ids: Sequence[str]) -> dict[str, StoredText]:
        """What is kept of the papers, by id; a paper that is not (yet) kept is left out."""
        found = {}
        with self._connection() as connection:
            for at in range(0, len(ids), VARIABLES):
                some = ids[at : at + VARIABLES]
                marks = ",".join("?" * len(some))
                rows = connection.execute(
                    f"SELECT id, names, terms, spans, bounds, means, tokens FROM texts WHERE id IN ({marks})", some
                )
                for id, names, terms, spans, bounds, means, tokens in rows:
                    found[id] = StoredText(
                        tuple(names.split("\n")) if names else (),
                        tuple(terms.split()),
                        np.frombuffer(spans, np.int32).reshape(-1, 2),
                        np.frombuffer(bounds, np.int32),
                        np.frombuffer(means, np.int8).reshape(-1, self._dimension),
                        np.frombuffer(tokens, np.int8).reshape(-1, self._kept),
                    )
        return found

    def question(self, asked: AskedText) -> AskedText:
        """A question whose tokens have the dimensions that are kept, so that their products with stored ones are cosines."""
        return replace(asked, tokens=self._reduced(asked.tokens))

    def _reduced(self, vectors: Vectors) -> Vectors:
        return vectors if self._basis is None else vectors @ self._basis

    def fingerprints(self) -> dict[str, str]:
        """The fingerprint under which each paper was kept, by id."""
        with self._connection() as connection:
            return dict(connection.execute("SELECT id, fingerprint FROM texts").fetchall())

    def __len__(self) -> int:
        with self._connection() as connection:
            return int(connection.execute("SELECT count(*) FROM texts").fetchone()[0])

    def close(self) -> None:
        """Let go of the file, as far as this thread holds it."""
        if held := self._of_thread.__dict__.pop("connection", None):
            held.close()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """The thread's own connection, in a transaction."""
        if "connection" not in self._of_thread.__dict__:
            self._of_thread.connection = sqlite3.connect(self._file, timeout=30)
            self._of_thread.connection.execute(f"PRAGMA mmap_size={MAPPED}")
        with self._of_thread.connection as connection:
            yield connection


def _means(encoded: EncodedText) -> Vectors:
    """The unit vectors of each sentence and, last, of the whole text; zeros for a sentence without tokens."""
    means = np.zeros((len(encoded.bounds), encoded.tokens.shape[1]), np.float32)
    for number, (start, end) in enumerate(pairwise(encoded.bounds)):
        if end > start:
            mean = encoded.tokens[start:end].mean(axis=0)
            means[number] = mean / max(float(np.linalg.norm(mean)), 1e-6)
    means[-1] = encoded.whole
    return means


def _bytes(vectors: Vectors) -> npt.NDArray[np.int8]:
    return np.round(vectors * 127).astype(np.int8)


def _basis(encoder: str) -> Vectors | None:
    """The directions kept of an encoder's token vectors, shape (dimension, kept); None where all are."""
    if encoder != BUNDLED:
        return None
    with files("vectorstore").joinpath("basis.npy").open("rb") as file:
        basis: Vectors = np.load(file, allow_pickle=False).astype(np.float32)
    return basis
