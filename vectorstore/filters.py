"""What a search may be narrowed to: years, venue, author, source."""

from __future__ import annotations

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


NONE = Filters()  # every paper passes
