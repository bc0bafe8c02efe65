"""An answer as HTML: the transcript on one side, the cited papers with their quoted sentences on the other.

Pure functions. Everything that comes from a paper or a visitor is escaped; the only links in the page are the citation
marks, which lead to cards on the same page, and the addresses that papers bring. Mathematics becomes MathML on the server:
browsers draw it without a script, and a price is never taken for it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from assistant.answer import Answer, Quote, Source, Suggestion
from assistant.conversation import Conversation
from vectorstore.text import math_spans, plain

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

NO_SOURCES = "The papers an answer cites appear here, with the quoted sentences marked."
_MARK = re.compile(r"\[(\d{1,4})\]")
_HELD = re.compile("\ue000(\\d+)\ue001")


def transcript(conversation: Conversation, draft: Answer | None = None) -> str:
    """The whole conversation, the answer that is being written last."""
    turns = [*conversation.turns, *([draft] if draft else [])]
    if not turns:
        return ""
    return '<div class="turns">' + "".join(map(_turn, turns)) + "</div>"


def waiting(conversation: Conversation, question: str) -> str:
    """The conversation with a question that has no answer yet."""
    asked = (
        f'<div class="question">{html.escape(question)}</div><div class="answer thinking" role="status">Searching</div>'
    )
    return f'<div class="turns">{"".join(map(_turn, conversation.turns))}{asked}</div>'


def sources(conversation: Conversation, draft: Answer | None = None) -> str:
    """The papers the last answer cites, each with its abstract and the quoted sentences marked, then earlier ones.

    An answer that cites nothing shows the papers it suggests instead.
    """
    turns = [*conversation.turns, *([draft] if draft else [])]
    if not turns:
        return f'<div class="no-sources">{NO_SOURCES}</div>'
    last = turns[-1]
    shown = {source.number for source in last.sources}
    earlier = {s.number: s for turn in turns[:-1] for s in turn.sources if s.number not in shown}
    parts = [_card(source) for source in last.sources]
    if last.suggestions and not last.sources:
        parts.append('<h2 class="panel-title">Nearest papers, not cited</h2>')
        parts += [_suggestion(suggestion) for suggestion in last.suggestions]
    if earlier:
        parts.append('<h2 class="panel-title">Earlier in this conversation</h2>')
        parts += [_card(earlier[number]) for number in sorted(earlier)]
    return "".join(parts) or f'<div class="no-sources">{NO_SOURCES}</div>'


def _turn(answer: Answer) -> str:
    state = "answer abstained" if answer.abstained else "answer"
    return (
        f'<div class="question">{html.escape(answer.question)}</div>'
        f'<div class="{state}">{answer_html(answer)}{_suggested(answer)}</div>'
    )


def answer_html(answer: Answer) -> str:
    """The answer's Markdown as HTML, its citation marks as links to the cards of the papers."""
    labels = {source.number: source.paper.label for source in answer.sources}
    quoted = {source.number for source in answer.sources if source.quotes}
    text, held = _hold_math(answer.text)

    def link(mark: re.Match[str]) -> str:
        number = int(mark[1])
        if number not in labels:
            return mark[0]
        place = f"quote-{number}" if number in quoted else f"source-{number}"
        name = html.escape(f"Show source {number}: {plain(labels[number])}", quote=True)
        return f'<a class="cite" href="#{place}" title="{name}" aria-label="{name}">{number}</a>'

    rendered = _MARK.sub(link, _markdown().render(text))
    doubtful = [claim for claim in answer.claims if claim.verdict in ("numbers differ", "not found")]
    warning = "".join(
        f'<p class="verdict">{html.escape(claim.verdict)}: {html.escape(plain(claim.text))}</p>' for claim in doubtful
    )
    return _release(rendered, held) + warning


def _suggested(answer: Answer) -> str:
    if not answer.suggestions or answer.sources:
        return ""
    names = ", ".join(html.escape(plain(each.paper.label)) for each in answer.suggestions)
    return f'<p class="suggested">Nearest papers, not cited: {names}</p>'


def _card(source: Source) -> str:
    paper = source.paper
    return (
        f'<article class="source" id="source-{source.number}" tabindex="-1" aria-label="Source {source.number}">'
        f'<header><span class="number">{source.number}</span><h2>{html.escape(plain(paper.label))}</h2></header>'
        f'<p class="about">{_about(source)}</p>'
        f'<div class="abstract">{abstract_html(paper.abstract, source.quotes, f"quote-{source.number}")}</div>'
        "</article>"
    )


def _suggestion(suggestion: Suggestion) -> str:
    return (
        '<article class="source suggestion">'
        f"<header><h2>{html.escape(plain(suggestion.paper.label))}</h2></header>"
        f'<p class="about">{_about(suggestion)}</p>'
        f'<details><summary>Abstract</summary><div class="abstract">{abstract_html(suggestion.paper.abstract, ())}</div></details>'
        "</article>"
    )


def _about(shown: Source | Suggestion) -> str:
    paper = shown.paper
    parts = [" ".join(str(each) for each in (paper.venue, paper.year) if each), _people(paper.authors)]
    parts.append(f"match {shown.relevance:.0%}" if shown.relevance else "")
    parts.append(f"{paper.origin.file.rsplit('/', 1)[-1]}, no. {paper.origin.position}")
    said = [html.escape(part) for part in parts if part]
    if paper.url and re.match(r"https?://[^\s\"'<>]+$", paper.url):
        said.append(
            f'<a href="{html.escape(paper.url, quote=True)}" target="_blank" rel="noopener noreferrer">paper</a>'
        )
    return " · ".join(said)


def _people(authors: Sequence[str]) -> str:
    return ", ".join(authors[:3]) + (f" and {len(authors) - 3} more" if len(authors) > 3 else "")


def abstract_html(abstract: str, quotes: Sequence[Quote], anchor: str = "") -> str:
    """An abstract to read, its LaTeX and Markdown turned into text and mathematics, the quoted stretches in <mark>.

    The first of them bears ``anchor`` as its id, so that a citation leads to the very sentence.
    """
    pieces, at = [], 0
    for quote in sorted(quotes, key=lambda each: each.start):
        if quote.start < at:
            continue
        pieces.append(_reading_html(abstract[at : quote.start]))
        place = f' id="{anchor}"' if anchor and not any(piece.startswith("<mark") for piece in pieces) else ""
        pieces.append(f"<mark{place}>{_reading_html(abstract[quote.start : quote.end])}</mark>")
        at = quote.end
    pieces.append(_reading_html(abstract[at:]))
    return " ".join(piece for piece in pieces if piece)


def _reading_html(text: str) -> str:
    from vectorstore.text import readable

    reading, held = _hold_math(readable(text))
    return _release(html.escape(reading), held)


def _hold_math(text: str) -> tuple[str, list[str]]:
    """The text with each formula replaced by a placeholder, and the formulas as MathML."""
    text = text.replace("\ue000", "").replace("\ue001", "")
    held: list[str] = []
    pieces: list[str] = []
    at = 0
    for start, end in math_spans(text):
        pieces.append(f"{text[at:start]}\ue000{len(held)}\ue001")
        held.append(mathml(text[start:end]))
        at = end
    return "".join([*pieces, text[at:]]), held


def _release(rendered: str, held: Sequence[str]) -> str:
    return _HELD.sub(lambda place: held[int(place[1])], rendered)


@lru_cache(maxsize=512)
def mathml(formula: str) -> str:
    """A formula between dollars as MathML; as its plain text where the LaTeX is beyond the converter."""
    from latex2mathml.converter import convert

    tex = formula.strip("$")
    try:
        converted = str(convert(tex))
    except Exception:  # the converter raises whatever its parser meets; the reader still gets the formula's text
        return html.escape(plain(formula))
    return converted if "<script" not in converted.casefold() else html.escape(tex)


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    """Markdown without HTML, links or images: what an answer may hold."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image", "autolink", "reference"])
