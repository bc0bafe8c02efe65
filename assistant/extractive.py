"""Answers without a language model: sentences of the abstracts, picked, ordered and framed. Every claim is a quote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant import comparison, facts, survey
from assistant.aspects import asked_for, named_after
from assistant.citations import Abstention, Mention, Piece
from assistant.grounding import Ground, enough
from assistant.markdown import escape
from assistant.phrases import Phrases, phrases
from assistant.reading import (
    Reading,
    Sentence,
    best,
    further,
    introducing,
    item,
    method,
    read,
    result,
    statement,
    statements,
)
from assistant.request import Request, topic

NEARBY = 0.008  # relevance below which a paper is not even suggested
LACKING = 3  # words of the question at most that are named as missing from the nearest paper
NEAR = 3  # papers suggested where none answers
QUOTED = 3  # sentences quoted of a paper in answer to a question


@dataclass(frozen=True, slots=True)
class ExtractiveAnswerer:
    """Quotes sentences and frames them. ``name`` is the engine an answer names."""

    name: str = "extractive"

    def answer(self, request: Request, ground: Ground) -> Iterator[Piece]:
        """The pieces of the answer, in order."""
        say = phrases(request.language)
        if ground.unknown_number is not None:
            yield say.unknown_number.format(number=ground.unknown_number)
            yield Abstention()
            return
        if ground.too_narrow:
            yield escape(ground.too_narrow)
            yield Abstention()
            return
        if ground.like is not None:
            yield from survey.alike(ground.like, [read(hit) for hit in ground.hits], say)
            return
        if request.unknown_paper:
            yield say.unknown_paper + "\n\n"
        if request.kind in ("survey", "more") and not ground.pointed:
            yield from self._survey(request, ground, say)
            return
        good = [hit for hit in ground.hits if ground.pointed or enough(request, hit)]
        if not good:
            yield from _nothing(request, ground, say)
        elif request.kind == "compare" and len(good) > 1:
            yield from comparison.table([read(hit) for hit in good], say)
        elif request.kind == "compare" and not ground.pointed and request.sides:
            yield say.two_needed + "\n\n"
            yield from _about(request, read(good[0]), ground, say)
        else:
            about = [read(hit) for hit in (good if ground.pointed else good[:1])]
            for number, reading in enumerate(_meant(request, about)[:3]):
                yield "\n\n" if number else ""
                yield from _about(request, reading, ground, say)

    def _survey(self, request: Request, ground: Ground, say: Phrases) -> Iterator[Piece]:
        asked = ground.asked or request
        found = survey.matching(asked.topics, asked.aspects, [read(hit) for hit in ground.hits])
        if not any(survey.naming(each, asked.topics) or enough(asked, each.hit) for each in found) and asked.topics:
            found = []
        more = request.kind == "more"
        found = [each for each in found if each.paper.id not in ground.told]
        if found:
            yield from survey.listing(asked.query, asked.topics, asked.aspects, found, say, more=more)
        elif more:
            yield say.no_more
            yield Abstention()
        else:
            yield from _nothing(request, ground, say)


def _nothing(request: Request, ground: Ground, say: Phrases) -> Iterator[Piece]:
    """None of the papers answers: that, what of the question the nearest one has, and the nearest as suggestions."""
    near = tuple(hit for hit in ground.hits[:NEAR] if hit.relevance >= NEARBY)
    yield say.not_covered_near if near else say.not_covered
    if near:
        reading = read(near[0])
        words = [word for word in dict.fromkeys(re.findall(r"[^\W\d_][\w-]+", ground.words)) if topic(word)]
        shared = [word for word in words if set(topic(word)) <= reading.stems]
        missing = [word for word in words if not set(topic(word)) <= reading.stems]
        if shared and 0 < len(missing) <= LACKING:
            label, held, lacking = (escape(each) for each in (reading.label, ", ".join(shared), ", ".join(missing)))
            yield " " + say.partly.format(label=label, shared=held, missing=lacking)
    yield Abstention(near)


def _meant(request: Request, readings: Sequence[Reading]) -> Sequence[Reading]:
    """Of several papers pointed to, those that hold most of what the question is about: "which of them is certified"."""
    asked = set(topic(request.query))
    most = max((len(asked & reading.stems) for reading in readings), default=0)
    return [reading for reading in readings if len(asked & reading.stems) == most] if most else readings


def _about(request: Request, reading: Reading, ground: Ground, say: Phrases) -> Iterator[Piece]:
    """One paper: the facts asked for, or what it does and what matches the question."""
    paper, question = reading.paper, request.query
    if "authors" in request.aspects and paper.authors:
        yield from facts.filled(say.written_by, reading, authors=escape(", ".join(paper.authors[:20])))
        return
    if "venue" in request.aspects and paper.published:
        yield from facts.filled(say.published, reading, place=escape(paper.published))
        return
    against = facts.denied(question, reading)
    if against is not None:
        yield from facts.filled(say.instead, reading)
        yield statement(reading, against)
        return
    question = ground.words or request.query
    picked, missing = _answering(request, reading, ground)
    named = ground.pointed or bool(reading.called & set(topic(question)))
    if not picked and (missing or (named and request.kind == "fact" and facts.unmentioned(question, reading))):
        yield from facts.not_stated(reading, question, missing[0] if missing else None, say)
        return
    if picked and not named and request.kind == "fact" and not request.aspects and len(picked) < QUOTED:
        opening = introducing(reading)  # who does not know the paper wants to hear what it is
        picked = list(dict.fromkeys([*([opening] if opening else []), *picked]))
    if not picked:
        picked = (
            _summary(question, reading) if request.kind == "explain" else _fitting(question, reading, named, request)
        )
    yield f"**{escape(reading.label)}** "
    yield Mention(paper)
    yield say.colon
    yield from statements(reading, [item(reading, sentence, question) for sentence in picked])
    for name in missing[:1]:
        yield " "
        yield from facts.filled(say.does_not_state, reading, matter=say.matters[name])


def _answering(request: Request, reading: Reading, ground: Ground) -> tuple[list[Sentence], list[str]]:
    """The sentences for each part of the question, and the facts that none states."""
    parts = [(part, hit) for part, hit in ground.parts if hit.paper.id == reading.paper.id]
    question = ground.words or request.query
    if not parts:
        wanted = named_after(request.query, ground.said.turns[-1].question) if ground.said.turns else None
        if wanted is not None:
            return facts.names_of(wanted, reading)
        asked = question if request.language == "en" else f"{request.query} {question}"
        picked, missing = facts.chosen(asked, request.aspects, reading)
        if picked and request.kind == "fact" and set(request.aspects) <= {"number", "models", "data"}:
            # what is measured may stand in one sentence, and of what in another
            left = set(topic(question)) & reading.stems - reading.called - picked[0].stems
            picked += further(reading, question, picked) if len(left) > 1 else []
        return picked, missing
    picked, missing = [], []
    for part, hit in parts:
        own = read(hit)
        stated, lacking = facts.chosen(part, asked_for(part), own)
        missing += lacking
        for sentence in stated or ([] if lacking else best(own, part, 1)):
            same = next(each for each in reading.sentences if each.passage.start == sentence.passage.start)
            picked.append(same)
    return list(dict.fromkeys(picked))[:QUOTED], missing


def _summary(question: str, reading: Reading) -> list[Sentence]:
    """What a paper does, then how and what comes of it, and what fits the question best where it asks for more."""
    opening = introducing(reading)
    asked = set(topic(question)) & reading.stems
    if len(asked) == 1 and opening is not None and not asked & opening.stems:
        return best(reading, question, 1)  # something that the paper has besides what it is called after
    picked = [each for each in (opening, method(reading), result(reading)) if each is not None]
    picked = list(dict.fromkeys(picked))[:QUOTED]
    bare = len(set(topic(question)) - reading.called) <= 1  # little more than the paper's name
    return _opened(opening, picked if bare else [*picked, *best(reading, question, 1, picked)])


def _fitting(question: str, reading: Reading, named: bool, request: Request) -> list[Sentence]:
    """The sentences nearest to the question; where it does not name the paper, first what the paper does."""
    if named and request.kind == "fact":
        nearest = best(reading, question, 2)
        asked = set(topic(question)) - reading.called
        direct = [s for s in nearest[:1] if s.role != "background" and asked and 2 * len(asked & s.stems) >= len(asked)]
        if direct:
            return [*direct, *further(reading, question, direct)]
        return sorted(nearest, key=lambda sentence: sentence.role == "background")
    opening = introducing(reading)
    picked = [opening] if opening is not None else []
    picked += best(reading, question, QUOTED - len(picked), picked)
    return _opened(opening, picked)


def _opened(opening: Sentence | None, picked: Sequence[Sentence]) -> list[Sentence]:
    """The opening sentence, then the others in the order of the abstract."""
    return sorted(picked, key=lambda sentence: (sentence != opening, sentence.passage.start))
