"""Ids that stay: from the text where a record brings none, and apart where two records bring the same."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import replace

from vectorstore.paper import Paper, Skipped
from vectorstore.text import plain


def digest(text: str) -> str:
    """Hexadecimal digest of a text, the same whatever its markup, case, spacing or Unicode form."""
    folded = " ".join(unicodedata.normalize("NFKC", plain(text)).casefold().split())
    return hashlib.sha256(folded.encode("utf-8", "replace")).hexdigest()


def text_id(text: str) -> str:
    """An id made of the text alone: the same abstract has the same id in any file, at any place."""
    return "p" + digest(text)[:12]


def apart(paper: Paper, seen: dict[str, str]) -> Paper | Skipped:
    """The paper, under another id where ``seen`` (id to digest, extended here) holds its id for another text."""
    said = digest(f"{paper.title or ''} {paper.abstract}")
    held = seen.setdefault(paper.id, said)
    if held == said:
        return paper
    other = f"{paper.id}~{said[:6]}"
    seen[other] = said
    return replace(paper, id=other)
