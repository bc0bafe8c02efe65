"""A conversation as one HTML file that can be sent and kept: answers, and the cited abstracts with the quotes marked.

Nothing in it runs and nothing is fetched; the only links out are the papers' own addresses.
"""

from __future__ import annotations

from importlib.resources import files

from assistant.conversation import Conversation
from ui import render

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conversation with paperchat</title>
<style>
{style}
</style>
</head>
<body>
<main>
<h1>Conversation with paperchat</h1>
{transcript}
</main>
<aside>
<h1>Papers</h1>
{papers}
</aside>
</body>
</html>
"""


def document(conversation: Conversation) -> str:
    """The whole file, as text."""
    style = "\n".join(files("ui").joinpath(name).read_text(encoding="utf-8") for name in ("style.css", "document.css"))
    return _PAGE.format(
        style=style, transcript=render.transcript(conversation), papers=render.papers(conversation) or "None cited."
    )
