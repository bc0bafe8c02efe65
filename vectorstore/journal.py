"""What the index runs left out and why, source by source, and when the last one ended: a JSON file beside the papers."""

from __future__ import annotations

import json
import logging
import os
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vectorstore.paper import Skipped

log = logging.getLogger(__name__)

EXAMPLES = 20  # records that are named one by one


class LeftOut:
    """The records that a run leaves out: counted by source and reason, the first few kept. Small however many there are."""

    def __init__(self) -> None:
        self.by_source: dict[str, Counter[str]] = {}
        self.reasons: Counter[str] = Counter()
        self.examples: list[Skipped] = []

    def add(self, skipped: Skipped) -> None:
        self.by_source.setdefault(skipped.origin.file, Counter())[skipped.reason] += 1
        self.reasons[skipped.reason] += 1
        if len(self.examples) < EXAMPLES:
            self.examples.append(skipped)


@dataclass(frozen=True, slots=True)
class Journal:
    """``indexed`` is when the last run ended (ISO 8601, UTC; "" where none did); ``skipped`` counts, for each source as
    it was last read, the records left out by reason."""

    indexed: str = ""
    skipped: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def after(self, indexed: str, sources: Collection[str], left_out: LeftOut) -> Journal:
        """The journal after a run that read these sources: what it says of them replaces what was said before."""
        others = {source: reasons for source, reasons in self.skipped.items() if source not in sources}
        return Journal(
            indexed, {**others, **{source: dict(left_out.by_source[source]) for source in left_out.by_source}}
        )

    @classmethod
    def read(cls, file: Path) -> Journal:
        """The journal in the file, an empty one where there is none."""
        try:
            said: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            return cls(
                str(said["indexed"]), {str(source): dict(reasons) for source, reasons in said["skipped"].items()}
            )
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            log.warning("%s is damaged and begun anew", file, exc_info=True)
            return cls()

    def write(self, file: Path) -> None:
        """Keep it: the whole of it or, when stopped half-way, the old one."""
        replace_text(file, json.dumps({"indexed": self.indexed, "skipped": self.skipped}, ensure_ascii=False, indent=1))


def replace_text(file: Path, text: str) -> None:
    """Write a small file so that whoever reads it finds the old text or the new one, never a part."""
    new = file.with_name(f"{file.name}.new")
    with new.open("w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    new.replace(file)
