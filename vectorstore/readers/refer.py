"""EndNote's refer tags (``.enw``), as Google Scholar, ACM and ScienceDirect offer them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.entry import Entry, paper
from vectorstore.readers.fields import natural, prose, year
from vectorstore.readers.sources import Source
from vectorstore.readers.tagged import Record, records

_TAG = re.compile(r"%(?P<tag>[0-9A-Z@!&$?>+~]) (?P<value>.*)$")


def recognises(source: Source) -> str:
    """A record begins with its type."""
    return "EndNote refer" if re.match(r"\s*%0 \w", source.head) else ""


def read(source: Source) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` is the line of the record's first tag."""
    for record in records(source.lines(), _TAG, begins=("0",)):
        yield paper(_entry(record), Origin(source.name, record.position))


def _entry(record: Record) -> Entry:
    return Entry(
        title=record.first("T"),
        abstract=prose(record.first("X")),
        authors=tuple(name for each in record.all("A", "E") if (name := natural(each.rstrip(",")))),
        year=year(record.first("D")) or year(record.first("8")),
        venue=record.first("J", "B", "I"),
        url=record.first("U"),
        known_as=[record.first("R")],
    )
