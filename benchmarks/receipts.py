"""Fit the receipts' model and measure the verdicts.

    python benchmarks/receipts.py --data ../shared/data

SciFact (Wadden et al. 2020): claims with an abstract that supports, contradicts or does not settle them. The training
claims fit the weights and thresholds; the test claims are only measured, beside plain similarity and word overlap. Then
sentences of the seed papers, and the same altered by a script. Prints Markdown, and the constants for assistant/receipts.py.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from assistant.receipts import check, features
from vectorstore.encoder import AskedText
from vectorstore.labels import names
from vectorstore.library import Library
from vectorstore.nearness import Nearness, nearness
from vectorstore.paper import Origin, Paper
from vectorstore.readers import read
from vectorstore.sentences import sentences
from vectorstore.text import plain

SEEDS = Path(__file__).parent.parent / "seeds"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--work", type=Path, help="folder to keep the indexed papers in, for the next run")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = arguments.work or Path(folder)
        altered(work)
        scifact(arguments.data / "collections" / "scifact", work)


class Known:
    """A library whose nearness to some statements was measured beforehand, many at once."""

    def __init__(self, library: Library, pairs: Sequence[tuple[str, str]]) -> None:
        texts = list(dict.fromkeys(text for text, _ in pairs))
        encoded = {}
        for at in range(0, len(texts), 64):
            some = texts[at : at + 64]
            encoded |= dict(zip(some, library.encoder.documents([[text] for text in some]), strict=True))
        stored = library._tokens.read(list({paper_id for _, paper_id in pairs}))
        asked = {t: library._tokens.question(AskedText(e.whole, e.tokens, ())) for t, e in encoded.items()}
        self.known = {(text, id): nearness([asked[text]], stored[id])[0] for text, id in pairs if id in stored}

    def nearness(self, statements: Sequence[str], ids: Sequence[str]) -> dict[str, list[Nearness]]:
        return {id: [self.known[text, id] for text in statements] for id in ids}


def scifact(folder: Path, work: Path) -> None:
    lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    claims = [json.loads(line) for line in lines]
    pairs = {}
    for claim in claims:
        for cited in claim["cited_doc_ids"]:
            labels = [each["label"] for each in claim["evidence"] if each["doc_id"] == cited]
            pairs[claim["text"], cited] = (claim["split"], labels[0] if labels else "NOT_ENOUGH_INFO")
    wanted = {paper_id for _, paper_id in pairs}
    records = (json.loads(line) for line in (folder / "papers.jsonl").read_text(encoding="utf-8").splitlines())
    papers = {
        record["id"]: Paper(
            record["id"], record["abstract"], Origin("papers.jsonl", n), record["title"], record["title"]
        )
        for n, record in enumerate(records, 1)
        if record["id"] in wanted
    }
    library = Library.create(work / "scifact")
    list(library.sync(papers.values()))
    rows, labels, splits, verdicts = [], [], [], []
    known = Known(library, [pair for pair in pairs if pair[1] in papers])
    for (text, paper_id), (split, label) in pairs.items():
        if paper_id not in papers:
            continue
        rows.append(features(text, papers[paper_id], known.known[text, paper_id]))
        verdicts.append(check([text], [papers[paper_id]], known)[0][paper_id])
        labels.append(label)
        splits.append(split)
    x, label_of, train = np.array(rows), np.array(labels), np.array(splits) == "train"
    supports = label_of == "SUPPORT"
    settled = train & (label_of != "CONTRADICT")  # nearness cannot tell for from against
    model = LogisticRegression(C=10, class_weight="balanced").fit(x[settled], supports[settled])
    weights = [*model.coef_[0], model.intercept_[0]]
    print("WEIGHTS =", tuple(round(float(weight), 2) for weight in weights))
    fitted = model.predict_proba(x)[:, 1]
    for kept in (0.95, 0.9, 0.85, 0.8):
        level = np.quantile(fitted[train & supports], 1 - kept)
        wrong = (fitted >= level)[train & ~supports].mean()
        print(f"threshold that keeps {kept:.0%} of the supported claims: {level:.3f}, and {wrong:.0%} of the others")
    for place, rule in ((5, "other numbers"), (6, "foreign names"), (7, "contradicted")):
        shares = [f"{kind} {x[train & (label_of == kind), place].mean():.0%}" for kind in sorted(set(labels))]
        print(f"training claims with {rule}:", ", ".join(shares))
    own = np.array([receipt.probability for receipt in verdicts])
    scores = {
        "receipts": own,
        "similarity: cosine of the best sentence": x[:, 0],
        "late interaction with the best sentence": x[:, 1],
        "word overlap with the best sentence": x[:, 3],
    }
    found = np.array([receipt.supported for receipt in verdicts])
    print("\n| SciFact, test claims | precision | recall | ROC AUC | AUC beside unsettled | AUC beside contradicted |")
    print("|---|---|---|---|---|---|")
    test = ~train
    beside = {"NOT_ENOUGH_INFO": label_of != "CONTRADICT", "CONTRADICT": label_of != "NOT_ENOUGH_INFO"}
    for name, score in scores.items():
        said = found if name == "receipts" else score >= np.quantile(score[train & supports], 0.15)
        right = (said & supports & test).sum()
        aucs = [roc_auc_score(supports[test], score[test])]
        aucs += [roc_auc_score(supports[test & some], score[test & some]) for some in beside.values()]
        print(
            f"| {name} | {right / (said & test).sum():.3f} | {right / (supports & test).sum():.3f} | "
            + " | ".join(f"{auc:.3f}" for auc in aucs)
            + " |"
        )
    print(
        "\n| verdict | " + " | ".join(kinds := ["SUPPORT", "NOT_ENOUGH_INFO", "CONTRADICT"]) + " |\n|---|---|---|---|"
    )
    for verdict in ("quoted", "close", "partly", "numbers differ", "not found"):
        counts = [
            sum(r.verdict == verdict for r, k, t in zip(verdicts, labels, test, strict=True) if k == kind and t)
            for kind in kinds
        ]
        print(f"| {verdict} | " + " | ".join(map(str, counts)) + " |")


def altered(work: Path) -> None:
    papers = [paper for paper in read(SEEDS) if isinstance(paper, Paper)]
    library = Library.create(work / "seeds")
    list(library.sync(papers))
    random.seed(0)
    kinds: dict[str, list[tuple[Paper, str]]] = {}
    for paper in papers:
        for start, end in sentences(paper.abstract):
            text = plain(paper.abstract[start:end])
            kinds.setdefault("true: quoted", []).append((paper, text))
            for kind, statement in (*loosened(text), *changed(text, paper, papers)):
                kinds.setdefault(kind, []).append((paper, statement))
    print("\n| statements over the seeds | count | keep “supported” |\n|---|---|---|")
    known = Known(library, [(text, paper.id) for cases in kinds.values() for paper, text in cases])
    for kind, cases in kinds.items():
        kept = [check([text], [paper], known)[0][paper.id].supported for paper, text in cases]
        print(f"| {kind} | {len(kept)} | {statistics.mean(kept):.3f} |")
    torch.set_num_threads(1)
    times = []
    for paper in papers:
        answer = [plain(paper.abstract[start:end]) for start, end in sentences(paper.abstract)][:8]
        started = time.process_time()
        check([f"Indeed {text}" for text in answer], [*random.sample(papers, 7), paper], library)
        times.append(1000 * (time.process_time() - started))
    print(
        f"\nchecking an answer of eight sentences against eight papers: {statistics.median(times):.0f} ms of one processor (median)"
    )


_WAYS = (
    (r"\bWe propose\b", "The authors propose"),
    (r"\bwe\b", "the authors"),
    (r"\bWe\b", "The authors"),
    (r"\bour\b", "their"),
    (r"\bOur\b", "Their"),
    (r"\bdemonstrates? that\b", "shows that"),
    (r"\bsignificantly\b", "clearly"),
    (r"\bHowever, ", ""),
    (r"\bFurthermore, |\bMoreover, |\bAdditionally, ", ""),
    (r"\bin order to\b", "to"),
    (r"\boutperforms?\b", "is better than"),
    (r"\butilizes?\b|\bleverag(?:e|es)\b", "uses"),
    (r"\bnovel\b", "new"),
    (r"\bintroduces?\b", "present"),
    (r"\bmethods\b", "approaches"),
)


def loosened(text: str) -> Iterator[tuple[str, str]]:
    """The sentence in other words, and shortened: still true."""
    other = text
    for pattern, words in _WAYS:
        other = re.sub(pattern, words, other)
    if other != text:
        yield "true: other words", other
    clauses = re.split(r", (?=which|where|while|and|achieving|enabling|thereby|with)", text)
    if len(clauses) > 1 and len(clauses[0].split()) >= 8:
        yield "true: shortened", f"It is reported that {clauses[0][:1].lower()}{clauses[0][1:].rstrip('.')}."


def changed(text: str, paper: Paper, papers: Sequence[Paper]) -> Iterator[tuple[str, str]]:
    """The sentence with a number changed, with another paper's method named, with a negation put in: no longer true."""
    number = re.search(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w-]|\.\d)", text)
    if number:
        value = float(number.group()) * random.choice((0.5, 1.3, 2, 3)) + 1
        new = f"{value:.1f}" if "." in number.group() else str(round(value))
        yield "altered: number", text[: number.start()] + new + text[number.end() :]
    own = sorted(names(paper.abstract, paper.title), key=len, reverse=True)
    mine = next((name for name in own if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)), None)
    others = [name for other in papers if other is not paper for name in names(other.abstract, other.title)[:1]]
    if mine:
        yield "altered: another method", re.sub(rf"(?<!\w){re.escape(mine)}(?!\w)", random.choice(others), text)
    negated = re.sub(r"\b(is|are|was|were|can|does|will|has|have)\b(?! not\b)", r"\1 not", text, count=1)
    if negated == text:
        negated = re.sub(r"\b[Ww]e (\w+)\b", r"we do not \1", text, count=1)
    if negated == text:
        negated = re.sub(
            r"\b(demonstrate|show|achieve|outperform|improve|reduce|yield|enable)(s?)\b", r"do not \1", text, count=1
        )
    if negated != text:
        yield "altered: negation", negated


if __name__ == "__main__":
    main()
