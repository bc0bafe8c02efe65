"""Answers written by a language model, each sentence held against the abstracts before it counts.

The extractive answer is made first. It stands whenever the collection holds no answer, when the model is in trouble, and
when too little of what the model writes holds. A model never decides what is cited: marks.py reads its citations,
receipts.py checks every sentence, and only papers that were found can appear.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from assistant import marks, prompt
from assistant.citations import UNSUPPORTED, Abstention, Draft, Piece, Statement, Written
from assistant.conversation import Conversation
from assistant.errors import ModelTrouble
from assistant.extractive import NEAR, NEARBY, ExtractiveAnswerer
from assistant.grounding import Finder, Ground, enough, ground
from assistant.markdown import escape
from assistant.marks import Said
from assistant.phrases import Phrases, phrases
from assistant.receipts import Measure, Receipt, check
from assistant.request import Request, topic, understand
from assistant.streaming import Speaker
from vectorstore.keywords import terms
from vectorstore.paper import Hit, Paper
from vectorstore.text import address_spans, plain

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

log = logging.getLogger(__name__)

TOLD = 8  # papers a model is told of at most
HINT = 1.5  # seconds that may pass until the model has proposed what to search for
HINT_FOLLOW_UP = 4.0  # the same where the question cannot be understood by itself
SURE = 0.5  # relevance from which on the first search needs no help
DRAFT = 0.1  # seconds between two drafts
LONGEST = 6000  # characters of an answer; more is no answer to a question
REPEATS = 4  # times in a row that make a loop
HALF = 0.5  # share of sentences that must hold
_NO_ANSWER = re.compile(rf"^\W*{prompt.NO_ANSWER}\b", re.I)


class Source(Finder, Measure, Protocol):
    """What finds papers and measures how near sentences are to them: a library."""


@dataclass(frozen=True, slots=True)
class GenerativeAnswerer:
    """Writes with a language model. ``name`` is the engine an answer names.

    Sentences that no abstract bears out are struck, or replaced by the abstract's own where ``replacing``.
    """

    library: Source
    speaker: Speaker
    name: str
    replacing: bool = False
    fallback: ExtractiveAnswerer = field(default_factory=ExtractiveAnswerer)

    @classmethod
    def over(
        cls, library: Source, llm: LLM, name: str = "", patience: float = 120.0, *, replacing: bool = False
    ) -> GenerativeAnswerer:
        """An answerer over a library with any LlamaIndex language model."""
        return cls(library, Speaker(llm, patience), name or llm.metadata.model_name, replacing)

    def answer(self, request: Request, ground: Ground) -> Iterator[Piece]:
        """Drafts of the answer; the last one is whole."""
        extracted = tuple(self.fallback.answer(request, ground))
        told = (
            ground.unknown_number is not None or ground.too_narrow or ground.like is not None or request.unknown_paper
        )
        if told or {"authors", "venue"} & set(request.aspects):
            yield Draft(extracted, self.fallback.name)  # what the records say needs no model
            return
        try:
            yield from self._written(request, ground, extracted)
        except ModelTrouble as trouble:
            log.info("%s: %s", self.name, trouble)
            say = phrases(request.language)
            yield Draft((f"*{escape(str(trouble))} {say.quoted_instead}*\n\n", *extracted), self.fallback.name)

    def _written(self, request: Request, ground: Ground, extracted: tuple[Piece, ...]) -> Iterator[Piece]:
        say = phrases(request.language)
        abstained = _abstains(extracted)
        waiting = Draft((), self.name, _papers(request, ground)[:NEAR] or ground.hits[:NEAR])
        searched = ""
        if self._needs_help(request, ground, abstained):
            hint = yield from self._hint(request, ground, waiting)
            if hint is not None:
                request, ground, searched = self._widened(request, ground, hint)
                if searched or abstained:
                    extracted = tuple(self.fallback.answer(request, ground))
                    abstained = _abstains(extracted)
        found = _papers(request, ground)
        if abstained or not found:
            yield Draft(extracted, self.fallback.name)
            return
        numbered = _numbered([hit.paper for hit in found], ground.said)
        asked = prompt.answering(request.query, numbered, ground.said, request.language, self.speaker.context)
        lead = f"*{say.searched_for.format(question=escape(searched))}*\n\n" if searched else ""
        checked = _Checked(asked.papers, self.library, self.replacing, say)
        yield Draft((), self.name, found[:TOLD])
        raw, drawn = "", time.monotonic()
        with closing(self.speaker.reply(asked.messages)) as words:
            for word in words:
                raw += word
                if len(raw) > LONGEST and len(marks.without_thoughts(raw)) > LONGEST:
                    raise ModelTrouble("The language model does not come to an end.")
                if word and _loops(raw):
                    raise ModelTrouble("The language model repeats itself.")
                if not raw.strip() or time.monotonic() - drawn >= DRAFT:
                    pieces = checked.draft(raw)
                    yield Draft((lead, *pieces), self.name) if pieces else Draft((), self.name, found[:TOLD])
                    drawn = time.monotonic()
        if _NO_ANSWER.match(raw.strip()):
            near = tuple(hit for hit in ground.hits[:NEAR] if hit.relevance >= NEARBY)
            yield Draft((say.not_covered_near if near else say.not_covered, Abstention(near)), self.name)
            return
        pieces, held, total, invented = checked.whole(raw)
        if not total:
            raise ModelTrouble("The language model wrote nothing of use.")
        log.info("%s: %.1f of %d sentences hold, %d invented citations", self.name, held, total, invented)
        if held < HALF * total:
            yield Draft((f"*{say.too_little_holds}*\n\n", *extracted), self.fallback.name)
            return
        note = f"\n\n*{say.invented.format(count=invented)}*" if invented else ""
        yield Draft((lead, *pieces, note), self.name)

    # ---- what to search for

    @staticmethod
    def _needs_help(request: Request, ground: Ground, abstained: bool) -> bool:
        """Whether the model should propose what to search for: the first search alone may have missed it."""
        if ground.pointed or request.kind == "more":
            return False
        best = ground.hits[0].relevance if ground.hits else 0.0
        follows = bool(ground.said.turns) and not request.new_topic
        return abstained or follows or request.language != "en" or best < SURE

    def _hint(self, request: Request, ground: Ground, waiting: Draft) -> Generator[Draft, None, _Hint | None]:
        """The model's full question and search terms, or none where it is late or makes no sense."""
        said = ground.said if not request.new_topic else Conversation()
        deadline = time.monotonic() + (HINT_FOLLOW_UP if said.turns and request.reference else HINT)
        text = ""
        with closing(self.speaker.reply(prompt.searching(request.query, said))) as words:
            for word in words:
                text += word
                if time.monotonic() > deadline or len(text) > 600:
                    log.info("%s: no hint in time", self.name)
                    return None
                if not word:
                    yield waiting
        return _Hint.read(text, request, said)

    def _widened(self, request: Request, basis: Ground, hint: _Hint) -> tuple[Request, Ground, str]:
        """The request and what it can stand on, with what the model proposed; and the question it was searched for."""
        searched = ""
        if hint.question:
            full = replace(understand(hint.question), language=request.language)
            found = ground(full, Conversation(), self.library)
            first, best = (max((hit.relevance for hit in hits), default=0.0) for hits in (basis.hits, found.hits))
            if best > first or basis.said.turns:
                request, basis, searched = full, replace(found, said=basis.said), hint.question
        if hint.terms and request.kind in ("fact", "explain") and basis.hits and not basis.pointed:
            also = [hit.paper.id for hit in self.library.search(hint.terms, len(basis.hits))]
            # each judged by the question itself, placed by both
            known = {
                hit.paper.id: hit for hit in (*self.library.search(request.query, len(also), within=also), *basis.hits)
            }
            lists = [[hit.paper.id for hit in basis.hits], also]
            rank = {each: sum(1 / (10 + ids.index(each)) for ids in lists if each in ids) for each in known}
            basis = replace(basis, hits=tuple(sorted(known.values(), key=lambda hit: -rank[hit.paper.id])))
        return request, basis, searched


@dataclass(frozen=True, slots=True)
class _Hint:
    """What the model proposes to search for."""

    question: str
    terms: str

    @classmethod
    def read(cls, text: str, request: Request, said: Conversation) -> _Hint | None:
        lines = dict(re.findall(r"^\W*(question|terms)\W*[:：]\s*(.+)$", text, re.M | re.I))
        lines = {name.lower(): prompt.tame(value).strip("*\"' ") for name, value in lines.items()}
        question, wanted = lines.get("question", ""), lines.get("terms", "")
        if not _stays(question, request, said):
            question = ""
        return cls(question, wanted[:200]) if question or wanted else None


def _stays(question: str, request: Request, said: Conversation) -> bool:
    """Whether a rewritten question asks what was asked: it drops no word of it and brings none in from elsewhere."""
    if not 8 <= len(question) <= 400 or question.casefold() == request.query.casefold():
        return False
    if request.language != "en":
        names = set(re.findall(r"[A-Za-z][\w-]+", request.query))
        return all(name.casefold() in question.casefold() for name in names)
    before = " ".join(f"{turn.question} {turn.text}" for turn in said.turns[-prompt.TURNS :])
    asked, full = set(topic(request.query)), set(topic(question))
    return len(asked - full) <= len(asked) // 3 and len(full - asked - set(terms(before))) <= 1


# ---- papers


def _papers(request: Request, basis: Ground) -> tuple[Hit, ...]:
    """The papers to tell the model of: those pointed to or relevant enough, else the best."""
    hits = [hit for hit in basis.hits if hit.paper.id not in basis.told]
    if basis.pointed:
        return tuple(hits[:TOLD])
    good = [hit for hit in hits if enough(basis.asked or request, hit)]
    return tuple((good or hits[:1])[:TOLD])


def _numbered(papers: Sequence[Paper], said: Conversation) -> dict[int, Paper]:
    """A number for each paper: the one it has in the conversation, else the next free one."""
    known = said.numbers
    free = max(known.values(), default=0)
    numbered = {}
    for paper in papers:
        if paper.id not in known:
            free += 1
        numbered[known.get(paper.id, free)] = paper
    return numbered


def _loops(text: str) -> bool:
    """Whether a text ends in one stretch over and over."""
    return any(text.endswith(text[-size:] * REPEATS) for size in range(12, 200) if len(text) >= size * REPEATS)


def _abstains(pieces: tuple[Piece, ...]) -> bool:
    return any(isinstance(piece, Abstention) for piece in pieces)


# ---- the model's text, checked


class _Checked:
    """A model's text while it is written: each sentence is checked once, when it is complete."""

    def __init__(self, papers: Mapping[int, Paper], measure: Measure, replacing: bool, say: Phrases) -> None:
        self._papers = papers
        self._measure = measure
        self._replacing = replacing
        self._say = say
        self._receipts: dict[str, dict[str, Receipt]] = {}
        self._addresses = {
            plain(paper.abstract[start:end])
            for paper in papers.values()
            for start, end in address_spans(paper.abstract)
        }

    def draft(self, raw: str) -> tuple[Piece, ...]:
        """The checked sentences so far, and the one being written as it stands."""
        if _NO_ANSWER.match(raw.strip()) or prompt.NO_ANSWER.startswith(raw.strip().upper()):
            return ()
        said = marks.read(raw, self._papers, self._addresses)
        *complete, last = said or (Said("", claim=False),)
        # a sentence is complete only when the next one has begun: its citation may follow the full stop
        return (*self._pieces(complete), last.before, escape(last.text)) if said else ()

    def whole(self, raw: str) -> tuple[tuple[Piece, ...], float, int, int]:
        """The pieces, how many sentences hold (in part counts half), how many there are, and the invented citations."""
        said = marks.read(raw, self._papers, self._addresses)
        written = [self._written(each) for each in said if each.claim and each.text]
        held = sum(0.0 if each.verdict in UNSUPPORTED else 0.5 if each.verdict == "partly" else 1.0 for each in written)
        return tuple(self._pieces(said)), held, len(written), sum(each.invented for each in said)

    def _pieces(self, said: Sequence[Said]) -> Iterator[Piece]:
        self._check([each.text for each in said if each.claim and each.text])
        shown: set[str] = set()
        for each in said:
            if not each.text:
                continue
            if not each.claim:
                yield f"{each.before}{escape(each.text)}"
                continue
            written = self._written(each)
            if written.verdict in UNSUPPORTED and self._replacing:
                instead = self._instead(each)
                if instead is None or instead.text in shown:
                    continue
                shown.add(instead.text)
                yield each.before
                yield instead
                continue
            yield each.before
            yield written
            if not written.papers:
                yield f" *({self._say.no_source})*"

    def _check(self, sentences: Sequence[str]) -> None:
        fresh = [sentence for sentence in dict.fromkeys(sentences) if sentence not in self._receipts]
        if fresh:
            found = check(fresh, list(self._papers.values()), self._measure)
            self._receipts |= dict(zip(fresh, found, strict=True))

    def _written(self, said: Said) -> Written:
        """The sentence with its receipt: from the papers it cites, else from the one that bears it out."""
        self._check([said.text])
        receipts = self._receipts[said.text]
        cited = [self._papers[number] for number in said.numbers]
        good = [paper for paper in cited if receipts[paper.id].supported]
        if not good:
            best = max(receipts, key=lambda paper_id: receipts[paper_id].probability * receipts[paper_id].supported)
            if receipts[best].supported:
                good = [paper for paper in self._papers.values() if paper.id == best]
        if not good:
            good = [paper for paper in cited if receipts[paper.id].verdict == "partly"] or cited
        if not good:
            return Written(said.text, (), "not found", None)
        receipt = max((receipts[paper.id] for paper in good), key=_rank)
        return Written(said.text, tuple(good), receipt.verdict, receipt.quote)

    def _instead(self, said: Said) -> Statement | None:
        """The sentence of the cited abstract that comes closest to one that does not hold."""
        receipts = self._receipts[said.text]
        best = max((receipts[self._papers[number].id] for number in said.numbers), key=_rank, default=None)
        if best is None or best.quote is None:
            return None
        paper = next(paper for paper in self._papers.values() if paper.id == best.quote.paper_id)
        return Statement(plain(best.quote.text), paper, best.quote)


def _rank(receipt: Receipt) -> tuple[int, float]:
    order = ("not found", "numbers differ", "partly", "close", "quoted")
    return order.index(receipt.verdict), receipt.probability
