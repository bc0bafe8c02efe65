"""The Atom feed of the arXiv API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vectorstore.readers.elements.parts import children, said
from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import natural, words, year

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAME = "arXiv Atom"
ROOT = r"<(?:\w+:)?feed\b[^>]*http://www\.w3\.org/2005/Atom"
RECORDS = ("entry",)


def entry(element: Element, parents: list[Element]) -> Entry | str | None:
    """A paper, or what the service says instead of one."""
    address = said(element, "id")
    if "arxiv.org/api/errors" in address:
        return f"an error of the arXiv API: {said(element, 'summary') or 'no reason given'}"
    links = [each.get("href", "") for each in children(element, "link")]
    return Entry(
        title=said(element, "title"),
        abstract=words(said(element, "summary") or said(element, "content")),
        authors=tuple(name for each in children(element, "author") if (name := natural(said(each, "name")))),
        year=year(said(element, "published")) or year(said(element, "updated")),
        venue=said(element, "journal_ref") or ("arXiv" if "arxiv.org" in address else ""),
        url=address if address.startswith("http") else next(iter(links), ""),
        known_as=[address, said(element, "doi"), *(each for each in links if "doi.org" in each)],
    )
