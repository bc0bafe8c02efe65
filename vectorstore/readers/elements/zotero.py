"""Zotero's RDF export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vectorstore.readers.elements.parts import child, children, local, said
from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import natural, prose, words, year

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAME = "Zotero RDF"
ROOT = r"<rdf:RDF\b"
RECORDS = (
    "Article", "Book", "BookSection", "Document", "Description", "Thesis", "Report", "Manuscript", "ConferenceProceedings",
    "Patent", "Legislation", "Letter", "Interview", "Recording", "Image", "MotionPicture", "Illustration", "Data",
)  # fmt: skip
_NOT_PAPERS = ("attachment", "note", "annotation")


def entry(element: Element, parents: list[Element]) -> Entry | str | None:
    """An item; attachments, and the journals that items stand in, are none."""
    kind = said(element, "itemType")
    if len(parents) > 1 or kind in _NOT_PAPERS or (not kind and child(element, "title") is None):
        return None
    if (
        not kind
        and child(element, "link") is None
        and not said(element, "abstract")
        and child(element, "authors") is None
    ):
        return None
    place = next(iter(list(child(element, "isPartOf") or ())), None)
    address = said(element, "identifier", "URI", "value") or element.get(
        "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about", ""
    )
    identifiers = [said(each) for source in (element, place) for each in children(source, "identifier")]
    return Entry(
        title=said(element, "title"),
        abstract=prose(said(element, "abstract")),
        authors=tuple(
            name for each in (child(element, "authors"),) for person in _people(each) if (name := natural(person))
        ),
        year=year(said(element, "date")) or year(said(element, "issued")),
        venue=said(place, "title") or said(element, "presentedAt") or said(element, "publisher"),
        url=address if address.startswith("http") else "",
        known_as=[each.removeprefix("DOI ") for each in identifiers if words(each)],
    )


def _people(authors: Element | None) -> list[str]:
    if authors is None:
        return []
    found = [each for each in authors.iter() if local(each) == "Person"]
    return [f"{said(each, 'givenName') or said(each, 'givenname')} {said(each, 'surname')}".strip() for each in found]
