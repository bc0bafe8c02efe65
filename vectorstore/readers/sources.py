"""Files, folders and archives as sources of text: opened one at a time, read line by line, in whatever encoding.

A stream that unpacks to far more than its size, a line without end and a member whose path leaves the archive are
refused, so that no file can fill memory or disk.
"""

from __future__ import annotations

import gzip
import io
import logging
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer

log = logging.getLogger(__name__)

HEAD = 65_536  # characters that a format is recognised by
LONGEST = 1 << 30  # bytes of a line, and characters of a file that has to be read whole
ALWAYS_FINE = 1 << 27  # bytes that a packed stream may unpack to whatever its size
MOST_PACKED = 100  # times its packed size that a longer stream may unpack to
MOST_MEMBERS = 20_000  # files of an archive

_BINARY = (
    b"%PDF-",
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"\x7fELF",
    b"SQLite format 3",
    b"\xd0\xcf\x11\xe0",
    b"GIF8",
    b"\x1f\x8b",
    b"PK\x03\x04",
)
_GARBLED = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)


class Unreadable(Exception):
    """Why a file holds no papers for us, in a few words."""


@dataclass(frozen=True)
class Source:
    """A text to read papers from. ``columns`` is what the user said of its fields: our name to the file's."""

    name: str
    opened: Callable[[], IO[bytes]]
    columns: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def head(self) -> str:
        """The beginning of the text, without blank lines before it. Raises Unreadable for what is no text."""
        pieces: list[str] = []
        size = 0
        for line in self._read(Counter()):
            if pieces or line.strip():
                pieces.append(line[:HEAD])
                size += len(line) + 1
                if size >= HEAD:
                    break
        if not pieces:
            raise Unreadable("the file is empty")
        return "\n".join(pieces)

    def text(self) -> str:
        """The whole text, lines ended by single line feeds."""
        pieces: list[str] = []
        size = 0
        for line in self.lines():
            size += len(line) + 1
            if size > LONGEST:
                raise Unreadable("too large for its format: split it")
            pieces.append(line)
        return "\n".join(pieces)

    def lines(self) -> Iterator[str]:
        """The lines without their ends, one at a time; NUL characters are dropped. Raises Unreadable."""
        strange = Counter[str]()
        yield from self._read(strange)
        for encoding, lines in strange.items():
            log.warning("%s: %d lines are not UTF-8 and were read as %s", self.name, lines, encoding)

    def _read(self, strange: Counter[str]) -> Iterator[str]:
        """The lines; those that are not UTF-8 are counted in ``strange``, by the encoding they were read in."""
        try:
            with closing(self.opened()) as stream:
                start = stream.read(4096)
            encoding = _wide(start)
            if encoding is None and _binary(start):
                kind = (
                    "a PDF: give a list of papers, such as BibTeX or CSV, instead"
                    if start[:5] == b"%PDF-"
                    else "not a text file"
                )
                raise Unreadable(kind)
            with closing(self.opened()) as stream:
                if encoding:
                    yield from _cut(io.TextIOWrapper(stream, encoding, errors="replace", newline="\n"))
                else:
                    yield from _cut(self._decoded(stream, strange))
        except _GARBLED as error:
            raise Unreadable(getattr(error, "strerror", None) or "the compressed data are damaged") from error

    def _decoded(self, stream: IO[bytes], strange: Counter[str]) -> Iterator[str]:
        """Each line as UTF-8, and one that is not in the encoding that its like in this file speak for."""
        fallback = ""
        while line := stream.readline(LONGEST):
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError:
                fallback = fallback or self._fallback()
                strange[fallback] += 1
                yield line.decode(fallback, errors="replace")

    def _fallback(self) -> str:
        """The encoding of the lines that are no UTF-8, guessed from the first thousand of them."""
        strange: list[bytes] = []
        with closing(self.opened()) as stream:
            while (line := stream.readline(LONGEST)) and len(strange) < 1000:
                try:
                    line.decode("utf-8")
                except UnicodeDecodeError:
                    strange.append(line)
        return guess_encoding(b"".join(strange))


def guess_encoding(text: bytes) -> str:
    """Windows-1252, or what speaks clearly for itself: GB 18030 (Chinese) or Mac Roman."""
    runs = re.findall(rb"[\x80-\xff]+", text)
    high = sum(map(len, runs))
    if (
        high >= 20
        and sum(len(run) for run in runs if len(run) >= 4 and len(run) % 2 == 0 and min(run) >= 0xA1) > 0.8 * high
    ):
        return "gb18030"
    inside = b"".join(re.findall(rb"(?<=[A-Za-z])[\x80-\xff](?=[a-z])", text))

    def likely(encoding: str) -> int:
        """Small letters and apostrophes, less the capitals and signs that no word has inside."""
        return sum(1 if each.islower() or each == "’" else -1 for each in inside.decode(encoding, "replace"))

    return "mac-roman" if likely("mac-roman") > likely("cp1252") else "cp1252"


def _wide(start: bytes) -> str | None:
    """UTF-16 or UTF-32, by its mark or by the zeros between Latin letters."""
    if start[:4] in (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"):
        return "utf-32"
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    even, odd = start[::2].count(0), start[1::2].count(0)
    if len(start) >= 8 and max(even, odd) > 0.35 * len(start) and min(even, odd) < 0.02 * len(start):
        return "utf-16-be" if even > odd else "utf-16-le"
    return None


def _binary(start: bytes) -> bool:
    """Texts may hold a stray NUL or control; pictures, archives and programs are full of them."""
    controls = sum(byte < 9 or 13 < byte < 27 or 27 < byte < 32 for byte in start)
    return start.startswith(_BINARY) or controls > 0.05 * len(start)


def _cut(stream: Iterator[str] | io.TextIOWrapper) -> Iterator[str]:
    """Lines without ends, a lone carriage return being one, as on old Macs; without the marks of joined files."""
    for line in stream:
        line = line.removesuffix("\n").removesuffix("\r").replace("\x00", "").removeprefix("\ufeff")
        if "\r" in line:
            yield from line.split("\r")
        else:
            yield line


def sources(file: Path, columns: Mapping[str, str]) -> Iterator[Source | tuple[str, str]]:
    """The texts of a file: itself, or what it packs; name and reason of a member that is refused. Raises Unreadable."""
    try:
        with file.open("rb") as stream:
            mark = stream.read(4)
        size = file.stat().st_size
    except OSError as error:
        raise Unreadable(error.strerror or "it cannot be opened") from error
    if mark[:2] == b"\x1f\x8b":
        yield Source(str(file), lambda: _guarded(gzip.GzipFile(file), size), columns)
    elif mark == b"PK\x03\x04":
        yield from _members(file, columns)
    else:
        yield Source(str(file), lambda: file.open("rb"), columns)


def _members(file: Path, columns: Mapping[str, str]) -> Iterator[Source | tuple[str, str]]:
    try:
        with zipfile.ZipFile(file) as archive:
            members = [each for each in archive.infolist() if not each.is_dir()]
    except _GARBLED as error:
        raise Unreadable("the archive is damaged") from error
    if any(each.filename == "[Content_Types].xml" for each in members):
        raise Unreadable("an Office document: save it as CSV or plain text first")
    if len(members) > MOST_MEMBERS:
        raise Unreadable(f"more than {MOST_MEMBERS} files in one archive")
    if sum(each.file_size for each in members) > max(ALWAYS_FINE, MOST_PACKED * file.stat().st_size):
        raise Unreadable("it unpacks to far more than its size")
    for member in sorted(members, key=lambda each: each.filename):
        path, name = PurePosixPath(member.filename.replace("\\", "/")), f"{file}/{member.filename}"
        if path.is_absolute() or ".." in path.parts or re.match(r"[A-Za-z]:", member.filename):
            yield name, "its path leaves the archive"
        elif member.flag_bits & 1:
            yield name, "it is encrypted"
        elif not any(part.startswith((".", "__MACOSX")) for part in path.parts):
            yield Source(name, _opener(file, member), columns)


def _opener(file: Path, member: zipfile.ZipInfo) -> Callable[[], IO[bytes]]:
    def opened() -> IO[bytes]:
        archive = zipfile.ZipFile(file)
        stream: IO[bytes] = _guarded(archive.open(member), member.compress_size, archive)
        with closing(stream):
            packed = stream.read(2) == b"\x1f\x8b"
        archive = zipfile.ZipFile(file)
        if not packed:
            return _guarded(archive.open(member), member.compress_size, archive)
        return _guarded(gzip.GzipFile(fileobj=archive.open(member)), member.compress_size, archive)

    return opened


def _guarded(
    stream: IO[bytes] | gzip.GzipFile | zipfile.ZipExtFile, packed: int, *besides: zipfile.ZipFile
) -> io.BufferedReader:
    return io.BufferedReader(_Guarded(stream, max(ALWAYS_FINE, MOST_PACKED * packed), besides), 1 << 16)


class _Guarded(io.RawIOBase):
    """A packed stream that refuses to unpack without end."""

    def __init__(
        self, stream: IO[bytes] | gzip.GzipFile | zipfile.ZipExtFile, most: int, besides: tuple[zipfile.ZipFile, ...]
    ) -> None:
        self._stream, self._left, self._besides = stream, most, besides

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer).cast("B")
        read = self._stream.read(len(view))
        self._left -= len(read)
        if self._left < 0:
            raise Unreadable("it unpacks to far more than its size")
        view[: len(read)] = read
        return len(read)

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
            for each in self._besides:
                each.close()
        super().close()
