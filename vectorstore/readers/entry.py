"""What a format has to say about one paper, and the rules by which it becomes a ``Paper``, the same for all formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vectorstore.labels import label
from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.fields import line, words
from vectorstore.readers.identity import SCHEMES, address, ids_in, text_id, work_id

EMPTY = "neither title nor abstract"


@dataclass(frozen=True, slots=True)
class Entry:
    """One record. ``abstract`` is final; ``own_id`` names it in its collection, ``known_as`` holds ids and addresses.

    An id in ``known_as`` is written with its scheme ("pmid:123", "arxiv:2101.00001v2") or stands in an address.
    """

    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    url: str = ""
    own_id: str = ""
    known_as: Sequence[str] = ()


def paper(entry: Entry, origin: Origin) -> Paper | Skipped:
    """The paper, or why there is none. Its id is the record's own, else one the world knows, else made of its words."""
    title, abstract = line(entry.title), words(entry.abstract)
    if not title and not abstract:
        return Skipped(origin, EMPTY)
    url = "".join(words(entry.url).split())
    ids = tuple(sorted(_one_each(ids_in(*entry.known_as, url)), key=lambda each: SCHEMES.index(each.partition(":")[0])))
    links = dict.fromkeys(filter(None, [url, *(address(each, url) for each in ids)]))
    own_id = "".join(words(entry.own_id).split())
    made = own_id or (ids[0] if ids else work_id(title, entry.authors, entry.year) or text_id(f"{title} {abstract}"))
    return Paper(
        id=made,
        abstract=abstract,
        origin=origin,
        label=label(abstract, title or None),
        title=title or None,
        authors=entry.authors,
        year=entry.year,
        venue=line(entry.venue) or None,
        url=next(iter(links), None),
        ids=ids,
        links=tuple(links),
    )


def _one_each(ids: Sequence[str]) -> Iterator[str]:
    """The first id of each scheme, but all DOIs: a preprint's and its publication's may stand together."""
    taken = set[str]()
    for each in ids:
        scheme = each.partition(":")[0]
        if scheme == "doi" or scheme not in taken:
            taken.add(scheme)
            yield each
