"""Which papers a message is about: those it points back to in the conversation, or those a search finds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from assistant.answer import Source
from assistant.conversation import Conversation
from assistant.request import Request, topic, understand
from vectorstore.filters import Filters
from vectorstore.keywords import terms
from vectorstore.labels import fold_name, names
from vectorstore.paper import Hit, Paper
from vectorstore.text import plain

ANSWERS = 0.05  # relevance from which on a paper is taken to answer a question in many words
FEW_WORDS = 5  # so few are met by chance, and a paper that answers them is found with more confidence
ANSWERS_FEW, ANSWERS_PART = 0.05, 0.2  # where the abstract holds all of the few words, and where it does not
SHORT = 3  # words of a topic that can be searched for by itself
SURVEYED = 40  # papers looked at for a survey
ALIKE, LIKE = 6, 0.45  # similar papers named at most, and the cosine from which on a paper is similar
CLEARLY_OTHER = 0.13  # how much more relevant another paper must be before a pronoun is taken to mean it


class Finder(Protocol):
    """What the assistant needs of a library."""

    def search(
        self, query: str, limit: int = 10, within: Collection[str] | None = None, filters: Filters | None = None
    ) -> list[Hit]:
        """Papers that answer the query, most relevant first."""
        ...

    def similar(self, paper_id: str, limit: int = 10) -> list[Hit]:
        """Papers near to a paper, nearest first."""
        ...

    def count(self, filters: Filters | None = None) -> int:
        """How many papers pass the filters."""
        ...

    def loosen(self, filters: Filters) -> str:
        """What to say when filters leave no paper."""
        ...

    def understood(self, query: str) -> str:
        """The query in English, with its typing errors put right."""
        ...

    def get(self, ids: Sequence[str]) -> list[Paper]:
        """Papers by id."""
        ...


@dataclass(frozen=True, slots=True)
class Ground:
    """What an answer can stand on: hits, most relevant first, and whether the message pointed back to them.

    ``unknown_number`` is a number the message names that no paper of the conversation has. ``parts`` are the questions
    inside the question, each with the best paper as it matches that part. For "show me more", ``asked`` is the request
    that goes on, and ``told`` the ids of the papers listed already. ``like`` is the paper that similar ones were asked for;
    ``too_narrow`` says which filter to loosen where they leave no paper. ``said`` is the conversation so far; ``words`` is the
    question in the language of the abstracts.
    """

    hits: tuple[Hit, ...]
    pointed: bool = False
    unknown_number: int | None = None
    parts: tuple[tuple[str, Hit], ...] = ()
    asked: Request | None = None
    told: frozenset[str] = frozenset()
    like: Paper | None = None
    too_narrow: str = ""
    said: Conversation = field(default_factory=Conversation)
    words: str = ""


def ground(request: Request, conversation: Conversation, finder: Finder, limit: int = 12) -> Ground:
    """The papers meant by a request, found in the conversation or in the library."""
    if request.filters and not finder.count(request.filters):
        return Ground((), too_narrow=finder.loosen(request.filters))
    basis = _ground(request, conversation, finder, limit)
    basis = replace(basis, said=conversation, words=finder.understood(request.query))
    if len(request.parts) < 2 or not basis.hits:
        return basis
    best = basis.hits[0].paper.id
    parts = [(part, finder.search(part, 1, within=[best])) for part in request.parts]
    return replace(basis, parts=tuple((part, hits[0]) for part, hits in parts if hits))


def enough(request: Request, hit: Hit) -> bool:
    """Whether a paper is relevant enough to answer from."""
    words = topic(request.query)
    asked = f" {fold_name(request.query)} "
    if any(f" {fold_name(name)} " in asked for name in names(hit.paper.abstract, hit.paper.title)):
        return hit.relevance >= ANSWERS
    if not 1 < len(words) <= FEW_WORDS or not all(word.isascii() for word in words):
        return hit.relevance >= ANSWERS
    held = set(words) <= set(terms(plain(f"{hit.paper.title or ''} {hit.paper.abstract}")))
    return hit.relevance >= (ANSWERS_FEW if held else ANSWERS_PART)


def _ground(request: Request, conversation: Conversation, finder: Finder, limit: int) -> Ground:
    if request.kind == "compare":
        return _compared(request, conversation, finder)
    if request.kind == "more":
        return _further(conversation, finder, limit)
    referred, unknown = _referred(request, conversation, finder)
    if unknown is not None and not referred:
        return Ground((), unknown_number=unknown)
    if request.kind == "similar":
        return _alike(request, referred or _focus(conversation), finder)
    if referred:
        return Ground(_hits(request.query, referred, finder), pointed=True)
    if request.kind == "survey":
        return Ground(_surveyed(request, finder))
    found = finder.search(request.query, limit, filters=request.filters)
    focus = _focus(conversation)
    if not focus or request.new_topic:
        return Ground(tuple(found))
    within = _hits(request.query, focus, finder)
    reference = request.reference
    points = request.elliptic or (reference is not None and reference.pronoun)
    best, held = found[0] if found else None, within[0]
    if best is None or best.paper.id in focus:
        return Ground(within if points else tuple(found), pointed=points)
    if request.aspects and best.relevance < CLEARLY_OTHER:
        return Ground(within, pointed=True)  # a bare question for a fact, with no other paper in sight
    if points and best.relevance < max(2 * held.relevance, CLEARLY_OTHER):
        return Ground(within, pointed=True)
    if request.elliptic:
        return Ground(within, pointed=True)
    return Ground(tuple(found))


def _referred(request: Request, conversation: Conversation, finder: Finder) -> tuple[list[str], int | None]:
    """Ids of the papers a message names by number, place, description or as all of them; a number nobody has."""
    reference = request.reference
    if reference is None or not conversation.turns:
        return [], None
    by_number = {number: paper_id for paper_id, number in conversation.numbers.items()}
    named = [by_number[number] for number in reference.numbers if number in by_number]
    unknown = next((number for number in reference.numbers if number not in by_number), None)
    listed = _listed(conversation)
    for place in reference.places:
        index = place - 1 if place > 0 else place
        if -len(listed) <= index < len(listed):
            named.append(listed[index])
    if not named and reference.all and len(listed) > 1:
        named = listed
    if not named and reference.description and by_number:
        hits = finder.search(reference.description, 1, within=list(by_number.values()))
        named = [hit.paper.id for hit in hits]  # of the few papers spoken of, the one that fits best is meant
    return list(dict.fromkeys(named)), unknown


def _compared(request: Request, conversation: Conversation, finder: Finder) -> Ground:
    """The two to six papers to set side by side: those pointed to, one for each side named, else the best found."""
    pointed, _ = _referred(request, conversation, finder)
    chosen = list(pointed)
    matched: dict[str, float] = {}  # a paper's relevance is that to its own side of the comparison
    if len(chosen) < 2:
        found = [finder.search(side, 3, filters=request.filters) for side in request.sides]
        best = {hits[0].paper.id for hits in found if hits}
        if len(found) > 1 and len(best) == 1 and not chosen and all(_alone(hits) for hits in found):
            return Ground(_hits(request.query, list(best), finder), pointed=True)  # both sides are in one paper
        for hits in found:
            fresh = next((hit for hit in hits if hit.paper.id not in chosen and hit.relevance >= ANSWERS), None)
            if fresh is not None:
                chosen.append(fresh.paper.id)
                matched[fresh.paper.id] = fresh.relevance
    reference = request.reference
    if len(chosen) < 2 and reference is not None and reference.pronoun:
        chosen = list(dict.fromkeys([*_focus(conversation), *chosen]))
    if len(chosen) < 2:
        chosen += [
            hit.paper.id for hit in finder.search(request.query, 2, filters=request.filters) if hit.relevance >= ANSWERS
        ]
    chosen = list(dict.fromkeys(chosen))[:6]
    scored = {
        hit.paper.id: replace(hit, relevance=max(hit.relevance, matched.get(hit.paper.id, 0.0)))
        for hit in _hits(request.query, chosen, finder)
    }
    return Ground(tuple(scored[paper_id] for paper_id in chosen if paper_id in scored), pointed=len(chosen) > 1)


def _alone(hits: Sequence[Hit]) -> bool:
    """Whether the best paper has no rival."""
    return hits[0].relevance >= CLEARLY_OTHER and all(hit.relevance < hits[0].relevance / 2 for hit in hits[1:])


def _surveyed(request: Request, finder: Finder) -> tuple[Hit, ...]:
    """The papers for each topic of a survey, each with its best relevance."""
    merged: dict[str, Hit] = {}
    short = all(len(each.split()) <= SHORT for each in request.topics)
    for query in request.topics if request.topics and short else (request.subject or request.query,):
        for hit in finder.search(query, SURVEYED, filters=request.filters):
            known = merged.get(hit.paper.id)
            if known is None or hit.relevance > known.relevance:
                merged[hit.paper.id] = hit
    return tuple(sorted(merged.values(), key=lambda hit: -hit.relevance))


def _alike(request: Request, meant: Sequence[str], finder: Finder) -> Ground:
    """The papers nearest to the one meant: the one pointed to, else the best for the message."""
    named = finder.search(request.query, 1, filters=request.filters) if not meant or topic(request.query) else []
    likeness = named[0].paper if named and enough(request, named[0]) else None
    if likeness is None:
        likeness = next(iter(finder.get(meant[:1])), None)
    if likeness is None:
        return Ground(())
    near = {hit.paper.id: hit.relevance for hit in finder.similar(likeness.id, ALIKE) if hit.relevance >= LIKE}
    hits = finder.search(plain(likeness.abstract), len(near), within=list(near)) if near else []
    ordered = sorted(hits, key=lambda hit: -near[hit.paper.id])
    return Ground(tuple(replace(hit, relevance=near[hit.paper.id]) for hit in ordered), like=likeness)


def _further(conversation: Conversation, finder: Finder, limit: int) -> Ground:
    """Papers that match the last question that cited any, and were not cited yet."""
    if not conversation.turns:
        return Ground(())
    turn = next((turn for turn in reversed(conversation.turns) if turn.sources), conversation.turns[-1])
    asked = understand(turn.question)
    if asked.kind != "survey":
        asked = replace(asked, kind="survey", subject=asked.query, topics=(asked.query,), aspects=())
    return Ground(_surveyed(asked, finder), asked=asked, told=frozenset(conversation.numbers))


def _hits(query: str, ids: Sequence[str], finder: Finder) -> tuple[Hit, ...]:
    return tuple(finder.search(query, len(ids), within=ids)) if ids else ()


def _focus(conversation: Conversation) -> list[str]:
    """The papers spoken of last: what the last turn that cited any cites."""
    return [source.paper.id for source in _last_sources(conversation)]


def _listed(conversation: Conversation) -> list[str]:
    """The papers that "the first one" counts: the last list of several, else all so far in the order of their numbers."""
    for turn in reversed(conversation.turns):
        if len(turn.sources) > 1:
            return [source.paper.id for source in turn.sources]
    return sorted(conversation.numbers, key=conversation.numbers.__getitem__)


def _last_sources(conversation: Conversation) -> tuple[Source, ...]:
    return next((turn.sources for turn in reversed(conversation.turns) if turn.sources), ())
