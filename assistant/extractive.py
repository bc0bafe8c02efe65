"""Answers without a language model: sentences of the abstracts, picked, ordered and framed. Every claim is a quote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.aspects import aspect, counted
from assistant.citations import Abstention, Mention, Piece, Statement, quote
from assistant.grounding import ANSWERS, Ground
from assistant.markdown import escape
from assistant.phrases import Phrases, phrases
from assistant.request import Request
from vectorstore.keywords import terms
from vectorstore.paper import Hit, Paper, Passage
from vectorstore.text import plain, readable

LISTED = 12  # papers that a survey lists at once
BESIDE_BEST = 0.1  # of the best paper's relevance: what a survey still lists
OWN_WORK = 0.1  # of a cosine: how much a sentence on the paper's own work is preferred to background
NEARBY = 0.015  # relevance below which a paper is not even suggested
NEAR = 3  # papers suggested where none answers

# what joins a sentence to the one before it, which is not quoted
_JOINT = re.compile(
    r"^(?:However|Moreover|Furthermore|Additionally|In addition|Specifically|Thus|Therefore|Consequently|Finally|Hence|"
    r"Subsequently|Overall|Taken together|Notably|First(?:ly)?|Second(?:ly)?|Next|Then|Here|Indeed|Instead|Also|Besides|"
    r"In particular|In contrast|By contrast|Conversely|As a result|In this (?:work|paper|study|setting)|Motivated by this|"
    r"To (?:this end|(?:address|overcome|tackle|mitigate|solve|bridge|fill|achieve|dismantle|do) (?:this|these|that|it|so|in)\b[^,]{0,40})|"
    r"(?:Based|Building) (?:on|upon) (?:this|these)[^,]{0,30}), +"
)
_ADDRESS = re.compile(r"https?://\S+")
_PROBLEM = re.compile(
    r"\b(?:however|yet|challeng\w+|limit\w*|remain\w*|fail\w*|lack\w*|suffer\w*|difficult\w*|vulnerab\w+|unclear|under-?explored|struggl\w+|often|risk\w*|despite)\b",
    re.I,
)
_APPROACH = re.compile(
    r"\b(?:we|this (?:paper|work)|our) (?:\w+ ){0,2}(?:propose|introduce|present|develop|design|contribute|study|reframe|derive|describe|explore|identify|formali[sz]e|show|investigate|train|quantify)\w*\b",
    re.I,
)
_OWN = re.compile(r"\b(?:we|our)\b", re.I)
_RESULT = re.compile(
    r"\b(?:experiment\w*|result\w*|outperform\w*|achiev\w*|improv\w*|demonstrat\w*|empirical\w*|evaluat\w*|we (?:find|show|prove)|significant\w*|validat\w*|findings?|reveal\w*)\b",
    re.I,
)


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
        good = [hit for hit in ground.hits if hit.relevance >= ANSWERS or ground.pointed]
        if request.kind == "more" and not good:
            yield say.no_more
            yield Abstention()
        elif not good:
            near = tuple(hit for hit in ground.hits[:NEAR] if hit.relevance >= NEARBY)
            yield say.not_covered_near if near else say.not_covered
            yield Abstention(near)
        elif request.kind == "compare" and len(good) > 1:
            yield from _comparison(good, say)
        elif request.kind in ("survey", "more") and not ground.pointed:
            yield from _survey(request.query, good, say, more=request.kind == "more")
        else:
            for number, hit in enumerate(good[:3] if ground.pointed else good[:1]):
                yield "\n\n" if number else ""
                yield from _about(request, hit, say)


def _about(request: Request, hit: Hit, say: Phrases) -> Iterator[Piece]:
    """One paper: the facts asked for, or what it does and what matches the question."""
    paper = hit.paper
    chosen: list[Passage] = []
    missing: list[str] = []
    for name in request.aspects:
        if name == "authors" and paper.authors:
            yield from _filled(say.written_by, paper, authors=escape(", ".join(paper.authors[:20])))
            return
        if name == "venue" and (paper.venue or paper.year):
            place = " ".join(str(each) for each in (paper.venue, paper.year) if each)
            yield from _filled(say.published, paper, place=escape(place))
            return
        stating = _stating(name, request.query, hit, chosen)
        chosen += stating
        if not stating and aspect(name).closed:
            missing.append(name)
    if missing and not chosen:
        matter = say.matters.get(missing[0])
        template = say.does_not_state if matter else say.does_not_say
        yield from _filled(template, paper, matter=matter or "")
        best = _best(hit, request.query, 1)
        if best:
            yield f" {say.closest}"
            yield _statement(paper, best[0])
        yield Abstention()
        return
    if not request.aspects and request.kind == "explain":
        introducing = _introducing(hit)
        results = [
            p for p in hit.passages[len(hit.passages) // 2 :] if _RESULT.search(_text(paper, p)) and p != introducing
        ]
        results.sort(key=lambda passage: not re.search(r"\d", _text(paper, passage)))  # measured ones first
        whole = (_first(hit, _PROBLEM), introducing, *results[:1])
        chosen += [passage for passage in whole if passage is not None]
    if len(chosen) < 2:
        chosen += _best(hit, request.query, 2 if not chosen else 1)
    picked = list(dict.fromkeys((passage.start, passage.end) for passage in chosen))[:3]
    if not picked:
        yield f"**{escape(plain(paper.label))}** "
        yield Mention(paper)
        return
    if not request.aspects:
        picked.sort()
    yield f"**{escape(plain(paper.label))}** "
    yield Mention(paper)
    yield say.colon
    for number, (start, end) in enumerate(picked):
        yield " " if number else ""
        yield _statement(paper, Passage(start, end))


def _survey(question: str, hits: Sequence[Hit], say: Phrases, *, more: bool) -> Iterator[Piece]:
    """A list: every paper that matches, each with the sentence that says why."""
    bar = max(ANSWERS, BESIDE_BEST * hits[0].relevance)
    listed = [hit for hit in hits if hit.relevance >= bar][:LISTED]
    head = say.found_more if more else say.found_one if len(listed) == 1 else say.found
    yield head.format(count=len(listed)) + "\n"
    for hit in listed:
        yield f"\n- **{escape(plain(hit.paper.label))}** "
        best = _best(hit, question, 1)
        if best:
            yield _statement(hit.paper, best[0])
        else:
            yield Mention(hit.paper)


def _comparison(hits: Sequence[Hit], say: Phrases) -> Iterator[Piece]:
    """A table: a column a paper, a row for each thing people compare, in the abstracts' own words."""
    yield f"| {say.aspect} |"
    for hit in hits:
        yield f" **{escape(plain(hit.paper.label))}** "
        yield Mention(hit.paper)
        yield " |"
    yield "\n|" + "---|" * (len(hits) + 1)
    for row, title in say.rows.items():
        cells = [_cell(row, hit) for hit in hits]
        if not any(cells) and row in ("data", "code"):
            continue
        yield f"\n| {title} |"
        for hit, cell in zip(hits, cells, strict=True):
            yield " "
            yield _statement(hit.paper, cell) if cell else say.not_stated
            yield " |"


def _cell(row: str, hit: Hit) -> Passage | None:
    if row == "problem":
        return _first(hit, _PROBLEM)
    if row == "approach":
        return _introducing(hit)
    if row == "results":
        return _first(hit, _RESULT, late=True)
    stating = [passage for passage in hit.passages if aspect(row).stated.search(_text(hit.paper, passage))]
    return stating[-1] if stating else None


def _stating(name: str, question: str, hit: Hit, taken: Sequence[Passage]) -> list[Passage]:
    """The sentences that state a fact asked for: the one that fits best, and for numbers what else the question counts."""
    pattern = aspect(name).stated
    found = []
    for passage in hit.passages:
        text = _text(hit.paper, passage)
        if pattern.search(text if name == "code" else _ADDRESS.sub(" ", text)) and passage not in taken:
            found.append(passage)
    thing = counted(question) if name == "number" else None
    if thing:
        stems = set(terms(thing)[-1:])
        found = [passage for passage in found if stems & set(terms(_text(hit.paper, passage)))]
    return _covering(hit, found, question, 2 if name == "number" else 1)


def _best(hit: Hit, question: str, count: int) -> list[Passage]:
    """The sentences nearest to the question, at most ``count``."""
    return _covering(hit, hit.passages, question, count, always=True)


def _covering(
    hit: Hit, passages: Sequence[Passage], question: str, count: int, *, always: bool = False
) -> list[Passage]:
    """Sentences picked one by one, each the nearest in meaning that says most of what the others leave unsaid.

    After the first, one is added only if it holds at least two more words of the question, or ``always``; then, too, what
    a paper does is preferred to the background it gives.
    """
    left, picked = set(terms(question)), list[Passage]()
    asked = max(1, len(left))
    while len(picked) < min(count, len(passages)):
        rest = [passage for passage in passages if passage not in picked]
        held = {passage: left & set(terms(_text(hit.paper, passage))) for passage in rest}
        own = {passage: OWN_WORK if always and _OWN.search(_text(hit.paper, passage)) else 0.0 for passage in rest}
        best = max(rest, key=lambda each: (each.score + 0.5 * len(held[each]) / asked + own[each], -each.start))
        if picked and len(held[best]) < 2 and not always:
            break
        left -= held[best]
        picked.append(best)
    return picked


def _introducing(hit: Hit) -> Passage | None:
    """The sentence in which the paper says what it does."""
    label = plain(hit.paper.label).split(" (")[0]
    named = [p for p in hit.passages if _APPROACH.search(_text(hit.paper, p)) and label in _text(hit.paper, p)]
    return named[0] if named else _first(hit, _APPROACH)


def _first(hit: Hit, pattern: re.Pattern[str], *, late: bool = False) -> Passage | None:
    """The first sentence of this kind, or the first in the later half of the abstract."""
    passages = hit.passages[len(hit.passages) // 2 :] if late else hit.passages
    return next((passage for passage in passages if pattern.search(_text(hit.paper, passage))), None)


def _filled(template: str, paper: Paper, **values: str) -> Iterator[Piece]:
    """A fixed phrase with the paper's label and number filled in."""
    before, after = template.split("{mark}")
    yield before.format(label=escape(plain(paper.label)), **values)
    yield Mention(paper)
    yield after.format(label=escape(plain(paper.label)), **values)


def _statement(paper: Paper, passage: Passage) -> Statement:
    text = _JOINT.sub("", _text(paper, passage))
    return Statement(text[:1].upper() + text[1:], paper, quote(paper, passage.start, passage.end))


def _text(paper: Paper, passage: Passage) -> str:
    return readable(paper.abstract[passage.start : passage.end])
