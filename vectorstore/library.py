"""A library: an indexed collection of papers on disk. This file is the whole journey of indexing and of searching.

Chroma is the one source of truth: every paper, its metadata and its vector. The keyword index and the token vectors
beside it are derived from Chroma, batch by batch, and made again from it where they are missing.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vectorstore.encoder import BUNDLED, AskedText, Encoder, Vectors
from vectorstore.errors import LibraryBusy, LibraryMismatch, LibraryMissing, LibraryUnusable, UnknownPaper
from vectorstore.evidence import Evidence, gather
from vectorstore.filters import Filters
from vectorstore.foreign import ForeignQuestions, is_foreign
from vectorstore.journal import Journal, LeftOut, replace_text
from vectorstore.keywords import Entry, KeywordIndex, terms
from vectorstore.labels import fold_name, names
from vectorstore.nearness import Nearness, nearness
from vectorstore.paper import Hit, Origin, Paper, Skipped
from vectorstore.readers.identity import AGAIN, ANOTHER_VERSION, Identities, fingerprint_of, rank, renewed
from vectorstore.reranker import READ, Reranker
from vectorstore.scorer import Scorer
from vectorstore.sentences import sentences
from vectorstore.spelling import corrected
from vectorstore.text import plain
from vectorstore.tokens import Row, TokenStore

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection as ChromaCollection

log = logging.getLogger(__name__)

SCHEMA = 2  # of what is stored; a library of another schema is refused
COLLECTION = "papers"
BATCH = 256  # papers encoded and kept together: what a crash costs at most
FEW = 300  # papers that all get a closer look when filters leave no more
CANDIDATES = 80  # papers that each voice, dense and BM25, puts forward
PAGE = 2000  # records asked of Chroma at once
JOURNAL = "journal.json"
PARTS = {
    "chroma": "papers and vectors",
    "keywords-": "keyword index",
    "tokens-": "token vectors",
}  # by what they are called
GRACE = 5.0  # seconds in which other processes end the search they are in, before its files go


@dataclass(frozen=True, slots=True)
class SyncReport:
    """How far an index run has come: counts of papers, and of the records left out with their reasons and the first few."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    skipped: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)
    examples: tuple[Skipped, ...] = ()

    @property
    def read(self) -> int:
        """Records read so far."""
        return self.added + self.updated + self.unchanged + self.skipped


@dataclass(frozen=True, slots=True)
class Stats:
    """What a library holds: papers by source, venue and year (missing ones under ""), encoder, bytes on disk by part.

    ``with_authors`` counts the papers that name any; ``skipped`` counts the records left out of each source by reason; ``indexed`` is when the last run ended (ISO 8601,
    "" for never).
    """

    papers: int
    sources: dict[str, int]
    venues: dict[str, int]
    years: dict[str, int]
    with_authors: int
    encoder: str
    dimension: int
    bytes_by_part: dict[str, int]
    skipped: Mapping[str, Mapping[str, int]]
    indexed: str

    @property
    def bytes_on_disk(self) -> int:
        """Bytes of all parts together."""
        return sum(self.bytes_by_part.values())


class Library:
    """Papers on disk with everything that finds them. Open one with ``Library.open`` or ``Library.create``."""

    def __init__(self, folder: Path, client: Client, collection: ChromaCollection) -> None:
        self._folder = folder
        self._digest: tuple[str, str] | None = None  # the stamp at which it was taken, and the fingerprint
        self._counted: tuple[str, list[Counter[str]]] | None = None  # likewise, what ``stats`` counts
        self._guard = threading.RLock()
        self.reranker: Reranker | None = None  # a cross-encoder as a further voice
        self._seen_stamp = self._stamp()
        self._attach(client, collection)

    def _attach(self, client: Client, collection: ChromaCollection) -> None:
        """Work with this collection and with what is derived from it."""
        self._client = client
        self._collection = collection
        made = collection.metadata or {}
        self.encoder_name = str(made["encoder"])
        self.dimension = int(made["dimension"])
        place = _place(self._folder)
        self._keywords = KeywordIndex(place / f"keywords-{SCHEMA}")
        self._tokens = TokenStore(place / f"tokens-{SCHEMA}.sqlite", self.encoder_name, self.dimension)
        if "encoder" in self.__dict__ and self.encoder.name != self.encoder_name:
            del self.__dict__["encoder"]  # it was rebuilt with another one, which is loaded when first asked for

    @classmethod
    def open(cls, folder: Path, encoder: str | None = BUNDLED) -> Library:
        """The library in ``folder``; LibraryMissing where there is none, LibraryMismatch where made otherwise.

        With None for the encoder, whichever it was made with.
        """
        place = _place(folder)
        if not (place / "chroma" / "chroma.sqlite3").is_file():
            raise LibraryMissing(f"There is no library in {folder}. Run `paperchat index PATH` with your papers first.")
        client = _client(place)
        try:
            collection = client.get_collection(COLLECTION, embedding_function=None)
            cls._check(folder, collection.metadata or {}, encoder)
        except _not_found() as error:
            client.close()
            raise LibraryMissing(
                f"The library in {folder} is empty. Run `paperchat index PATH` with your papers."
            ) from error
        except LibraryMismatch:
            client.close()
            raise
        return cls(folder, client, collection)

    @staticmethod
    def _check(folder: Path, made: Mapping[str, Any], encoder: str | None) -> None:
        """Raise LibraryMismatch, naming both and the remedy, where the library was made otherwise."""
        if made.get("schema") != SCHEMA:
            raise LibraryMismatch(
                f"The library in {folder} was made by another version of paperchat (schema {made.get('schema')}, "
                f"this one reads {SCHEMA}). Index your papers into a new folder with `--library`."
            )
        if encoder is not None and made.get("encoder") != encoder:
            raise LibraryMismatch(
                f"The library in {folder} was made with the encoder {made.get('encoder')}, but {encoder} is "
                f"configured. Set PAPERCHAT_ENCODER={made.get('encoder')}, or change the library over with "
                "`paperchat index --rebuild`."
            )

    @classmethod
    def create(cls, folder: Path, encoder: str = BUNDLED) -> Library:
        """The library in ``folder``, made new where there is none."""
        try:
            return cls.open(folder, encoder)
        except LibraryMissing:
            pass
        loaded = Encoder(encoder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / ".writable"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise LibraryUnusable(
                f"Cannot write to {folder}: {error.strerror}. Choose another folder with `--library`."
            ) from error
        client = _client(_place(folder))
        collection = client.get_or_create_collection(
            COLLECTION,
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine"}},
            metadata={"encoder": encoder, "dimension": loaded.dimension, "schema": SCHEMA},
        )
        library = cls(folder, client, collection)
        library.__dict__["encoder"] = loaded  # spare the cached property a second loading
        return library

    def close(self) -> None:
        """Let go of the files."""
        with self._guard:
            self._let_go()

    def _let_go(self) -> None:
        self._client.close()
        self._tokens.close()

    @property
    def chroma_collection(self) -> ChromaCollection:
        """The Chroma collection itself, for programs that read it by other means."""
        return self._collection

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder the library was made with, loaded when first asked for."""
        return Encoder(self.encoder_name)

    @cached_property
    def scorer(self) -> Scorer:
        """What turns evidence into relevance."""
        return Scorer.bundled()

    @cached_property
    def _foreign(self) -> ForeignQuestions:
        return ForeignQuestions()

    # ---- indexing

    def sync(self, records: Iterable[Paper | Skipped], prune: Collection[Path] = ()) -> Iterator[SyncReport]:
        """Bring the library up to date with the records, and tell how far it has come after each batch.

        New and changed papers are encoded and kept; what is there already costs a look-up. At the end, papers that came
        from a file at or below a path of ``prune`` and are not among the records are removed; the papers of a file that
        gave nothing but skipped records stay, for it was not understood. The last report is the total. Stopped at any
        moment, what was kept stays and the next run goes on. Raises LibraryBusy while another process writes.
        """
        scope = [_absolute(Origin(str(path), 1)) for path in prune]
        return self._bring(records, lambda origin: any(_below(_absolute(origin), path) for path in scope))

    def rebuild(self, encoder: str) -> Iterator[SyncReport]:
        """Make everything anew with this encoder, beside what there is, and change over to it at the end.

        Reports as ``sync`` does. Stopped before the end, the old one goes on serving and the next rebuild goes on.
        """
        with self._writing():
            new = self._folder / f"rebuilt-{_number(_place(self._folder)) + 1}"
            try:
                fresh = Library.create(new, encoder)
            except LibraryMismatch:  # left by a rebuild with yet another encoder
                shutil.rmtree(new)
                fresh = Library.create(new, encoder)
            try:
                yield from fresh._bring((paper for page in self._pages() for paper in page), lambda _: True)
                loaded = fresh.encoder
            finally:
                fresh.close()
            replace_text(self._folder / "current", new.name)
            with self._guard:
                self._mark_changed()
                self._let_go()
                self.__dict__["encoder"] = loaded
                self._attach(*_opened(new))
            time.sleep(GRACE)
            self._sweep()

    def remove(self, ids: Sequence[str]) -> list[Paper]:
        """Take papers out and give them back. Raises UnknownPaper, and removes nothing, where an id is not there."""
        with self._writing():
            self._finish_interrupted()
            papers = self.get(ids)
            there = {paper.id for paper in papers}
            if unknown := [paper_id for paper_id in ids if paper_id not in there]:
                raise UnknownPaper(f"There is no paper {unknown[0]} in the library. `paperchat search` shows ids.")
            self._drop([paper.id for paper in papers])
        return papers

    def read_from(self, source: str) -> list[str]:
        """Ids of the papers read from a file, given as it was named or by its path, or from files below a folder."""
        path = _absolute(Origin(source, 1))
        with self._reading():
            return [
                paper_id
                for paper_id, (_, origin) in self._held()[1].items()
                if origin.file == source or _below(_absolute(origin), path)
            ]

    def _bring(self, records: Iterable[Paper | Skipped], to_prune: Callable[[Origin], bool]) -> Iterator[SyncReport]:
        with self._writing():
            known, held = self._finish_interrupted()
            counts, left_out = Counter[str](), LeftOut()
            seen, gave_papers = dict[str, int](), dict[str, bool]()
            new, moved = dict[str, Paper](), list[Paper]()

            def report() -> SyncReport:
                skipped = left_out.reasons.total()
                return SyncReport(
                    **counts, skipped=skipped, reasons=dict(left_out.reasons), examples=tuple(left_out.examples)
                )

            for number, record in enumerate(records, 1):
                if number % BATCH == 0:
                    yield report()
                gave_papers[record.origin.file] = isinstance(record, Paper) or gave_papers.get(
                    record.origin.file, False
                )
                if isinstance(record, Skipped):
                    left_out.add(record)
                    continue
                paper = known.placed(record)
                before, seen[paper.id] = seen.get(paper.id), max(seen.get(paper.id, -1), rank(paper))
                if paper.id not in known:
                    counts["added"] += 1
                else:
                    changed = not known.heard(paper)
                    if before is not None:
                        left_out.add(Skipped(record.origin, ANOTHER_VERSION if changed else AGAIN))
                    elif changed:
                        counts["updated"] += 1
                    else:
                        counts["unchanged"] += 1
                        if known.of_one_record(paper.id) and held[paper.id][1] != paper.origin:
                            moved.append(paper)
                    if not changed:
                        continue
                    paper = renewed(new.get(paper.id) or self.get([paper.id])[0], paper, before)
                known.add(paper)
                new[paper.id] = paper
                if len(new) == BATCH:
                    self._keep(list(new.values()))
                    new = {}
                    yield report()
                if len(moved) == PAGE:
                    self._move(moved)
                    moved = []
            self._keep(list(new.values()))
            self._move(moved)
            not_understood = {file for file, gave in gave_papers.items() if not gave}
            gone = [
                paper_id
                for paper_id, (_, origin) in held.items()
                if paper_id not in seen and origin.file not in not_understood and to_prune(origin)
            ]
            self._drop(gone)
            counts["removed"] = len(gone)
            self._note([*gave_papers], to_prune, left_out)
            yield report()

    def _keep(self, papers: Sequence[Paper]) -> None:
        """Encode papers and write them: to Chroma first, to what is derived from it after, the token rows last.

        A paper is finished when its token row bears its fingerprint; anything less is done again by the next run.
        """
        if not papers:
            return
        spans = [sentences(paper.abstract) for paper in papers]
        texts = [
            ([plain(paper.title)] if paper.title else []) + [plain(paper.abstract[start:end]) for start, end in own]
            for paper, own in zip(papers, spans, strict=True)
        ]
        encoded = self.encoder.documents(texts)
        called = [names(paper.abstract, paper.title) for paper in papers]
        limit = self._client.get_max_batch_size()
        for at in range(0, len(papers), limit):
            some = papers[at : at + limit]
            self._collection.upsert(
                ids=[paper.id for paper in some],
                embeddings=np.stack([each.whole for each in encoded[at : at + limit]]),
                documents=[paper.abstract for paper in some],
                metadatas=[_metadata(paper) for paper in some],
            )
        self._keywords.write([_entry(*each) for each in zip(papers, called, strict=True)])
        self._tokens.write(
            Row(
                paper.id,
                fingerprint_of(paper),
                tuple(fold_name(name) for name in own_names),
                tuple(terms(" ".join((*own_names, *text)))),
                own_spans,
                seen,
            )
            for paper, own_names, text, own_spans, seen in zip(papers, called, texts, spans, encoded, strict=True)
        )
        self._mark_changed()

    def _move(self, papers: Sequence[Paper]) -> None:
        """Note that papers are to be found at another place now. In Chroma last, so that a killed run does it again."""
        if not papers:
            return
        self._keywords.write([_entry(paper, names(paper.abstract, paper.title)) for paper in papers])
        limit = self._client.get_max_batch_size()
        for at in range(0, len(papers), limit):
            some = papers[at : at + limit]
            self._collection.update(ids=[paper.id for paper in some], metadatas=[_metadata(paper) for paper in some])
        self._mark_changed()

    def _note(self, read: Collection[str], to_prune: Callable[[Origin], bool], left_out: LeftOut) -> None:
        """Keep what the run left out of the sources it read, and forget what was said of those that are gone."""
        journal = Journal.read(self._folder / JOURNAL)
        gone = [source for source in journal.skipped if to_prune(Origin(source, 1))]
        now = datetime.now(UTC).isoformat(timespec="seconds")
        journal.after(now, {*read, *gone}, left_out).write(self._folder / JOURNAL)

    def _drop(self, ids: Sequence[str]) -> None:
        """Take papers out: of Chroma first, of what is derived from it after, the token rows last."""
        for at in range(0, len(ids), PAGE):
            some = ids[at : at + PAGE]
            self._collection.delete(ids=list(some))
            self._forget(some)
            self._mark_changed()

    def _forget(self, ids: Sequence[str]) -> None:
        self._keywords.write([], remove=ids)
        self._tokens.write([], remove=ids)

    def _finish_interrupted(self) -> tuple[Identities, dict[str, tuple[str, Origin]]]:
        """Do again what a killed run left half done, remake what is derived where it is missing; gives what is held."""
        finished = self._tokens.fingerprints()
        known, held = self._held()
        half_done = [paper_id for paper_id, (fingerprint, _) in held.items() if finished.get(paper_id) != fingerprint]
        for at in range(0, len(half_done), BATCH):
            self._keep(self.get(half_done[at : at + BATCH]))
        gone = [paper_id for paper_id in finished if paper_id not in held]
        if gone:
            self._forget(gone)
        if len(self._keywords) != len(held):
            self._keywords.clear()
            for page in self._pages():
                self._keywords.write([_entry(paper, names(paper.abstract, paper.title)) for paper in page])
        return known, held

    def _held(self) -> tuple[Identities, dict[str, tuple[str, Origin]]]:
        """What tells which papers of the library the records to come are; fingerprint and origin of every paper."""
        known, held = Identities(), dict[str, tuple[str, Origin]]()
        for at in range(0, self._collection.count(), PAGE):
            page = self._collection.get(limit=PAGE, offset=at, include=["metadatas"])
            for paper_id, about in zip(page["ids"], page["metadatas"] or [], strict=True):
                fingerprint = str(about["fingerprint"])
                known.add(_paper(paper_id, "", about), fingerprint)
                held[paper_id] = (fingerprint, _origin(about))
        return known, held

    def _pages(self) -> Iterator[list[Paper]]:
        """All papers, a page at a time."""
        for at in range(0, self._collection.count(), PAGE):
            yield self.get(self._collection.get(limit=PAGE, offset=at, include=[])["ids"])

    def _sweep(self) -> None:
        """Delete what a rebuild has replaced."""
        number = _number(_place(self._folder))
        replaced = [folder for folder in self._folder.glob("rebuilt-*") if _number(folder) < number]
        for path in [*replaced, *(_parts(self._folder) if number else [])]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    # ---- asking

    def search(
        self,
        query: str,
        limit: int = 10,
        within: Collection[str] | None = None,
        filters: Filters | None = None,
    ) -> list[Hit]:
        """At most ``limit`` papers that answer the query, most relevant first.

        Only those of ``within`` if given, and only those that pass the filters.
        """
        with self._reading():
            evidence = self._evidence(query, within, filters or Filters())
            relevance = self.scorer.probability(evidence.rows)
            best = np.argsort(-relevance, kind="stable")[: max(limit, READ if self.reranker else 0)]
            found = {paper.id: paper for paper in self.get([evidence.ids[n] for n in best])}
        if self.reranker is not None:
            first = np.array([n for n in best[:READ] if evidence.ids[n] in found], np.intp)
            texts = [plain(f"{found[evidence.ids[n]].title or ''} {found[evidence.ids[n]].abstract}") for n in first]
            relevance[first] = self.reranker.relevance(self.understood(query), texts, relevance[first])
            best = best[np.argsort(-relevance[best], kind="stable")][:limit]
        return [
            Hit(found[evidence.ids[n]], float(relevance[n]), evidence.passages(int(n)))
            for n in best
            if evidence.ids[n] in found
        ]

    def understood(self, query: str) -> str:
        """The query as it is searched for: reading text, in English, with its typing errors put right."""
        text = plain(query)
        if is_foreign(text):
            return self._foreign.english(text) or text
        return corrected(text, self._is_word, self._foreign.words)

    def _is_word(self, word: str) -> bool:
        stems = terms(word)
        return not stems or self._rarity(stems[0]) < 1 or self.encoder.knows(word) or self.encoder.knows(stems[0])

    def similar(self, paper_id: str, limit: int = 10) -> list[Hit]:
        """The papers nearest to a paper, without itself; ``relevance`` is the cosine of the two whole vectors.

        Raises UnknownPaper for an id that is not in the library.
        """
        with self._reading():
            found = self._collection.get(ids=[paper_id], include=["embeddings"])["embeddings"]
            if found is None or not len(found):
                raise UnknownPaper(f"There is no paper {paper_id} in the library. `paperchat search` shows ids.")
            nearest = self._collection.query(
                query_embeddings=np.asarray(found, np.float32),
                n_results=min(limit + 1, self._collection.count()),
                include=["distances"],
            )
            distances = dict(zip(nearest["ids"][0], (nearest["distances"] or [[]])[0], strict=True))
            distances.pop(paper_id, None)
            papers = self.get(list(distances)[:limit])
        return [Hit(paper, max(0.0, 1 - float(distances[paper.id])), ()) for paper in papers]

    def evidence(self, query: str, within: Collection[str] | None = None) -> Evidence:
        """What speaks for each candidate, before it is scored: to train and to measure the scorer."""
        with self._reading():
            return self._evidence(query, within, Filters())

    def nearness(self, statements: Sequence[str], ids: Sequence[str]) -> dict[str, list[Nearness]]:
        """By paper id, how near each statement is to the sentences of its abstract. Papers not here are left out."""
        with self._reading():
            encoded = self.encoder.documents([[statement] for statement in statements])
            asked = [self._tokens.question(AskedText(each.whole, each.tokens, ())) for each in encoded]
            return {paper_id: nearness(asked, text) for paper_id, text in self._tokens.read(ids).items()}

    def _evidence(self, query: str, within: Collection[str] | None, filters: Filters) -> Evidence:
        text = self.understood(query)
        asked = self.encoder.question(text)
        ids = self._candidates(text, asked.whole, within, filters)
        keyword_scores = self._keywords.search(text, len(ids), within=ids) if ids else {}
        return gather(text, self._tokens.question(asked), self._tokens.read(ids), keyword_scores, self._rarity)

    def _candidates(self, query: str, vector: Vectors, within: Collection[str] | None, filters: Filters) -> list[str]:
        """The papers worth a closer look: the nearest by vector and the best by BM25."""
        count = len(self._keywords)
        if within is not None:
            return list(dict.fromkeys(within))
        if filters:
            passing = self._keywords.passing(filters, FEW + 1)
            if len(passing) <= FEW:
                return passing
        if not count:
            return []
        nearest = self._collection.query(
            query_embeddings=vector[np.newaxis],
            n_results=min(CANDIDATES, count),
            where=self._where(filters),
            include=[],
        )["ids"][0]
        if filters.author is not None:  # no condition that Chroma can check
            passing = self._keywords.passing(filters, count)
            nearest = [paper_id for paper_id in nearest if paper_id in set(passing)]
        return list(dict.fromkeys([*nearest, *self._keywords.search(query, CANDIDATES, filters=filters)]))

    def _where(self, filters: Filters) -> dict[str, Any] | None:
        """The filters as Chroma takes them. An author is none of its kinds: the few papers of one are found by keyword."""
        conditions: list[dict[str, Any]] = []
        if filters.year_from is not None:
            conditions.append({"year": {"$gte": filters.year_from}})
        if filters.year_to is not None:
            conditions += [{"year": {"$lte": filters.year_to}}, {"year": {"$gte": 0}}]
        if filters.venue is not None:
            conditions.append({"venue": {"$in": self._keywords.values("venue", filters.venue)}})
        if filters.source is not None:
            conditions.append({"file": {"$in": self._keywords.values("source", filters.source)}})
        return None if not conditions else conditions[0] if len(conditions) == 1 else {"$and": conditions}

    def count(self, filters: Filters | None = None) -> int:
        """How many papers there are, or how many pass the filters."""
        with self._reading():
            return self._keywords.count(filters) if filters else int(self._collection.count())

    def _rarity(self, word: str) -> float:
        """Inverse document frequency of an index term: 0 (in every paper) to 1 (in none)."""
        papers = len(self._keywords)
        if not papers:
            return 1.0
        return float(np.log((papers + 1) / (self._keywords.document_frequency(word) + 1)) / np.log(papers + 1))

    def loosen(self, filters: Filters) -> str:
        """What to say when filters leave no paper: which one of them to loosen."""
        said = filters.named()
        freed = [words for name, words in said.items() if self.count(filters.without(name))]
        if len(said) > 1 and freed:
            return f"No paper passes all of {', '.join(said.values())}. Without {' or without '.join(freed)} there are some."
        return f"No paper passes {', '.join(said.values())}."

    def get(self, ids: Sequence[str]) -> list[Paper]:
        """The papers with these ids, in this order; unknown ids are left out."""
        if not ids:
            return []
        found = self._collection.get(ids=list(dict.fromkeys(ids)), include=["metadatas", "documents"])
        papers = {
            paper_id: _paper(paper_id, document or "", about)
            for paper_id, document, about in zip(
                found["ids"], found["documents"] or [], found["metadatas"] or [], strict=True
            )
        }
        return [papers[paper_id] for paper_id in ids if paper_id in papers]

    def some(self, limit: int) -> list[Paper]:
        """A few papers, for examples; the same ones each time."""
        with self._reading():
            return self.get(self._collection.get(limit=limit, include=[])["ids"])

    @property
    def fingerprint(self) -> str:
        """Tells one content from another: the same for the same papers under the same encoder, in whatever order read."""
        with self._reading():
            if self._digest is None or self._digest[0] != self._seen_stamp:
                kept = sorted(self._tokens.fingerprints().items())
                said = json.dumps([SCHEMA, self.encoder_name, kept]).encode()
                self._digest = self._seen_stamp, hashlib.sha256(said).hexdigest()[:16]
            return self._digest[1]

    def stats(self) -> Stats:
        """Counts by source, venue and year."""
        with self._reading():
            papers = self._collection.count()
            if self._counted is None or self._counted[0] != self._seen_stamp:
                self._counted = self._seen_stamp, self._count(papers)
            sources, venues, years, authors = self._counted[1]
        sizes = Counter[str]()
        for path in self._folder.rglob("*"):
            try:
                size = path.stat().st_size if path.is_file() else 0
            except FileNotFoundError:  # another process writes
                continue
            part = next((part for name, part in PARTS.items() if name in str(path.relative_to(self._folder))), "other")
            sizes[part] += size
        journal = Journal.read(self._folder / JOURNAL)
        return Stats(
            papers,
            dict(sources),
            dict(venues),
            dict(years),
            papers - authors["[]"],
            self.encoder_name,
            self.dimension,
            dict(sizes),
            journal.skipped,
            journal.indexed,
        )

    def _count(self, papers: int) -> list[Counter[str]]:
        """Papers by source, by venue, by year, and those without authors under "[]"."""
        sources, venues, years, authors = counts = [Counter[str]() for _ in range(4)]
        for at in range(0, papers, PAGE):
            for about in self._collection.get(limit=PAGE, offset=at, include=["metadatas"])["metadatas"] or []:
                sources[str(about["file"])] += 1
                venues[str(about["venue"])] += 1
                years[str(about["year"]) if int(about["year"]) >= 0 else ""] += 1  # type: ignore[arg-type]
                authors["[]"] += about["authors"] == "[]"
        return counts

    # ---- one writer, many readers

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the library's write lock; its holder's process number stands in the file ``writer``."""
        from filelock import FileLock, Timeout

        lock = FileLock(self._folder / "lock")
        holder = self._folder / "writer"
        try:
            with lock.acquire(timeout=0):
                holder.write_text(f"process {os.getpid()}", encoding="utf-8")
                yield
        except Timeout as error:
            who = holder.read_text(encoding="utf-8") if holder.is_file() else "another process"
            raise LibraryBusy(
                f"The library in {self._folder} is being written by {who}. Try again when it is done."
            ) from error

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """See what another process wrote: Chroma reads its vector index once, so it is opened again after a change."""
        with self._guard:
            stamp = self._stamp()
            if stamp != self._seen_stamp:
                self._let_go()
                self._attach(*_opened(_place(self._folder)))
                self._seen_stamp = stamp
            yield

    def _stamp(self) -> str:
        file = self._folder / "stamp"
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    def _mark_changed(self) -> None:
        replace_text(self._folder / "stamp", os.urandom(8).hex())
        self._seen_stamp = self._stamp()


def _entry(paper: Paper, called: Sequence[str]) -> Entry:
    return Entry(
        id=paper.id,
        text=_all_said(paper, called),
        authors=paper.authors,
        year=-1 if paper.year is None else paper.year,
        venue=paper.venue or "",
        source=paper.origin.file,
    )


def _all_said(paper: Paper, called: Sequence[str]) -> str:
    """Title, abstract, and the names that stand in neither, such as the initials of a spelled-out method."""
    text = " ".join(filter(None, (plain(paper.title or ""), plain(paper.abstract))))
    return " ".join((text, *(name for name in called if name not in text)))


def _metadata(paper: Paper) -> dict[str, str | int]:
    """All fields, always: Chroma's upsert keeps an old value where a key is missing."""
    return {
        "title": paper.title or "",
        "label": paper.label,
        "authors": json.dumps(paper.authors, ensure_ascii=False),
        "year": -1 if paper.year is None else paper.year,
        "venue": paper.venue or "",
        "url": paper.url or "",
        "ids": json.dumps(paper.ids),
        "links": json.dumps(paper.links, ensure_ascii=False),
        "versions": json.dumps(paper.versions),
        "file": paper.origin.file,
        "position": paper.origin.position,
        "folder": paper.origin.folder or ("" if os.path.isabs(paper.origin.file) else os.getcwd()),
        "fingerprint": fingerprint_of(paper),
    }


def _paper(paper_id: str, abstract: str, about: Any) -> Paper:
    return Paper(
        id=paper_id,
        abstract=abstract,
        origin=_origin(about),
        label=about["label"],
        title=about["title"] or None,
        authors=tuple(json.loads(about["authors"])),
        year=None if about["year"] < 0 else about["year"],
        venue=about["venue"] or None,
        url=about["url"] or None,
        ids=tuple(json.loads(about.get("ids") or "[]")),
        links=tuple(json.loads(about.get("links") or "[]")),
        versions=tuple(json.loads(about.get("versions") or "[]")),
    )


def _origin(about: Any) -> Origin:
    # interned: a hundred thousand papers come from a few files
    return Origin(sys.intern(about["file"]), about["position"], sys.intern(about.get("folder", "")))


def _absolute(origin: Origin) -> str:
    return os.path.abspath(os.path.join(origin.folder, origin.file))


def _below(file: str, path: str) -> bool:
    """Whether a file is the path, lies below it, or is packed in it."""
    path = path.rstrip("/\\")
    return file.startswith(path) and not file[len(path) : len(path) + 1].strip("/\\!:#")


def _place(folder: Path) -> Path:
    """Where in a library's folder its parts are: right there, or where the last rebuild put them."""
    current = folder / "current"
    return folder / current.read_text(encoding="utf-8") if current.is_file() else folder


def _number(place: Path) -> int:
    """The how manieth rebuild put a library's parts there."""
    return int(place.name.removeprefix("rebuilt-")) if place.name.startswith("rebuilt-") else 0


def _parts(place: Path) -> list[Path]:
    return [path for path in place.iterdir() if path.name.startswith(tuple(PARTS))]


def _opened(place: Path) -> tuple[Client, ChromaCollection]:
    client = _client(place)
    return client, client.get_collection(COLLECTION, embedding_function=None)


def _client(folder: Path) -> Client:
    from chromadb.api.client import Client
    from chromadb.config import Settings
    from chromadb.errors import ChromaError

    place = Settings(is_persistent=True, persist_directory=str(folder / "chroma"), anonymized_telemetry=False)
    try:
        return Client(settings=place)
    except (ChromaError, OSError, ValueError) as error:
        log.debug("opening %s failed", folder, exc_info=True)
        raise LibraryUnusable(
            f"The library in {folder} cannot be opened. Check that the folder is yours to read and write."
        ) from error


def _not_found() -> type[Exception]:
    from chromadb.errors import NotFoundError

    return NotFoundError
