"""An answer as HTML: the transcript on one side, the cited papers with their quoted sentences on the other.

Pure functions. Everything that comes from a paper or a visitor is escaped; the only links in the page are the citation
marks, which lead to sentences on the same page, and the addresses that papers bring.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from assistant.answer import Answer, Claim, Quote, Source, Suggestion
from assistant.conversation import Conversation
from assistant.markdown import escape
from ui.mathematics import mathml
from vectorstore.text import math_spans, plain, readable

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

NO_SOURCES = "The papers an answer cites appear here, with the quoted sentences marked."
_MARK = re.compile(r"(?<!\\)\[(\d{1,4})\]")
_DOUBTFUL = ("partly", "numbers differ", "not found")
_MARKS_BEFORE = re.compile(r"(?:(?<!\\)\[\d{1,4}\])+$")
_HELD = re.compile("\ue000(\\d+)\ue001")


def transcript(conversation: Conversation, draft: Answer | None = None) -> str:
    """The whole conversation, the answer that is being written last."""
    turns = [*conversation.turns, *([draft] if draft else [])]
    return f'<div class="turns">{_turns(turns)}</div>' if turns else ""


def waiting(conversation: Conversation, question: str, doing: str = "Searching") -> str:
    """The conversation with a question that has no answer yet, and what is being done about it."""
    thinking = f'<div class="answer thinking" role="status">{doing}</div>'
    return f'<div class="turns">{_turns(conversation.turns)}{_question(question)}{thinking}</div>'


def sources(conversation: Conversation, draft: Answer | None = None) -> str:
    """The papers the last answer cites, each with its abstract and the quoted sentences marked, then earlier ones.

    A card holds what every turn quotes from its paper, so that older citations lead to their sentences too. Papers that
    are suggested, not cited, follow those that are.
    """
    turns = [*conversation.turns, *([draft] if draft else [])]
    cited_in = {source.number: place for place, turn in enumerate(turns, 1) for source in turn.sources}
    quoted: dict[int, list[Quote]] = {}
    for source in (source for turn in turns for source in turn.sources):
        quoted.setdefault(source.number, []).extend(source.quotes)
    latest = {source.number: source for turn in turns for source in turn.sources}
    shown = [source.number for source in turns[-1].sources] if turns else []

    def cards(numbers: Iterable[int]) -> list[str]:
        return [_card(latest[number], quoted[number], cited_in[number]) for number in numbers]

    parts = cards(shown)
    if turns and turns[-1].suggestions:
        parts.append('<h2 class="panel-title">Nearest papers, not cited</h2>')
        parts += map(_suggestion, turns[-1].suggestions)
    if earlier := sorted(latest.keys() - set(shown)):
        parts += ['<h2 class="panel-title">Earlier in this conversation</h2>', *cards(earlier)]
    return "".join(parts) or f'<div class="no-sources">{NO_SOURCES}</div>'


def papers(conversation: Conversation) -> str:
    """Every paper that was cited, by number, with all that was quoted from it marked; empty where none was."""
    cited_in = {source.number: place for place, turn in enumerate(conversation.turns, 1) for source in turn.sources}
    return "".join(_card(source, source.quotes, cited_in[source.number]) for source in conversation.sources)


def answer_html(answer: Answer) -> str:
    """The answer's Markdown as HTML, each citation mark a link to the very sentence it rests on."""
    text = _without_holders(answer.text)
    formulas = [(start, end) for start, end in math_spans(text) if text[start] == "$"]
    by_number = {source.number: source for source in answer.sources}
    marks = [
        mark
        for mark in _MARK.finditer(text)
        if int(mark[1]) in by_number and not any(start < mark.start() < end for start, end in formulas)
    ]
    claims = {mark.start(): claim for mark in marks if (claim := _claim_before(text, mark, answer.claims))}
    held = {(start, end): mathml(text[start:end]) for start, end in formulas}
    held |= {
        mark.span(): _citation(
            by_number[int(mark[1])], claims.get(mark.start()), last=not _MARK.match(text, mark.end())
        )
        for mark in marks
    }
    rendered = _with_held(text, held, _markdown().render)
    elsewhere = [claim for claim in answer.claims if claim.citations and _doubt(claim) and claim not in claims.values()]
    return rendered + "".join(f"<p>{_doubt(claim)} {html.escape(plain(claim.text))}</p>" for claim in elsewhere)


def abstract_html(
    abstract: str, quotes: Sequence[Quote], number: int = 0, lately: Sequence[Quote] | None = None
) -> str:
    """An abstract to read, its LaTeX and Markdown turned into text and mathematics, the quoted stretches in <mark>.

    Each quote can be linked to (see ``_place``). Quotes that are not among ``lately``, all by default, are marked quietly.
    """
    pieces, at = [], 0
    for start, end, within in _stretches(quotes):
        pieces.append(_reading_html(abstract[at:start]))
        quiet = "" if lately is None or any(quote in lately for quote in within) else ' class="earlier"'
        places = "".join(f'<span id="{place}"></span>' for place in dict.fromkeys(_place(number, q) for q in within))
        pieces.append(f"<mark{quiet}>{places}{_reading_html(abstract[start:end])}</mark>")
        at = end
    pieces.append(_reading_html(abstract[at:]))
    return " ".join(piece for piece in pieces if piece)


def _turns(turns: Iterable[Answer]) -> str:
    return "".join(
        f'{_question(turn.question)}<div class="answer{" abstained" if turn.abstained else ""}" id="turn-{place}">'
        f"{answer_html(turn)}{_suggested(turn)}</div>"
        for place, turn in enumerate(turns, 1)
    )


def _question(text: str) -> str:
    return f'<div class="question">{html.escape(text)}</div>'


def _claim_before(text: str, mark: re.Match[str], claims: Sequence[Claim]) -> Claim | None:
    """The claim that a citation mark closes: the one whose words stand right before it."""
    before = _MARKS_BEFORE.sub("", text[: mark.start()]).rstrip().removesuffix("~~")
    return next((c for c in claims if int(mark[1]) in c.citations and before.endswith(escape(c.text))), None)


def _citation(source: Source, claim: Claim | None, *, last: bool) -> str:
    quote = claim.quote if claim and claim.quote in source.quotes else next(iter(source.quotes), None)
    place = _place(source.number, quote) if quote else f"source-{source.number}"
    name = html.escape(f"Show source {source.number}: {plain(source.paper.label)}")
    link = f'<a class="cite" href="#{place}" title="{name}" aria-label="{name}">{source.number}</a>'
    return link + (_doubt(claim) if claim and last else "")


def _doubt(claim: Claim) -> str:
    """The verdict where a reader needs it: quoted words speak for themselves."""
    return f' <span class="verdict">{claim.verdict}</span>' if claim.verdict in _DOUBTFUL else ""


def _place(number: int, quote: Quote) -> str:
    return f"quote-{number}-{quote.start}"


def _suggested(answer: Answer) -> str:
    if not answer.suggestions:
        return ""
    names = ", ".join(html.escape(plain(each.paper.label)) for each in answer.suggestions)
    return f'<p class="suggested">Nearest papers, not cited: {names}</p>'


def _card(source: Source, quotes: Sequence[Quote], turn: int) -> str:
    abstract = abstract_html(source.paper.abstract, quotes, source.number, source.quotes)
    return (
        f'<article class="source" id="source-{source.number}" tabindex="-1" aria-label="Source {source.number}">'
        f'<header><span class="number">{source.number}</span>{_name(source)}'
        f'<a class="back" href="#turn-{turn}" aria-label="Back to the answer">↑</a></header>'
        f'<p class="about">{_about(source)}</p><div class="abstract">{abstract}</div></article>'
    )


def _suggestion(suggestion: Suggestion) -> str:
    return (
        f'<article class="source suggestion"><header>{_name(suggestion)}</header><p class="about">{_about(suggestion)}</p>'
        f'<details><summary>Abstract</summary><div class="abstract">{abstract_html(suggestion.paper.abstract, ())}</div>'
        "</details></article>"
    )


def _name(shown: Source | Suggestion) -> str:
    label, title = plain(shown.paper.label), plain(shown.paper.title or "")
    under = f'<p class="title">{html.escape(title)}</p>' if title and title != label else ""
    return f"<div><h2>{html.escape(label)}</h2>{under}</div>"


def _about(shown: Source | Suggestion) -> str:
    paper = shown.paper
    parts = [paper.published, _people(paper.authors)]
    parts.append(f"match {shown.relevance:.0%}" if shown.relevance else "")
    parts.append(f"{paper.origin.file.rsplit('/', 1)[-1]}, no. {paper.origin.position}")
    said = [html.escape(part) for part in parts if part]
    if paper.url and re.fullmatch(r"https?://[^\s\"'<>]+", paper.url):
        said.append(f'<a href="{html.escape(paper.url)}" target="_blank" rel="noopener noreferrer">paper</a>')
    return " · ".join(said)


def _people(authors: Sequence[str]) -> str:
    return ", ".join(authors[:3]) + (f" and {len(authors) - 3} more" if len(authors) > 3 else "")


def _stretches(quotes: Sequence[Quote]) -> list[tuple[int, int, list[Quote]]]:
    """Quotes joined where they overlap: start, end and the quotes within, in order."""
    joined: list[tuple[int, int, list[Quote]]] = []
    for quote in sorted(quotes, key=lambda each: (each.start, each.end)):
        if joined and quote.start < joined[-1][1]:
            start, end, within = joined.pop()
            joined.append((start, max(end, quote.end), [*within, quote]))
        else:
            joined.append((quote.start, quote.end, [quote]))
    return joined


def _reading_html(text: str) -> str:
    reading = _without_holders(readable(text))
    formulas = {(start, end): mathml(reading[start:end]) for start, end in math_spans(reading) if reading[start] == "$"}
    return _with_held(reading, formulas, html.escape)


def _with_held(text: str, held: Mapping[tuple[int, int], str], render: Callable[[str], str]) -> str:
    """The text rendered, with ready-made HTML in the places of some stretches, which the renderer never sees."""
    pieces: list[str] = []
    ready: list[str] = []
    at = 0
    for (start, end), made in sorted(held.items()):
        pieces += [text[at:start], f"\ue000{len(ready)}\ue001"]
        ready.append(made)
        at = end
    rendered = render("".join([*pieces, text[at:]]))
    return _HELD.sub(lambda place: ready[int(place[1])], rendered)


def _without_holders(text: str) -> str:
    return text.replace("\ue000", "").replace("\ue001", "")


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    """Markdown without HTML, links or images: what an answer may hold."""
    from markdown_it import MarkdownIt

    return (
        MarkdownIt("commonmark", {"html": False})
        .enable(["table", "strikethrough"])
        .disable(["link", "image", "autolink", "reference"])
    )
