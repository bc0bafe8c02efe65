"""Formulas as MathML: drawn by browsers without a script, a font or a network.

The LaTeX comes from papers, so it is data from anywhere. The converter hands such text through unescaped (``\\text``) and
turns some commands into links and styles (``\\href``, ``\\style``); we take its tree, keep what is typography, and write
it out ourselves.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from vectorstore.text import plain

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_TYPOGRAPHY = frozenset(
    [
        "xmlns",
        "display",
        "displaystyle",
        "scriptlevel",
        "mathvariant",
        "stretchy",
        "fence",
        "largeop",
        "movablelimits",
        "separator",
        "symmetric",
        "accent",
        "accentunder",
        "form",
        "lspace",
        "rspace",
        "minsize",
        "maxsize",
        "linethickness",
        "notation",
        "width",
        "height",
        "depth",
        "voffset",
        "columnalign",
        "columnspacing",
        "columnlines",
        "rowspacing",
        "rowlines",
    ]
)
# a length of two digits or more would push a formula over its neighbours
_FAR = re.compile(r"(?<![\d.])\d{2,}(?:\.\d+)?\s*(?:em|ex|mu|pt|px|pc|in|cm|mm|%)", re.I)


@lru_cache(maxsize=512)
def mathml(formula: str) -> str:
    """A formula between dollars as MathML; as its plain text where the LaTeX is beyond the converter."""
    from xml.etree.ElementTree import tostring

    from latex2mathml.converter import convert_to_element

    try:
        tree = convert_to_element(formula.strip("$"))
    except Exception:  # the converter raises whatever its parser meets; the reader still gets the formula's text
        return html.escape(plain(formula))
    for element in tree.iter():
        _keep_typography(element)
    return tostring(tree, encoding="unicode", short_empty_elements=False)


def _keep_typography(element: Element) -> None:
    # symbols are written as entities in the tree, so that they are undone here and escaped once, on writing
    element.text = html.unescape(element.text) if element.text else None
    for name, value in list(element.attrib.items()):
        if name not in _TYPOGRAPHY or _FAR.search(value):
            del element.attrib[name]
