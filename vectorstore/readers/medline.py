"""PubMed's MEDLINE tags (``.nbib``)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.entry import Entry, paper
from vectorstore.readers.fields import natural, prose, words, year
from vectorstore.readers.sources import Source
from vectorstore.readers.tagged import Record, records

_TAG = re.compile(r"(?P<tag>[A-Z]{2,4}) {0,2}- (?P<value>.*)$")


def recognises(source: Source) -> str:
    """A record begins with its PubMed number, or with who owns it."""
    return "PubMed nbib" if re.search(r"^(?:PMID ?- ?\d|OWN  ?- )", source.head, re.M) else ""


def read(source: Source) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` is the line of the record's first tag."""
    for record in records(source.lines(), _TAG, begins=("PMID",)):
        yield paper(_entry(record), Origin(source.name, record.position))


def _entry(record: Record) -> Entry:
    pmid = record.first("PMID")
    dois = [each.removesuffix("[doi]") for each in (*record.all("LID"), *record.all("AID")) if each.endswith("[doi]")]
    title = re.sub(r"^\[(.*)\](\.?)$", r"\1\2", record.first("TI", "BTI", "TT"))  # brackets: translated
    return Entry(
        title=words(title),
        abstract=prose(record.first("AB", "OAB")),
        authors=tuple(name for each in record.all("FAU", "AU", "CN") if (name := natural(each))),
        year=year(record.first("DP")) or year(record.first("DEP", "EDAT")),
        venue=record.first("JT", "TA", "BTI"),
        known_as=[*dois[:1], *([f"pmid:{pmid}"] if pmid else [])],
    )
