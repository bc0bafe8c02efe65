"""The keyword index: BM25 (Robertson and Zaragoza 2009) over titles, names and abstracts, kept by tantivy.

It is derived from the papers in Chroma and can be rebuilt from them at any time.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vectorstore.filters import Filters
from vectorstore.spelling import american

if TYPE_CHECKING:
    import tantivy


@dataclass(frozen=True, slots=True)
class Entry:
    """What is indexed of a paper; ``text`` is all that is said of it, as plain text.

    It is one field on purpose: scores of several add up, so that papers with a title, among papers without, would win for having one.
    """

    id: str
    text: str
    authors: tuple[str, ...] = ()
    year: int = -1
    venue: str = ""
    source: str = ""


def terms(text: str) -> list[str]:
    """The index terms of a text, in order: lower case, accents folded, stop words dropped, one spelling, English stems."""
    analyzed: list[str] = _analyzer().analyze(american(text.casefold()))
    return analyzed


class KeywordIndex:
    """A folder with a tantivy index. One process writes; any number read, and see new entries after ``reload``."""

    def __init__(self, folder: Path) -> None:
        import tantivy

        folder.mkdir(parents=True, exist_ok=True)
        schema = tantivy.SchemaBuilder().add_text_field("id", stored=True, tokenizer_name="raw")
        schema = schema.add_text_field("text", tokenizer_name="terms", index_option="freq")
        schema = schema.add_text_field("authors", tokenizer_name="people", index_option="position")
        schema = schema.add_integer_field("year", indexed=True)
        for field in ("venue", "source"):
            schema = schema.add_text_field(field, tokenizer_name="raw", fast=True)
        self._schema = schema.build()
        self._index = tantivy.Index(self._schema, path=str(folder))
        self._index.register_tokenizer("terms", _analyzer())
        self._index.register_tokenizer("people", _people())

    def __len__(self) -> int:
        return int(self._index.searcher().num_docs)

    def reload(self) -> None:
        """See what another process wrote since."""
        self._index.reload()

    def write(self, entries: Sequence[Entry], remove: Collection[str] = ()) -> None:
        """Add the entries, each in place of an older one with its id, and take out ``remove``. All or nothing."""
        import tantivy

        with self._index.writer(heap_size=64_000_000, num_threads=1) as writer:
            for id in (*remove, *(entry.id for entry in entries)):
                writer.delete_documents_by_term("id", id)
            for entry in entries:
                writer.add_document(
                    tantivy.Document(
                        id=entry.id,
                        text=american(entry.text.casefold()),
                        authors=list(entry.authors),
                        year=entry.year,
                        venue=entry.venue,
                        source=entry.source,
                    )
                )
        self._index.reload()

    def clear(self) -> None:
        """Take out every entry."""
        with self._index.writer(heap_size=16_000_000, num_threads=1) as writer:
            writer.delete_all_documents()
        self._index.reload()

    def search(
        self, query: str, limit: int, within: Collection[str] | None = None, filters: Filters | None = None
    ) -> dict[str, float]:
        """The best papers for the query: id to BM25 score, best first, only positive scores."""
        import tantivy

        words = set(terms(query))
        if not words or limit < 1:
            return {}
        wanted = tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, self._term("text", word)) for word in sorted(words)]
        )
        if within is not None:
            wanted = self._only(tantivy.Query.term_set_query(self._schema, "id", list(within)), wanted)
        if filters:
            wanted = self._only(self._passing(filters), wanted)
        searcher = self._index.searcher()
        hits = searcher.search(wanted, limit, count=False).hits
        return {str(searcher.doc(address)["id"][0]): float(score) for score, address in hits if score > 0}

    def passing(self, filters: Filters, limit: int) -> list[str]:
        """Ids of papers that pass the filters, at most ``limit``."""
        searcher = self._index.searcher()
        hits = searcher.search(self._passing(filters), limit, count=False).hits
        return [str(searcher.doc(address)["id"][0]) for _, address in hits]

    def count(self, filters: Filters) -> int:
        """How many papers pass the filters."""
        found: Any = self._index.searcher().search(self._passing(filters), 1, count=True)
        return int(found.count)

    def values(self, field: str, part: str = "") -> list[str]:
        """The venues, or the sources, whose name contains ``part`` whatever its case; the commonest first."""
        import tantivy

        buckets = self._index.searcher().aggregate(
            tantivy.Query.all_query(), {"values": {"terms": {"field": field, "size": 65_000}}}
        )["values"]["buckets"]
        return [str(each["key"]) for each in buckets if each["key"] and part.casefold() in str(each["key"]).casefold()]

    def document_frequency(self, word: str) -> int:
        """In how many papers an index term occurs."""
        return int(self._index.searcher().doc_freq("text", word))

    def _passing(self, filters: Filters) -> Any:
        import tantivy

        must = [tantivy.Query.all_query()]
        if filters.year_from is not None or filters.year_to is not None:
            low, high = max(0, filters.year_from or 0), 9999 if filters.year_to is None else filters.year_to
            must.append(tantivy.Query.range_query(self._schema, "year", tantivy.FieldType.Integer, low, high))
        for field, part in (("venue", filters.venue), ("source", filters.source)):
            if part is not None:
                must.append(tantivy.Query.term_set_query(self._schema, field, self.values(field, part)))
        if filters.author is not None:
            words = _people().analyze(filters.author)
            must += [tantivy.Query.term_query(self._schema, "authors", word) for word in words]
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, each) for each in must])

    @staticmethod
    def _only(condition: Any, wanted: Any) -> Any:
        """``wanted`` where the condition holds, which adds nothing to the score."""
        import tantivy

        scoreless = tantivy.Query.const_score_query(condition, 0.0)
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, scoreless), (tantivy.Occur.Must, wanted)])

    def _term(self, field: str, word: str) -> Any:
        import tantivy

        return tantivy.Query.term_query(self._schema, field, word, "freq")


@lru_cache(maxsize=1)
def _analyzer() -> tantivy.TextAnalyzer:
    import tantivy

    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for each in (
        tantivy.Filter.remove_long(80),
        tantivy.Filter.lowercase(),
        tantivy.Filter.ascii_fold(),
        tantivy.Filter.stopword("english"),
        tantivy.Filter.stemmer("english"),
    ):
        builder = builder.filter(each)
    return builder.build()


@lru_cache(maxsize=1)
def _people() -> tantivy.TextAnalyzer:
    """Names of persons: folded, but neither stemmed nor stopped."""
    import tantivy

    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    return builder.filter(tantivy.Filter.lowercase()).filter(tantivy.Filter.ascii_fold()).build()
