"""An answer is a value with its evidence inside. Window, command line, tests and evaluation read this record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from vectorstore.paper import Paper

Verdict = Literal["quoted", "close", "partly", "numbers differ", "not found"]


@dataclass(frozen=True, slots=True)
class Quote:
    """The exact words a claim rests on: ``paper.abstract[start:end] == text``."""

    paper_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of an answer as a person reads it, the numbers it cites, and its receipt."""

    text: str
    citations: tuple[int, ...]
    verdict: Verdict
    quote: Quote | None


@dataclass(frozen=True, slots=True)
class Source:
    """A paper the answer cites, under its number in this conversation, with the quoted stretches in order."""

    number: int
    paper: Paper
    relevance: float
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A nearby paper that is offered, not cited."""

    paper: Paper
    relevance: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What was asked and what was answered.

    ``text`` is Markdown with ``[n]`` marks and without a source list; ``sources`` are exactly the papers that the text
    cites, in the order of first citation. An answer with ``abstained`` makes no claim about the question.
    ``engine``, ``encoder``, the fingerprint of the ``library`` and the ids of the papers ``retrieved``, best first, are
    what it takes to tell why another run answers otherwise; small talk retrieves nothing.
    """

    question: str
    text: str
    abstained: bool
    engine: str
    claims: tuple[Claim, ...] = ()
    sources: tuple[Source, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    encoder: str = ""
    library: str = ""
    retrieved: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The stable JSON form that scripts rely on (``paperchat ask --json``)."""
        return {
            "question": self.question,
            "text": self.text,
            "abstained": self.abstained,
            "engine": self.engine,
            "claims": [
                {
                    "text": claim.text,
                    "citations": list(claim.citations),
                    "verdict": claim.verdict,
                    "quote": claim.quote.text if claim.quote else None,
                }
                for claim in self.claims
            ],
            "sources": [
                {
                    "number": source.number,
                    **paper_json(source.paper, source.relevance),
                    "quotes": [{"text": q.text, "start": q.start, "end": q.end} for q in source.quotes],
                }
                for source in self.sources
            ],
            "suggestions": [paper_json(s.paper, s.relevance) for s in self.suggestions],
            "timings_ms": {stage: round(ms, 2) for stage, ms in self.timings_ms.items()},
            "encoder": self.encoder,
            "library": self.library,
            "retrieved": list(self.retrieved),
        }


def paper_json(paper: Paper, relevance: float) -> dict[str, Any]:
    """A paper in the JSON form that answers and searches share."""
    return {
        "paper_id": paper.id,
        "label": paper.label,
        "title": paper.title,
        "year": paper.year,
        "venue": paper.venue,
        "url": paper.url,
        "relevance": round(relevance, 4),
        "source": {"file": paper.origin.file, "position": paper.origin.position},
    }
