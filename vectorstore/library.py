"""A library: an indexed collection of papers on disk. This file is the whole journey of indexing and of searching.

Chroma is the one source of truth: every paper, its metadata and its vector. The keyword index and the token vectors
beside it are derived from Chroma, batch by batch, and made again from it where they are missing.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vectorstore.encoder import BUNDLED, AskedText, Encoder, Vectors
from vectorstore.errors import LibraryBusy, LibraryMismatch, LibraryMissing, LibraryUnusable, UnknownPaper
from vectorstore.evidence import Evidence, gather
from vectorstore.filters import Filters
from vectorstore.keywords import Entry, KeywordIndex, terms
from vectorstore.labels import names
from vectorstore.nearness import Nearness, nearness
from vectorstore.paper import Hit, Origin, Paper, Skipped
from vectorstore.scorer import Scorer
from vectorstore.sentences import sentences
from vectorstore.text import plain
from vectorstore.tokens import Row, TokenStore

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection as ChromaCollection

log = logging.getLogger(__name__)

SCHEMA = 1  # of what is stored; a library of another schema is refused
COLLECTION = "papers"
BATCH = 256  # papers encoded and kept together: what a crash costs at most
FEW = 300  # papers that all get a closer look when filters leave no more
CANDIDATES = 80  # papers that each voice, dense and BM25, puts forward
PAGE = 2000  # records asked of Chroma at once


@dataclass(frozen=True, slots=True)
class SyncReport:
    """How far an index run has come: counts of papers so far, and the records that were left out."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: tuple[Skipped, ...] = ()

    @property
    def read(self) -> int:
        """Records read so far."""
        return self.added + self.updated + self.unchanged + len(self.skipped)


@dataclass(frozen=True, slots=True)
class Stats:
    """What a library holds: papers by source, venue and year (missing ones under ""), encoder, size on disk."""

    papers: int
    sources: dict[str, int]
    venues: dict[str, int]
    years: dict[str, int]
    encoder: str
    dimension: int
    bytes_on_disk: int


class Library:
    """Papers on disk with everything that finds them. Open one with ``Library.open`` or ``Library.create``."""

    def __init__(self, folder: Path, client: Client, collection: ChromaCollection) -> None:
        self._folder = folder
        self._client = client
        self._collection = collection
        made = collection.metadata or {}
        self.encoder_name = str(made["encoder"])
        self.dimension = int(made["dimension"])
        self._keywords = KeywordIndex(folder / f"keywords-{SCHEMA}")
        self._tokens = TokenStore(folder / f"tokens-{SCHEMA}.sqlite", self.encoder_name, self.dimension)
        self._seen_stamp = self._stamp()
        self._guard = threading.RLock()
        self._scorer = Scorer.bundled()

    @classmethod
    def open(cls, folder: Path, encoder: str = BUNDLED) -> Library:
        """The library in ``folder``; LibraryMissing where there is none, LibraryMismatch where made otherwise."""
        if not (folder / "chroma" / "chroma.sqlite3").is_file():
            raise LibraryMissing(f"There is no library in {folder}. Run `paperchat index PATH` with your papers first.")
        client = _client(folder)
        try:
            collection = client.get_collection(COLLECTION, embedding_function=None)
        except _not_found() as error:
            raise LibraryMissing(
                f"The library in {folder} is empty. Run `paperchat index PATH` with your papers."
            ) from error
        made = collection.metadata or {}
        if made.get("schema") != SCHEMA:
            raise LibraryMismatch(
                f"The library in {folder} was made by another version of paperchat (schema {made.get('schema')}, "
                f"this one reads {SCHEMA}). Index your papers into a new folder with `--library`."
            )
        if made.get("encoder") != encoder:
            raise LibraryMismatch(
                f"The library in {folder} was made with the encoder {made.get('encoder')}, but {encoder} is "
                f"configured. Set PAPERCHAT_ENCODER={made.get('encoder')}, or index into a new folder with `--library`."
            )
        return cls(folder, client, collection)

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
        client = _client(folder)
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
            self._client.close()

    @property
    def chroma_collection(self) -> ChromaCollection:
        """The Chroma collection itself, for programs that read it by other means."""
        return self._collection

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder the library was made with, loaded when first asked for."""
        return Encoder(self.encoder_name)

    # ---- indexing

    def sync(self, records: Iterable[Paper | Skipped]) -> Iterator[SyncReport]:
        """Bring the library up to date with the records, and tell how far it has come after each batch.

        New and changed papers are encoded and kept; what is there already costs a look-up. The last report is the
        total. Stopped at any moment, what was kept stays and the next run goes on. Raises LibraryBusy while another
        process writes.
        """
        with self._writing():
            self._finish_interrupted()
            known = {paper_id: (fingerprint, file) for paper_id, fingerprint, file in self._fingerprints()}
            report, seen, batch = SyncReport(), set[str](), list[Paper]()
            for record in records:
                if isinstance(record, Skipped):
                    report = replace(report, skipped=(*report.skipped, record))
                    continue
                paper = _apart(record, known)
                if paper.id in seen:
                    again = Skipped(paper.origin, "the same paper again")
                    report = replace(report, skipped=(*report.skipped, again))
                    continue
                seen.add(paper.id)
                if paper.id not in known:
                    report = replace(report, added=report.added + 1)
                elif known[paper.id][0] != fingerprint_of(paper):
                    report = replace(report, updated=report.updated + 1)
                else:
                    report = replace(report, unchanged=report.unchanged + 1)
                    continue
                known[paper.id] = (fingerprint_of(paper), paper.origin.file)
                batch.append(paper)
                if len(batch) == BATCH:
                    self._keep(batch)
                    batch = []
                    yield report
            if batch:
                self._keep(batch)
            yield report

    def _keep(self, papers: Sequence[Paper]) -> None:
        """Encode papers and write them: to Chroma first, to what is derived from it after, the token rows last.

        A paper is finished when its token row bears its fingerprint; anything less is done again by the next run.
        """
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
                paper.id, fingerprint_of(paper), own_names, tuple(terms(" ".join((*own_names, *text)))), own_spans, seen
            )
            for paper, own_names, text, own_spans, seen in zip(papers, called, texts, spans, encoded, strict=True)
        )
        self._mark_changed()

    def _finish_interrupted(self) -> None:
        """Do again what a killed run left half done, and remake what is derived where it is missing."""
        finished = self._tokens.fingerprints()
        kept = {paper_id: fingerprint for paper_id, fingerprint, _ in self._fingerprints()}
        half_done = [paper_id for paper_id, fingerprint in kept.items() if finished.get(paper_id) != fingerprint]
        for at in range(0, len(half_done), BATCH):
            self._keep(self.get(half_done[at : at + BATCH]))
        gone = [paper_id for paper_id in finished if paper_id not in kept]
        if gone:
            self._keywords.write([], remove=gone)
            self._tokens.write([], remove=gone)
        if len(self._keywords) != len(kept):
            self._keywords.clear()
            ids = list(kept)
            for at in range(0, len(ids), PAGE):
                papers = self.get(ids[at : at + PAGE])
                self._keywords.write([_entry(paper, names(paper.abstract, paper.title)) for paper in papers])

    def _fingerprints(self) -> Iterator[tuple[str, str, str]]:
        """Id, fingerprint and source file of every paper."""
        for at in range(0, self._collection.count(), PAGE):
            page = self._collection.get(limit=PAGE, offset=at, include=["metadatas"])
            for paper_id, about in zip(page["ids"], page["metadatas"] or [], strict=True):
                yield paper_id, str(about["fingerprint"]), str(about["file"])

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
            relevance = self._scorer.probability(evidence.rows)
            best = np.argsort(-relevance, kind="stable")[:limit]
            found = {paper.id: paper for paper in self.get([evidence.ids[n] for n in best])}
        return [
            Hit(found[evidence.ids[n]], float(relevance[n]), evidence.passages[n])
            for n in best
            if evidence.ids[n] in found
        ]

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
        text = plain(query)
        asked = self.encoder.question(text)
        ids = self._candidates(text, asked.whole, within, filters)
        keyword_scores = self._keywords.search(text, len(ids), within=ids) if ids else {}
        return gather(text, self._tokens.question(asked), self._tokens.read(ids), keyword_scores, self._rarity)

    def _candidates(self, query: str, vector: Vectors, within: Collection[str] | None, filters: Filters) -> list[str]:
        """The papers worth a closer look: the nearest by vector and the best by BM25."""
        count = self._collection.count()
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

    def stats(self) -> Stats:
        """Counts by source, venue and year."""
        sources: dict[str, int] = {}
        venues: dict[str, int] = {}
        years: dict[str, int] = {}
        with self._reading():
            papers = self._collection.count()
            for at in range(0, papers, PAGE):
                for about in self._collection.get(limit=PAGE, offset=at, include=["metadatas"])["metadatas"] or []:
                    year = int(about["year"])  # type: ignore[arg-type]
                    for counts, key in (
                        (sources, str(about["file"])),
                        (venues, str(about["venue"])),
                        (years, str(year) if year >= 0 else ""),
                    ):
                        counts[key] = counts.get(key, 0) + 1
        size = sum(file.stat().st_size for file in self._folder.rglob("*") if file.is_file())
        return Stats(papers, sources, venues, years, self.encoder_name, self.dimension, size)

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
                self._client.close()
                self._client = _client(self._folder)
                self._collection = self._client.get_collection(COLLECTION, embedding_function=None)
                self._keywords.reload()
                self._seen_stamp = stamp
            yield

    def _stamp(self) -> str:
        file = self._folder / "stamp"
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    def _mark_changed(self) -> None:
        new = self._folder / "stamp.new"
        new.write_text(os.urandom(8).hex(), encoding="utf-8")
        new.replace(self._folder / "stamp")
        self._seen_stamp = self._stamp()


def fingerprint_of(paper: Paper) -> str:
    """Tells whether a record changed: a digest of all it says, wherever it was read."""
    says = [paper.title, paper.abstract, paper.authors, paper.year, paper.venue, paper.url, paper.label]
    return hashlib.sha256(json.dumps(says, ensure_ascii=True).encode()).hexdigest()[:24]


def _apart(paper: Paper, known: dict[str, tuple[str, str]]) -> Paper:
    """The paper under an id of its own where another file's different paper has its id already."""
    held = known.get(paper.id)
    if held is None or held[0] == fingerprint_of(paper) or Path(held[1]).name == Path(paper.origin.file).name:
        return paper
    return replace(paper, id=f"{paper.id}~{fingerprint_of(paper)[:6]}")


def _entry(paper: Paper, called: Sequence[str]) -> Entry:
    return Entry(
        id=paper.id,
        title=plain(paper.title or ""),
        names=" ".join(called),
        text=plain(paper.abstract),
        authors=paper.authors,
        year=-1 if paper.year is None else paper.year,
        venue=paper.venue or "",
        source=paper.origin.file,
    )


def _metadata(paper: Paper) -> dict[str, str | int]:
    """All fields, always: Chroma's upsert keeps an old value where a key is missing."""
    return {
        "title": paper.title or "",
        "label": paper.label,
        "authors": json.dumps(paper.authors, ensure_ascii=False),
        "year": -1 if paper.year is None else paper.year,
        "venue": paper.venue or "",
        "url": paper.url or "",
        "file": paper.origin.file,
        "position": paper.origin.position,
        "fingerprint": fingerprint_of(paper),
    }


def _paper(paper_id: str, abstract: str, about: Any) -> Paper:
    return Paper(
        id=paper_id,
        abstract=abstract,
        origin=Origin(about["file"], about["position"]),
        label=about["label"],
        title=about["title"] or None,
        authors=tuple(json.loads(about["authors"])),
        year=None if about["year"] < 0 else about["year"],
        venue=about["venue"] or None,
        url=about["url"] or None,
    )


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
