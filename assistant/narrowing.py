"""Filters inside a question: "since 2023", "at NeurIPS", "by Kaiming He". They are taken out of it and narrow the search."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from vectorstore.filters import Filters

_YEAR = r"((?:19|20)\d\d)"
_WORKS = r"(?:papers?|works?|articles?|stud(?:y|ies)|publications?|abstracts?|methods?|research|ones?|anything|something|published|appeared|presented|accepted)"
_FROM_TO = re.compile(
    rf"\b(?:between|from|in)\s+{_YEAR}\s*(?:and|to|until|[-–])\s*{_YEAR}\b|{_YEAR}\s*年?\s*(?:到|至|[-–~])\s*{_YEAR}\s*年(?:之?间)?的?",
    re.I,
)
_SINCE = re.compile(
    rf"\bsince\s+{_YEAR}\b|\bfrom\s+{_YEAR}\s+on(?:wards?)?\b|\b{_YEAR}\s+(?:and|or)\s+(?:later|newer)\b|{_YEAR}\s*年?(?:以后|之后|以来|起|至今)的?|自\s*{_YEAR}\s*年(?:以来|起)?的?",
    re.I,
)
_AFTER = re.compile(rf"\b(?:after|newer than|later than)\s+{_YEAR}\b", re.I)
_UNTIL = re.compile(rf"\b(?:until|till|up to)\s+{_YEAR}\b|{_YEAR}\s*年?(?:为止|及以前)的?", re.I)
_BEFORE = re.compile(rf"\b(?:before|older than|prior to)\s+{_YEAR}\b|{_YEAR}\s*年?(?:以前|之前)的?", re.I)
_DURING = re.compile(rf"(?<=\b)(?:published |written )?\b(?:in|from|of)\s+{_YEAR}\b|{_YEAR}\s*年(?:发表)?的", re.I)
_VENUE = re.compile(
    r"(?:published |presented |accepted )?\b(?:at|in|from)\s+((?:[A-Z][\w&-]*[A-Z][\w&-]*|[A-Z][a-z]+)(?:\s+[A-Z][\w&-]*)*(?:\s+(?:19|20)\d\d)?)(?![\w-])|(?:在|发表于|发表在)\s*([A-Z][\w&-]*(?:\s*(?:19|20)\d\d)?)\s*(?:上|中)?(?:发表)?的?"
)
_AUTHOR = re.compile(
    r"\b(?:written |co-?authored )?by\s+((?:[A-Z][\w.'’-]*\s+){0,3}[A-Z][\w'’-]+)(?:\s+et al\.?)?(?![\w-])"
)


@dataclass(frozen=True, slots=True)
class Narrowed:
    """A message without its filters, and the filters."""

    message: str
    filters: Filters


def narrow(message: str, count: Callable[[Filters], int], given: Filters | None = None) -> Narrowed:
    """Take the filters out of a message, over those already ``given``.

    ``count`` tells how many papers pass: a name that no paper bears is taken for a venue or an author only where the
    message says so plainly ("papers at CVPR", "papers by Ada Lovelace").
    """
    filters = given or Filters()
    for pattern, first, last in (
        (_FROM_TO, 0, 0),
        (_SINCE, 0, None),
        (_AFTER, 1, None),
        (_UNTIL, None, 0),
        (_BEFORE, None, -1),
    ):
        found = pattern.search(message)
        if found:
            years = [int(year) for year in found.groups() if year]
            filters = replace(
                filters,
                year_from=filters.year_from if first is None else min(years) + first,
                year_to=filters.year_to if last is None else max(years) + last,
            )
            message = _without(message, found)
    during = _DURING.search(message)
    if during and re.search(rf"\b{_WORKS}\b|论文|文章|工作|研究", message, re.I):
        year = next(int(year) for year in during.groups() if year)
        filters, message = replace(filters, year_from=year, year_to=year), _without(message, during)
    for pattern, name in ((_VENUE, "venue"), (_AUTHOR, "author")):
        for found in pattern.finditer(message):
            value = next(filter(None, found.groups())).strip()
            plainly = bool(re.search(rf"\b{_WORKS}\b[\w\s,]*$", message[: found.start()], re.I))
            named = replace(Filters(), **{name: value})
            if count(named) or (plainly and (name == "author" or value.upper() == value)):
                filters, message = replace(filters, **{name: value}), _without(message, found)
                break
    return Narrowed(message, filters)


def _without(message: str, found: re.Match[str]) -> str:
    left, right = message[: found.start()].rstrip(" ,("), message[found.end() :].lstrip(" ,)")
    return f"{left} {right}".strip()
