"""What people call the fields of a paper, in the headers of tables and the keys of objects."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from vectorstore.readers.fields import words

MAPPED_ID = "id"

# By our name: names of others as ``normal`` writes them, the surest first.
COLUMNS: dict[str, tuple[str, ...]] = {
    "title": ("title", "documenttitle", "articletitle", "papertitle", "文献标题", "标题", "論文名", "タイトル", "文献タイトル", "题名",
              "titulo", "titre", "titel", "titolo", "papername", "paper", "publicationtitle1", "ti", "name", "headline", "primarytitle"),
    "abstract": ("abstract", "abstractnote", "摘要", "抄録", "要約", "summary", "abstracttext", "paperabstract", "resumen", "resume",
                 "resumo", "zusammenfassung", "ab", "text", "description", "tldr", "content"),
    "authors": ("authorfullnames", "fullauthornames", "authors", "author", "authorsname", "authornames", "作者", "著者", "著者名",
                "autores", "auteurs", "autoren", "autori", "af", "au", "creators", "creator", "authorstring"),
    "year": ("year", "publicationyear", "pubyear", "年份", "年", "出版年", "ano", "annee", "jahr", "anno", "py", "date", "publicationdate",
             "published", "pubdate", "dateofpublication", "publishdate", "createdate", "publishtime", "publisheddate", "dp"),
    "venue": ("venue", "sourcetitle", "publicationtitle", "journal", "journalbook", "journaltitle", "booktitle", "conference",
              "conferencename", "来源出版物名称", "期刊", "出版物名", "source", "containertitle", "titulodelafuente", "so", "publication", "shortdetails",
              "details", "journalname", "publisher"),
    "url": ("url", "link", "链接", "リンク", "paperurl", "pdflink", "links", "ur", "articleurl", "externalurl", "dimensionsurl", "urlpaper", "pdf"),
    "id": (),
}  # fmt: skip
_IDS = {"doi": "", "pmid": "pmid:", "pubmedid": "pmid:", "entrezuid": "pmid:", "arxiv": "arxiv:", "arxivid": "arxiv:", "di": "",
        "digitalobjectidentifier": "", "pm": "pmid:", "aclid": "acl:", "openreviewid": "openreview:", "s2id": "s2:", "doilink": "",
        "medlinepmid": "pmid:", "bookdoi": "", "doiurl": ""}  # fmt: skip


@lru_cache(maxsize=4096)
def normal(name: str) -> str:
    """A field's name without case, accents and marks: "Author(s)" is "authors", "Résumé" is "resume"."""
    text = unicodedata.normalize("NFKD", name).casefold()
    bare = "".join(each for each in text if not unicodedata.combining(each) or ord(each) > 0x3000)
    return unicodedata.normalize("NFC", re.sub(r"[\W_]+", "", bare))


def known_as(fields: Mapping[str, Any]) -> list[str]:
    """The ids of the world in fields by normal name, and the addresses, which may tell more."""
    nested = fields.get("identifiers") or fields.get("externalids")
    if isinstance(nested, dict):
        fields = {**{normal(str(name)): value for name, value in nested.items()}, **fields}
    found = [scheme + words(fields[name]) for name, scheme in _IDS.items() if name in fields and words(fields[name])]
    return found + [words(fields[name]) for name in COLUMNS["url"] if isinstance(fields.get(name), str)]
