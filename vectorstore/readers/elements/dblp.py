"""DBLP's XML, of a person, a search or the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vectorstore.readers.elements.parts import children, said, text
from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import natural, year

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAME = "DBLP XML"
ROOT = r"<(?:dblp|dblpperson|bht)\b"
RECORDS = ("article", "inproceedings", "incollection", "phdthesis", "mastersthesis", "book")


def entry(element: Element, parents: list[Element]) -> Entry | str | None:
    """A publication."""
    addresses = [text(each) for each in children(element, "ee")]
    return Entry(
        title=said(element, "title").removesuffix("."),
        authors=tuple(
            name for each in children(element, "author") if (name := natural(text(each).rstrip("0123456789 ")))
        ),
        year=year(said(element, "year")),
        venue=said(element, "booktitle") or said(element, "journal") or said(element, "school"),
        url=next(iter(addresses), ""),
        known_as=addresses,
    )
