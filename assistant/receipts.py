"""A receipt for a sentence that somebody wrote about a paper: the sentence of the abstract it rests on, and a verdict.

A small logistic model of nearness in meaning and of shared words says how likely the abstract bears the sentence out
(benchmarks/receipts.py fits and measures it). Over that stand rules that no nearness outweighs: numbers and names must
be the abstract's own, and what one denies the other must not state.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from assistant.answer import Quote, Verdict
from assistant.citations import quote
from vectorstore.encoder import Vectors
from vectorstore.keywords import terms
from vectorstore.labels import fold_name, names
from vectorstore.nearness import Nearness
from vectorstore.paper import Paper
from vectorstore.text import plain

# of benchmarks/receipts.py: for each feature, and last the intercept
WEIGHTS = (2.43, 4.01, 5.58, 0.26, 4.62, -0.69, -0.82, -0.43, -7.38)
CLOSE, PARTLY = 0.4, 0.25  # probability from which a sentence is close to the abstract's, and from which partly
QUOTED_WORDS = 4  # fewer words in a row are no quote
SCOPE = 3  # content words that a negation reaches


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a sentence rests on: the closest words of the abstract, the verdict, and the probability behind it."""

    verdict: Verdict
    quote: Quote | None
    probability: float = 0.0

    @property
    def supported(self) -> bool:
        """Whether the abstract says so."""
        return self.verdict in ("quoted", "close")


class Measure(Protocol):
    """What tells how near sentences are to papers: a library."""

    def nearness(self, statements: Sequence[str], ids: Sequence[str]) -> dict[str, list[Nearness]]:
        """By paper id, how near each statement is to the sentences of its abstract."""
        ...


def check(sentences: Sequence[str], papers: Sequence[Paper], measure: Measure) -> list[dict[str, Receipt]]:
    """For each sentence a receipt from each of the papers, by paper id."""
    if not sentences or not papers:
        return [{} for _ in sentences]
    near = measure.nearness(sentences, [paper.id for paper in papers])
    called = {paper.id: _called(paper) for paper in papers}
    receipts: list[dict[str, Receipt]] = []
    read = {paper.id: _Abstract.read(paper, near[paper.id][0].spans) for paper in papers if paper.id in near}
    for number, sentence in enumerate(sentences):
        claim = _Claim.read(sentence)
        receipts.append(
            {paper_id: _receipt(claim, abstract, near[paper_id][number], called) for paper_id, abstract in read.items()}
        )
    return receipts


def features(sentence: str, paper: Paper, near: Nearness) -> tuple[float, ...]:
    """What the model weighs, for training."""
    return _weighed(_Claim.read(sentence), _Abstract.read(paper, near.spans), near, {}).values


@dataclass(frozen=True, slots=True)
class _Weighed:
    """What speaks for and against a claim: the features of the model, the closest sentence, the rules that are broken."""

    values: tuple[float, ...]
    place: int
    other_numbers: bool
    foreign: bool
    contradicted: bool

    @property
    def probability(self) -> float:
        *weights, intercept = WEIGHTS
        return 1 / (1 + math.exp(-sum(w * v for w, v in zip(weights, self.values, strict=True)) - intercept))


@dataclass(frozen=True, slots=True)
class _Claim:
    """A sentence as it is checked."""

    text: str
    words: tuple[str, ...]
    stems: frozenset[str]
    numbers: frozenset[str]

    @classmethod
    def read(cls, sentence: str) -> _Claim:
        text = plain(sentence)
        return cls(text, tuple(_words(text)), frozenset(terms(text)), _numbers(text))


@dataclass(frozen=True, slots=True)
class _Abstract:
    """An abstract as it is checked against, sentence by sentence."""

    paper: Paper
    spans: tuple[tuple[int, int], ...]
    texts: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    stems: tuple[frozenset[str], ...]
    folded: str

    @classmethod
    @lru_cache(maxsize=256)  # the papers of a conversation are checked against again and again
    def read(cls, paper: Paper, spans: tuple[tuple[int, int], ...]) -> _Abstract:
        texts = tuple(plain(paper.abstract[start:end]) for start, end in spans)
        about = " ".join((paper.label, paper.title or "", *texts))
        return cls(
            paper,
            spans,
            texts,
            tuple(tuple(_words(text)) for text in texts),
            tuple(frozenset(terms(text)) for text in texts),
            f" {fold_name(about)} ",
        )


def _receipt(claim: _Claim, abstract: _Abstract, near: Nearness, called: Mapping[str, Collection[str]]) -> Receipt:
    if not abstract.texts or not claim.words:
        return Receipt("not found", None)
    paper = abstract.paper
    said = f" {' '.join(claim.words)} "
    for place, words in enumerate(abstract.words):
        if said in f" {' '.join(words)} " and len(claim.words) >= min(QUOTED_WORDS, len(words)):
            return Receipt("quoted", quote(paper, *abstract.spans[place]), 1.0)
    weighed = _weighed(claim, abstract, near, called)
    probability = weighed.probability
    held = quote(paper, *abstract.spans[weighed.place])
    if weighed.other_numbers:
        return Receipt("numbers differ", held, probability)
    if weighed.contradicted or probability < PARTLY:
        return Receipt("not found", held, probability)
    return Receipt("close" if probability >= CLOSE and not weighed.foreign else "partly", held, probability)


def _weighed(claim: _Claim, abstract: _Abstract, near: Nearness, called: Mapping[str, Collection[str]]) -> _Weighed:
    late = near.tokens.mean(axis=0) if len(near.tokens) else near.cosines
    shared = np.array([len(claim.stems & stems) / max(1, len(claim.stems)) for stems in abstract.stems], np.float32)
    place = int(np.argmax(near.cosines + late + 0.5 * shared))
    whole = float(near.tokens.max(axis=1).mean()) if near.tokens.size else 0.0
    everywhere = len(claim.stems & frozenset().union(*abstract.stems)) / max(1, len(claim.stems))
    support = " ".join(abstract.texts[n] for n in _support(late, place))
    numbers = claim.numbers - _numbers(support) - _numbers(f"{abstract.paper.label} {abstract.paper.title or ''}")
    foreign = _foreign(claim, abstract, called)
    contradicted = _contradicts(claim.text, abstract.texts[place])
    return _Weighed(
        (
            float(near.cosines[place]),  # with the closest sentence
            float(late[place]),  # late interaction with it
            whole,  # and with the whole abstract
            float(shared[place]),  # share of the claim's words that it holds
            everywhere,  # and that the abstract holds
            float(bool(numbers)),
            float(foreign),
            float(contradicted),
        ),
        place,
        bool(numbers),
        foreign,
        contradicted,
    )


def _support(late: Vectors, place: int) -> list[int]:
    """The sentences a claim may be put together from: the closest, its neighbours, and those almost as near."""
    level = 0.8 * float(late[place])
    close = [int(n) for n in np.argsort(-late) if late[n] >= level or abs(int(n) - place) == 1]
    return list(dict.fromkeys([place, *close]))[:4]


# ---- numbers

_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?")
_SPELLED = {
    word: str(value)
    for value, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
    )
} | {"twice": "2", "double": "2", "doubles": "2", "thrice": "3", "half": "2", "twofold": "2", "dozen": "12"}
_COUNTED = frozenset({"1", "2"})  # so small that they are counted rather than quoted: "both", "one of"


def _numbers(text: str) -> frozenset[str]:
    """The numbers of a text, whatever way they are written."""
    found = {_canonical(match.group()) for match in _NUMBER.finditer(re.sub(r"(?<=\d)(?=[A-Za-z%])", " ", text))}
    spelled = {_SPELLED[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _SPELLED}
    return frozenset(found | (spelled - _COUNTED))


def _canonical(number: str) -> str:
    bare = number.lstrip("-−").replace(",", "")
    return bare.rstrip("0").rstrip(".") if "." in bare else bare


# ---- names

_NAME = re.compile(r"(?<![\w-])(?=[\w+-]*[A-Z])[A-Za-z][\w+]*(?:-[\w+]+)*")


def _foreign(claim: _Claim, abstract: _Abstract, called: Mapping[str, Collection[str]]) -> bool:
    """Whether the claim names what this abstract does not: a name written as one, or another paper's."""
    for match in _NAME.finditer(claim.text):
        name = match.group()
        strong = sum(c.isupper() for c in name) > 1 or any(c.isdigit() for c in name)
        inside = (
            bool(claim.text[: match.start()].rstrip(" “\"'("))
            and claim.text[: match.start()].rstrip()[-1] not in ".!?:"
        )
        if (strong or inside) and not _mentioned(name, abstract):
            return True
    said = f" {fold_name(claim.text)} "
    own = called.get(abstract.paper.id, ())
    return any(
        f" {name} " in said and f" {name} " not in abstract.folded and name not in own
        for paper_id, theirs in called.items()
        if paper_id != abstract.paper.id
        for name in theirs
    )


def _mentioned(name: str, abstract: _Abstract) -> bool:
    folded = fold_name(name)
    solid = abstract.folded.replace(" ", "")
    stems = set(terms(name))
    return (
        f" {folded} " in abstract.folded
        or folded.replace(" ", "") in solid
        or folded.rstrip("s") in solid
        or (bool(stems) and stems <= frozenset().union(*abstract.stems))
    )


@lru_cache(maxsize=256)
def _called(paper: Paper) -> frozenset[str]:
    """The names a paper goes by, folded."""
    short = re.findall(r"\(([^()]+)\)", paper.label)
    given = [*names(paper.abstract, paper.title), *short, *([paper.label] if len(paper.label.split()) <= 3 else [])]
    return frozenset(folded for name in given if len(folded := fold_name(plain(name))) > 1)


# ---- what is denied

_DENIAL = re.compile(
    r"\b(?:not|no|never|without|cannot|neither|nor|none|hardly|fail(?:s|ed)? to|unable|lacks?|absent|rather than|instead of|un(?=changed|affected))\b|n't\b|n’t\b",
    re.I,
)
_OPPOSITES = tuple(
    (frozenset(terms(one)), frozenset(terms(other)))
    for one, other in (
        ("increase increases raise raises higher more greater larger enhances upregulates elevated grows", "decrease decreases reduce reduces lower less smaller fewer diminishes downregulates decline drops"),
        ("improve improves better outperforms exceeds surpasses superior", "worsen worsens worse degrade degrades underperforms inferior harms"),
        ("faster accelerates quick speedup", "slower slows slow"),
        ("activates activation promotes", "inhibits inhibition suppresses blocks"),
        ("positive", "negative"),
        ("supervised", "unsupervised"),
        ("presence", "absence"),
        ("succeeds success", "fails failure"),
    )
)  # fmt: skip


def _contradicts(claim: str, source: str) -> bool:
    """Whether one of the two denies what the other states, as far as single words tell."""
    denied, stated = _polarity(claim)
    theirs_denied, theirs_stated = _polarity(source)
    if (denied & theirs_stated - theirs_denied - stated) or (theirs_denied & stated - denied - theirs_stated):
        return True
    if bool(_DENIAL.search(claim)) and not _DENIAL.search(source) and not _opposite(denied, theirs_stated):
        return True
    mine, theirs = denied | stated, theirs_denied | theirs_stated
    return not denied and not theirs_denied and _opposite(mine, theirs)


def _opposite(mine: Collection[str], theirs: Collection[str]) -> bool:
    """Whether a word of one has its opposite in the other, which does not hold the word itself."""
    mine, theirs = frozenset(mine), frozenset(theirs)
    for one, other in _OPPOSITES:
        for here, there in ((one, other), (other, one)):
            if mine & here and not mine & there and theirs & there and not theirs & here:
                return True
    return False


def _polarity(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The content words that a text denies, and those it states."""
    denied: set[str] = set()
    stated: list[str] = []
    at = 0
    for match in _DENIAL.finditer(text):
        stated += terms(text[at : match.start()])
        clause = re.split(r"[,;:.]|\b(?:but|and|while|whereas|although)\b", text[match.end() :], maxsplit=1)[0]
        reached = terms(clause)[:SCOPE]
        denied |= set(reached)
        at = match.end()
    rest = terms(text[at:])
    stated += rest[SCOPE:] if at else rest
    return frozenset(denied), frozenset(stated) - denied


def _words(text: str) -> list[str]:
    return re.findall(r"\d+(?:[.,]\d+)*|[^\W_]+", text.casefold())
