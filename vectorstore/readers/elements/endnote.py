"""EndNote's XML export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vectorstore.readers.elements.parts import child, children, said, text
from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import natural, prose, year

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAME = "EndNote XML"
ROOT = r"<xml>\s*<records>"
RECORDS = ("record",)


def entry(element: Element, parents: list[Element]) -> Entry | str | None:
    """A reference."""
    titles = child(element, "titles")
    return Entry(
        title=said(titles, "title"),
        abstract=prose(said(element, "abstract")),
        authors=tuple(
            name
            for each in children(child(element, "contributors", "authors"), "author")
            if (name := natural(text(each)))
        ),
        year=year(said(element, "dates", "year")),
        venue=said(titles, "secondary-title") or said(element, "periodical", "full-title"),
        url=said(element, "urls", "related-urls", "url"),
        known_as=[said(element, "electronic-resource-num")],
    )
