"""What indexing costs: beside the bare encoder and LlamaIndex, and as a collection grows.

    python benchmarks/indexing.py encoder PAPERS.jsonl --papers 1024
    python benchmarks/indexing.py size PAPERS.jsonl.gz MORE.jsonl.gz --plot docs/indexing.svg

The first uses the real encoder for all three, in turns on the same papers, so that the machine's moods hit each alike.
The second takes a stand-in for the encoder while it indexes (benchmarks/standin.py) and measures all the rest; each
figure comes from a process of its own. Prints Markdown tables; read the ratios.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plot import Line, Panel, svg
from standin import StandIn

import vectorstore.library
from vectorstore.encoder import Encoder
from vectorstore.library import Library
from vectorstore.paper import Paper
from vectorstore.readers import read
from vectorstore.text import plain

TURN = 128  # papers that each of the three takes before the next one's turn
SIZES = (1_000, 10_000, 100_000)
QUESTIONS = (
    "Which papers reduce hallucination at decoding time?",
    "How can unlearning requests be served during training?",
    "What do the authors find about memory length?",
    "papers on interpretable trees",
    "How does it differ from gradient based attacks?",
)
ROUNDS = 10
FIELDS = ("id", "title", "abstract", "authors", "year", "venue", "url")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=("encoder", "size"))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--papers", type=int, default=1024, help="of the part `encoder`")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="of the part `size`")
    parser.add_argument("--plot", type=Path, help="write an SVG of the part `size`")
    parser.add_argument("--work", type=Path, help="where libraries are made (default: a temporary folder)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.work) as folder:
        if arguments.part == "encoder":
            beside_others(list(itertools.islice(papers_of(arguments.files), arguments.papers)), Path(folder))
        else:
            against_size(arguments.files, arguments.sizes, Path(folder), arguments.plot)


def papers_of(files: Sequence[Path]) -> Iterator[Paper]:
    return (record for file in files for record in read(file) if isinstance(record, Paper))


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


# ---- beside the bare encoder and LlamaIndex


def beside_others(papers: Sequence[Paper], folder: Path) -> None:
    library = Library.create(folder / "library")
    model: Any = library.encoder._model
    llamaindex = llamaindex_into_chroma(model, folder / "llamaindex")
    ways: dict[str, Callable[[Sequence[Paper]], object]] = {
        "bare `SentenceTransformer.encode`": lambda some: model.encode([said(paper) for paper in some]),
        "paperchat": lambda some: list(library.sync(some)),
        "LlamaIndex `VectorStoreIndex.from_documents` into Chroma": llamaindex,
    }
    model.encode([said(paper) for paper in papers[:32]])  # warm
    spent, processor = dict.fromkeys(ways, 0.0), dict.fromkeys(ways, 0.0)
    for at in range(0, len(papers), TURN):
        for way, run in ways.items():
            before = time.process_time()
            spent[way] += seconds(lambda run=run, at=at: run(papers[at : at + TURN]))  # type: ignore[misc]
            processor[way] += time.process_time() - before
    bare, bare_processor = next(iter(spent.values())), next(iter(processor.values()))
    print(
        f"{len(papers)} papers\n\n| what | papers/s | beside the bare encoder | the same in processor time |\n|---|---|---|---|"
    )
    for way, took in spent.items():
        print(f"| {way} | {len(papers) / took:.1f} | {bare / took:.2f} | {bare_processor / processor[way]:.2f} |")


def said(paper: Paper) -> str:
    return plain(f"{paper.title or ''}\n{paper.abstract}".strip())


def llamaindex_into_chroma(model: Any, folder: Path) -> Callable[[Sequence[Paper]], object]:
    """LlamaIndex's own way, with the same model and its own defaults, but for batches of 32 instead of 10."""
    import chromadb
    from llama_index.core import Document, StorageContext, VectorStoreIndex
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.vector_stores.chroma import ChromaVectorStore

    class Bare(BaseEmbedding):
        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            vectors: list[list[float]] = model.encode(texts, batch_size=32).tolist()
            return vectors

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        _get_query_embedding = _get_text_embedding

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_query_embedding(query)

    collection = chromadb.PersistentClient(str(folder)).get_or_create_collection("papers", embedding_function=None)
    storage = StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection))

    def run(papers: Sequence[Paper]) -> object:
        return VectorStoreIndex.from_documents(
            [Document(text=said(paper), id_=paper.id) for paper in papers],
            storage_context=storage,
            embed_model=Bare(embed_batch_size=32),
            transformations=[SentenceSplitter()],
        )

    return run


# ---- cost against size


@dataclass(frozen=True)
class Run:
    """An index run: seconds by the clock and of the processor, peak megabytes resident, and those after so many papers."""

    seconds: float
    processor: float
    peak: float
    memory: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Serving:
    """Warm milliseconds of encoding a question and of a search with it (medians), and peak megabytes resident."""

    encoding: float
    search: float
    peak: float


def against_size(files: Sequence[Path], sizes: Sequence[int], folder: Path, plot: Path | None) -> None:
    print(
        "| papers | first run, s (of the processor) | papers/s | second run, s (of the processor) | share of the first "
        "| peak, MB | bytes on disk a paper | warm search, ms | beside encoding the question | serving, MB |\n"
        + "|---" * 10
        + "|"
    )
    runs: list[tuple[int, Run, Run]] = []
    for size in sizes:
        library, file = folder / f"{size}", folder / f"{size}.jsonl"
        with file.open("w", encoding="utf-8") as out:
            for paper in itertools.islice(papers_of(files), size):
                out.write(json.dumps({key: getattr(paper, key) for key in FIELDS}) + "\n")
        first, second = alone(index, file, size, library), alone(index, file, size, library)
        served = alone(serve, library)
        on_disk = sum(file.stat().st_size for file in library.rglob("*") if file.is_file())
        print(
            f"| {size:,} | {first.seconds:.1f} ({first.processor:.1f}) | {size / first.seconds:.0f} "
            f"| {second.seconds:.1f} ({second.processor:.1f}) | {second.processor / first.processor:.1%} "
            f"| {max(first.peak, second.peak):.0f} | {on_disk / size:,.0f} | {served.search:.1f} "
            f"| {served.search / served.encoding:.2f} | {served.peak:.0f} |",
            flush=True,
        )
        runs.append((size, first, second))
    memory = runs[-1][1].memory
    print("\nResident memory in the last first run: " + ", ".join(f"{mb:.0f} MB at {n:,}" for n, mb in memory))
    if plot:
        lines = (
            Line("first run", [(size, first.processor) for size, first, _ in runs]),
            Line("second run, nothing changed", [(size, second.processor) for size, _, second in runs]),
        )
        panels = (
            Panel("papers", "seconds of the processor, without the encoder", lines, logarithmic=True),
            Panel("papers", "MB resident", (Line("first run", memory),)),
        )
        plot.write_text(svg(*panels), encoding="utf-8")


def alone(run: Callable[..., Any], *arguments: object) -> Any:
    """The result of a function in a process of its own, so that its memory is only its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(run, *arguments).result()


def index(file: Path, size: int, folder: Path) -> Run:
    vectorstore.library.Encoder = StandIn  # type: ignore[assignment, misc]
    library, memory, step = Library.create(folder), [], max(1, size // 20)
    start, processor = time.perf_counter(), time.process_time()
    for report in library.sync(read(file)):
        if report.read >= step * (len(memory) + 1):
            memory.append((report.read, resident()))
    return Run(time.perf_counter() - start, time.process_time() - processor, peak(), tuple(memory))


def serve(folder: Path) -> Serving:
    """The library was made with the stand-in; it is asked with the real encoder, whose vectors have the same shape."""
    library, encoder = Library.open(folder), Encoder()
    library.__dict__["encoder"] = encoder
    encoding, searching = [], []
    for turn in range(ROUNDS + 1):
        for question in QUESTIONS:
            spent = (
                seconds(lambda question=question: encoder.question(question)),  # type: ignore[misc]
                seconds(lambda question=question: library.search(question)),  # type: ignore[misc]
            )
            if turn:  # the first round warms up
                encoding.append(spent[0])
                searching.append(spent[1])
    return Serving(1000 * statistics.median(encoding), 1000 * statistics.median(searching), peak())


def resident() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    main()
