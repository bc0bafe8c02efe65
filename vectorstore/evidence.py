"""What speaks for a paper: for a question and its candidates, a row of numbers each, none of which knows the library's size.

The scorer (scorer.py) turns a row into the probability that the paper answers the question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vectorstore.encoder import AskedText, Vectors
from vectorstore.keywords import terms
from vectorstore.labels import fold_name
from vectorstore.paper import Passage
from vectorstore.tokens import StoredText

AT_ONCE = 6  # papers whose tokens are compared together

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
    """Candidates and what speaks for each: ``rows`` has shape (candidates, len(FEATURES))."""

    ids: tuple[str, ...]
    rows: npt.NDArray[np.float32]
    spans: tuple[npt.NDArray[np.int32], ...]  # of the sentences of each abstract
    cosines: tuple[Vectors, ...]  # of these sentences to the question

    def passages(self, number: int) -> tuple[Passage, ...]:
        """All the sentences of a candidate's abstract, with their cosine to the question."""
        scored = zip(self.spans[number], self.cosines[number], strict=True)
        return tuple(Passage(int(start), int(end), float(score)) for (start, end), score in scored)


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
        return Evidence((), np.empty((0, len(FEATURES)), np.float32), (), ())
    ids, texts = tuple(kept), list(kept.values())
    words = {word: rarity(word) for word in terms(query)}
    rare = _rarity_of_tokens(asked, words)
    near = _near(asked, rare, texts)
    late_rare = rare @ near.papers
    covered, coverage = _coverage(words, asked, near.papers, texts)
    bm25 = np.array([keyword_scores.get(paper_id, 0.0) for paper_id in ids], np.float32)
    sentence = np.array([scores.max() for scores in near.sentence_cosines], np.float32)
    whole = near.whole_cosines
    folded = fold_name(query)
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
            np.array([_name_match(folded, text.names) for text in texts], np.float32),
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
    spans = tuple(text.spans for text in texts)
    # the title, where there is one, is a sentence too, but no passage of the abstract
    cosines = tuple(own[len(own) - len(each) :] for own, each in zip(near.sentence_cosines, spans, strict=True))
    return Evidence(ids, rows, spans, cosines)


@dataclass(frozen=True, slots=True)
class _Near:
    papers: Vectors  # (question tokens, papers): best cosine of the token in the paper
    sentences: Vectors  # (papers,): late interaction within the paper's best sentence
    sentence_cosines: list[Vectors]  # per paper (sentences,)
    whole_cosines: Vectors  # (papers,)


def _near(asked: AskedText, rare: Vectors, texts: Sequence[StoredText]) -> _Near:
    """The question's tokens against every candidate's, a few papers at a time so that they stay in the cache; its whole
    against all their means."""
    lengths = np.array([len(text.tokens) for text in texts])
    sentences = np.array([len(text.bounds) - 1 for text in texts])
    # where each sentence begins among its paper's tokens; one without tokens (blank to the tokenizer) counts as the next
    begins = np.concatenate([text.bounds[:-1] for text in texts])
    begins = np.minimum(begins, np.repeat(lengths, sentences) - 1)
    ends = np.cumsum(sentences)
    papers = np.empty((len(asked.tokens), len(texts)), np.float32)
    in_sentence = np.empty(len(texts), np.float32)
    buffer = np.empty((int(lengths.max()) * AT_ONCE, asked.tokens.shape[1]), np.float32)
    for at in range(0, len(texts), AT_ONCE):
        some = slice(at, at + AT_ONCE)
        own = slice(ends[at] - sentences[at], ends[some][-1])
        starts = np.cumsum(lengths[some]) - lengths[some]
        total = int(lengths[some].sum())
        np.concatenate([text.tokens for text in texts[some]], out=buffer[:total], casting="unsafe")
        similar = asked.tokens @ buffer[:total].T / np.float32(127)
        best = np.maximum.reduceat(similar, begins[own] + np.repeat(starts, sentences[some]), axis=1)
        first = np.cumsum(sentences[some]) - sentences[some]
        papers[:, some] = np.maximum.reduceat(best, first, axis=1)
        in_sentence[some] = np.maximum.reduceat(rare @ best, first)
    means = np.concatenate([text.means for text in texts]).astype(np.float32) @ asked.whole / np.float32(127)
    last = np.cumsum(sentences + 1) - 1
    return _Near(
        papers=papers,
        sentences=in_sentence,
        sentence_cosines=[means[end - count : end] for end, count in zip(last, sentences, strict=True)],
        whole_cosines=means[last],
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
    held = [set(text.terms) for text in texts]
    coverage = np.array(
        [sum(rare for word, rare in words.items() if word in own) / total if total else 0.0 for own in held], np.float32
    )
    weakest = np.ones(len(texts), np.float32)
    for word in dict.fromkeys(asked.words):
        stems = terms(word)
        if not stems or max(words.get(stem, 0.0) for stem in stems) < 0.15:
            continue
        closeness = near[[n for n, each in enumerate(asked.words) if each == word]].mean(axis=0)
        contained = np.array([any(stem in own for stem in stems) for own in held])
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


def _name_match(asked: str, names: Sequence[str]) -> float:
    """The longest name of the paper that the question contains, as a share of its letters; both folded."""
    best = 0.0
    for name in names:
        if len(name) > 1 and f" {name} " in f" {asked} ":
            best = max(best, 0.5 + 0.5 * len(name) / len(asked))
        elif len(name) > 3 and name.replace(" ", "") in asked.replace(" ", ""):
            best = max(best, 0.4 + 0.4 * len(name) / len(asked))
    return best
