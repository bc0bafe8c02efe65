"""What speaks for a paper: for a question and its candidates, a row of numbers each, none of which knows the library's size.

The scorer (scorer.py) turns a row into the probability that the paper answers the question.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vectorstore.encoder import AskedText, Vectors
from vectorstore.keywords import terms
from vectorstore.paper import Passage
from vectorstore.tokens import StoredText

FEATURES = (
    "whole",  # cosine of question and whole text
    "sentence",  # cosine of question and best sentence
    "late",  # late interaction: mean over question tokens of the best cosine (Khattab and Zaharia 2020)
    "late_rare",  # the same, each token weighted by the rarity of its word
    "late_sentence",  # late_rare within the best single sentence
    "weakest",  # how well the least covered of the question's rare words is covered
    "coverage",  # share of the question's words the paper contains, weighted by rarity
    "bm25",  # BM25 beside the best candidate's
    "best_bm25",  # the best candidate's BM25 for each unit of the question's rarity
    "name",  # share of the question's words that are a name of the paper
    "unknown",  # share of the question's words that no paper contains
    "length",  # content words of the question, log
    "lead_late",  # late_rare beside the best other candidate's
    "lead_sentence",
    "lead_whole",
    "far_late",  # late_rare in standard deviations from the mean of all candidates
    "far_sentence",
    "far_whole",
    "far_bm25",
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Candidates and what speaks for each: ``rows`` has shape (candidates, len(FEATURES)).

    ``passages`` are all the sentences of each abstract, with their cosine to the question.
    """

    ids: tuple[str, ...]
    rows: npt.NDArray[np.float32]
    passages: tuple[tuple[Passage, ...], ...]


def gather(
    query: str,
    asked: AskedText,
    candidates: Mapping[str, StoredText],
    keyword_scores: Mapping[str, float],
    rarity: Callable[[str], float],
) -> Evidence:
    """The evidence for each candidate. ``rarity`` gives a term's inverse document frequency, 0 to 1 (1: unknown)."""
    kept = {paper_id: text for paper_id, text in candidates.items() if len(text.tokens)}
    if not kept:
        return Evidence((), np.empty((0, len(FEATURES)), np.float32), ())
    ids, texts = tuple(kept), list(kept.values())
    words = {word: rarity(word) for word in terms(query)}
    rare = _rarity_of_tokens(asked, words)
    near = _near(asked, rare, texts)
    late_rare = rare @ near.papers
    covered, coverage = _coverage(words, asked, near.papers, texts)
    bm25 = np.array([keyword_scores.get(paper_id, 0.0) for paper_id in ids], np.float32)
    sentence = np.array([scores.max() for scores in near.sentence_cosines], np.float32)
    whole = near.whole_cosines
    unknown = sum(rare == 1.0 for rare in words.values()) / len(words) if words else 1.0
    n = len(ids)
    rows = np.stack(
        [
            whole,
            sentence,
            near.papers.mean(axis=0),
            late_rare,
            near.sentences,
            covered,
            coverage,
            bm25 / max(float(bm25.max()), 1e-6),
            np.full(n, float(bm25.max()) / max(sum(words.values()) * 8.0, 1.0), np.float32),
            np.array([_name_match(query, text.names) for text in texts], np.float32),
            np.full(n, unknown, np.float32),
            np.full(n, np.log1p(len(words)), np.float32),
            _lead(late_rare),
            _lead(sentence),
            _lead(whole),
            _far(late_rare),
            _far(sentence),
            _far(whole),
            _far(bm25),
        ],
        axis=1,
    ).astype(np.float32)
    passages = tuple(
        tuple(
            Passage(int(start), int(end), float(score))
            for (start, end), score in zip(text.spans, scores[len(scores) - len(text.spans) :], strict=True)
        )
        for scores, text in zip(near.sentence_cosines, texts, strict=True)
    )
    return Evidence(ids, rows, passages)


@dataclass(frozen=True, slots=True)
class _Near:
    papers: Vectors  # (question tokens, papers): best cosine of the token in the paper
    sentences: Vectors  # (papers,): late interaction within the paper's best sentence
    sentence_cosines: list[Vectors]  # per paper (sentences,)
    whole_cosines: Vectors  # (papers,)


def _near(asked: AskedText, rare: Vectors, texts: Sequence[StoredText]) -> _Near:
    """All cosines in two products: the question's tokens against every candidate's, its whole against all their means."""
    tokens = np.concatenate([text.tokens for text in texts]).astype(np.float32)
    similar = asked.tokens @ tokens.T / 127
    papers = np.cumsum([0, *(len(text.tokens) for text in texts)])[:-1]
    # a sentence may have no tokens (blank to the tokenizer); reduceat wants segments of at least one
    filled = [np.flatnonzero(np.diff(text.bounds)) for text in texts]
    starts = np.concatenate([text.bounds[own] + at for text, own, at in zip(texts, filled, papers, strict=True)])
    in_sentences = rare @ np.maximum.reduceat(similar, starts, axis=1)
    first_sentences = np.cumsum([0, *map(len, filled)])[:-1]
    means: Vectors = (np.concatenate([text.means for text in texts]).astype(np.float32) @ asked.whole / 127).astype(
        np.float32
    )
    ends = np.cumsum([len(text.means) for text in texts])
    return _Near(
        papers=np.maximum.reduceat(similar, papers, axis=1),
        sentences=np.maximum.reduceat(in_sentences, first_sentences),
        sentence_cosines=[means[end - len(text.means) : end - 1] for text, end in zip(texts, ends, strict=True)],
        whole_cosines=means[ends - 1],
    )


def _rarity_of_tokens(asked: AskedText, words: Mapping[str, float]) -> Vectors:
    """A weight for each question token, summing to 1: the rarity of its word, little for stop words and marks."""
    weights = np.array(
        [max((words.get(term, 0.0) for term in terms(word)), default=0.0) + 0.05 for word in asked.words], np.float32
    )
    unit: Vectors = weights / weights.sum()
    return unit


def _coverage(
    words: Mapping[str, float], asked: AskedText, near: Vectors, texts: Sequence[StoredText]
) -> tuple[Vectors, Vectors]:
    """Per paper: the closeness of the least covered content word, and the rarity-weighted share of words contained."""
    total = sum(words.values())
    sets = [set(text.terms) for text in texts]
    coverage = np.array(
        [sum(rare for word, rare in words.items() if word in own) / total if total else 0.0 for own in sets], np.float32
    )
    weakest = np.ones(len(texts), np.float32)
    for word in dict.fromkeys(asked.words):
        stems = terms(word)
        if not stems or max(words.get(stem, 0.0) for stem in stems) < 0.15:
            continue
        closeness = near[[n for n, each in enumerate(asked.words) if each == word]].mean(axis=0)
        contained = np.array([any(stem in own for stem in stems) for own in sets])
        weakest = np.minimum(weakest, np.where(contained, 1.0, closeness)).astype(np.float32)
    return weakest, coverage


def _lead(values: Vectors) -> Vectors:
    """How far each value is ahead of (or behind) the best of the others."""
    if len(values) < 2:
        return np.zeros_like(values)
    order = np.argsort(-values)
    lead: Vectors = values - values[order[0]]
    lead[order[0]] = values[order[0]] - values[order[1]]
    return lead


def _far(values: Vectors) -> Vectors:
    """Each value in standard deviations from the mean; 0 where they are all alike."""
    far: Vectors = (values - values.mean()) / max(float(values.std()), 1e-3)
    return far


def _name_match(query: str, names: Sequence[str]) -> float:
    """The longest name of the paper that the question contains, as a share of the question's words."""
    asked = fold_name(query)
    best = 0.0
    for name in names:
        folded = fold_name(name)
        if len(folded) > 1 and f" {folded} " in f" {asked} ":
            best = max(best, 0.5 + 0.5 * len(folded) / len(asked))
        elif len(folded) > 3 and folded.replace(" ", "") in asked.replace(" ", ""):
            best = max(best, 0.4 + 0.4 * len(folded) / len(asked))
    return best


def fold_name(text: str) -> str:
    """Lower case, accents dropped, hyphens and marks as spaces; CamelCase is left whole ("z-erase" is "z erase")."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
    return " ".join(re.findall(r"[^\W_]+", bare))
