"""The records that everything else speaks of: papers, passages of them, and hits of a search."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a record was read: the file as it was named, and its position there, counted from 1.

    Of a paper that is kept, ``folder`` is the one that a relative ``file`` was named from.
    """

    file: str
    position: int
    folder: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper. ``abstract`` is kept as it was found, LaTeX and all; ``label`` is what a person calls it.

    ``abstract`` is "" where the source has none. ``ids`` are the names the world knows the paper by
    ("doi:10.1000/1", "arxiv:2101.00001"), ``links`` all its addresses; ``url`` is the first of them. ``versions``
    are fingerprints of the records it was joined from, where there were several.
    """

    id: str
    abstract: str
    origin: Origin
    label: str
    title: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    url: str | None = None
    ids: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()

    @property
    def published(self) -> str:
        """Venue and year as a person writes them, the year once; "" where neither is known."""
        year = "" if self.year is None or str(self.year) in (self.venue or "") else str(self.year)
        return " ".join(filter(None, (self.venue, year)))


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that was not taken, where it stands, and why in a few words ("no abstract", "not JSON")."""

    origin: Origin
    reason: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of an abstract: ``abstract[start:end]``, letter for letter, and how well it matched (cosine)."""

    start: int
    end: int
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Hit:
    """A paper that matched a query.

    ``relevance`` is the probability (0 to 1) that the paper answers the query; ``passages`` are all its sentences
    in the order of the abstract, each with its own score for the query.
    """

    paper: Paper
    relevance: float
    passages: tuple[Passage, ...]
