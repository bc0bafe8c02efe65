"""Papers of the Semantic Scholar API and of its data sets (S2ORC, CORD-19 metadata)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import people, prose, words, year

NAME = "Semantic Scholar"
_SCHEMES = {"doi": "", "arxiv": "arxiv:", "pubmed": "pmid:", "pmid": "pmid:", "acl": "acl:"}


def fits(record: Mapping[str, Any]) -> bool:
    """A paper has an id of Semantic Scholar's and a title."""
    return "title" in record and any(
        key in record for key in ("paperId", "corpusId", "corpusid", "externalIds", "externalids")
    )


def entry(record: Mapping[str, Any]) -> Entry:
    """A paper as an entry, with all the ids Semantic Scholar knows."""
    places = (record.get("publicationVenue"), record.get("journal"))
    named = [words(place.get("name")) if isinstance(place, dict) else words(place) for place in places]
    paper_id = words(record.get("paperId"))
    return Entry(
        title=words(record.get("title")),
        abstract=prose(record.get("abstract")),
        authors=people(record.get("authors")),
        year=year(record.get("year")) or year(record.get("publicationDate")),
        venue=words(record.get("venue")) or next(filter(None, named), ""),
        url=words(record.get("url")),
        own_id="" if paper_id else words(record.get("corpusId", record.get("corpusid"))),
        known_as=[*_ids(record), *([f"s2:{paper_id}"] if paper_id else [])],
    )


def _ids(record: Mapping[str, Any]) -> Iterator[str]:
    external = record.get("externalIds") or record.get("externalids")
    for key, value in external.items() if isinstance(external, dict) else ():
        if key.lower() in _SCHEMES and words(value):
            yield _SCHEMES[key.lower()] + words(value)
