"""Lists of papers in Markdown or plain text, as "awesome" pages and reading lists hold them: titles with links.

A link to a place where papers live is a paper. Its title is the text of the link; where that only says "paper" or
"arXiv", the title is what stands before it in its item: the emphasised or quoted words, else the first sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.entry import Entry, paper
from vectorstore.readers.fields import line, year
from vectorstore.readers.identity import ids_in
from vectorstore.readers.objects.arxiv import of_id
from vectorstore.readers.sources import Source

_LINK = re.compile(
    r"(?<!!)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\]){1,400})\]\(\s*<?(?P<url>https?://[^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+\"[^\"]*\")?\s*\)"
)
_BARE = re.compile(r"(?<![(\w\]])https?://[^\s()<>\]|]+")
_PLACES = re.compile(
    r"//(?:[\w.-]+\.)?(?:arxiv\.org/(?:abs|pdf|html)|doi\.org/|openreview\.net/|aclanthology\.org|aclweb\.org/anthology|proceedings\.mlr\.press/|"
    r"papers\.n(?:eur)?ips\.cc|proceedings\.neurips\.cc|openaccess\.thecvf\.com|ieeexplore\.ieee\.org/|dl\.acm\.org/doi|"
    r"ojs\.aaai\.org|aaai\.org/ojs|link\.springer\.com/(?:article|chapter|content)|nature\.com/articles|science\.org/doi|"
    r"sciencedirect\.com/science|onlinelibrary\.wiley\.com/doi|academic\.oup\.com|biorxiv\.org|medrxiv\.org|chemrxiv\.org|"
    r"semanticscholar\.org/paper|jmlr\.org/papers|ijcai\.org/proceedings|isca-(?:speech|archive)\.org|usenix\.org/(?:conference|system)|"
    r"pubmed\.ncbi|ncbi\.nlm\.nih\.gov/(?:pubmed|pmc)|ssrn\.com|vldb\.org/pvldb|ecva\.net/papers|eprint\.iacr\.org/\d|hal\.science|"
    r"papers\.ssrn\.com|mdpi\.com/\d|frontiersin\.org/articles|plos\w*\.org/|pnas\.org/doi|cell\.com/|tandfonline\.com/doi|"
    r"journals\.\w+\.org|pubs\.\w+\.org/doi|research\.google/pubs|huggingface\.co/papers)|\.pdf(?:$|[?#])",
    re.I,
)
_LABEL = re.compile(
    r"\W*(?:(?:the |full |original |read |our )?(?:paper|pdf|arxiv|abs|abstract|link|links|url|doi|html|openreview|here|article|"
    r"publication|preprint|proceedings?|poster|slides|video|code|project|page|website|blog|bib(?:tex)?|download)s?"
    r"(?:[ /:-]*(?:link|paper|pdf|page|page|version|[\d.]+(?:v\d)?))?|(?:[A-Z][\w&*+-]{1,14}[ ’']*){1,2}(?:19|20)?\d\d(?:\s*\w+)?|"
    r"\d{4}\.\d{4,5}(?:v\d+)?|arxiv[: ]*[\d.]+(?:v\d)?|(?:NeurIPS|NIPS|ICML|ICLR|ACL|EMNLP|NAACL|CVPR|ICCV|ECCV|AAAI|IJCAI|KDD|"
    r"SIGIR|TMLR|JMLR|TACL|Nature|Science|IEEE|ACM|Springer)(?:\W.{0,20})?)\W*",
    re.I,
)
_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)]|\[\d+\]|\|)\s+")
_EMPHASISED = re.compile(
    r"(?:\*\*\*|\*\*|__)(.{8,300}?)(?:\*\*\*|\*\*|__)|[“\"](.{8,300}?)[.,]?[”\"]|(?<![*\w])[*_]([^*_]{12,300})[*_](?!\w)|`([^`]{12,300})`"
)
_YEAR = re.compile(r"(?<![\d/.-])((?:19[5-9]|20[0-4])\d)(?![\d-])")


def recognises(source: Source) -> str:
    """Links to papers, in a page of Markdown or in at least a third of the lines that say anything."""
    head, name = source.head, source.name.casefold().removesuffix(".gz")
    if name.endswith((".html", ".htm", ".tex", ".py", ".js")) or head.lstrip().startswith("<!"):
        return ""
    links = sum(bool(_PLACES.search(match["url"])) for match in _LINK.finditer(head))
    bare = sum(bool(_PLACES.search(match[0])) for match in _BARE.finditer(head))
    if name.endswith((".md", ".markdown", ".mdx", ".rmd")):
        return "Markdown list" if links or bare else ""
    lines = sum(len(line.split()) > 2 for line in head.split("\n"))
    items = sum(bool(_ITEM.match(line)) for line in head.split("\n"))
    listed = links + bare >= 0.34 * max(1, lines) or (items >= 3 and links + bare >= 0.5 * items)
    return "paper list" if links + bare and listed else ""


def read(source: Source) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` is the line of the link."""
    for position, item in _items(source.text()):
        before = 0
        taken: set[str] = set()
        for found in _links(item):
            start, end, text, url = found
            if not _PLACES.search(url):
                before = before if _is_label(text) else end
                continue
            named = "" if _is_label(text) else text
            title = named or _title(item[before:start], running=before > 0)
            before = end
            if not title:
                continue  # a second link of the paper before it, or one in running text
            said = _YEAR.search(item[end:]) or _YEAR.search(item[:start])
            arxiv = next((each for each in ids_in(url) if each.startswith("arxiv:")), "")
            if title not in taken:
                taken.add(title)
                told = of_id(arxiv.removeprefix("arxiv:")) if arxiv else None
                entry = Entry(title=title, year=told or year(said[1] if said else None), url=url)
                yield paper(entry, Origin(source.name, position + item.count("\n", 0, start)))


def _items(text: str) -> Iterator[tuple[int, str]]:
    """The items of lists, rows of tables and paragraphs, with the line each begins at."""
    item: list[str] = []
    start = 0
    for number, each in enumerate(text.split("\n"), 1):
        heading = re.match(r"\s*#{1,6}\s", each)
        if item and (not each.strip() or _ITEM.match(each) or heading):
            yield start, "\n".join(item)
            item = []
        if each.strip() and not heading:
            if not item:
                start = number
            item.append(each)
    if item:
        yield start, "\n".join(item)


def _links(item: str) -> Iterator[tuple[int, int, str, str]]:
    """Start, end, text and address of each link in order; a bare address has no text."""
    found = [(match.start(), match.end(), match["text"], match["url"]) for match in _LINK.finditer(item)]
    covered = [(start, end) for start, end, _, _ in found]
    for match in _BARE.finditer(item):
        if not any(start <= match.start() < end for start, end in covered):
            url = match[0].rstrip(".,;:*_'\"`")
            found.append((match.start(), match.end(), "", url))
    yield from sorted(found)


def _is_label(text: str) -> bool:
    text = re.sub(r"!\[[^\]]*\](?:\([^)]*\))?|<[^<>]*>", "", text).strip(" *_`[]()\n")
    return not text or bool(_LABEL.fullmatch(text)) or len(text) < 6


def _title(text: str, running: bool) -> str:
    """The title in what stands before a link that only says "paper"; in running text only if it is marked as one."""
    text = re.sub(r"!\[[^\]]*\](?:\([^)]*\))?|<[^<>]*>", " ", text)
    text = _LINK.sub(lambda match: "" if _is_label(match["text"]) else match["text"], text)
    text = re.sub(r"^\s*(?:(?:[-*+•]|\d+[.)]|\[\d+\]|\|)\s+)+", "", text)
    for match in _EMPHASISED.finditer(text):
        title = next(group for group in match.groups() if group)
        if len(title.split()) >= 2 and not _is_label(title):
            return _trimmed(title)
    if running:
        return ""
    text = re.split(r"\s\|\s|\n|\s[-–—]\s(?=\[|$)", text)[0]
    first = re.split(r"(?<=[a-z0-9)?!]{2})[.?!]\s+(?=[A-Z])|\.\s*$", text)[0]
    return _trimmed(first) if len(first.split()) >= 2 else ""


def _trimmed(text: str) -> str:
    return line(re.sub(r"[\s:,.;|\[(–—-]+$", "", text.strip(' *_`"“”[]|\n')))
