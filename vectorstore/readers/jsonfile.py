"""JSON: an object a line, a list, or an answer of some service with its records somewhere inside.

Lines are read one at a time, so that a file of millions of them takes no memory. Whatever surrounds the records, each
object that one of ``KINDS`` knows is a record; the first kind that knows it reads it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.entry import paper
from vectorstore.readers.identity import apart
from vectorstore.readers.objects import (
    arxiv,
    csl,
    openalex,
    openreview,
    paperlists,
    plainrecord,
    semanticscholar,
    works,
)
from vectorstore.readers.sources import Source, Unreadable

# A kind is a module with NAME, fits(record) and entry(record); the one that knows any record comes last.
KINDS: tuple[ModuleType, ...] = (openreview, openalex, semanticscholar, arxiv, paperlists, csl, works, plainrecord)

_FIELD = re.compile(
    r'"(?:_id|id|title|abstract|text|display_name|summary|notes|message|results|papers|data|DOI)"\s*:', re.I
)
_DEEPEST = 12  # levels of an answer that are searched for records
_BETWEEN = re.compile(r"[\s,]*")
_decoder = json.JSONDecoder(strict=False)


def recognises(source: Source) -> str:
    """An object or a list of objects begins the file, and names a field that we know (or that the user named)."""
    head = source.head.lstrip()
    if not re.match(r"\{|\[\s*[\[{]", head):
        return ""
    named = any(f'"{part}"' in head for path in source.columns.values() for part in (path, path.rpartition(".")[2]))
    if not named and not _FIELD.search(head):
        return ""
    first = next((each for _, each in _first_records(source)), None)
    return str(_kind(first, source.columns).NAME) if isinstance(first, dict) else "JSON"


def read(source: Source) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` is the line in a file of lines, else the number of the record."""
    seen: dict[str, bytes] = {}
    for position, record in _by_line(source) if _is_lines(source) else _whole(source):
        origin = Origin(source.name, position)
        if isinstance(record, str):
            yield Skipped(origin, record)
            continue
        kind = _kind(record, source.columns)
        entry = kind.entry(record, source.columns) if kind is plainrecord else kind.entry(record)
        found = Skipped(origin, entry) if isinstance(entry, str) else paper(entry, origin)
        if isinstance(found, Paper) and entry.own_id:
            found = apart(found, seen)
        yield found


def _kind(record: Mapping[str, Any], columns: Mapping[str, str]) -> ModuleType:
    if _is_mapped(record, columns):
        return plainrecord
    return next((kind for kind in KINDS if kind.fits(record)), plainrecord)


def _is_lines(source: Source) -> bool:
    """Whether the file is an object a line: the first line is one, or the second begins one."""
    lines = [line for line in source.head.split("\n") if line.strip()][:3]
    if not lines[0].lstrip().startswith("{"):
        return False
    try:
        first = _decoder.decode(lines[0])
    except (ValueError, RecursionError):
        return len(lines) > 1 and (lines[0].strip() != "{" and lines[1].startswith("{"))
    return len(lines) > 1 or not isinstance(first, dict) or _is_record(first, source.columns)


def _by_line(source: Source) -> Iterator[tuple[int, dict[str, Any] | str]]:
    for position, line in enumerate(source.lines(), 1):
        if not line.strip():
            continue
        try:
            found = _decoder.decode(line.strip().rstrip(","))
        except (ValueError, RecursionError):
            yield position, "not JSON"
            continue
        if not isinstance(found, dict):
            yield position, "not a record"
        elif _is_record(found, source.columns):
            yield position, found
        else:
            inside = False
            for record in _records(found, source.columns):
                inside = True
                yield position, record
            if not inside:
                yield position, found


def _whole(source: Source) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """The records of one JSON value. Where it is broken, each object of the list is read by itself."""
    text = source.text().strip()
    try:
        found = _decoder.decode(text)
    except (ValueError, RecursionError):
        yield from enumerate(_salvaged(text, source), 1)
        return
    if isinstance(found, list):
        position = 0
        for each in found:
            records = list(_records(each, source.columns)) if isinstance(each, dict | list) else ["not a record"]
            for record in records or ([each] if isinstance(each, dict) else ["not a record"]):
                position += 1
                yield position, record
        return
    records = list(_records(found, source.columns)) if isinstance(found, dict) else []
    if not records:
        raise Unreadable("JSON without papers in it")
    yield from enumerate(records, 1)


def _salvaged(text: str, source: Source) -> Iterator[dict[str, Any] | str]:
    """The objects of a broken list, "not JSON" for each stretch that is none."""
    position = text.find("{")
    lost = False
    while 0 <= position < len(text):
        try:
            found, end = _decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            if not lost:
                yield "not JSON"
            lost = True
            following = re.compile(r"\n[ \t]*\{|\}\s*,\s*\{").search(text, position + 1)
            position = following.end() - 1 if following else -1
            continue
        inside = list(_records(found, source.columns))
        yield from inside
        lost = lost and not inside
        position = text.find("{", end)


def _first_records(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The first records that stand whole in the beginning of a file."""
    head = source.head
    for match in list(re.finditer(r"\{", head))[:40]:
        try:
            found, _ = _decoder.raw_decode(head, match.start())
        except (ValueError, RecursionError):
            continue
        for record in _records(found, source.columns):
            yield match.start(), record


def _records(value: Any, columns: Mapping[str, str], depth: int = 0) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if _is_record(value, columns):
            yield value
            return
        value = list(value.values())
    if isinstance(value, list) and depth < _DEEPEST:
        for each in value:
            if isinstance(each, dict | list):
                yield from _records(each, columns, depth + 1)


def _is_record(value: Mapping[str, Any], columns: Mapping[str, str]) -> bool:
    return any(kind.fits(value) for kind in KINDS) or _is_mapped(value, columns)


def _is_mapped(record: Mapping[str, Any], columns: Mapping[str, str]) -> bool:
    return any(plainrecord.reached(record, path) is not None for path in columns.values())
