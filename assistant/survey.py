"""Lists: every paper that matches a topic, each with the sentence that says why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.aspects import aspect
from assistant.citations import Mention, Piece
from assistant.markdown import escape
from assistant.phrases import Phrases
from assistant.reading import Reading, Sentence, best, introducing, result, statement, statements
from vectorstore.keywords import terms
from vectorstore.paper import Paper

LISTED = 12  # papers listed at once
NAMES_IT = 0.008  # relevance from which a paper is listed that names the topic in a sentence on its own work
MEANS_IT = 0.07  # relevance from which a paper is listed that does not
BESIDE_BEST = 0.2  # of the best paper's relevance: what a paper needs that does not name the topic

_OWN = re.compile(r"\b(?:we|our)\b", re.I)


def matching(topics: Sequence[str], aspects: Sequence[str], readings: Sequence[Reading]) -> list[Reading]:
    """The papers that truly match, most relevant first: those that name the topic, and those clearly relevant."""
    if not topics:  # "which papers link to code": the fact asked for is the topic
        return [each for each in readings if all(_states(each, name) for name in aspects)] if aspects else []
    top = max((reading.hit.relevance for reading in readings), default=0.0)
    bar = max(MEANS_IT, BESIDE_BEST * top)
    kept = [
        reading
        for reading in readings
        if reading.hit.relevance >= bar or (reading.hit.relevance >= NAMES_IT and naming(reading, topics) is not None)
    ]
    stating = [reading for reading in kept if all(_states(reading, name) for name in aspects)]
    return stating or kept


def naming(reading: Reading, topics: Sequence[str]) -> Sentence | None:
    """The sentence on the paper's own work that holds all words of one of the topics."""
    latin = [" ".join(re.findall(r"[\x20-\u024f]+", topic)) for topic in topics]  # abstracts are in English
    wanted = [stems for topic in latin if (stems := set(terms(topic)))]
    own = [sentence for sentence in reading.sentences if sentence.role != "background" or _OWN.search(sentence.text)]
    opening = introducing(reading)
    if opening is not None:
        own = [opening, *(sentence for sentence in own if sentence != opening)]
    return next((sentence for sentence in own for stems in wanted if stems <= sentence.stems), None)


def listing(
    question: str,
    topics: Sequence[str],
    aspects: Sequence[str],
    readings: Sequence[Reading],
    say: Phrases,
    *,
    more: bool,
) -> Iterator[Piece]:
    """The list, with the count of what matches."""
    head = say.found_more if more else say.found_one if len(readings) == 1 else say.found
    yield head.format(count=len(readings)) + "\n"
    for reading in readings[:LISTED]:
        yield f"\n- **{escape(reading.label)}**"
        reasons = _reasons(question, topics, aspects, reading, 2 if len(readings) <= 4 and not aspects else 1)
        if not reasons:
            yield " "
            yield Mention(reading.paper)
        else:
            yield say.colon
            yield from statements(reading, reasons)
    if len(readings) > LISTED:
        yield "\n\n" + say.ask_more.format(count=len(readings) - LISTED)


def alike(paper: Paper, readings: Sequence[Reading], say: Phrases) -> Iterator[Piece]:
    """The papers nearest to one, each with the sentence that says what it does."""
    before, after = (say.alike if readings else say.none_alike).split("{mark}")
    yield before.format(label=escape(paper.label), count=len(readings))
    yield Mention(paper)
    yield after + "\n"
    for reading in readings:
        yield f"\n- **{escape(reading.label)}**"
        opening = introducing(reading)
        if opening is None:
            yield " "
            yield Mention(reading.paper)
        else:
            yield say.colon
            yield statement(reading, opening)


def _reasons(
    question: str, topics: Sequence[str], aspects: Sequence[str], reading: Reading, count: int
) -> list[Sentence]:
    """Why a paper is listed: the fact asked for, else what it says on the topic and what it does."""
    for name in aspects:
        stated = [sentence for sentence in reading.sentences if aspect(name).stated.search(sentence.text)]
        if stated:
            return stated[-1:]
    named, opening = naming(reading, topics), introducing(reading)
    why = named or best(reading, " ".join(topics) or question, 1)[0] if reading.sentences else None
    if (
        count > 1
        and why is not None
        and (why == opening or (why.role == "background" and not _OWN.search(why.text)) or why == reading.sentences[0])
    ):
        why = result(reading)  # what it found says more than what the field is about
    reasons = [sentence for sentence in (opening if count > 1 else why, why) if sentence is not None]
    return sorted(dict.fromkeys(reasons), key=lambda sentence: sentence.passage.start)[:count]


def _states(reading: Reading, name: str) -> bool:
    return any(aspect(name).stated.search(sentence.text) for sentence in reading.sentences)
