"""Conference lists: a header line such as ``ICML 2026 论文列表``, then one abstract a paragraph, no titles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vectorstore.labels import label
from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.identity import text_id
from vectorstore.readers.sources import Source

_HEADER = re.compile(r"\s*(?P<venue>[A-Z][\w&@/ .'-]{1,40}?)[ '-]*(?P<year>(?:19|20)\d\d)\b(?P<rest>.{0,40})$")
_IDEOGRAPHS = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_UNSTORABLE = re.compile("[\ud800-\udfff]")
SHORTEST = 12  # words of a paragraph that is an abstract rather than a heading


_OTHER_KINDS = (
    ".json", ".jsonl", ".csv", ".tsv", ".bib", ".ris", ".nbib", ".ciw", ".enw", ".xml", ".rdf", ".html", ".htm", ".tex", ".py", ".js",
    ".css", ".log", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".sh",
)  # fmt: skip


def recognises(source: Source) -> str:
    """Plain text of paragraphs: of words, not of records. A page of Markdown needs the header line as well."""
    head, name = source.head, source.name.casefold().removesuffix(".gz")
    if name.endswith(_OTHER_KINDS) or head.lstrip().startswith(("<", "{", "[{", "%!")):
        return ""
    paragraphs = _paragraphs(head)
    if name.endswith((".md", ".markdown")) and not _HEADER.match(paragraphs[0]):
        return ""
    printable = sum(character.isprintable() or character.isspace() for character in head)
    prose = printable / max(1, len(head)) > 0.98 and any(_is_long(each) for each in paragraphs)
    return "seed list" if prose else ""


def read(source: Source) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` counts the paragraphs after the header from 1."""
    file = source.name
    paragraphs = _paragraphs(_UNSTORABLE.sub("", source.text()))
    venue, year = None, None
    if paragraphs and (told := heading(paragraphs[0])):
        venue, year = told
        paragraphs = paragraphs[1:]
    for position, abstract in enumerate(paragraphs, 1):
        origin = Origin(file, position)
        if not _is_long(abstract):
            yield Skipped(origin, "too short for an abstract")
            continue
        yield Paper(
            id=text_id(abstract), abstract=abstract, origin=origin, label=label(abstract, None), year=year, venue=venue
        )


def heading(line: str) -> tuple[str, int] | None:
    """Venue and year of a header line, None for what is no such line."""
    header = None if _is_long(line) else _HEADER.match(line)
    return (header["venue"].strip(), int(header["year"])) if header else None


def _is_long(paragraph: str) -> bool:
    """Whether a paragraph has the words of an abstract; Chinese and Japanese have no blanks between theirs."""
    return len(paragraph.split()) >= SHORTEST or len(_IDEOGRAPHS.findall(paragraph)) >= 3 * SHORTEST


def _paragraphs(text: str) -> list[str]:
    return [each.strip() for each in re.split(r"\n[ \t]*\n", text) if each.strip()]
