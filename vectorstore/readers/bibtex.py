"""BibTeX and BibLaTeX, as Zotero, Mendeley, JabRef, EndNote, Scopus, DBLP and people write them."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.entry import Entry, paper
from vectorstore.readers.fields import natural, prose, untex, words, year
from vectorstore.readers.sources import Source

if TYPE_CHECKING:
    from bibtexparser.model import Block
    from bibtexparser.model import Entry as Found

_START = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]{3,}[ \t]*[{(]\s*[^\s{}()=]*\s*[,}]", re.M)
_STRING = re.compile(r"^[ \t]*@(?:string|comment|preamble)\s*[{(]", re.M | re.I)
_COMMENT = re.compile(r"(?<=[}\"\d]),[ \t]*[#%][^\n{}]*$", re.M)  # behind a field: no BibTeX, but people write it
_MISSING = re.compile(r"(?<=[}\"])(?=[ \t]*\n[ \t]*[A-Za-z][\w-]*[ \t]*=[ \t]*[{\"\d])")  # the comma between two fields
_PART = re.compile(r"(given|family|prefix|suffix)\s*=\s*\"?([^,\"]*)\"?")
_AND = re.compile(r"\s+and\s+", re.I)
_INHERITED = ("booktitle", "journal", "journaltitle", "year", "date", "publisher")
BROKEN = "broken BibTeX entry"


def recognises(source: Source) -> str:
    """An entry begins a line, outside of JSON and XML."""
    head = source.head
    if source.name.casefold().endswith((".md", ".markdown", ".py", ".html")):
        return ""  # which cite how to cite them
    found = not head.lstrip().startswith(("{", "[", "<")) and (_START.search(head) or _STRING.search(head))
    return "BibTeX" if found else ""


def read(source: Source) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` is the line of the entry. An entry that cannot be parsed is skipped alone."""
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, ParsingFailedBlock
    from bibtexparser.model import Entry as Found

    logging.getLogger("bibtexparser").setLevel(logging.ERROR)  # what it warns of becomes a skipped record here
    blocks = parse_string(_MISSING.sub(",", _COMMENT.sub(",", source.text()))).blocks
    by_key: dict[str, Mapping[str, str]] = {}
    found: list[tuple[Origin, Mapping[str, str] | None]] = []
    for block in blocks:
        origin = Origin(source.name, (block.start_line or 0) + 1)
        whole: Block | None = block
        if isinstance(block, DuplicateBlockKeyBlock | DuplicateFieldKeyBlock):
            whole = block.ignore_error_block
        if isinstance(whole, Found):
            fields = _fields(whole)
            by_key.setdefault(whole.key.casefold(), fields)
            found.append((origin, fields))
        elif isinstance(block, ParsingFailedBlock):
            found.append((origin, None))
    volumes = [fields for _, fields in found if fields and "title" not in fields and "booktitle" in fields]
    only = volumes[0] if len(volumes) == 1 else {}  # PMLR's files spell the key of their one volume in two ways
    for origin, fields_or_none in found:
        if fields_or_none is None:
            yield Skipped(origin, BROKEN)
            continue
        crossref = words(fields_or_none.get("crossref"))
        parent = by_key.get(crossref.casefold(), only) if crossref else {}
        yield paper(_entry(fields_or_none, parent), origin)


def _fields(found: Found) -> dict[str, str]:
    """Fields by small name; of one that stands twice the first that says something."""
    fields: dict[str, str] = {}
    for each in found.fields:
        key, value = each.key.casefold(), words(each.value)
        value = value[1:-1] if value[:1] + value[-1:] in ("{}", '""') and len(value) > 1 and _encloses(value) else value
        if value and not fields.get(key):
            fields[key] = value
    return fields


def _encloses(value: str) -> bool:
    """Whether the first brace or quote of a value is closed by its last."""
    if value[0] == '"':
        return value.count('"') == 2
    depth = 0
    for position, character in enumerate(value):
        depth += (character == "{") - (character == "}")
        if not depth:
            return position == len(value) - 1
    return False


def _entry(fields: Mapping[str, str], parent: Mapping[str, str]) -> Entry:
    inherited = {key: parent[key] for key in _INHERITED if key in parent}
    if "title" in parent:
        inherited.setdefault("booktitle", parent["title"])
    fields = {**inherited, **fields}

    def first(*keys: str) -> str:
        return next((fields[key] for key in keys if fields.get(key)), "")

    title = untex(first("title"))
    if subtitle := untex(first("subtitle")):
        title = f"{title}: {subtitle}" if title else subtitle
    return Entry(
        title=title,
        abstract=prose(untex(first("abstract", "summary"))),
        authors=_authors(first("author", "editor")),
        year=year(untex(first("year", "date", "issued"))),
        venue=untex(first("booktitle", "journal", "journaltitle", "eventtitle", "school", "institution", "series")),
        url=_address(first("url", "link", "ee", "bdsk-url-1")),
        known_as=[first("doi"), _address(first("url", "ee", "biburl")), *_eprints(fields)],
    )


def _authors(tex: str) -> tuple[str, ...]:
    """Names between "and", or between semicolons as some write them."""
    parts = _AND.split(tex)
    if len(parts) == 1 and re.search(r";\s", re.sub(r"&#?\w+;", "", tex)):
        parts = tex.split(";")
    return tuple(name for each in parts if (name := natural(_name(each))))


def _name(tex: str) -> str:
    """A name in braces alone is an organisation and stays whole."""
    tex = tex.strip()
    if tex.startswith("{") and tex.endswith("}") and _encloses(tex):
        return "{" + untex(tex) + "}"
    if "family" in (parts := dict(_PART.findall(tex))):  # BibLaTeX's way to name the parts
        return untex(" ".join(filter(None, map(parts.get, ("given", "prefix", "family", "suffix")))))
    return "" if tex == "others" else untex(tex)


def _address(tex: str) -> str:
    """The first of several addresses, free of LaTeX."""
    tex = re.sub(r"\\(?:url|href)\s*", "", tex).replace("{\\_}", "_").replace("{\\&}", "&").replace("{~}", "~")
    return next(iter(re.sub(r"[{}]", "", re.sub(r"\\([_%#&~$])", r"\1", tex)).split()), "")


def _eprints(fields: Mapping[str, str]) -> Iterator[str]:
    kind = (fields.get("eprinttype") or fields.get("archiveprefix") or "").casefold()
    if eprint := fields.get("eprint", ""):
        if kind in ("pubmed", "pmid"):
            yield f"pmid:{eprint}"
        elif (
            kind == "arxiv" or "arxiv" in eprint.casefold() or re.fullmatch(r"\d{4}\.\d{4,5}(?:v\d+)?", eprint.strip())
        ):
            yield f"arxiv:{re.sub('arxiv:', '', eprint, flags=re.I).strip()}"
    if fields.get("arxivid"):
        yield f"arxiv:{fields['arxivid']}"
    if fields.get("pmid"):
        yield f"pmid:{fields['pmid']}"
    for key in ("journal", "note", "howpublished", "number", "volume"):
        if "arxiv" in (text := fields.get(key, "")).casefold():
            yield text  # "arXiv preprint arXiv:2101.00001"
