"""Comparisons: papers side by side in a table, in the abstracts' own words, and a line on what they share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from assistant.aspects import aspect
from assistant.citations import Mention, Piece
from assistant.markdown import escape
from assistant.phrases import Phrases
from assistant.reading import Reading, Sentence, clause, introducing, method, problem, result, statements
from vectorstore.keywords import terms
from vectorstore.labels import names

SHARED = 4  # words named that all abstracts have in common
_DATA = re.compile(
    r"\b(?:data ?sets?|benchmarks?|corpus|corpora)\b|Bench\b|\b(?:ImageNet|CIFAR)\b|\bdata\b(?! (?:influence|removal))",
    re.I,
)
_TRIED = re.compile(r"\b(?:experiment|evaluat|validat|across|test(?:ed|s)?\b|benchmark)\w*", re.I)
COMMON = frozenset(
    terms(
        "method methods approach work paper propose introduce show demonstrate result results experiment experiments model models existing "
        "performance achieve improve novel framework new use using based data task tasks two first learning training also outperform significant "
        "extensive effective address problem challenge provide enable identify across various well across several study analysis theoretical "
        "code available high large however state art setting baseline baselines https github com set time find previous recent often rely limited"
    )
)


def table(readings: Sequence[Reading], say: Phrases) -> Iterator[Piece]:
    """A column for each paper, a row for each thing that people compare."""
    yield f"| {say.aspect} |"
    for reading in readings:
        yield f" **{escape(reading.label)}** "
        yield Mention(reading.paper)
        yield " |"
    yield "\n|" + "---|" * (len(readings) + 1)
    for row, title in say.rows.items():
        cells = [_cell(row, reading) for reading in readings]
        if not any(cells) and row in ("data", "code"):
            continue
        yield f"\n| {title} |"
        for reading, cell in zip(readings, cells, strict=True):
            yield " "
            if not cell:
                yield say.not_stated
            yield from statements(reading, cell)
            yield " |"
    yield from _in_common(readings, say)


def _cell(row: str, reading: Reading) -> list[Sentence]:
    """The one or two sentences that fill a cell."""
    found: list[Sentence | None]
    if row == "problem":
        found = [problem(reading)]
    elif row == "approach":
        found = [introducing(reading), method(reading)]
    elif row == "results":
        found = [result(reading)]
    else:
        stated = aspect("code").stated if row == "code" else _DATA
        own = [s for s in reading.sentences if s.role != "background" or row == "code"]
        fitting = [s for s in own if stated.search(s.text) and (row == "code" or not s.address_only)]
        fitting.sort(key=lambda s: not (row == "code" or _TRIED.search(s.text)))
        found = [fitting[0] if row == "code" else clause(reading, fitting[0], stated)] if fitting else []
    return [sentence for sentence in found if sentence is not None]


def _in_common(readings: Sequence[Reading], say: Phrases) -> Iterator[Piece]:
    """What all abstracts speak of, and whether they speak of one another."""
    said = [[word for sentence in reading.sentences for word in _words(sentence)] for reading in readings]
    counts = Counter(stem for each in said for stem in {stem for stem, _ in each})
    weight = Counter(stem for each in said for stem, _ in each)
    shown = {stem: word for each in reversed(said) for stem, word in reversed(each)}
    called = frozenset[str]().union(*(reading.called for reading in readings))
    shared = [stem for stem, count in counts.items() if count == len(readings) and stem not in COMMON | called]
    shared = sorted((stem for stem in shared if weight[stem] > len(readings)), key=lambda stem: -weight[stem])
    yield "\n\n"
    if shared:
        template = say.shared if len(readings) == 2 else say.all_share
        yield template.format(terms=say.comma.join(escape(shown[stem]) for stem in shared[:SHARED])) + " "
    if len(readings) == 2 and not any(_mentions(a, b) for a, b in (readings, readings[::-1])):
        yield say.no_cross


def _words(sentence: Sentence) -> Iterator[tuple[str, str]]:
    for word in sentence.text.split():
        bare = word.strip(".,;:()[]\"'“”*!?")
        stems = terms(bare)
        if len(stems) == 1 and len(bare) > 3 and bare.isalpha():
            yield stems[0], bare if not bare.istitle() else bare.lower()


def _mentions(reading: Reading, other: Reading) -> bool:
    text = f" {' '.join(sentence.text for sentence in reading.sentences)} "
    return any(f" {name} " in text for name in names(other.paper.abstract, other.paper.title))
