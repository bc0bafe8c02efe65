"""JSON lines: an object a line with ``id`` or ``_id``, ``title``, ``abstract`` or ``text``, and what else is known."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from vectorstore.labels import label
from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.fields import people, words, year
from vectorstore.readers.identity import apart, text_id


def recognises(head: str, name: str) -> bool:
    """The first line that is not blank opens an object (it may be broken: others may not be)."""
    return head.lstrip().startswith("{") and bool(re.search(r'"(?:_id|id|title|abstract|text)"\s*:', head))


def read(text: str, file: str) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` is the line, counted from 1."""
    seen: dict[str, str] = {}
    for position, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        origin = Origin(file, position)
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            yield Skipped(origin, "not JSON")
            continue
        if not isinstance(record, dict):
            yield Skipped(origin, "not a record")
            continue
        found = _paper(record, origin)
        if isinstance(found, Paper):
            found = apart(found, seen)
        yield found


def _paper(record: Mapping[str, Any], origin: Origin) -> Paper | Skipped:
    title = words(record.get("title"))
    abstract = words(record.get("abstract")) or words(record.get("text"))
    if not title and not abstract:
        return Skipped(origin, "neither title nor abstract")
    given = record.get("id", record.get("_id"))
    return Paper(
        id=words(given) if isinstance(given, str | int) and words(given) else text_id(f"{title} {abstract}"),
        abstract=abstract,
        origin=origin,
        label=label(abstract, title or None),
        title=title or None,
        authors=people(record.get("authors")),
        year=year(record.get("year")),
        venue=words(record.get("venue")) or None,
        url=words(record.get("url")) or None,
    )
