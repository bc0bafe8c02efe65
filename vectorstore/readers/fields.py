"""Fields of a record as people fill them in: with "N/A" for nothing, "2021.0" for a year, one string for all authors."""

from __future__ import annotations

import re

_NOTHING = {
    "",
    "n/a",
    "na",
    "none",
    "null",
    "nan",
    "-",
    "no abstract",
    "no abstract available",
    "[no abstract available]",
}
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # neither Chroma nor SQLite takes NUL or half a surrogate pair


def words(value: object) -> str:
    """A field's text, "" where it says nothing."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    text = _UNSTORABLE.sub("", str(value)).strip()
    return "" if text.casefold() in _NOTHING else text


def people(value: object) -> tuple[str, ...]:
    """A list of names or of objects with a name, or one string with ";" or " and " between them."""
    if isinstance(value, str):
        value = re.split(r"\s*;\s*|\s+and\s+", value)
    if not isinstance(value, list):
        return ()
    names = (words(each.get("name")) if isinstance(each, dict) else words(each) for each in value)
    return tuple(name for name in names if name)


def year(value: object) -> int | None:
    """The four digits of a year in "2021.0" or "March 2021"; None for "n.d."."""
    found = re.search(r"\b(1[5-9]\d\d|20\d\d)\b", str(value)) if isinstance(value, str | int | float) else None
    return int(found[1]) if found else None
