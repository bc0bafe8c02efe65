"""The forms in which papers and conversations leave paperchat, for the command line and for the window's buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assistant import export
from assistant.conversation import Conversation
from ui.document import document
from vectorstore.paper import Paper

BIBLIOGRAPHIES: dict[str, Callable[[Sequence[Paper]], str]] = {
    "bibtex": export.bibtex,
    "ris": export.ris,
    "csl": export.csl,
}
CONVERSATIONS: dict[str, Callable[[Conversation], str]] = {"markdown": export.markdown, "html": document}

FORMS = {"bibtex": "BibTeX", "ris": "RIS", "csl": "CSL-JSON", "markdown": "Markdown", "html": "HTML"}
_FILES = {
    "bibtex": ("papers.bib", "application/x-bibtex"),
    "ris": ("papers.ris", "application/x-research-info-systems"),
    "csl": ("papers.csl.json", "application/vnd.citationstyles.csl+json"),
    "markdown": ("conversation.md", "text/markdown"),
    "html": ("conversation.html", "text/html"),
}


def file(conversation: Conversation, form: str) -> dict[str, str]:
    """A file of the papers a conversation cites, or of the conversation itself: ``name``, media ``type`` and ``text``."""
    name, media = _FILES[form]
    if form in BIBLIOGRAPHIES:
        text = BIBLIOGRAPHIES[form](export.cited([conversation]))
    else:
        text = CONVERSATIONS[form](conversation)
    return {"name": name, "type": f"{media};charset=utf-8", "text": text}
