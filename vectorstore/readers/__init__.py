"""Papers from files. One module a format; each says whether a source is of its kind, and reads papers from it.

A format is a module with

    recognises(source: Source) -> str                      the name of the format, "" for what is not of its kind
    read(source: Source) -> Iterator[Paper | Skipped]      its records in order, each with its position from 1

and a place in ``FORMATS``: the first that recognises a source reads it. Content decides (``source.head``), the
extension (``source.name``) only where content does not tell. A format that may be large goes through
``source.lines()`` and holds a record at a time; others take ``source.text()``. ``source.columns`` is the user's
``--map``: our name of a field to the file's. What a record says goes into an ``Entry``, and ``entry.paper`` applies
the rules that all formats share. No reader raises for bad content: it yields ``Skipped``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

from vectorstore.errors import UnreadablePath
from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers import (
    bibtex,
    frontmatter,
    isi,
    jsonfile,
    markdown,
    medline,
    refer,
    ris,
    seedlist,
    table,
    titlelist,
    xmlfile,
)
from vectorstore.readers.sources import Source, Unreadable, sources

FORMATS: tuple[ModuleType, ...] = (
    jsonfile,
    xmlfile,
    bibtex,
    ris,
    medline,
    isi,
    refer,
    frontmatter,
    table,
    markdown,
    titlelist,
    seedlist,
)


def check(path: Path, columns: Mapping[str, str] | None = None) -> None:
    """Raise UnreadablePath, in words for a person, where nothing can be read from the path."""
    if not path.exists():
        raise UnreadablePath(f"There is no file or folder {path}. Check the spelling.")
    if path.is_dir():
        if not any(file.is_file() for file in _files(path)):
            raise UnreadablePath(f"The folder {path} holds no files. Give one with lists of papers.")
        return
    if not path.is_file():
        raise UnreadablePath(f"{path} is neither a file nor a folder.")
    try:
        reasons = []
        for source in sources(path, columns or {}):
            if isinstance(source, Source):
                try:
                    _format_of(source)
                    return
                except Unreadable as error:
                    reasons.append(str(error))
            else:
                reasons.append(source[1])
        raise Unreadable(reasons[0] if reasons else "the archive is empty")
    except Unreadable as error:
        raise UnreadablePath(f"{path} cannot be read as papers: {error}.") from error


def read(path: Path, columns: Mapping[str, str] | None = None) -> Iterator[Paper | Skipped]:
    """The papers of a file, or of all files below a folder, and what was skipped on the way.

    ``columns`` names fields that the readers do not know, as in {"title": "Paper name"}. A file that is named directly
    and cannot be read raises UnreadablePath; one met in a folder or an archive is skipped.
    """
    return (record for _, record in formatted(path, columns))


def formatted(path: Path, columns: Mapping[str, str] | None = None) -> Iterator[tuple[str, Paper | Skipped]]:
    """Like ``read``, each record with the name of its file's format, "" where that has none."""
    check(path, columns)
    for file in _files(path) if path.is_dir() else [path]:
        try:
            for source in sources(file, columns or {}):
                if isinstance(source, Source):
                    yield from _records(source)
                else:
                    yield "", Skipped(Origin(source[0], 1), source[1])
        except Unreadable as error:
            yield "", Skipped(Origin(str(file), 1), str(error))


def _records(source: Source) -> Iterator[tuple[str, Paper | Skipped]]:
    name, position = "", 1
    try:
        kind, name = _format_of(source)
        for record in kind.read(source):
            position = record.origin.position
            yield name, record
    except Unreadable as error:
        yield name, Skipped(Origin(source.name, position), str(error))


def _format_of(source: Source) -> tuple[ModuleType, str]:
    for kind in FORMATS:
        if name := kind.recognises(source):
            return kind, name
    raise Unreadable(table.hint(source) or "not a format paperchat reads")


def _files(folder: Path) -> list[Path]:
    visible = (
        file for file in folder.rglob("*") if not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )
    return sorted(file for file in visible if file.is_file())
