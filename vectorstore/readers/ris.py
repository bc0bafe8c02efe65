"""RIS, as Zotero, Mendeley, EndNote, Clarivate, Embase, ProQuest, Scopus and publishers write it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.entry import Entry, paper
from vectorstore.readers.fields import natural, prose, year
from vectorstore.readers.sources import Source
from vectorstore.readers.tagged import Record, records

_TAG = re.compile(r"\s{0,3}(?P<tag>[A-Z][A-Z0-9])\s{1,2}-(?P<value>(?:\s.*)?)$")


def recognises(source: Source) -> str:
    """A record begins with its type."""
    return "RIS" if re.search(r"^\s{0,3}TY {1,2}- ?\w", source.head, re.M) else ""


def read(source: Source) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` is the line of the record's first tag."""
    for record in records(source.lines(), _TAG, begins=("TY",), ends="ER"):
        if "TY" not in record.values and len(record.values) < 3:
            continue  # what a database writes about itself before the first record
        yield paper(_entry(record), Origin(source.name, record.position))


def _entry(record: Record) -> Entry:
    title = record.first("TI", "T1", "CT") or (record.first("BT") if "T2" not in record.values else "")
    return Entry(
        title=title,
        abstract=prose(record.first("AB", "N2")),
        authors=tuple(name for each in record.all("AU", "A1") or record.all("ED", "A2") if (name := natural(each))),
        year=year(record.first("PY")) or year(record.first("Y1")) or year(record.first("DA")),
        venue=record.first("T2", "JF", "JO", "BT", "JA", "J2", "PB"),
        url=next((each for each in _addresses(record) if each.startswith("http")), ""),
        known_as=[*_addresses(record), *record.all("DO"), *(f"pmid:{each}" for each in _pubmed(record))],
    )


def _addresses(record: Record) -> list[str]:
    return [address for each in (*record.all("UR"), *record.all("LK")) for address in each.split()]


def _pubmed(record: Record) -> list[str]:
    """The record's number where the database says that it is PubMed's."""
    known = record.first("DB", "DP").casefold() in ("pubmed", "medline", "nlm")
    return [each for each in record.all("AN") if known and each.isdigit()]
