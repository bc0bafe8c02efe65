"""The whole journey of a question, from the message to the answer with its receipts."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from assistant.answer import Answer
from assistant.citations import Abstention, Manuscript, Piece
from assistant.conversation import Conversation
from assistant.extractive import ExtractiveAnswerer
from assistant.grounding import Ground, ground
from assistant.narrowing import narrow
from assistant.phrases import phrases
from assistant.request import Request, topic, understand
from vectorstore.filters import Choices, Filters, choices
from vectorstore.library import Library
from vectorstore.paper import Hit
from vectorstore.text import plain

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

log = logging.getLogger(__name__)


class Answerer(Protocol):
    """Writes an answer in pieces. It cites papers, never numbers; the manuscript numbers and checks."""

    @property
    def name(self) -> str:
        """The engine an answer names."""
        ...

    def answer(self, request: Request, ground: Ground) -> Iterator[Piece]:
        """The pieces of the answer, in order."""
        ...


class Assistant:
    """Answers questions about the papers of a library."""

    def __init__(self, library: Library, answerer: Answerer | None = None) -> None:
        self.library = library
        self._answerer = answerer or ExtractiveAnswerer()

    def writing_with(self, llm: LLM, name: str = "", patience: float = 120.0, *, replacing: bool = False) -> Assistant:
        """An assistant over the same library that writes with a language model, any of LlamaIndex's.

        ``name`` is the engine its answers name, by default the model's own; ``patience`` the seconds to wait for the
        model's next word. Sentences that no abstract bears out are struck, or replaced by quotes where ``replacing``.
        """
        from assistant.generative import GenerativeAnswerer

        return Assistant(self.library, GenerativeAnswerer.over(self.library, llm, name, patience, replacing=replacing))

    @property
    def engine(self) -> str:
        """What writes the answers: the name of a language model, or extractive."""
        return self._answerer.name

    def ask(self, message: str, conversation: Conversation, filters: Filters | None = None) -> Answer:
        """The answer to a message, in the light of the conversation so far, from the papers that pass the filters."""
        *_, answer = self.stream(message, conversation, filters)
        return answer

    def stream(self, message: str, conversation: Conversation, filters: Filters | None = None) -> Iterator[Answer]:
        """Drafts of the answer, each longer than the last; the last one is whole."""
        started = time.perf_counter()
        request = self._understood(message, conversation, filters)
        if request.kind in ("thanks", "greeting", "help", "orders"):
            yield self._in_passing(message, request)
            return
        basis = ground(request, conversation, self.library)
        found = time.perf_counter()
        relevance = {hit.paper.id: hit.relevance for hit in basis.hits}
        manuscript = Manuscript(message, self._answerer.name, conversation.numbers, relevance)
        for piece in self._answerer.answer(request, basis):
            manuscript.add(piece)
            yield self._replayable(manuscript.answer(), basis.hits)
        done = time.perf_counter()
        times = {"search": 1000 * (found - started), "answer": 1000 * (done - found), "total": 1000 * (done - started)}
        log.info("%s: %d papers found, %.0f ms", request.kind, len(basis.hits), times["total"])
        yield self._replayable(manuscript.answer(times), basis.hits)

    def _understood(self, message: str, conversation: Conversation, filters: Filters | None) -> Request:
        """What is asked; a message that is nothing but filters asks the last question again."""
        narrowed = narrow(message, self.library.count, filters)
        if narrowed.message != message and not topic(narrowed.message) and conversation.turns:
            narrowed = narrow(conversation.turns[-1].question, self.library.count, narrowed.filters)
        return replace(understand(narrowed.message), filters=narrowed.filters)

    def warm_up(self) -> None:
        """Load what the first question would otherwise wait for."""
        self.library.search("a first question", 1)

    def examples(self) -> list[str]:
        """A few questions about papers of this library, to begin with."""
        labels = [plain(paper.label) for paper in self.library.some(40)]
        named = [label for label in labels if len(label.split()) <= 4] or labels
        if len(named) < 2:
            return [f"What is {label}?" for label in named]
        topics = [label for label in labels if label not in named]
        about = [f"Which papers are about {topics[0][:1].lower()}{topics[0][1:]}?"] if topics else []
        return [f"What is {named[0]}?", *about, f"Compare {named[0]} and {named[1]}"]

    def about(self) -> str:
        """What the library holds, in a line."""
        stats = self.library.stats()
        venues = sorted((name for name in stats.venues if name), key=lambda name: -stats.venues[name])
        years = sorted(year for year in stats.years if year)
        span = years[0] if len(years) == 1 else f"{years[0]} to {years[-1]}" if years else ""
        shown = ", ".join(venues[:3]) + (f" and {len(venues) - 3} more venues" if len(venues) > 3 else "")
        return " · ".join(part for part in (f"{stats.papers:,} papers", f"{shown} {span}".strip()) if part)

    def choices(self) -> Choices:
        """What questions can be narrowed to: where the papers of this library differ."""
        stats = self.library.stats()
        return choices(stats.years, stats.venues, stats.sources, authors=stats.with_authors > 0)

    def _in_passing(self, message: str, request: Request) -> Answer:
        """Small talk, and orders that are not questions: a fixed phrase, no search."""
        say = phrases(request.language)
        said = {"thanks": say.thanks, "greeting": say.hello, "orders": say.orders}
        manuscript = Manuscript(message, self._answerer.name, {}, {})
        manuscript.add(said.get(request.kind) or say.about.format(about=self.about()))
        if request.kind == "orders":
            manuscript.add(Abstention())
        return self._replayable(manuscript.answer({"total": 0.0}), ())

    def _replayable(self, answer: Answer, hits: Sequence[Hit]) -> Answer:
        """The answer with what it takes to replay it."""
        retrieved = tuple(hit.paper.id for hit in hits)
        encoder, library = self.library.encoder_name, self.library.fingerprint
        return replace(answer, encoder=encoder, library=library, retrieved=retrieved)
