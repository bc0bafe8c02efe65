"""What the XML formats share: names without namespaces, texts with what is nested in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def local(element: Element) -> str:
    """An element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def text(element: Element | None) -> str:
    """All text inside an element, "" for none."""
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def children(element: Element | None, *names: str) -> Iterator[Element]:
    """The children with one of the local names."""
    for child in element if element is not None else ():
        if local(child) in names:
            yield child


def child(element: Element | None, *path: str) -> Element | None:
    """The first descendant along a path of local names."""
    for name in path:
        element = next(children(element, name), None)
    return element


def said(element: Element | None, *path: str) -> str:
    """The text of the first descendant along a path of local names, "" for none."""
    return text(child(element, *path))
