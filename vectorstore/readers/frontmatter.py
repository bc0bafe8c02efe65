"""A paper as a page with YAML front matter, as the proceedings of PMLR keep them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.entry import EMPTY, Entry, paper
from vectorstore.readers.fields import natural, people, prose, untex, words, year
from vectorstore.readers.sources import Source

_FENCED = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.S)


def recognises(source: Source) -> str:
    """The page begins with front matter that holds a title and what only papers have."""
    found = re.match(r"\s*---[ \t]*\n.*^title:", source.head, re.S | re.M)
    paper_like = re.search(r"^(?:abstract|author|authors|booktitle|container-title|bibtex_author):", source.head, re.M)
    return "front matter" if found and paper_like else ""


def read(source: Source) -> Iterator[Paper | Skipped]:
    """The one paper of the page."""
    import yaml

    origin = Origin(source.name, 1)
    text = source.text().lstrip()
    fenced = _FENCED.match(text)
    try:
        found: Any = yaml.load(
            fenced[1] if fenced else text.removeprefix("---"), yaml.BaseLoader
        )  # texts as written: no date can be impossible

    except (yaml.YAMLError, ValueError, RecursionError, AttributeError, TypeError):
        yield Skipped(origin, "broken YAML front matter")
        return
    if not isinstance(found, dict):
        yield Skipped(origin, EMPTY)
        return
    listed = found.get("author") or found.get("authors")
    by_bibtex = str(found.get("bibtex_author") or "")
    yield paper(
        Entry(
            title=words(found.get("title")) or words(found.get("tex_title")),
            abstract=prose(found.get("abstract")),
            authors=people(listed) or tuple(natural(untex(each)) for each in by_bibtex.split(" and ") if each),
            year=year(found.get("year")) or year(found.get("date")) or year(_text(found.get("issued"))),
            venue=words(found.get("container-title")) or words(found.get("booktitle")) or words(found.get("venue")),
            url=words(found.get("url")) or words(found.get("pdf")),
            known_as=[words(found.get("doi")), f"openreview:{words(found.get('openreview'))}"],
        ),
        origin,
    )


def _text(value: object) -> str:
    parts = value.get("date-parts") if isinstance(value, dict) else None
    return str(parts) if isinstance(parts, list) else ""
