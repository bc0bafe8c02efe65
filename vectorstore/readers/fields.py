"""Fields of a record as people fill them in: "N/A" for nothing, "2021.0" for a year, tags and LaTeX inside words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vectorstore.latex import commands_to_text
from vectorstore.text import math_spans, readable, without_html

_NOTHING = {
    "",
    "n/a",
    "n.a.",
    "na",
    "none",
    "null",
    "nan",
    "-",
    "no abstract",
    "no abstract.",
    "no abstract available",
    "no abstract available.",
    "no abstract provided",
    "abstract not available",
    "[no abstract available]",
    "[abstract not available]",
}
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # neither Chroma nor SQLite takes NUL or half a surrogate pair
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?:(?!\d)|(?=[01]\d[0-3]\d(?!\d)))")
_BARE = re.compile(r"[A-Za-z0-9 ,.:;()?!'-]*")  # nothing in it that could be markup
_HEADING = re.compile(r"<((?:jats:)?title|h[1-6])\b[^<>]*>\s*([^<>]{1,80}?)[\s:.]*</\1>", re.I)
_SAYS_ABSTRACT = re.compile(r"(?:abstract|summary)\b\s*(?:[:.—–-]+\s*|\n\s*)(?=\S)", re.I)
_GROUP_BRACES = re.compile(r"(?<!\\)[{}]")
# Signs that Zotero and others spell out; LaTeX's own way to write them in text.
_SIGNS = {
    "less": "<",
    "greater": ">",
    "bar": "|",
    "asciitilde": "~",
    "asciicircum": "^",
    "underscore": "_",
    "dollar": "\ufdd4",
}
_SIGN = re.compile(rf"\{{?\\text({'|'.join(_SIGNS)})(?![A-Za-z])(?:\{{\}}|\}}| )?")
_PRICE = "\ufdd4"  # stands for an escaped dollar sign, which would open mathematics if it were freed
_GENERATION = re.compile(r"(?:jr\.?|sr\.?|ii|iii|iv)", re.I)
_LISTED = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.I)
_NAME_PARTS = (("given", "family"), ("first", "last"), ("firstName", "lastName"), ("first_name", "last_name"))
_WHOLE_NAMES = ("name", "literal", "display_name", "fullname", "full_name", "raw_author_name", "preferred_name")


def words(value: object) -> str:
    """A field's text, "" where it says nothing. The first of a list counts."""
    if isinstance(value, list):
        value = next((each for each in value if words(each)), "")
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    text = _UNSTORABLE.sub("", str(value)).strip()
    return "" if text.casefold() in _NOTHING else text


def line(value: object) -> str:
    """A title, venue or name as one line of text: markup, entities and LaTeX turned into what they print."""
    text = words(value)
    if _BARE.fullmatch(text) and "--" not in text:
        return " ".join(text.split())
    if "\\" in text:
        text = untex(text)
    return words(readable(text))


def prose(value: object) -> str:
    """An abstract without HTML, JATS and MathML; headings keep a colon, mathematics in dollars stays as found."""
    text = words(value)
    if "<" in text or "&" in text:
        text = _HEADING.sub(lambda match: "" if match[2].lower() in ("abstract", "summary") else f" {match[2]}: ", text)
        text = " ".join(without_html(text).split())
    return words(_SAYS_ABSTRACT.sub("", text, count=1) if _SAYS_ABSTRACT.match(text) else text)


def untex(text: str) -> str:
    """LaTeX of a bibliography as text: accents, commands and protecting braces resolved; mathematics stays as found."""
    text = text.replace("\\$", _PRICE)
    if "\\text" in text:
        text = _SIGN.sub(lambda match: _SIGNS[match[1]], text)
    pieces, position = [], 0
    for start, end in [*math_spans(text), (len(text), len(text))]:
        between = text[position:start]
        if "\\" in between:
            between = commands_to_text(between)
        pieces += [_GROUP_BRACES.sub("", between), text[start:end]]
        position = end
    return " ".join("".join(pieces).split()).replace(_PRICE, "\\$")


def year(value: object) -> int | None:
    """The four digits of a year in "2021.0", "March 2021" or "20210305"; None for "n.d."."""
    if isinstance(value, list):
        return next((said for each in value if (said := year(each)) is not None), None)
    found = _YEAR.search(str(value)) if isinstance(value, str | int | float) else None
    return int(found[1]) if found else None


def people(value: object) -> tuple[str, ...]:
    """Names from a list of names or of objects with a name, or from one string that holds them all."""
    found = _split(value) if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(name for each in found if (name := natural(_name(each))))


def natural(name: str) -> str:
    """A name in the order it is spoken: "Hall, Jr., H. K." and "Hall, H. K." to "H. K. Hall Jr." and "H. K. Hall"."""
    if name.startswith("{") and name.endswith("}"):
        return line(name.strip("{}"))  # an organisation
    parts = [part for part in (line(part) for part in name.split(",")) if part]
    if len(parts) == 2 and not _GENERATION.fullmatch(parts[1]):
        return f"{parts[1]} {parts[0]}"
    if len(parts) == 3 and _GENERATION.fullmatch(parts[1]):
        return f"{parts[2]} {parts[0]} {parts[1]}"
    return ", ".join(parts)


def _name(value: object) -> str:
    if isinstance(value, dict):
        for key in ("author", "person"):
            if isinstance(value.get(key), dict):
                return _name(value[key])
        for given, family in _NAME_PARTS:
            if words(value.get(family)):
                return f"{words(value.get(given))} {words(value.get(family))} {words(value.get('suffix'))}".strip()
        return next((text for key in _WHOLE_NAMES if (text := words(value.get(key)))), "")
    if isinstance(value, list):  # family, given, suffix: as arXiv parses names
        return " ".join(filter(None, (words(value[n]) for n in (1, 0, 2) if n < len(value))))
    return words(value)


def _split(names: str) -> Iterator[str]:
    """One string of names to single ones: by semicolons, else by "and", else by commas between whole names."""
    if ";" in names:
        yield from (part for part in names.split(";") if part.strip())
        return
    parts = [part for part in re.split(r"\s+and\s+", names) if part.strip()]
    listed = [part for part in _LISTED.split(names.strip(" .")) if part.strip()]
    whole = all(" " in part.strip() for part in listed)
    yield from listed if len(listed) > 1 and whole else parts
