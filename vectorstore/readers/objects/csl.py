"""CSL-JSON of Zotero, Mendeley and citeproc, and the works of the Crossref and DataCite services, which resemble it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import people, prose, words, year

NAME = "CSL-JSON"
_DATES = ("issued", "published", "published-print", "published-online", "posted", "created")
_MARKS = (
    "container-title",
    "issued",
    "DOI",
    "citation-key",
    "publisher",
    "URL",
    "accessed",
    "page",
    "ISSN",
    "prefix",
    "language",
)


def fits(record: Mapping[str, Any]) -> bool:
    """An item has a type, and a title or what else CSL calls by its names."""
    if not isinstance(record.get("type"), str):
        return False
    return ("title" in record and any(key in record for key in (*_MARKS, "author"))) or (
        "DOI" in record and "issued" in record
    )


def entry(record: Mapping[str, Any]) -> Entry:
    """An item as an entry, subtitle and preprint relation included."""
    title, subtitle = words(record.get("title")), words(record.get("subtitle"))
    if subtitle and subtitle.casefold() not in title.casefold():
        title = f"{title}: {subtitle}"
    return Entry(
        title=title,
        abstract=prose(record.get("abstract")),
        authors=people(record.get("author")) or people(record.get("editor")),
        year=next((found for key in _DATES if (found := _year(record.get(key)))), None) or year(record.get("year")),
        venue=words(record.get("container-title")) or words(record.get("event-title")) or _institution(record),
        url=words(record.get("URL")),
        known_as=list(_ids(record)),
    )


def _year(date: object) -> int | None:
    if not isinstance(date, dict):
        return year(date)
    parts = date.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return year(parts[0][0])
    return year(date.get("literal")) or year(date.get("raw"))


def _institution(record: Mapping[str, Any]) -> str:
    found = record.get("institution")
    first = found[0] if isinstance(found, list) and found else found
    return words(first.get("name")) if isinstance(first, dict) else ""


def _ids(record: Mapping[str, Any]) -> Iterator[str]:
    yield words(record.get("DOI"))
    if pmid := words(record.get("PMID")):
        yield f"pmid:{pmid}"
    if words(record.get("archive")).casefold() == "arxiv" or words(record.get("number")).casefold().startswith(
        "arxiv:"
    ):
        yield f"arxiv:{(words(record.get('number')) or words(record.get('archive_location'))).casefold().removeprefix('arxiv:')}"
    relation = record.get("relation")
    for kind in ("is-preprint-of", "has-preprint", "is-version-of"):
        others = relation.get(kind) if isinstance(relation, dict) else None
        for other in others if isinstance(others, list) else ():
            if isinstance(other, dict) and other.get("id-type") == "doi":
                yield words(other.get("id"))
