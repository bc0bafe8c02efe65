"""Which records are one paper: ids that stay, and what becomes of two records of the same paper.

A record is a paper that is known already where they share an id of the world (DOI, arXiv, OpenReview, PubMed, ACL,
Semantic Scholar, OpenAlex), or where title and first author agree, the years are near and no id speaks against it: a
preprint and its published version do. A record without such ids is known by title, first author and year, else by
its text.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from vectorstore.labels import label
from vectorstore.paper import Paper
from vectorstore.text import plain

AGAIN, ANOTHER_VERSION = "the same paper again", "another version of a paper, joined with it"
SCHEMES = ("doi", "arxiv", "openreview", "acl", "pmid", "s2", "openalex")  # the first a paper has is its id

_DOI = re.compile(r"10(?:\.\d{4,9}/[^\s\"<>{}|\\^`]+|/[a-z0-9]{4,}(?![\w./]))", re.I)  # 10/fk249f is a short DOI
_SAID_TO_BE_DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{1,9}/\S+)", re.I)
_PAGE = re.compile(
    r"(?:/(?:full|abstract|pdf|epdf|meta|html|fulltext)|(?<=\d)v\d+(?:\.full(?:-text)?)?(?:\.pdf)?|\.pdf)+/?$"
)
_ARXIV = r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?!\d)"
_PATTERNS = (
    ("arxiv", re.compile(rf"(?:arxiv\.org/(?:abs|pdf|html|format)/|arxiv:\s*|10\.48550/arxiv\.){_ARXIV}", re.I)),
    ("openreview", re.compile(r"(?:openreview\.net/(?:forum|pdf|attachment|references/pdf)\?(?:\S*&)?id=|openreview:)([\w-]{6,})")),
    ("acl", re.compile(r"(?:(?:aclanthology\.org|aclweb\.org/anthology(?:/papers/\w/\w\d\d)?)/|10\.18653/v1/|acl:)([A-Z]\d\d-\d{4}|\d{4}\.[\w-]+\.\d+)(?!\d)", re.I)),
    ("pmid", re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/(?:m/)?pubmed/|^/pubmed/|pmid:\s*)(\d{1,8})(?!\d)", re.I)),
    ("s2", re.compile(r"(?:semanticscholar\.org/(?:paper/(?:[^\s/]+/)?|reader/)|s2:)([0-9a-f]{40})")),
    ("openalex", re.compile(r"(?:openalex\.org/(?:works/)?|openalex:)(W\d+)", re.I)),
)  # fmt: skip
_ADDRESSES = {
    "doi": "https://doi.org/{}",
    "arxiv": "https://arxiv.org/abs/{}",
    "openreview": "https://openreview.net/forum?id={}",
    "acl": "https://aclanthology.org/{}",
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/{}/",
}
# Registrants of preprint servers: bioRxiv, Research Square, ChemRxiv, PsyArXiv, SSRN, preprints.org, TechRxiv, OSF.
_PREPRINT = re.compile(r"doi:10\.(?:1101|21203|26434|31234|2139|20944|36227|31219)/|(?:arxiv|openreview|s2|openalex):")
_NEAR = 3  # years between a preprint and its publication
_ALIKE = 0.8  # of all the words of two titles, those that stand in both
_MARKED = re.compile(r"[\\$<&`*~]|\]\(")
_GENERATIONS = ("jr", "sr", "ii", "iii", "iv")
_MOST_VERSIONS = 12  # records of one paper that are remembered
_OWN_TITLE = 3  # words of a title that is one paper's own; "Introduction" and "Editorial" are many papers'


def ids_in(*texts: str) -> tuple[str, ...]:
    """The ids of the world in fields and addresses, each once, with its scheme: "doi:10.1000/1", "arxiv:2101.00001"."""
    found: dict[str, None] = {}
    for text in texts:
        whole = unescape(unquote(text)).strip()
        for scheme, pattern in _PATTERNS:
            if match := pattern.search(whole):
                found[f"{scheme}:{_folded(scheme, match[1])}"] = None
        if doi := _doi(text):
            found[f"doi:{doi}"] = None
    return tuple(found)


def _doi(text: str) -> str:
    """The first DOI in a field or in a part of an address, in small letters; "" for none and for arXiv's own."""
    text = unescape(text).strip()
    is_address = "://" in text
    for part in re.split(r"[?&]", text) if is_address else [text]:
        if match := _DOI.search(unquote(part)) or _SAID_TO_BE_DOI.fullmatch(unquote(part)):
            name = match[match.lastindex or 0].rstrip(".,;:'*").lower()
            if is_address:
                name = _PAGE.sub("", name)
            while name.endswith(")") and name.count(")") > name.count("("):
                name = name[:-1].rstrip(".,;:")
            return "" if name.startswith("10.48550/arxiv.") else name
    return ""


def _folded(scheme: str, name: str) -> str:
    if scheme in ("openreview", "openalex"):
        return name
    if scheme == "acl" and re.fullmatch(r"[A-Za-z]\d\d-\d{4}", name):
        return name.upper()
    if scheme == "arxiv":
        return re.sub(r"\.[a-z]{2}/", "/", name.lower())  # math.GT/0309136 and math/0309136 are one
    return name.lower()


def address(known_id: str, besides: str = "") -> str:
    """The web address of an id, "" where there is none or where the address ``besides`` says it already."""
    scheme, _, name = known_id.partition(":")
    if scheme not in _ADDRESSES or known_id in ids_in(besides):
        return ""
    return _ADDRESSES[scheme].format(name)


def digest(text: str) -> str:
    """Hexadecimal digest of a text, the same whatever its markup, case, spacing or Unicode form."""
    folded = " ".join(unicodedata.normalize("NFKC", plain(text)).casefold().split())
    return hashlib.sha256(folded.encode("utf-8", "replace")).hexdigest()


def text_id(text: str) -> str:
    """An id made of the text alone: the same abstract has the same id in any file, at any place."""
    return "p" + digest(text)[:12]


def work_key(title: str | None, authors: tuple[str, ...]) -> str:
    """Title and first author without case, accents and punctuation; "" where they do not make one paper."""
    name, author = _letters(title or ""), _family(authors)
    told = author and (len(name.split()) >= _OWN_TITLE or (len(name) >= 8 and not name.isascii()))
    return f"{name}|{author}" if told else ""


def work_id(title: str, authors: tuple[str, ...], year: int | None) -> str:
    """An id made of title, first author and year, so that it outlives a change of the abstract; "" where they lack."""
    key = work_key(title, authors)
    return "p" + digest(f"{key}|{year or ''}")[:12] if key else ""


@lru_cache(maxsize=1024)  # a title is asked for several times in a row
def _letters(text: str) -> str:
    if text.isascii() and not _MARKED.search(text):
        return " ".join(re.sub(r"[\W_]+", " ", text.casefold()).split())
    apart = unicodedata.normalize("NFKD", plain(text).casefold())
    return " ".join(re.sub(r"[\W_]+", " ", "".join(c for c in apart if not unicodedata.combining(c))).split())


def _family(authors: tuple[str, ...]) -> str:
    """The first author's family name: the last part, or the first of "Adler D.G."; "" for none."""
    parts = [part for part in authors[0].split() if part.casefold().strip(".,") not in _GENERATIONS] if authors else []
    if not parts:
        return ""
    initials = [re.sub(r"[\W_]", "", part) for part in (parts[0], parts[-1])]
    last_is_initials = len(initials[1]) <= 3 and initials[1].isupper() and len(initials[0]) != 1
    return _letters(parts[0] if last_is_initials else parts[-1])


def apart(paper: Paper, seen: dict[str, bytes]) -> Paper:
    """The paper, under another id where ``seen`` (id to what it said, extended here) holds its id for another text."""
    text = f"{paper.title or ''} {paper.abstract}"
    said = hashlib.blake2b(" ".join(text.casefold().split()).encode("utf-8", "replace"), digest_size=12).digest()
    if seen.setdefault(paper.id, said) == said:
        return paper
    return replace(paper, id=f"{paper.id}~{digest(text)[:6]}")


def fingerprint_of(paper: Paper) -> str:
    """Tells whether a record changed: a digest of all it says, wherever it was read."""
    says: list[object] = [paper.title, paper.abstract, paper.authors, paper.year, paper.venue, paper.url, paper.label]
    if paper.ids or len(paper.links) > 1:
        says += [paper.ids, paper.links]
    return hashlib.sha256(json.dumps(says, ensure_ascii=True).encode()).hexdigest()[:24]


def rank(paper: Paper) -> int:
    """How much a record's word counts: 2 for a published version, 1 for a preprint, 0 where no id tells."""
    return max((1 if _PREPRINT.match(each) else 2 for each in paper.ids), default=0)


def merged(worse: Paper, better: Paper) -> Paper:
    """One paper of two records: what the better says, its gaps filled from the worse, ids and links of both.

    The id is that of ``worse``, the record that was kept first.
    """
    title, abstract = better.title or worse.title, better.abstract or worse.abstract
    return replace(
        better,
        id=worse.id,
        title=title,
        abstract=abstract,
        label=label(abstract, title),
        authors=better.authors or worse.authors,
        year=better.year if better.year is not None else worse.year,
        venue=better.venue or worse.venue,
        url=better.url or worse.url,
        ids=_ordered({*better.ids, *worse.ids}),
        links=tuple(dict.fromkeys([*better.links, *worse.links])),
    )


def renewed(kept: Paper, record: Paper, best: int | None) -> Paper:
    """What becomes of a kept paper when a record of it says something new.

    ``best`` is the rank of the best record of the paper that this run has read before, None if it is the first. The
    first record replaces what the same file said; any other is joined with it, the higher rank having the word.
    """
    same_file = Path(kept.origin.file).name == Path(record.origin.file).name
    if best is None and same_file and not kept.versions and set(kept.ids) <= set(record.ids):
        return record
    better = rank(record) >= rank(kept) and (best is None or rank(record) > best)
    whole = merged(kept, record) if better else merged(record, kept)
    versions = (*(kept.versions or (fingerprint_of(kept),)), fingerprint_of(record))
    return replace(whole, id=kept.id, versions=versions[-_MOST_VERSIONS:])


def _ordered(ids: set[str]) -> tuple[str, ...]:
    return tuple(sorted(ids, key=lambda each: (SCHEMES.index(each.partition(":")[0]), each)))


@dataclass(frozen=True, slots=True)
class _Held:
    ids: tuple[str, ...]
    title: str
    author: str
    year: int | None
    file: str
    said: frozenset[str]  # fingerprints of its records


class Identities:
    """The papers met so far, to tell which of them a record is. Holds no texts: some hundred bytes a paper."""

    def __init__(self) -> None:
        self._held: dict[str, _Held] = {}
        self._by_id: dict[str, str] = {}
        self._by_work: dict[bytes, tuple[str, ...]] = {}

    def __contains__(self, paper_id: str) -> bool:
        return paper_id in self._held

    def heard(self, record: Paper) -> bool:
        """Whether the paper with the record's id said all this before."""
        return fingerprint_of(record) in self._held[record.id].said

    def of_one_record(self, paper_id: str) -> bool:
        """Whether no other record was joined with the one the paper came from."""
        return len(self._held[paper_id].said) == 1

    def add(self, paper: Paper, fingerprint: str | None = None) -> None:
        """Remember a paper under its id; ``fingerprint`` where its texts are not at hand."""
        title, author = _letters(paper.title or ""), _family(paper.authors)
        said = frozenset((fingerprint or fingerprint_of(paper), *paper.versions))
        self._held[paper.id] = _Held(paper.ids, title, author, paper.year, paper.origin.file, said)
        for each in paper.ids:
            self._by_id.setdefault(each, paper.id)
        if key := _work_digest(paper):
            others = self._by_work.get(key, ())
            if paper.id not in others:
                self._by_work[key] = (*others, paper.id)

    def placed(self, paper: Paper) -> Paper:
        """The paper under the id it is held by, if it is; apart where another file's different paper has its own id."""
        for each in paper.ids:
            if each in self._by_id:
                if _may_share(self._held[self._by_id[each]], paper):
                    return replace(paper, id=self._by_id[each])
                if paper.id in paper.ids:  # somebody's copied DOI: the paper is known by its title instead
                    paper = replace(
                        paper,
                        id=work_id(paper.title or "", paper.authors, paper.year)
                        or text_id(f"{paper.title} {paper.abstract}"),
                    )
        held = self._held.get(paper.id)
        if held is not None:
            same_file = Path(held.file).name == Path(paper.origin.file).name
            if not _is_own(paper.id) or same_file or fingerprint_of(paper) in held.said:
                return paper
            return replace(paper, id=f"{paper.id}~{fingerprint_of(paper)[:6]}")
        if key := _work_digest(paper):
            for other in self._by_work.get(key, ()):
                if not (_is_own(other) and _is_own(paper.id)) and _agree(self._held[other], paper):
                    return replace(paper, id=other)
        return paper


def _work_digest(paper: Paper) -> bytes:
    key = work_key(paper.title, paper.authors)
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()[:12] if key else b""


def _is_own(paper_id: str) -> bool:
    """Whether an id is a collection's own name for a paper rather than one of the world or one made of words."""
    return paper_id.partition(":")[0] not in SCHEMES and not re.fullmatch(r"p[0-9a-f]{12}(?:~\w+)?", paper_id)


def _may_share(held: _Held, paper: Paper) -> bool:
    """Whether two records with one id can be one paper: not where both the authors and the titles are others."""
    author, title = _family(paper.authors), _letters(paper.title or "")
    if not author or not held.author or author == held.author or not title or not held.title:
        return True
    ours, theirs = set(title.split()), set(held.title.split())
    return len(ours & theirs) >= _ALIKE * len(ours | theirs)


def _agree(held: _Held, paper: Paper) -> bool:
    """Whether years and ids let two records of one title and first author be one paper."""
    kinds = {_kind(each) for each in held.ids} & {_kind(each) for each in paper.ids}
    if any({i for i in held.ids if _kind(i) == kind}.isdisjoint(paper.ids) for kind in kinds):
        return False
    if held.year is None or paper.year is None:
        return True
    preprint = any(_PREPRINT.match(each) for each in (*held.ids, *paper.ids))
    return abs(held.year - paper.year) <= (_NEAR if preprint else 0)


def _kind(known_id: str) -> str:
    """The scheme of an id, DOIs of preprint servers apart from those of publishers."""
    return "preprint" if _PREPRINT.match(known_id) and known_id.startswith("doi:") else known_id.partition(":")[0]
