"""Web of Science field-tagged exports (``.ciw``, ``.txt``)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.entry import Entry, paper
from vectorstore.readers.fields import natural, prose, year
from vectorstore.readers.sources import Source
from vectorstore.readers.tagged import Record, records

_TAG = re.compile(r"(?P<tag>[A-Z][A-Z0-9])(?: (?P<value>.*)|(?P<none>))$")
_ABOUT_THE_FILE = ("FN", "VR", "EF")


def recognises(source: Source) -> str:
    """The file says what it is, or a record begins with its publication type."""
    found = re.match(r"\s*(?:FN .*\n|VR 1\.0|PT [A-Z]\n(?:AU|BA|AF) )", source.head)
    return "Web of Science" if found else ""


def read(source: Source) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` is the line of the record's first tag."""
    lines = (line if line.strip() else "" for line in source.lines())
    for record in records(lines, _TAG, begins=("PT",), ends="ER", by_line=("AU", "AF", "BA", "ED")):
        if not all(tag in _ABOUT_THE_FILE for tag in record.values):
            yield paper(_entry(record), Origin(source.name, record.position))


def _entry(record: Record) -> Entry:
    pmid = record.first("PM")
    return Entry(
        title=record.first("TI"),
        abstract=prose(record.first("AB")),
        authors=tuple(name for each in record.all("AF", "AU", "BA", "ED") if (name := natural(each))),
        year=year(record.first("PY")) or year(record.first("EA", "PD")),
        venue=record.first("SO", "CT", "J9"),
        known_as=[record.first("DI"), *([f"pmid:{pmid}"] if pmid else [])],
    )
