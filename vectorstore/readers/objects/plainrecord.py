"""Any other object: BEIR's ``corpus.jsonl``, data sets, and what people's own scripts write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vectorstore.readers.columns import COLUMNS, MAPPED_ID, known_as, normal
from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import people, prose, words, year

NAME = "JSON"
_SURE = ("title", "papertitle", "articletitle", "标题", "abstract", "摘要", "text", "summary")


def fits(record: Mapping[str, Any]) -> bool:
    """An object has a title or an abstract by a name that means nothing else."""
    keys = {normal(key): value for key, value in record.items()}
    return any(isinstance(keys.get(name), str | list) and words(keys[name]) for name in _SURE)


def entry(record: Mapping[str, Any], columns: Mapping[str, str] | None = None) -> Entry:
    """The object as an entry, its fields by the names that people give them or by those the user says."""
    keys = {normal(key): value for key, value in record.items()}

    def field(name: str) -> Any:
        if columns and name in columns and (said := reached(record, columns[name])) is not None:
            return said
        present = (keys[each] for each in COLUMNS[name] if each in keys)
        return next((value for value in present if words(value) or people(value)), None)

    own_id = record.get("id", record.get("_id")) if not columns or MAPPED_ID not in columns else field(MAPPED_ID)
    title = words(field("title"))
    abstract = _joined(field("abstract"))
    return Entry(
        title=title,
        abstract=prose(abstract) if "<" in abstract else abstract,
        authors=people(field("authors")),
        year=year(field("year")),
        venue=words(field("venue")),
        url=words(field("url")),
        own_id=words(own_id) if isinstance(own_id, str | int) else "",
        known_as=known_as(keys),
    )


def _joined(value: object) -> str:
    """A text, or the sentences of one in a list."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return " ".join(filter(None, map(words, value)))
    return words(value)


def reached(record: Mapping[str, Any], path: str) -> Any:
    """A field by its name, or by names with points between them where it stands inside another."""
    if path in record:
        return record[path]
    found: Any = record
    for part in path.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found
