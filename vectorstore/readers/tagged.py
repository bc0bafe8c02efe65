"""Records of tagged lines: what RIS, Web of Science, PubMed and EndNote exports have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Record:
    """Tags with their values in order; ``position`` is the line the record begins at."""

    position: int
    values: dict[str, list[str]] = field(default_factory=dict)

    def first(self, *tags: str) -> str:
        """The first value of the first tag that has one."""
        return next((value for tag in tags for value in self.values.get(tag, ()) if value), "")

    def all(self, *tags: str) -> Sequence[str]:
        """The values of the first tag that has any."""
        return next((self.values[tag] for tag in tags if self.values.get(tag)), ())


def records(
    lines: Iterable[str], tag: re.Pattern[str], begins: Sequence[str], ends: str = "", by_line: Sequence[str] = ()
) -> Iterator[Record]:
    """Records of lines that match ``tag`` (groups ``tag`` and ``value``); other lines go on with the value before.

    A record begins at a tag of ``begins`` and closes at the tag ``ends`` or where the next begins, so that a missing
    end costs nothing. Continuation lines join with a blank; for tags ``by_line`` each is a value of its own.
    """
    record: Record | None = None
    last = ""
    for position, line in enumerate(lines, 1):
        match = tag.match(line)
        if match is None:
            if record is not None and last and line.strip():
                values = record.values[last]
                if last in by_line:
                    values.append(line.strip())
                else:
                    values[-1] = f"{values[-1]} {line.strip()}".strip()
            continue
        name, value = match["tag"].upper(), (match["value"] or "").strip()
        if name == ends:
            if record is not None and record.values:
                yield record
            record, last = None, ""
            continue
        if name in begins and record is not None and record.values:
            yield record
            record = None
        if record is None:
            record = Record(position)
        record.values.setdefault(name, []).append(value)
        last = name
    if record is not None and record.values:
        yield record
