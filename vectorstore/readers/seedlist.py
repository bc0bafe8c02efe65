"""Conference lists: a header line such as ``ICML 2026 论文列表``, then one abstract a paragraph, no titles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vectorstore.labels import label
from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.identity import text_id

_HEADER = re.compile(r"\s*(?P<venue>[A-Z][\w&@/ .'-]{1,40}?)[ '-]*(?P<year>(?:19|20)\d\d)\b(?P<rest>.{0,40})$")
SHORTEST = 12  # words of a paragraph that is an abstract rather than a heading


def recognises(head: str, name: str) -> bool:
    """Plain text of paragraphs: of words, not of records."""
    if "\x00" in head or name.endswith((".json", ".jsonl", ".csv", ".tsv", ".bib", ".ris", ".xml", ".html")):
        return False
    printable = sum(character.isprintable() or character.isspace() for character in head)
    return printable / max(1, len(head)) > 0.98 and any(len(each.split()) >= SHORTEST for each in _paragraphs(head))


def read(text: str, file: str) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` counts the paragraphs after the header from 1."""
    paragraphs = _paragraphs(text)
    venue, year = None, None
    header = _HEADER.match(paragraphs[0]) if paragraphs else None
    if header and len(paragraphs[0].split()) < SHORTEST:
        venue, year = header["venue"].strip(), int(header["year"])
        paragraphs = paragraphs[1:]
    for position, abstract in enumerate(paragraphs, 1):
        origin = Origin(file, position)
        if len(abstract.split()) < SHORTEST:
            yield Skipped(origin, "too short for an abstract")
            continue
        yield Paper(
            id=text_id(abstract), abstract=abstract, origin=origin, label=label(abstract, None), year=year, venue=venue
        )


def _paragraphs(text: str) -> list[str]:
    return [each.strip() for each in re.split(r"\r?\n[ \t]*\r?\n", text) if each.strip()]
