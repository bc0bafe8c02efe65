"""XML: arXiv's Atom feed, PubMed, the ACL Anthology, Zotero RDF, EndNote and DBLP. Read an element at a time.

``KINDS`` are modules with NAME, ROOT (what tells the kind in the beginning of a file), RECORDS (the elements that are
records, by local name) and ``entry(element)``, which gives an ``Entry``, a reason, or None for no record at all.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING

from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.elements import aclanthology, atom, dblp, endnote, pubmed, zotero
from vectorstore.readers.elements.parts import local
from vectorstore.readers.entry import paper
from vectorstore.readers.sources import Source

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

KINDS: tuple[ModuleType, ...] = (atom, pubmed, aclanthology, zotero, endnote, dblp)
BROKEN = "broken XML from here on"

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_LOOSE_AMPERSAND = re.compile(r"&(?!(?:#\d+|#x[0-9a-fA-F]+|[A-Za-z][\w.-]*);)")
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]*);")
_OF_XML = {"amp", "lt", "gt", "quot", "apos"}


def recognises(source: Source) -> str:
    """The root, or an element near the top, is that of a kind."""
    head = source.head
    if not head.lstrip().startswith("<"):
        return ""
    return next((str(kind.NAME) for kind in KINDS if re.search(kind.ROOT, head)), "")


def read(source: Source) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` counts records. What stands before a fault in the file is read."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import ParseError, iterparse

    kind = next(each for each in KINDS if re.search(each.ROOT, source.head))
    position = 0
    try:
        parents: list[Element] = []
        for event, element in iterparse(_Text(source), events=("start", "end")):
            if event == "start":
                parents.append(element)
                continue
            parents.pop()
            if local(element) not in kind.RECORDS or any(local(each) in kind.RECORDS for each in parents):
                continue
            entry = kind.entry(element, parents)
            if entry is not None:
                position += 1
                origin = Origin(source.name, position)
                yield Skipped(origin, entry) if isinstance(entry, str) else paper(entry, origin)
            element.clear()
            if parents:
                parents[-1].remove(element)
    except (ParseError, DefusedXmlException, ValueError) as error:
        reason = BROKEN if isinstance(error, ParseError) else "XML with entities of its own, which are not read"
        yield Skipped(Origin(source.name, position + 1), reason)


class _Text(io.TextIOBase):
    """A source as the parser reads it: what XML forbids left out, HTML's entities and loose ampersands put right."""

    def __init__(self, source: Source) -> None:
        self._lines = source.lines()

    def read(self, size: int | None = -1) -> str:
        pieces, length = [], 0
        for line in self._lines:
            pieces.append(_mended(line))
            length += len(line) + 1
            if size is not None and 0 <= size <= length:
                break
        return "\n".join([*pieces, ""]) if pieces else ""


def _mended(line: str) -> str:
    from html.entities import html5

    line = _FORBIDDEN.sub("", line)
    if "&" in line:
        line = _LOOSE_AMPERSAND.sub("&amp;", line)
        line = _NAMED.sub(lambda match: match[0] if match[1] in _OF_XML else html5.get(f"{match[1]};", match[0]), line)
    return line
