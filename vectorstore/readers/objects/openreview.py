"""Notes of the OpenReview API, version 1 (plain fields) and 2 (fields with a ``value``)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import people, words, year

NAME = "OpenReview"
_REPLY = "a review or comment, not a paper"


def fits(record: Mapping[str, Any]) -> bool:
    """A note has a content and the forum or invitation it belongs to."""
    return isinstance(record.get("content"), dict) and any(
        key in record for key in ("forum", "invitation", "invitations")
    )


def entry(record: Mapping[str, Any]) -> Entry | str:
    """A submission as an entry; a review, comment or decision on one is none."""
    content = {key: _value(each) for key, each in record["content"].items()}
    note, forum = words(record.get("id")), words(record.get("forum"))
    if record.get("replyto") or (forum and note and forum != note):
        return _REPLY
    invitation = words(record.get("invitation")) or words(record.get("invitations"))
    venue = words(content.get("venue")) or re.sub(r"/-/.*$", "", invitation).replace("/", " ").strip()
    return Entry(
        title=words(content.get("title")),
        abstract=words(content.get("abstract")),
        authors=people(content.get("authors")),
        year=year(venue) or year(invitation) or _written(record),
        venue=venue,
        url=f"https://openreview.net/forum?id={forum or note}" if forum or note else "",
        known_as=[words(content.get("html")), words(content.get("doi"))],
    )


def _value(field: Any) -> Any:
    return field.get("value") if isinstance(field, dict) and "value" in field else field


def _written(record: Mapping[str, Any]) -> int | None:
    for key in ("pdate", "odate", "cdate", "tcdate"):
        if isinstance(moment := record.get(key), int | float) and 0 < moment < 4e12:
            return datetime.fromtimestamp(moment / 1000, UTC).year
    return None
