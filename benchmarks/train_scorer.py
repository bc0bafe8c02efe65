"""Train the scorer that turns evidence into the probability that a paper answers a question.

    python benchmarks/train_scorer.py --data ../shared/data --work DIR [--papers 2500]

Indexes the training collections into libraries under DIR (kept for the next run), gathers the evidence for each training
question, once with the collection whole and once with its relevant papers taken out (so that nothing answers), and fits a
linear model of the log-odds. Prints, for each collection held out in turn, how well the scorer ranks and how well it is calibrated;
writes vectorstore/scorer.json from all of them. Only training parts are read.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from vectorstore.evidence import FEATURES
from vectorstore.keywords import terms
from vectorstore.labels import names
from vectorstore.library import Library
from vectorstore.paper import Paper
from vectorstore.readers import read

# collection and its judgements of the training part
JUDGED = (
    ("scifact", "qrels_train.tsv"),
    ("cacm", "qrels.tsv"),
    ("cranfield", "qrels.tsv"),
    ("cisi", "qrels.tsv"),
    ("litsearch", "qrels.tsv"),
    ("pubmedqa", "qrels.tsv"),
)
AGAINST = {"unknown"}
EITHER = {"length", "best_bm25"}  # of the question alone: how likely an answer is at all
NAMING = (
    "{}",
    "what is {}?",
    "how does {} work",
    "results of {}",
    "which datasets was {} tested on?",
    "how many baselines was {} compared to?",
    "where is the code of {}",
    "explain the main idea of {} to me",
)
QUESTIONS_OF_OURS = Path(__file__).parent / "questions.jsonl"
LIST = 40  # papers of a list as short as a seed list
QUESTIONS = 100  # of each judged collection, every other one robbed of words
SEEN = 10  # papers of an answer that a person looks at


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's candidates: their evidence, whether each is relevant, and whether the relevant ones were taken out."""

    collection: str
    question: str
    rows: npt.NDArray[np.float32]
    relevant: npt.NDArray[np.bool_]
    emptied: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--papers", type=int, default=2500, help="papers of a collection beside the relevant ones")
    arguments = parser.parse_args()
    asked: list[Asked] = []
    for name, gathered in gatherings(arguments.data / "collections", arguments.work, arguments.papers):
        kept = arguments.work / f"evidence-{name}.npz"
        if not kept.exists():
            save(kept, list(gathered))
        asked += load(kept)
    collections = sorted({each.collection for each in asked})
    print(
        "| held out | questions | first right | AUC answerable | refused of emptied at 3 % false | ECE of the first | of the first ten |"
    )
    print("|---|---|---|---|---|---|---|")
    for name in collections:
        rest = [each for each in asked if each.collection != name]
        model = calibrated(fit(rest), rest)
        (arguments.work / f"scorer-{name}.json").write_text(json.dumps(model), encoding="utf-8")
        print(f"| {name} | {report(model, [each for each in asked if each.collection == name])} |")
    model = calibrated(fit(asked), asked)
    print(f"| none | {report(model, asked)} |")
    target = Path(__file__).parent.parent / "vectorstore" / "scorer.json"
    target.write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")
    for feature, weight in zip(FEATURES, model["weights"], strict=True):
        print(f"{feature:16} {weight:+.3f}")


def save(file: Path, asked: list[Asked]) -> None:
    """Keep gathered evidence for another run of the fit."""
    np.savez_compressed(
        file,
        features=np.array(FEATURES),
        collection=np.array([each.collection for each in asked]),
        question=np.array([each.question for each in asked]),
        emptied=np.array([each.emptied for each in asked]),
        lengths=np.array([len(each.rows) for each in asked]),
        rows=np.concatenate([each.rows for each in asked]),
        relevant=np.concatenate([each.relevant for each in asked]),
    )


def load(file: Path) -> list[Asked]:
    """The evidence that ``save`` kept; delete the file when the features change."""
    held = np.load(file)
    if list(held["features"]) != list(FEATURES):
        raise SystemExit(f"{file} holds other features: delete it")
    ends = np.cumsum(held["lengths"])
    fields = zip(held["collection"], held["question"], held["emptied"], ends - held["lengths"], ends, strict=True)
    rows, relevant = held["rows"], held["relevant"]
    return [
        Asked(str(name), str(question), rows[start:end], relevant[start:end], bool(emptied))
        for name, question, emptied, start, end in fields
    ]


def gatherings(collections: Path, work: Path, most: int) -> Iterator[tuple[str, Iterator[Asked]]]:
    """A name and the evidence for its training questions, for each collection; nothing is done before it is asked for."""
    papers = [paper for paper in read(collections / "icml" / "papers.jsonl") if isinstance(paper, Paper)]
    ours: dict[str, list[str]] = {}
    for line in QUESTIONS_OF_OURS.read_text(encoding="utf-8").splitlines():
        question = json.loads(line)
        ours.setdefault(question["paper"], []).append(question["question"])
    asked = {paper.id: [*ours[paper.id], *made_up(paper)] for paper in papers if paper.id in ours}
    # without titles, as seeds/ are
    bare = [replace(paper, title=None, label=paper.id) for paper in papers if paper.id in ours]
    for number, at in enumerate(range(0, len(bare), LIST)):
        yield f"lists-{number}", untitled("lists", bare[at : at + LIST], asked, work / "lists" / str(number))
    among = [*bare, *(paper for paper in papers if paper.id not in ours)]
    yield "among", untitled("among", among, asked, work / "among")
    other_words = {paper.id: [robbed(question, [paper]) for question in ours[paper.id]] for paper in bare}
    yield "robbed", untitled("robbed", among, other_words, work / "among")
    for name, judgements in JUDGED:
        yield name, of_collection(name, collections / name, judgements, work / name / "library", most)


def untitled(name: str, papers: list[Paper], asked: dict[str, list[str]], work: Path) -> Iterator[Asked]:
    """Questions to the papers that have any, among the others."""
    library = Library.create(work)
    list(library.sync(papers))
    for paper in papers:
        for question in asked.get(paper.id, ()):
            yield from ask(library, name, question, {paper.id})
    library.close()


def of_collection(name: str, folder: Path, judgements: str, work: Path, most: int) -> Iterator[Asked]:
    """Questions that people judged papers for."""
    relevant = judged(folder / judgements)
    library = indexed(folder, work, {paper for own in relevant.values() for paper in own}, most)
    texts = {
        str(query["id"]): str(query["text"])
        for query in map(json.loads, (folder / "queries.jsonl").open(encoding="utf-8"))
    }
    chosen = sorted(set(relevant) & set(texts))
    random.Random(0).shuffle(chosen)
    for number, query in enumerate(chosen[:QUESTIONS]):
        question = texts[query]
        if number % 2:
            question = robbed(question, library.get(sorted(relevant[query])))
        yield from ask(library, name, question, relevant[query])
    library.close()


def made_up(paper: Paper) -> Iterator[str]:
    """The paper's title as a question, and one that calls it by the name its abstract gives to its method."""
    draw = random.Random(paper.id)
    if paper.title:
        topic = paper.title.split(": ", 1)[-1]
        yield draw.choice([paper.title, topic, topic.casefold()])
    if own := names(paper.abstract, None):
        question = draw.choice(NAMING).format(draw.choice(own))
        yield draw.choice([question, question.casefold()])


def robbed(question: str, papers: Sequence[Paper]) -> str:
    """The question without about half of the words it shares with its papers: how somebody asks who knows other words."""
    draw = random.Random(question)
    shared = {stem for paper in papers for stem in terms(f"{paper.title or ''} {paper.abstract}")}
    kept = [word for word in question.split() if not set(terms(word)) & shared or draw.random() < 0.5]
    return " ".join(kept) if len(kept) > 2 else question


def judged(file: Path) -> dict[str, set[str]]:
    """Question id to the ids of its relevant papers."""
    relevant: dict[str, set[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines()[1:]:
        query, paper, grade = line.split("\t")
        if int(grade) > 0:
            relevant.setdefault(query, set()).add(paper)
    return relevant


def indexed(folder: Path, work: Path, needed: set[str], most: int) -> Library:
    """The collection, or its relevant papers and ``most`` others, as a library."""
    file = next(folder.glob("papers.jsonl*"))
    papers = [record for record in read(file) if isinstance(record, Paper)]
    others = [paper for paper in papers if paper.id not in needed]
    random.Random(0).shuffle(others)
    library = Library.create(work)
    list(library.sync([*(paper for paper in papers if paper.id in needed), *others[:most]]))
    return library


def ask(library: Library, collection: str, question: str, relevant: set[str]) -> Iterator[Asked]:
    whole = library.evidence(question)
    is_relevant = np.array([paper_id in relevant for paper_id in whole.ids])
    if is_relevant.any():
        yield Asked(collection, question, whole.rows, is_relevant, emptied=False)
    emptied = library.evidence(question, within=[paper_id for paper_id in whole.ids if paper_id not in relevant])
    if len(emptied.ids):
        yield Asked(collection, question, emptied.rows, np.zeros(len(emptied.rows), bool), emptied=True)


def fit(asked: list[Asked]) -> dict[str, object]:
    """A linear model of the log-odds in which no evidence can count against a paper.

    The loss is that of each candidate (cross-entropy) plus that of the list, in which "none of these", at log-odds 0, is
    one more candidate: the same number then orders papers and tells whether any of them answers. Every collection counts
    with the square root of its questions.
    """
    sizes = {name: sum(each.collection == name for each in asked) for name in {each.collection for each in asked}}
    weights = np.array([sizes[each.collection] ** -0.5 for each in asked])
    weights /= weights.sum()
    rows = np.concatenate([each.rows for each in asked]).astype(np.float64)
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    rows = np.clip((rows - mean) / scale, -6, 6)
    labels = np.concatenate([each.relevant for each in asked]).astype(np.float64)
    starts = np.cumsum([0, *(len(each.rows) for each in asked)])[:-1]
    lengths = np.array([len(each.rows) for each in asked])
    of_question = np.repeat(np.arange(len(asked)), lengths)
    positives = np.add.reduceat(labels, starts)
    target = labels / np.maximum(positives, 1)[of_question]  # of the list: shared by the relevant, else "none of these"

    def loss(parameters: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        logits = rows @ parameters[:-1] + parameters[-1]
        odds = 1 / (1 + np.exp(-logits))
        own = weights[of_question] / 3
        single = -(labels * np.log(odds + 1e-12) + (1 - labels) * np.log(1 - odds + 1e-12))
        top = np.maximum(np.maximum.reduceat(logits, starts), 0)
        powers = np.exp(logits - top[of_question])
        total = np.add.reduceat(powers, starts) + np.exp(-top)
        listed = np.log(total) + top - np.add.reduceat(target * logits, starts)
        slope = own * (odds - labels) + weights[of_question] * (powers / total[of_question] - target)
        gradient = np.append(rows.T @ slope, slope.sum())
        gradient[:-1] += 2e-4 * parameters[:-1]
        value = float((own * single).sum() + (weights * listed).sum() + 1e-4 * (parameters[:-1] ** 2).sum())
        return value, gradient

    bounds = [(None, 0.0) if name in AGAINST else (None, None) if name in EITHER else (0.0, None) for name in FEATURES]
    found = minimize(loss, np.append(np.zeros(len(FEATURES)), -3.0), jac=True, bounds=[*bounds, (None, None)])
    return {
        "features": list(FEATURES),
        "mean": [round(float(x), 6) for x in mean],
        "scale": [round(float(x), 6) for x in scale],
        "weights": [round(float(x), 6) for x in found.x[:-1]],
        "bias": round(float(found.x[-1]), 6),
    }


def calibrated(model: dict[str, object], asked: list[Asked]) -> dict[str, object]:
    """The model stretched and shifted (Platt 1999), so that of the papers it puts first as many answer as it says.

    Fitted to the first papers of answerable questions: what people see.
    """
    first = [(scores(model, each.rows), each.relevant) for each in asked if not each.emptied]
    best = [np.argsort(-own)[:SEEN] for own, _ in first]
    said = np.concatenate([own[top] for (own, _), top in zip(first, best, strict=True)])
    truth = np.concatenate([relevant[top] for (_, relevant), top in zip(first, best, strict=True)]).astype(np.float64)

    def loss(stretch_and_shift: npt.NDArray[np.float64]) -> float:
        odds = 1 / (1 + np.exp(-(stretch_and_shift[0] * said + stretch_and_shift[1])))
        return float(-(truth * np.log(odds + 1e-12) + (1 - truth) * np.log(1 - odds + 1e-12)).mean())

    stretch, shift = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead").x
    weights = [round(float(stretch * x), 6) for x in model["weights"]]
    return {**model, "weights": weights, "bias": round(float(stretch * model["bias"] + shift), 6)}


def scores(model: dict[str, object], rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Log-odds of each row."""
    mean, scale, weights = (np.array(model[key]) for key in ("mean", "scale", "weights"))
    return np.clip((rows - mean) / scale, -6, 6) @ weights + model["bias"]


def report(model: dict[str, object], asked: list[Asked]) -> str:
    """Right first, separation of answerable from emptied questions, and expected calibration error of what is first."""
    scored = [1 / (1 + np.exp(-scores(model, each.rows))) for each in asked]
    whole = [(p, each.relevant) for each, p in zip(asked, scored, strict=True) if not each.emptied]
    first = np.array([bool(relevant[np.argmax(p)]) for p, relevant in whole])
    answerable = np.array([p.max() for p, _ in whole])
    emptied = np.array([p.max() for each, p in zip(asked, scored, strict=True) if each.emptied])
    auc = float(np.mean(answerable[:, None] > emptied[None, :]))
    refused = float(np.mean(emptied < np.quantile(answerable, 0.03)))
    errors = f"{calibration_error(answerable, first):.3f}"
    seen = [(p[top], relevant[top]) for p, relevant in whole for top in [np.argsort(-p)[:SEEN]]]
    error = calibration_error(np.concatenate([p for p, _ in seen]), np.concatenate([truth for _, truth in seen]))
    return f"{len(first)} | {np.mean(first):.3f} | {auc:.3f} | {refused:.3f} | {errors} | {error:.3f}"


def calibration_error(probability: npt.NDArray[np.float64], truth: npt.NDArray[np.bool_]) -> float:
    """Expected calibration error (Naeini et al. 2015) over ten bins of equal count."""
    order = np.argsort(probability)
    bins = [part for part in np.array_split(order, 10) if len(part)]
    return float(sum(len(part) * abs(probability[part].mean() - truth[part].mean()) for part in bins) / len(order))


if __name__ == "__main__":
    main()
