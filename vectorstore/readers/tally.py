"""What a sync of some paths would find, without a library: papers, those with an abstract, skipped records, formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from vectorstore.paper import Skipped
from vectorstore.readers import formatted
from vectorstore.readers.identity import AGAIN, Identities


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts: distinct papers, those with an abstract, skipped records by reason, papers by format of their first record."""

    papers: int
    papers_with_abstract: int
    skipped: dict[str, int]
    formats: dict[str, int]


def tally(paths: Iterable[Path], columns: Mapping[str, str] | None = None) -> Tally:
    """Read all paths and keep nothing. Raises UnreadablePath as ``read`` does."""
    known, with_abstract = Identities(), set[str]()
    skipped, formats = Counter[str](), Counter[str]()
    for path in paths:
        for name, record in formatted(path, columns):
            if isinstance(record, Skipped):
                skipped[record.reason] += 1
                continue
            paper = known.placed(record)
            if paper.id in known:
                skipped[AGAIN] += 1
            else:
                formats[name] += 1
                known.add(paper)
            if paper.abstract:
                with_abstract.add(paper.id)
    return Tally(sum(formats.values()), len(with_abstract), dict(skipped.most_common()), dict(formats.most_common()))
