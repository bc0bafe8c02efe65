"""PubMed's efetch answer: articles and chapters of books."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from vectorstore.readers.elements.parts import child, children, said, text
from vectorstore.readers.entry import Entry
from vectorstore.readers.fields import natural, prose, year

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

NAME = "PubMed XML"
ROOT = r"<(?:PubmedArticleSet|PubmedArticle|PubmedBookArticle|MedlineCitationSet)\b"
RECORDS = ("PubmedArticle", "PubmedBookArticle")


def entry(element: Element, parents: list[Element]) -> Entry | str | None:
    """An article, or a book or chapter."""
    record, data = child(element, "MedlineCitation"), child(element, "PubmedData")
    article = child(record, "Article")
    if article is None:
        record, data = child(element, "BookDocument"), child(element, "PubmedBookData")
        article = record
    book = child(record, "Book")
    title = said(article, "ArticleTitle") or said(book, "BookTitle") or said(article, "VernacularTitle")
    abstract = child(article, "Abstract") or child(record, "OtherAbstract") if article is not None else None
    return Entry(
        title=re.sub(r"^\[(.*)\](\.?)$", r"\1\2", title),
        abstract=_abstract(abstract),
        authors=tuple(_authors(article)) or tuple(_authors(book)),
        year=_year(child(article, "Journal", "JournalIssue", "PubDate"))
        or _year(child(book, "PubDate"))
        or _year(child(article, "ArticleDate")),
        venue=said(article, "Journal", "Title")
        or said(record, "MedlineJournalInfo", "MedlineTA")
        or (said(book, "BookTitle") if said(article, "ArticleTitle") else said(book, "Publisher", "PublisherName")),
        known_as=[f"pmid:{said(record, 'PMID')}", *_dois(article, data, record)],
    )


def _abstract(element: Element | None) -> str:
    """The parts of an abstract, each behind its label."""
    parts = []
    for each in children(element, "AbstractText"):
        label, words = each.get("Label", ""), text(each)
        if words:
            parts.append(f"{label}: {words}" if label and label.upper() not in ("UNLABELLED", "ABSTRACT") else words)
    return prose(" ".join(parts))


def _authors(element: Element | None) -> Iterator[str]:
    for author in children(child(element, "AuthorList"), "Author"):
        family, given = said(author, "LastName"), said(author, "ForeName") or said(author, "Initials")
        if name := natural(f"{given} {family} {said(author, 'Suffix')}".strip() or said(author, "CollectiveName")):
            yield name


def _year(date: Element | None) -> int | None:
    return year(said(date, "Year")) or year(said(date, "MedlineDate"))


def _dois(article: Element | None, data: Element | None, record: Element | None) -> Iterator[str]:
    for source in (data, record):
        for each in children(child(source, "ArticleIdList"), "ArticleId"):
            if each.get("IdType") == "doi":
                yield text(each)
    for each in children(article, "ELocationID"):
        if each.get("EIdType") == "doi":
            yield text(each)
