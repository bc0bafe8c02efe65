"""Conference lists of the papercopilot ``paperlists`` collection."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import people, prose, words, year

NAME = "paperlists"
_MARKS = ("aff", "track", "status", "gs_citation", "keywords", "author_num", "bibtex", "aff_domain")


def fits(record: Mapping[str, Any]) -> bool:
    """A record has a title, authors in one string, and what the collection adds."""
    return "title" in record and isinstance(record.get("author"), str) and sum(key in record for key in _MARKS) >= 2


def entry(record: Mapping[str, Any]) -> Entry:
    """A record as an entry; year and venue stand in its BibTeX or its address, if anywhere."""
    site, bibtex, own_id = words(record.get("site")), words(record.get("bibtex")), words(record.get("id"))
    on_openreview = "openreview.net" in site or "openreview.net" in words(record.get("pdf"))
    booktitle = re.search(r"(?:booktitle|journal)\s*=\s*[{\"](.+?)[}\"]\s*,?\s*\n", bibtex)
    return Entry(
        title=words(record.get("title")),
        abstract=prose(record.get("abstract")),
        authors=people(";".join(words(record.get("author")).split(";"))),
        year=year(record.get("year")) or _year(bibtex) or year(record.get("conference")) or year(site),
        venue=words(record.get("venue")) or words(record.get("conference")) or (booktitle[1] if booktitle else ""),
        url=site or words(record.get("pdf")),
        own_id="" if on_openreview else own_id,
        known_as=[
            *([f"openreview:{own_id}"] if on_openreview and own_id else []),
            words(record.get("doi")),
            *([f"arxiv:{found}"] if (found := words(record.get("arxiv"))) and found[0].isdigit() else []),
        ],
    )


def _year(bibtex: str) -> int | None:
    found = re.search(r"\byear\s*=\s*[{\"]?\s*(\d{4})", bibtex)
    return int(found[1]) if found else None
