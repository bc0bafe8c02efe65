"""Tables: CSV and TSV of Zotero, Scopus, IEEE Xplore, PubMed, Web of Science, Dimensions, Lens, Excel and people."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence

from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.columns import COLUMNS, MAPPED_ID, known_as, normal
from vectorstore.readers.entry import Entry, paper
from vectorstore.readers.fields import people, prose, words, year
from vectorstore.readers.identity import apart
from vectorstore.readers.sources import Source

_SEPARATORS = ",;\t|"
_LONGEST_FIELD = 4_000_000  # characters
_MOST_LINES = 500  # of one record: more is a quote that nobody closed
_NAMED = (  # columns that only one kind of export has, by normal name
    ("Zotero CSV", {"itemtype", "abstractnote"}),
    ("IEEE CSV", {"documenttitle", "documentidentifier"}),
    ("PubMed CSV", {"entrezuid", "shortdetails"}),
    ("PubMed CSV", {"pmid", "journalbook", "createdate"}),
    ("Scopus CSV", {"sourcetitle", "eid"}),
    ("Scopus CSV", {"authorfullnames", "来源出版物名称"}),
    ("Dimensions CSV", {"publicationid", "dimensionsurl"}),
    ("Lens CSV", {"lensid"}),
    ("Web of Science table", {"pt", "ti", "so"}),
)
_PAPER_FIELDS = {name for names in COLUMNS.values() for name in names} | {"doi", "pmid", "keywords", "di"}
_AFFILIATED = re.compile(r"\s*\(\d{6,}\)")  # Scopus writes its number behind each name


def recognises(source: Source) -> str:
    """A line near the top names columns that we know, or that the user named."""
    if source.name.casefold().removesuffix(".gz").endswith((".md", ".markdown")):
        return ""
    found = _header(source)
    if found is None:
        return ""
    names = {normal(each) for each in found[2]}
    return next((name for name, marks in _NAMED if marks <= names), "CSV" if found[1] != "\t" else "TSV")


def hint(source: Source) -> str:
    """What to tell of a table whose columns nobody knows; "" for what is no table."""
    if not source.name.casefold().removesuffix(".gz").endswith((".csv", ".tsv", ".tab")):
        return ""
    first = next(line for line in source.head.split("\n") if line.strip())
    separator = max(_SEPARATORS, key=first.count)
    columns = [each.strip() for each in _cells(first, separator)][:12]
    return f"no column for a title or abstract among {', '.join(columns)}: name one with --map title=COLUMN"


def read(source: Source) -> Iterator[Paper | Skipped]:
    """Papers in order; ``position`` is the line that the record begins at."""
    found = _header(source)
    assert found is not None
    above, separator, header = found
    places = _places(header, source.columns)
    names = [normal(each) for each in header]
    seen: dict[str, bytes] = {}
    for position, row in _rows(source, above, separator, len(header)):
        origin = Origin(source.name, position)
        if isinstance(row, str):
            yield Skipped(origin, row)
            continue
        if not any(cell.strip() for cell in row):
            continue
        record = paper(_entry(row, places, names), origin)
        if isinstance(record, Paper) and MAPPED_ID in places:
            record = apart(record, seen)
        yield record


def _header(source: Source) -> tuple[int, str, list[str]] | None:
    """How many lines stand above the records, the separator, and the names of the columns."""
    for number, line in enumerate(source.head.split("\n")[:8], 1):
        if not line.strip() or re.fullmatch(r"\s*\"?sep=.\"?\s*", line, re.I):
            continue
        best = max(_SEPARATORS, key=lambda separator: _known(_cells(line, separator), source.columns))
        cells = [cell.strip().removeprefix("\ufeff") for cell in _cells(line, best)]
        if best == "|" and line.strip().startswith("|"):
            return None  # a table of Markdown
        places = _places(cells, source.columns)
        named = any(name in source.columns for name in ("title", "abstract"))
        enough = _known(cells, source.columns) >= 2 or len(cells) == 1 or named
        short = all(len(cell) <= 60 for cell in cells)
        if ("title" in places or "abstract" in places) and enough and short:
            if len(cells) == 1 and re.search(r"[,;\t|]", line):
                return None
            if len(cells) == 1 and not source.name.casefold().removesuffix(".gz").endswith((".csv", ".tsv")):
                return None
            return number + _blank_before(source), best, cells
        if number >= 3 and not source.columns:
            return None
    return None


def _blank_before(source: Source) -> int:
    """Blank lines before the beginning of the text, which the head leaves out."""
    count = 0
    for line in source.lines():
        if line.strip():
            break
        count += 1
    return count


def _known(cells: Sequence[str], columns: Mapping[str, str]) -> int:
    mapped = {normal(each) for each in columns.values()}
    return sum(normal(cell) in _PAPER_FIELDS or normal(cell) in mapped for cell in cells)


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


def _places(header: Sequence[str], columns: Mapping[str, str]) -> dict[str, int]:
    """Where each of our fields stands: by the user's word, else by the surest name among the columns."""
    names = [normal(each) for each in header]
    places: dict[str, int] = {}
    for field, known in COLUMNS.items():
        wanted = (normal(columns[field]),) if field in columns else known
        if (place := next((names.index(name) for name in wanted if name in names), None)) is not None:
            places[field] = place
    return places


def _rows(source: Source, above: int, separator: str, width: int) -> Iterator[tuple[int, list[str] | str]]:
    """Line and cells of each record. Of one that spans lines and does not fit the header only the first line is lost."""
    csv.field_size_limit(_LONGEST_FIELD)
    lines = enumerate(source.lines(), 1)
    for _ in range(above):
        next(lines, None)
    waiting: list[tuple[int, str]] = []  # lines read but given back
    record: list[tuple[int, str]] = []  # lines of the record at hand

    def feed() -> Iterator[str]:
        while len(record) < _MOST_LINES:
            numbered = waiting.pop() if waiting else next(lines, None)
            if numbered is None:
                return
            record.append(numbered)
            yield numbered[1] + "\n"

    while True:
        record.clear()
        broken = ""
        try:
            row = next(csv.reader(feed(), delimiter=separator, skipinitialspace=separator != "\t"), None)
        except csv.Error as error:
            row, broken = [], "a field too long" if "limit" in str(error) else "broken CSV row"
        if row is None:
            return
        position = record[0][0]
        fits = len(row) in (width, width + 1) or (len(row) < width and len(record) == 1)
        whole = fits and len(record) < _MOST_LINES and not _swallowed([line for _, line in record], separator, width)
        if not broken and (len(record) == 1 or whole):
            yield position, row
            continue
        waiting.extend(reversed(record[1:]))
        yield position, broken or "a quote that is never closed"


def _swallowed(lines: Sequence[str], separator: str, width: int) -> bool:
    """Whether a record of several lines is one with an open quote and the next ones: badly quoted, and rows inside."""
    try:
        next(csv.reader([line + "\n" for line in lines], delimiter=separator, strict=True), None)
    except csv.Error:
        return any(len(_cells(line, separator)) == width for line in lines[1:])
    return False


def _entry(row: Sequence[str], places: Mapping[str, int], names: Sequence[str]) -> Entry:
    def cell(field: str) -> str:
        place = places.get(field)
        return words(row[place]) if place is not None and place < len(row) else ""

    fields = dict(
        zip(reversed(names), (words(each) for each in reversed([*row, *[""] * len(names)][: len(names)])), strict=False)
    )
    authors = cell("authors") or (fields.get("description", "") if "shortdetails" in fields else "")
    abstract = "" if "shortdetails" in fields else cell("abstract")  # PubMed's description is its authors
    url = cell("url")
    pubmed = [f"https://pubmed.ncbi.nlm.nih.gov{url.removeprefix('/pubmed')}/"] if url.startswith("/pubmed/") else []
    cited = re.search(r"doi: ?(10\.\S+)", fields.get("details", ""))
    return Entry(
        title=cell("title"),
        abstract=prose(abstract),
        authors=people(_AFFILIATED.sub("", authors)),
        year=year(cell("year"))
        or year(fields.get("date", ""))
        or year(cell("venue") if "shortdetails" in fields else ""),
        venue=re.sub(r"\.\s+\d{4}.*$", "", cell("venue")) if "shortdetails" in fields else cell("venue"),
        url=pubmed[0] if pubmed else next((each for each in url.split() if "://" in each), ""),
        own_id=cell(MAPPED_ID),
        known_as=[*known_as(fields), *([cited[1]] if cited else [])],
    )
