"""Works of Europe PMC, the bioRxiv API and DBLP's search, told by the names they give their ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import people, prose, words, year

NAME = "JSON of a service"


def fits(record: Mapping[str, Any]) -> bool:
    """A work has a title and names its server or its numbers as one of these services does."""
    return "title" in record and (
        ("abstractText" in record or "authorString" in record)
        or ("server" in record and "doi" in record)
        or ("ee" in record and "venue" in record)
    )


def entry(record: Mapping[str, Any]) -> Entry:
    """A work as an entry."""
    authors = record.get("authors", record.get("authorString", ""))
    if isinstance(authors, dict):  # DBLP
        inner = authors.get("author")
        authors = [
            {"name": words(each.get("text")).rstrip("0123456789 ")} if isinstance(each, dict) else each
            for each in (inner if isinstance(inner, list) else [inner])
        ]
    pmid, pair = words(record.get("pmid")), words(record.get("published"))
    return Entry(
        title=words(record.get("title")).removesuffix("."),
        abstract=prose(record.get("abstractText") or record.get("abstract")),
        authors=people(authors),
        year=year(record.get("pubYear")) or year(record.get("year")) or year(record.get("date")),
        venue=words(record.get("journalTitle"))
        or words(_journal(record))
        or words(record.get("venue"))
        or words(record.get("server")),
        url=words(record.get("ee")) or words(record.get("url")),
        known_as=[words(record.get("doi")), pair, *([f"pmid:{pmid}"] if pmid else [])],
    )


def _journal(record: Mapping[str, Any]) -> Any:
    """The journal's name where Europe PMC's full answers hold it."""
    about = record.get("journalInfo")
    journal = about.get("journal") if isinstance(about, dict) else None
    return journal.get("title") if isinstance(journal, dict) else None
