"""Papers as BibTeX, RIS and CSL-JSON, and a conversation as Markdown. Pure functions from records to text.

What a record does not hold is left out. A paper without a title goes by what its abstract calls it, and a note says so.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from assistant.answer import Source
from assistant.conversation import Conversation
from assistant.markdown import escape
from vectorstore.paper import Paper
from vectorstore.text import math_spans, plain, readable

Sort = Literal["article", "talk", "preprint", "other"]

UNTITLED = "Title not given in the source; named after its abstract"
_JOURNAL = re.compile(
    r"\b(journal|transactions|letters|review|reviews|magazine|annals|nature|science|jmlr|tmlr|plos)\b", re.I
)
_PREPRINT = re.compile(r"arxiv|\bcorr\b|preprint|biorxiv|medrxiv", re.I)
_ADDRESS = re.compile(r"https?://[^\s\"'<>]+")
_DOI = re.compile(r"https?://(?:dx\.)?doi\.org/(10\.\S+)", re.I)
_LITTLE = frozenset(
    ("a", "an", "and", "at", "by", "for", "from", "in", "is", "of", "on", "or", "the", "to", "via", "with")
)

_BIBTEX_TYPES: dict[Sort, str] = {"article": "article", "talk": "inproceedings", "preprint": "misc", "other": "misc"}
_BIBTEX_VENUES: dict[Sort, str] = {
    "article": "journal",
    "talk": "booktitle",
    "preprint": "howpublished",
    "other": "howpublished",
}
_RIS_TYPES: dict[Sort, str] = {"article": "JOUR", "talk": "CPAPER", "preprint": "UNPB", "other": "GEN"}
_CSL_TYPES: dict[Sort, str] = {
    "article": "article-journal",
    "talk": "paper-conference",
    "preprint": "article",
    "other": "document",
}

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",  # an escaped brace would still count as a brace for BibTeX
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
} | {sign: f"\\{sign}" for sign in "$&#%_"}
_HELD = "\ue000"  # stands for a formula while the words around it are read
# what TeX would carry out, or take for a comment, where a formula should only be drawn
_UNSAFE = re.compile(
    r"\\(?:input|include|read|open(?:in|out)|write|immediate|special|[egx]?def|let|catcode|csname|usepackage)(?![A-Za-z])"
    r"|\^\^|(?<!\\)[%#]"
)


def cited(conversations: Iterable[Conversation]) -> list[Paper]:
    """The papers that the answers cite, each once, in the order of first citation."""
    turns = (turn for conversation in conversations for turn in conversation.turns)
    return list({source.paper.id: source.paper for turn in turns for source in turn.sources}.values())


def bibtex(papers: Sequence[Paper]) -> str:
    """A BibTeX file: an entry a paper, in the order given. Mathematics stays as it is, all else is escaped."""
    return "\n".join(_bibtex_entry(key, paper) for key, paper in zip(_keys(papers), papers, strict=True))


def ris(papers: Sequence[Paper]) -> str:
    """A RIS file: a record a paper, in the order given."""
    return "\n".join(_ris_record(key, paper) for key, paper in zip(_keys(papers), papers, strict=True))


def csl(papers: Sequence[Paper]) -> str:
    """A CSL-JSON file: one array with an item a paper, in the order given."""
    items = [_csl_item(key, paper) for key, paper in zip(_keys(papers), papers, strict=True)]
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"


def markdown(conversation: Conversation) -> str:
    """The conversation as Markdown: questions, answers, then each cited paper with the sentences quoted from it."""
    parts = ["# Conversation with paperchat"]
    for place, turn in enumerate(conversation.turns, 1):
        parts += [f"## {place}. {escape(turn.question)}", turn.text]
        if turn.suggestions:
            names = ", ".join(escape(plain(each.paper.label)) for each in turn.suggestions)
            parts.append(f"Nearest papers, not cited: {names}")
    if sources := conversation.sources:
        parts.append("## Papers")
        parts += [_markdown_source(source) for source in sources]
    return "\n\n".join(parts) + "\n"


def address(paper: Paper) -> str | None:
    """The paper's own web address, where it has one that is safe to link to."""
    return paper.url if paper.url and _ADDRESS.fullmatch(paper.url) else None


def _sort(paper: Paper) -> Sort:
    """What kind of publication its venue makes of a paper."""
    if not paper.venue:
        return "other"
    if _PREPRINT.search(paper.venue):
        return "preprint"
    return "article" if _JOURNAL.search(paper.venue) else "talk"


def _keys(papers: Sequence[Paper]) -> list[str]:
    """A citation key for each paper: readable, and the same in every export, so that files can be joined.

    The end comes from the paper's id; it grows only where two keys would be the same.
    """
    keys: list[str] = []
    for paper in papers:
        digest = hashlib.sha256(paper.id.encode("utf-8", "surrogatepass")).hexdigest()
        length = next((n for n in range(4, len(digest)) if f"{_stem(paper)}-{digest[:n]}" not in keys), len(digest))
        keys.append(f"{_stem(paper)}-{digest[:length]}")
    return keys


def _stem(paper: Paper) -> str:
    first = _split(paper.authors[0])[0] if paper.authors and plain(paper.authors[0]) else ""
    words = re.findall(r"[a-z0-9]+", _ascii(plain(paper.title or paper.label)))
    telling = next((word for word in words if word not in _LITTLE), "")
    year = "" if paper.year is None else str(paper.year)
    family = "".join(re.findall(r"[a-z0-9]+", _ascii(first)))
    return (f"{family}{year}{telling[:30]}" if family else f"{telling[:30]}{year}") or "paper"


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()


def _split(author: str) -> tuple[str, str]:
    """Family name with its particles, and given names; a name of one word is all family name."""
    name = plain(author)
    if "," in name:
        family, given = name.split(",", 1)
        return family.strip(), given.strip()
    words = name.split()
    at = len(words) - 1
    while at > 1 and words[at - 1].islower():  # "van", "de la"
        at -= 1
    return " ".join(words[at:]), " ".join(words[:at])


def _authors(paper: Paper) -> list[str]:
    return [name for author in paper.authors if (name := plain(author))]


def _name(paper: Paper) -> str:
    return next((name for name in (paper.title, paper.label) if name and plain(name)), "Untitled")


def _doi(paper: Paper) -> str | None:
    found = _DOI.fullmatch(address(paper) or "")
    return found[1] if found else None


# ---- BibTeX


def _bibtex_entry(key: str, paper: Paper) -> str:
    sort = _sort(paper)
    link = address(paper)
    fields = {
        "title": _latex(_name(paper), keep_capitals=True),
        "author": " and ".join(map(_bibtex_author, _authors(paper))),
        "year": "" if paper.year is None else str(paper.year),
        _BIBTEX_VENUES[sort]: _latex(paper.venue or ""),
        "doi": _unbraced(_doi(paper) or ""),
        "url": _unbraced(link or ""),
        "abstract": _latex(paper.abstract),
    }
    if not paper.title:
        fields["note"] = UNTITLED
    body = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{_BIBTEX_TYPES[sort]}{{{key},\n{body}}}\n"


def _bibtex_author(name: str) -> str:
    """A name is taken as one whole where BibTeX would take it apart wrongly."""
    written = _latex(name)
    return f"{{{written}}}" if re.search(r"\sand\s|,.*,.*,", name) or name.casefold() in ("and", "others") else written


def _latex(text: str, *, keep_capitals: bool = False) -> str:
    """Text from anywhere as LaTeX with balanced braces that reads the same."""
    text = text.replace(_HELD, "")
    formulas: list[str] = []
    pieces: list[str] = []
    at = 0
    for start, end in math_spans(text):
        if _drawable(text[start:end]):
            formulas.append(" ".join(text[start:end].split()))
            pieces += [text[at:start], _HELD]
            at = end
    words = plain("".join([*pieces, text[at:]]))
    escaped = "".join(_LATEX.get(sign, sign) for sign in words)
    if keep_capitals:  # styles turn titles to small letters: "PRAXIS", "OmniVL-Guard"
        escaped = re.sub(r"\b[^\W_]*(?:[^\W_][A-Z]|[A-Z]\d)[\w-]*", r"{\g<0>}", escaped)
    waiting = iter(formulas)
    return re.sub(_HELD, lambda _: next(waiting), escaped)


def _drawable(formula: str) -> bool:
    """Whether a formula may stand in a BibTeX value as it is."""
    depth = 0
    for sign in formula:
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return False
    return depth == 0 and not _UNSAFE.search(formula)


def _unbraced(link: str) -> str:
    return link.replace("{", "%7B").replace("}", "%7D").replace("\\", "%5C")


# ---- RIS


def _ris_record(key: str, paper: Paper) -> str:
    sort = _sort(paper)
    lines = [("TY", _RIS_TYPES[sort]), ("ID", key), ("TI", plain(_name(paper)))]
    lines += [("AU", ", ".join(filter(None, _split(name)))) for name in _authors(paper)]
    lines += [
        ("PY", "" if paper.year is None else str(paper.year)),
        ("JO" if sort == "article" else "T2", plain(paper.venue or "")),
        ("DO", _doi(paper) or ""),
        ("UR", address(paper) or ""),
        ("AB", plain(paper.abstract)),
        ("N1", "" if paper.title else UNTITLED),
    ]
    return "".join(f"{tag}  - {value}\n" for tag, value in lines if value) + "ER  - \n"


# ---- CSL-JSON


def _csl_item(key: str, paper: Paper) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": key,
        "type": _CSL_TYPES[_sort(paper)],
        "title": plain(_name(paper)),
        "author": [_csl_name(name) for name in _authors(paper)],
        "issued": {"date-parts": [[paper.year]]} if paper.year is not None else None,
        "container-title": plain(paper.venue or ""),
        "DOI": _doi(paper),
        "URL": address(paper),
        "abstract": plain(paper.abstract),
        "note": None if paper.title else UNTITLED,
    }
    return {name: value for name, value in item.items() if value}


def _csl_name(author: str) -> dict[str, str]:
    family, given = _split(author)
    return {"family": family, "given": given} if family and given else {"literal": family or given}


# ---- Markdown


def _markdown_source(source: Source) -> str:
    paper = source.paper
    title = plain(paper.title or "")
    about = [", ".join(_authors(paper)), paper.published]
    if title and title != plain(paper.label):
        about.insert(0, title)
    said = [f"\\[{source.number}\\] **{escape(plain(paper.label))}**", *(escape(plain(part)) for part in about if part)]
    said += [f"<{link}>"] if (link := address(paper)) else []
    quotes = [f"> “{escape(readable(quote.text))}”" for quote in source.quotes]
    return "\n\n".join([". ".join(said), *quotes])
