"""From the pieces of an answer to the answer: numbers, sources and receipts, the same whoever wrote the pieces.

An answerer yields pieces: Markdown that frames, statements that rest on a paper, bare mentions of a paper. It never
writes a number. The manuscript gives each paper its number, one for the whole conversation in the order of first use,
and checks every quote against the abstract it names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.answer import Answer, Claim, Quote, Source, Suggestion, Verdict
from assistant.markdown import escape
from vectorstore.paper import Hit, Paper
from vectorstore.text import readable


@dataclass(frozen=True, slots=True)
class Mention:
    """The number of a paper and nothing else."""

    paper: Paper


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the answer, plain text, the paper it rests on, and the words of the abstract it was taken from."""

    text: str
    paper: Paper
    quote: Quote | None


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence in a language model's words, the papers it cites, and how far the quoted words bear it out."""

    text: str
    papers: tuple[Paper, ...]
    verdict: Verdict
    quote: Quote | None


@dataclass(frozen=True, slots=True)
class Abstention:
    """The answer makes no claim about the question; the nearest papers are offered instead."""

    nearest: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """All of an answer so far, in place of what was written before, and the engine that wrote it.

    ``found`` are the papers to show while there is nothing else yet.
    """

    pieces: tuple[Piece, ...]
    engine: str
    found: tuple[Hit, ...] = ()


Piece = str | Mention | Statement | Written | Abstention | Draft

UNSUPPORTED: frozenset[Verdict] = frozenset({"numbers differ", "not found"})


def quote(paper: Paper, start: int, end: int) -> Quote:
    """The abstract's words from ``start`` to ``end``."""
    return Quote(paper.id, start, end, paper.abstract[start:end])


class Manuscript:
    """An answer while it is being written."""

    def __init__(self, question: str, engine: str, numbers: Mapping[str, int], relevance: Mapping[str, float]) -> None:
        """``numbers`` are those the conversation has given, ``relevance`` that of the papers found, both by paper id."""
        self._question = question
        self._relevance = relevance
        self._begin(engine, numbers)

    def _begin(self, engine: str, numbers: Mapping[str, int]) -> None:
        self._engine = engine
        self._given = numbers
        self._numbers = dict(numbers)
        self._text = ""
        self._claims: list[Claim] = []
        self._cited: dict[str, Paper] = {}
        self._quotes: dict[str, list[Quote]] = {}
        self._suggestions: tuple[Suggestion, ...] = ()
        self._abstained = False

    def add(self, piece: Piece) -> None:
        """Write one more piece."""
        if isinstance(piece, str):
            self._text += piece
        elif isinstance(piece, Mention):
            self._text += f"[{self._cite(piece.paper)}]"
        elif isinstance(piece, Statement):
            number = self._cite(piece.paper)
            self._text += f"{escape(piece.text)} [{number}]"
            self._claims.append(Claim(piece.text, (number,), verdict(piece), piece.quote))
            if piece.quote and verdict(piece) != "not found":
                self._quotes[piece.paper.id].append(piece.quote)
        elif isinstance(piece, Written):
            self._write(piece)
        elif isinstance(piece, Draft):
            self._begin(piece.engine, self._given)
            self._suggestions = _suggested(piece.found)
            for each in piece.pieces:
                self.add(each)
        else:
            self._abstained = True
            self._suggestions = _suggested(piece.nearest)

    def answer(self, timings_ms: Mapping[str, float] | None = None) -> Answer:
        """The answer as it stands."""
        sources = tuple(
            Source(
                self._numbers[paper.id],
                paper,
                self._relevance.get(paper.id, 0.0),
                tuple(sorted(set(self._quotes[paper.id]), key=lambda each: (each.start, each.end))),
            )
            for paper in self._cited.values()
        )
        return Answer(
            question=self._question,
            text=self._text.strip(),
            abstained=self._abstained,
            engine=self._engine,
            claims=tuple(self._claims),
            sources=sources,
            suggestions=self._suggestions,
            timings_ms=dict(timings_ms or {}),
        )

    def _write(self, written: Written) -> None:
        numbers = tuple(self._cite(paper) for paper in written.papers)
        text = escape(written.text)
        marks = "".join(f"[{number}]" for number in numbers)
        self._text += " ".join(filter(None, (f"~~{text}~~" if written.verdict in UNSUPPORTED else text, marks)))
        self._claims.append(Claim(written.text, numbers, written.verdict, written.quote))
        if written.quote and written.quote.paper_id in self._quotes:
            self._quotes[written.quote.paper_id].append(written.quote)

    def _cite(self, paper: Paper) -> int:
        self._cited.setdefault(paper.id, paper)
        self._quotes.setdefault(paper.id, [])
        return self._numbers.setdefault(paper.id, max(self._numbers.values(), default=0) + 1)


def _suggested(hits: Sequence[Hit]) -> tuple[Suggestion, ...]:
    return tuple(Suggestion(hit.paper, hit.relevance) for hit in hits)


def verdict(statement: Statement) -> Verdict:
    """How far a statement is borne out by its quote: word for word, nearly, with other numbers, or not at all."""
    held = statement.quote
    if (
        held is None
        or held.paper_id != statement.paper.id
        or held.text != statement.paper.abstract[held.start : held.end]
    ):
        return "not found"
    said, source = _words(statement.text), _words(readable(held.text))
    if f" {' '.join(said)} " in f" {' '.join(source)} ":
        return "quoted"
    if {word for word in said if word[0].isdigit()} - set(source):
        return "numbers differ"
    shared = sum(word in source for word in said)
    return "close" if said and shared / len(said) >= 0.6 else "not found"


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.findall(r"\d+(?:[.,]\d+)*|\w+", folded)
