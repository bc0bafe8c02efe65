"""An answer as Markdown for a terminal: the text, then the papers it cites or suggests."""

from assistant.answer import Answer


def printable(answer: Answer) -> str:
    """The answer's text with its list of sources, or of suggestions where it cites none."""
    parts = [answer.text]
    if answer.sources:
        parts += ["", "**Papers**", ""]
        for source in answer.sources:
            paper = source.paper
            about = ", ".join(filter(None, (paper.published, paper.url)))
            parts.append(f"- \\[{source.number}\\] {paper.label}" + (f" ({about})" if about else ""))
    elif answer.suggestions:
        parts += ["", "**Nearest papers, not cited**", ""]
        parts += [f"- {suggestion.paper.label}" for suggestion in answer.suggestions]
    return "\n".join(parts)
