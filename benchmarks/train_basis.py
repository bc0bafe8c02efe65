"""Find the directions in which the bundled encoder's token vectors are kept.

    python benchmarks/train_basis.py PAPERS.jsonl[.gz] ... [--kept 192] [--papers 750]

The leading eigenvectors of the token vectors' second moment, so that products of vectors are kept best; writes
vectorstore/basis.npy and prints how much of the vectors' squared length stays.
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

import numpy as np

from vectorstore.encoder import Encoder
from vectorstore.paper import Paper
from vectorstore.readers import read
from vectorstore.sentences import sentences
from vectorstore.text import plain


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--kept", type=int, default=192)
    parser.add_argument("--papers", type=int, default=750, help="papers of each file")
    arguments = parser.parse_args()
    encoder = Encoder()
    moment = np.zeros((encoder.dimension, encoder.dimension))
    for file in arguments.files:
        papers = itertools.islice((each for each in read(file) if isinstance(each, Paper)), arguments.papers)
        texts = [[plain(p.abstract[start:end]) for start, end in sentences(p.abstract)] for p in papers]
        for seen in encoder.documents(texts):
            moment += seen.tokens.T @ seen.tokens
    values, vectors = np.linalg.eigh(moment)
    values, vectors = values[::-1], vectors[:, ::-1]
    for kept in (64, 96, 128, 192, 256):
        print(f"{kept} dimensions hold {values[:kept].sum() / values.sum():.3f} of the squared length")
    target = Path(__file__).parent.parent / "vectorstore" / "basis.npy"
    np.save(target, vectors[:, : arguments.kept].astype(np.float16))


if __name__ == "__main__":
    main()
