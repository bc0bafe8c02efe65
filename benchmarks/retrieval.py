"""Compare searching a library with BM25, MiniLM, and their fusion, over judged collections, in one run.

    python benchmarks/retrieval.py --data ../shared/data --work DIR [--only scifact cacm] [--papers 2500]

Prints Markdown tables: nDCG@10, recall@5, recall@20 and success@1 by ir-measures, the paired test of each baseline's nDCG@10
against ours (Wilcoxon signed rank), the expected calibration error of our relevance, and milliseconds a question. Libraries are
kept under DIR for the next run. Of a collection larger than ``--papers`` the relevant papers and that many others are taken.
Where DIR holds ``scorer-NAME.json``, which benchmarks/train_scorer.py makes without the collection NAME, that one is used:
no collection is judged by a scorer that has seen questions to it.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import bm25s
import ir_measures
import numpy as np
import Stemmer
from ir_measures import R, Success, nDCG
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from scipy.stats import wilcoxon

from vectorstore.library import Library
from vectorstore.paper import Paper
from vectorstore.readers import read
from vectorstore.scorer import Scorer
from vectorstore.text import plain

# collection and its judgements: the test part where there is one
JUDGED = (
    ("scifact", "qrels_test.tsv"),
    ("cacm", "qrels.tsv"),
    ("cranfield", "qrels.tsv"),
    ("cisi", "qrels.tsv"),
    ("litsearch", "qrels.tsv"),
    ("pubmedqa", "qrels.tsv"),
)
SEEDS = ("seeds", "seeds among others")
MEASURES = (nDCG @ 10, R @ 5, R @ 20, Success @ 1)
DEPTH = 100  # papers each system ranks
FUSION_K = 60  # of reciprocal rank fusion (Cormack et al. 2009)

Ranking = dict[str, float]  # paper id to score, best first
Search = Callable[[str], Ranking]


@dataclass(frozen=True, slots=True)
class Task:
    """A collection and the questions asked of it: ``relevant`` is question id to paper id to grade."""

    papers: list[Paper]
    questions: dict[str, str]
    relevant: dict[str, dict[str, int]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--papers", type=int, default=2500, help="papers of a collection beside the relevant ones")
    parser.add_argument("--only", nargs="+", choices=[*(name for name, _ in JUDGED), *SEEDS])
    arguments = parser.parse_args()
    wanted = arguments.only or [*(name for name, _ in JUDGED), *SEEDS]
    for name, judgements in JUDGED:
        if name in wanted:
            task = judged(arguments.data / "collections" / name, judgements, arguments.papers)
            compare(name, task, arguments.work / name)
    for name in SEEDS:
        if name in wanted:
            compare(name, seeds(arguments.data, others=name != "seeds"), arguments.work / name.replace(" ", "_"))


def judged(folder: Path, judgements: str, most: int) -> Task:
    """A collection with its judgements; the relevant papers and ``most`` others."""
    relevant: dict[str, dict[str, int]] = {}
    for line in (folder / judgements).read_text(encoding="utf-8").splitlines()[1:]:
        question, paper, grade = line.split("\t")
        if int(grade) > 0:
            relevant.setdefault(question, {})[paper] = int(grade)
    questions = {str(q["id"]): str(q["text"]) for q in map(json.loads, (folder / "queries.jsonl").open("rb"))}
    papers = [record for record in read(next(folder.glob("papers.jsonl*"))) if isinstance(record, Paper)]
    needed = {paper for own in relevant.values() for paper in own}
    others = [paper for paper in papers if paper.id not in needed]
    random.Random(0).shuffle(others)
    kept = [*(paper for paper in papers if paper.id in needed), *others[:most]]
    here = {paper.id for paper in kept}
    relevant = {q: own for q, own in relevant.items() if q in questions and here & own.keys()}
    return Task(kept, {q: questions[q] for q in relevant}, relevant)


def seeds(data: Path, others: bool) -> Task:
    """The development questions over the seed lists, alone or among about 10,000 papers of ICML and PMLR."""
    papers, named = [], {}
    for file in sorted((Path(__file__).parent.parent / "seeds").iterdir()):
        for record in read(file):
            if isinstance(record, Paper):
                papers.append(record)
                named[f"{file.name[:3]}-{record.origin.position:02d}"] = record.id
    if others:
        for file in ("icml/papers.jsonl", "icml/icml2013_2019.jsonl", "pmlr/papers.jsonl"):
            papers += [record for record in read(data / "collections" / file) if isinstance(record, Paper)]
    asked = [json.loads(line) for line in (data / "seedqa_dev" / "single.jsonl").open("rb")]
    relevant = {each["qid"]: {named[gold]: 1 for gold in each["gold"]} for each in asked}
    return Task(papers, {each["qid"]: each["question"] for each in asked}, relevant)


def compare(name: str, task: Task, work: Path) -> None:
    """Print one collection's table."""
    work.mkdir(parents=True, exist_ok=True)
    library = Library.create(work / "library")
    list(library.sync(task.papers))
    bm25, dense = by_bm25(task.papers), by_vector(library)
    systems: dict[str, Search] = {
        "BM25": bm25,
        "MiniLM": dense,
        "rank fusion of both": lambda question: fused(bm25(question), dense(question)),
        "LlamaIndex QueryFusionRetriever": by_llama_index(bm25, dense),
        "paperchat": lambda question: {hit.paper.id: hit.relevance for hit in library.search(question, DEPTH)},
    }
    held_out = work.parent / f"scorer-{work.name}.json"
    if held_out.exists():
        library.scorer = Scorer.of(held_out.read_text(encoding="utf-8"))
    library.search("warm up")
    encoding = milliseconds(lambda: [library.encoder.question(text) for text in task.questions.values()], task)
    runs, times = {}, {}
    for system, search in systems.items():
        runs[system] = {}
        times[system] = milliseconds(
            lambda search=search, run=runs[system]: run.update({q: search(t) for q, t in task.questions.items()}), task
        )
    print(
        f"\n### {name}: {len(task.papers):,} papers, {len(task.questions)} questions; encoding one {encoding:.0f} ms\n"
    )
    print("| | nDCG@10 | recall@5 | recall@20 | success@1 | p of nDCG@10 against ours | ms |")
    print("|---|---|---|---|---|---|---|")
    each = {system: per_question(task, run) for system, run in runs.items()}
    for system in systems:
        means = [float(np.mean(list(each[system][measure].values()))) for measure in MEASURES]
        cells = " | ".join(f"{mean:.3f}" for mean in means)
        same = system == "paperchat"
        p = "" if same else f"{significance(each[system][nDCG @ 10], each['paperchat'][nDCG @ 10]):.3f}"
        print(f"| {system} | {cells} | {p} | {times[system]:.0f} |")
    top, whole = calibration(task, runs["paperchat"])
    print(
        f"\nExpected calibration error of paperchat's relevance: {top:.3f} of the first paper, {whole:.3f} of the first ten."
    )
    library.close()


def by_bm25(papers: Sequence[Paper]) -> Search:
    stemmer = Stemmer.Stemmer("english")

    def split(texts: list[str]) -> object:
        return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    index.index(split([f"{paper.title or ''} {plain(paper.abstract)}" for paper in papers]), show_progress=False)
    depth = min(DEPTH, len(papers))

    def search(question: str) -> Ranking:
        found, scores = index.retrieve(split([question]), k=depth, show_progress=False)
        return {papers[n].id: float(score) for n, score in zip(found[0], scores[0], strict=True) if score > 0}

    return search


def by_vector(library: Library) -> Search:
    """MiniLM's vector of the whole paper; as the library keeps it, so that nothing is cut off at 256 word pieces."""
    kept = library.chroma_collection.get(include=["embeddings"])
    ids, vectors = kept["ids"], np.asarray(kept["embeddings"], np.float32)

    def search(question: str) -> Ranking:
        cosines = vectors @ library.encoder.question(question).whole
        return {ids[n]: float(cosines[n]) for n in np.argsort(-cosines)[:DEPTH]}

    return search


def fused(*rankings: Ranking) -> Ranking:
    """Reciprocal rank fusion (Cormack et al. 2009)."""
    total: Ranking = {}
    for ranking in rankings:
        for rank, paper_id in enumerate(ranking, 1):
            total[paper_id] = total.get(paper_id, 0.0) + 1 / (FUSION_K + rank)
    return dict(sorted(total.items(), key=lambda each: -each[1])[:DEPTH])


def by_llama_index(*searches: Search) -> Search:
    class Listed(BaseRetriever):  # type: ignore[misc]
        def __init__(self, search: Search) -> None:
            super().__init__()
            self._search = search

        def _retrieve(self, query: QueryBundle) -> list[NodeWithScore]:
            return [
                NodeWithScore(node=TextNode(id_=paper_id, text=paper_id), score=score)
                for paper_id, score in self._search(query.query_str).items()
            ]

    fusion = QueryFusionRetriever(
        [Listed(search) for search in searches],
        llm=MockLLM(),
        mode="reciprocal_rerank",
        num_queries=1,
        similarity_top_k=DEPTH,
        use_async=False,
    )
    return lambda question: {hit.node.node_id: float(hit.score or 0.0) for hit in fusion.retrieve(question)}


def milliseconds(work: Callable[[], object], task: Task) -> float:
    started = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - started) / len(task.questions)


def per_question(task: Task, run: dict[str, Ranking]) -> dict[object, dict[str, float]]:
    """Measure to question to value; a question for which nothing was found counts 0."""
    values: dict[object, dict[str, float]] = {measure: dict.fromkeys(task.questions, 0.0) for measure in MEASURES}
    for metric in ir_measures.iter_calc(list(MEASURES), task.relevant, run):
        values[metric.measure][metric.query_id] = float(metric.value)
    return values


def significance(theirs: dict[str, float], ours: dict[str, float]) -> float:
    differences = np.array([ours[question] - theirs[question] for question in ours])
    return float(wilcoxon(differences).pvalue) if differences.any() else 1.0


def calibration(task: Task, run: dict[str, Ranking]) -> tuple[float, float]:
    """Expected calibration error (Naeini et al. 2015; 10 bins of equal count) of the first paper and of the first ten."""
    judged = [
        [(score, paper_id in task.relevant[question]) for paper_id, score in list(ranking.items())[:10]]
        for question, ranking in run.items()
    ]
    return calibration_error([own[0] for own in judged if own]), calibration_error(
        [each for own in judged for each in own]
    )


def calibration_error(said: Sequence[tuple[float, bool]]) -> float:
    ordered = np.array(sorted(said), np.float64)
    return float(
        sum(abs(part[:, 0].mean() - part[:, 1].mean()) * len(part) for part in np.array_split(ordered, 10) if len(part))
        / len(ordered)
    )


if __name__ == "__main__":
    main()
