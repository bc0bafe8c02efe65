"""Volumes of the ACL Anthology."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vectorstore.readers.elements.parts import child, children, local, said, text
from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import natural, words, year

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAME = "ACL Anthology"
ROOT = r"<collection\b[^>]*\bid="
RECORDS = ("paper",)


def entry(element: Element, parents: list[Element]) -> Entry | str | None:
    """A paper with the venue and year of its volume."""
    collection, volume = (
        next((each for each in parents if local(each) == name), None) for name in ("collection", "volume")
    )
    meta = child(volume, "meta")
    paper_id = said(element, "url")
    if not re.fullmatch(r"[A-Z]\d\d-\d{4}|\d{4}\.[\w-]+\.\d+", paper_id):
        paper_id = _made_id(collection, volume, element)
    return Entry(
        title=_with_math(child(element, "title")),
        abstract=words(_with_math(child(element, "abstract"))),
        authors=tuple(
            name
            for each in children(element, "author")
            if (name := natural(f"{said(each, 'first')} {said(each, 'last')}".strip()))
        ),
        year=year(said(meta, "year")) or year(paper_id),
        venue=text(child(meta, "booktitle")),
        url=f"https://aclanthology.org/{paper_id}" if paper_id else "",
        known_as=[said(element, "doi")],
    )


def _made_id(collection: Element | None, volume: Element | None, element: Element) -> str:
    names = [each.get("id", "") if each is not None else "" for each in (collection, volume, element)]
    if not all(names):
        return ""
    if re.fullmatch(r"[A-Z]\d\d", names[0]) and names[1].isdigit() and names[2].isdigit():
        wide = 2 if names[0][0] == "W" else 1  # workshops have two digits of volume
        return f"{names[0]}-{int(names[1]):0{wide}d}{int(names[2]):0{4 - wide}d}"
    return f"{names[0]}-{names[1]}.{names[2]}"


def _with_math(element: Element | None) -> str:
    """The text of an element, its formulas in dollars."""
    if element is None:
        return ""
    for each in element.iter():
        if local(each) == "tex-math":
            inner = text(each)
            for part in list(each):
                each.remove(part)
            each.text = f"${inner}$"
    return text(element)
