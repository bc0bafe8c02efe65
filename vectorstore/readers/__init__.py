"""Papers from files. One module a format; each says whether a text is of its kind, and reads papers from it.

A format is recognised by its content first and by the file's extension second. To add one, write a module with
``recognises(head, name)`` and ``read(text, file)`` and put it into ``FORMATS``.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from vectorstore.errors import UnreadablePath
from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers import jsonl, seedlist

FORMATS: tuple[ModuleType, ...] = (jsonl, seedlist)
HEAD = 65_536  # characters that a format is recognised by


def check(path: Path) -> None:
    """Raise UnreadablePath, in words for a person, where nothing can be read from the path."""
    if not path.exists():
        raise UnreadablePath(f"There is no file or folder {path}. Check the spelling.")
    if path.is_dir():
        if not any(file.is_file() for file in _files(path)):
            raise UnreadablePath(f"The folder {path} holds no files. Give one with lists of papers.")
        return
    try:
        _open(path)
    except _Unreadable as error:
        raise UnreadablePath(f"{path} cannot be read as papers: {error}.") from error


def read(path: Path) -> Iterator[Paper | Skipped]:
    """The papers of a file, or of all files below a folder, and what was skipped on the way.

    A file that is named directly and cannot be read raises UnreadablePath; one met in a folder is skipped.
    """
    check(path)
    if not path.is_dir():
        yield from _records(path)
        return
    for file in _files(path):
        try:
            yield from _records(file)
        except _Unreadable as error:
            yield Skipped(Origin(str(file), 1), str(error))


class _Unreadable(Exception):
    """Why a file holds no papers for us, in a few words."""


def _records(file: Path) -> Iterator[Paper | Skipped]:
    text, kind = _open(file)
    yield from kind.read(text, str(file))


def _open(file: Path) -> tuple[str, ModuleType]:
    """The file's text and its format."""
    try:
        content = file.read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "the compressed data are damaged"
        raise _Unreadable(reason) from error
    if not content.strip():
        raise _Unreadable("the file is empty")
    text = decode(content)
    name = file.name.casefold().removesuffix(".gz")
    for kind in FORMATS:
        if kind.recognises(text[:HEAD], name):
            return text, kind
    raise _Unreadable("not a format paperchat reads")


def decode(content: bytes) -> str:
    """Bytes to text: UTF-8 with or without a byte-order mark, UTF-16, else Windows-1252."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    if b"\x00" in content[:HEAD]:
        raise _Unreadable("not a text file")
    return content.decode("cp1252", errors="replace")


def _files(folder: Path) -> list[Path]:
    visible = (
        file for file in folder.rglob("*") if not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )
    return sorted(file for file in visible if file.is_file())
