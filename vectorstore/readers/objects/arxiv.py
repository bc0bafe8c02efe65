"""arXiv metadata: lines of the Kaggle snapshot, and what scripts on the arXiv API write."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import natural, people, words, year

NAME = "arXiv JSON"
_ID = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?")
_MARKS = (
    "categories",
    "authors_parsed",
    "submitter",
    "journal-ref",
    "primary_category",
    "arxiv_id",
    "entry_id",
    "pdf_url",
)
_AFFILIATION = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)")


def fits(record: Mapping[str, Any]) -> bool:
    """A record has an id of arXiv's form and a title."""
    return bool("title" in record and _arxiv_id(record) and any(key in record for key in _MARKS))


def entry(record: Mapping[str, Any]) -> Entry:
    """A record as an entry; the year is that of its first version."""
    known = _arxiv_id(record)
    named = record.get("authors_parsed") or record.get("authors")
    if isinstance(named, str):  # commas between names in their spoken order; affiliations in brackets
        parts = re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", _AFFILIATION.sub("", named))
        authors = tuple(name for part in parts if (name := natural(part)))
    else:
        authors = people(named)
    return Entry(
        title=" ".join(words(record.get("title")).split()),
        abstract=words(record.get("abstract")) or words(record.get("summary")),
        authors=authors,
        year=_year(record, known),
        venue=words(record.get("journal-ref", record.get("journal_ref"))) or "arXiv",
        url=f"https://arxiv.org/abs/{re.sub(r'v[0-9]+$', '', known)}",
        known_as=[f"arxiv:{known}", words(record.get("doi"))],
    )


def _arxiv_id(record: Mapping[str, Any]) -> str:
    for key in ("id", "arxiv_id", "entry_id", "paper_id"):
        text = re.sub(r"^(?:https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/|arxiv:)", "", words(record.get(key)), flags=re.I)
        if _ID.fullmatch(text):
            return text
    return ""


def _year(record: Mapping[str, Any], known: str) -> int | None:
    versions = record.get("versions")
    first = versions[0] if isinstance(versions, list) and versions else None
    said = year(first.get("created")) if isinstance(first, dict) else None
    said = said or year(record.get("published")) or year(record.get("year"))
    return said or of_id(known) or year(record.get("update_date"))


def of_id(known: str) -> int | None:
    """The year an arXiv id tells: "0704.0001" is of 2007, "hep-th/9901001" of 1999."""
    digits = re.search(r"(?:^|/)(\d\d)(?:0[1-9]|1[0-2])", known)
    if not digits:
        return None
    two = int(digits[1])
    return 1900 + two if "/" in known and two > 90 else 2000 + two
