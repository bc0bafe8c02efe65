"""Works of OpenAlex, whose abstracts come as an index of words to their places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import people, prose, words, year

NAME = "OpenAlex"
_LONGEST = 100_000  # words of an abstract


def fits(record: Mapping[str, Any]) -> bool:
    """A work has an inverted abstract, or an OpenAlex id and authorships."""
    return "abstract_inverted_index" in record or (
        "authorships" in record and "openalex.org/" in words(record.get("id"))
    )


def entry(record: Mapping[str, Any]) -> Entry:
    """A work as an entry, its abstract put in order."""
    found = record.get("ids")
    ids = found if isinstance(found, dict) else {}
    place = record.get("primary_location") or record.get("host_venue") or {}
    source = place.get("source") if isinstance(place, dict) else None
    about = source if isinstance(source, dict) else place if isinstance(place, dict) else {}
    return Entry(
        title=words(record.get("title")) or words(record.get("display_name")),
        abstract=prose(words(record.get("abstract")) or inverted(record.get("abstract_inverted_index"))),
        authors=people(record.get("authorships")),
        year=year(record.get("publication_year")) or year(record.get("publication_date")),
        venue=words(about.get("display_name")),
        url=words(record.get("doi")) or (words(place.get("landing_page_url")) if isinstance(place, dict) else ""),
        known_as=[words(record.get("doi")), words(record.get("id")), *(words(each) for each in ids.values())],
    )


def inverted(index: Any) -> str:
    """The text of an index of words to their places; the empty text for what is no such index."""
    if not isinstance(index, dict):
        return ""
    index = inner if isinstance(inner := index.get("InvertedIndex"), dict) else index
    places = [
        (at, word)
        for word, positions in index.items()
        if isinstance(positions, list)
        for at in positions
        if isinstance(at, int)
    ]
    return " ".join(str(word) for _, word in sorted(places)[:_LONGEST])
