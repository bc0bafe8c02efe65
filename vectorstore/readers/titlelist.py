"""Plain lists of titles, one a line, numbered or not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.entry import Entry, paper
from vectorstore.readers.seedlist import heading
from vectorstore.readers.sources import Source

_MARK = re.compile(r"\s*(?:[-*+•]|\d{1,4}[.)]|\[\d+\])\s+")
_TITLE = re.compile(r"[\W_]*[A-Z0-9\u3040-\u30ff\u4e00-\u9fff]")
_YEAR = re.compile(r"[\s,.]*\(?((?:19|20)\d\d)\)?[\s.]*$")
_MOST_WORDS = 30


def recognises(source: Source) -> str:
    """Lines that each begin like a title, are as short as one, and end neither within a sentence nor with one."""
    lines = [line for line in source.head.split("\n") if line.strip()]
    if source.name.casefold().endswith((".md", ".markdown")):
        lines = [line for line in lines if not line.startswith("#")]
        if not all(_MARK.match(line) for line in lines):
            return ""
    elif not source.name.casefold().removesuffix(".gz").endswith((".txt", ".text", ".lst")):
        return ""
    titles = [line for line in lines if _is_title(line)]
    return "title list" if len(lines) >= 3 and len(titles) >= 0.9 * len(lines) else ""


def read(source: Source) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` is the line. A heading with venue and year at the top speaks for all."""
    venue, year = "", None
    for position, line in enumerate(source.lines(), 1):
        text = _MARK.sub("", line, count=1).strip().strip('*_"“”')
        if not text or line.startswith("#"):
            continue
        if not venue and position <= 3 and (told := heading(text)):
            venue, year = told
            continue
        own = _YEAR.search(text)
        title = text[: own.start()] if own and len(text[: own.start()].split()) > 1 else text
        entry = Entry(title=title.rstrip(". "), year=int(own[1]) if own else year, venue=venue)
        yield paper(entry, Origin(source.name, position))


def _is_title(line: str) -> bool:
    ends = (",", ";", ":", "-") if _MARK.match(line) else (",", ";", ":", "-", ".")
    title = _MARK.sub("", line, count=1).rstrip()
    return (
        bool(_TITLE.match(title))
        and len(title.split()) <= _MOST_WORDS
        and len(title) <= 250
        and not title.endswith(ends)
    )
