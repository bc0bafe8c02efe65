"""What a search may be narrowed to: years, venue, author, source; and which of these a library can offer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Filters:
    """A paper passes when it meets all that are set.

    ``year_from`` and ``year_to`` are inclusive. ``venue`` and ``source`` match any part of the venue's or the file's
    name, whatever the case; ``author`` matches where all its words occur among the authors.
    """

    year_from: int | None = None
    year_to: int | None = None
    venue: str | None = None
    author: str | None = None
    source: str | None = None

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) is not None for field in fields(self))

    def without(self, name: str) -> Filters:
        """These filters with one of them loosened."""
        return replace(self, **{name: None})

    def named(self) -> dict[str, str]:
        """The filters that are set, by field name, as a person would say them."""
        said = {
            "year_from": f"since {self.year_from}",
            "year_to": f"until {self.year_to}",
            "venue": f"at {self.venue}",
            "author": f"by {self.author}",
            "source": f"from {self.source}",
        }
        return {name: words for name, words in said.items() if getattr(self, name) is not None}


@dataclass(frozen=True, slots=True)
class Choices:
    """What filters can tell apart in a library: kinds that all its papers share, or none has, are empty.

    Years come newest first, venues and sources commonest first; ``authors`` tells whether any paper names its authors.
    A source is the end of its file's path, as long as it takes to mean no other file.
    """

    years: tuple[int, ...] = ()
    venues: tuple[str, ...] = ()
    authors: bool = False
    sources: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.years or self.venues or self.authors or self.sources)


def choices(
    years: Mapping[str, int], venues: Mapping[str, int], sources: Mapping[str, int], *, authors: bool
) -> Choices:
    """What can be chosen among papers so counted (those without one under "")."""

    def apart(counts: Mapping[str, int]) -> list[str]:
        ranked = sorted(counts, key=lambda name: (-counts[name], name))
        return [name for name in ranked if name] if len(ranked) > 1 else []

    years_apart = tuple(sorted(map(int, apart(years)), reverse=True))
    files = apart(sources)
    paths = "\n".join(files).casefold()
    return Choices(years_apart, tuple(apart(venues)), authors, tuple(_end(file, paths) for file in files))


def _end(file: str, paths: str) -> str:
    """The shortest end of a path, in whole names, that occurs once among all paths."""
    names = file.split("/")
    ends = ("/".join(names[at:]) for at in range(len(names) - 1, 0, -1))
    return next((end for end in ends if paths.count(end.casefold()) == 1), file)


NONE = Filters()  # every paper passes
