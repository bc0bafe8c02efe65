"""Quoted text inside Markdown: what an abstract says is shown as it reads and never acts as markup."""

from __future__ import annotations

import re

# a stretch of mathematics is left to the renderer; everything else is escaped
_MATHEMATICS = re.compile(r"\$[^$\n]+\$")
_SPECIAL = re.compile(r"[\\`*|\[\]]|<(?=[A-Za-z/!?])|(?<!\w)_|_(?!\w)|~(?=~)|(?<=~)~")


def escape(text: str) -> str:
    """Plain text as Markdown that reads the same: no emphasis, table cell, link, tag or citation mark comes out of it."""
    parts: list[str] = []
    at = 0
    for span in _MATHEMATICS.finditer(text):
        parts += [_SPECIAL.sub(r"\\\g<0>", text[at : span.start()]), span.group().replace("|", r"\vert ")]
        at = span.end()
    parts.append(_SPECIAL.sub(r"\\\g<0>", text[at:]))
    return " ".join("".join(parts).split())
