"""Conversations read back from the JSON lines that ``paperchat chat --json`` and ``paperchat ask --json`` print.

The lines name papers by id; what a paper says comes from the library, and every quote is held against it again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from assistant.answer import Answer, Claim, Quote, Source, Suggestion
from assistant.conversation import Conversation
from assistant.errors import SavedUnusable
from vectorstore.paper import Paper


class Keeper(Protocol):
    """What reading needs of a library."""

    def get(self, ids: Sequence[str]) -> list[Paper]:
        """Papers by id."""
        ...


def conversations(lines: Iterable[str], keeper: Keeper) -> list[Conversation]:
    """The conversations in a saved file. A number that passes to another paper tells that a new one begins.

    SavedUnusable where a line is no answer, or cites what the library does not hold.
    """
    whole: list[Conversation] = []
    for place, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            answer = _answer(json.loads(line), keeper)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SavedUnusable(
                f"Line {place} is not an answer as `paperchat chat --json` prints it. Save its output and export that."
            ) from error
        numbers = whole[-1].numbers if whole else {}
        taken = {number: paper_id for paper_id, number in numbers.items()}
        if not whole or any(_clashes(source, taken, numbers) for source in answer.sources):
            whole.append(Conversation())
        whole[-1] = whole[-1].after(answer)
    return whole


def _clashes(source: Source, taken: dict[int, str], numbers: dict[str, int]) -> bool:
    paper_id = source.paper.id
    return taken.get(source.number, paper_id) != paper_id or numbers.get(paper_id, source.number) != source.number


def _answer(record: Any, keeper: Keeper) -> Answer:
    named = [each["paper_id"] for each in (*record["sources"], *record["suggestions"])]
    papers = {paper.id: paper for paper in keeper.get(named)}
    for each in record["sources"]:
        if each["paper_id"] not in papers:
            raise SavedUnusable(
                f"The library does not hold {each['label']} ({each['paper_id']}), which the conversation cites. "
                "Name the library it was held over with `--library`."
            )
    sources = tuple(_source(each, papers[each["paper_id"]]) for each in record["sources"])
    return Answer(
        question=str(record["question"]),
        text=str(record["text"]),
        abstained=bool(record["abstained"]),
        engine=str(record["engine"]),
        claims=tuple(_claim(each, sources) for each in record["claims"]),
        sources=sources,
        suggestions=tuple(
            Suggestion(papers[each["paper_id"]], float(each["relevance"]))
            for each in record["suggestions"]
            if each["paper_id"] in papers
        ),
        timings_ms=dict(record["timings_ms"]),
        encoder=str(record.get("encoder", "")),
        library=str(record.get("library", "")),
        retrieved=tuple(record.get("retrieved", ())),
    )


def _source(record: Any, paper: Paper) -> Source:
    quotes = tuple(Quote(paper.id, int(q["start"]), int(q["end"]), str(q["text"])) for q in record["quotes"])
    for quote in quotes:
        if paper.abstract[quote.start : quote.end] != quote.text:
            raise SavedUnusable(
                f"The abstract of {paper.label} has changed since the conversation: it no longer says "
                f"“{quote.text[:80]}” at that place. Ask again, and export the new answers."
            )
    return Source(int(record["number"]), paper, float(record["relevance"]), quotes)


def _claim(record: Any, sources: Sequence[Source]) -> Claim:
    """The offsets of a claim's quote stand with the source it cites."""
    cites = tuple(int(number) for number in record["citations"])
    quotes = (quote for source in sources if source.number in cites for quote in source.quotes)
    held = next((quote for quote in quotes if quote.text == record["quote"]), None)
    return Claim(str(record["text"]), cites, record["verdict"], held)
