"""Start-up, indexing and asking, each beside the bare encoder in the same run.

    python benchmarks/speed.py [PAPERS.jsonl[.gz]] [--papers 512]

Without a file the papers of seeds/ are used. Prints a Markdown table. Machines are noisy: read the ratios.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from assistant.assistant import Assistant
from assistant.conversation import Conversation
from vectorstore.encoder import Encoder
from vectorstore.library import Library
from vectorstore.paper import Paper
from vectorstore.readers import read
from vectorstore.text import plain

QUESTIONS = (
    "Which papers reduce hallucination at decoding time?",
    "How can unlearning requests be served during training?",
    "What do the authors find about memory length?",
    "papers on interpretable trees",
    "How does it differ from gradient based attacks?",
)
ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=Path(__file__).parent.parent / "seeds")
    parser.add_argument("--papers", type=int, default=512)
    arguments = parser.parse_args()

    records = (record for record in read(arguments.file) if isinstance(record, Paper))
    papers = list(itertools.islice(records, arguments.papers))
    encoder = Encoder()
    model = encoder._model
    texts = [plain(paper.abstract) for paper in papers]
    model.encode(texts[:32])

    with tempfile.TemporaryDirectory() as folder:
        bare = seconds(lambda: model.encode(texts, batch_size=32))
        library = Library.create(Path(folder) / "library")
        indexing = seconds(lambda: list(library.sync(papers)))
        again = seconds(lambda: list(library.sync(papers)))
        assistant = Assistant(library)
        encoding, searching, answering = [], [], []
        for _ in range(ROUNDS):
            for question in QUESTIONS:
                encoding.append(seconds(lambda question=question: model.encode([question])))  # type: ignore[misc]
                searching.append(seconds(lambda question=question: library.search(question)))  # type: ignore[misc]
                answering.append(
                    seconds(lambda question=question: assistant.ask(question, Conversation()))  # type: ignore[misc]
                )
        help_time = statistics.median(
            seconds(lambda: subprocess.run([sys.executable, "-m", "ui.cli", "--help"], check=True, capture_output=True))
            for _ in range(ROUNDS)
        )
        first = seconds(
            lambda: subprocess.run(
                [sys.executable, "-m", "ui.cli", "ask", "--library", str(Path(folder) / "library"), QUESTIONS[0]],
                check=True,
                capture_output=True,
            )
        )
    encode, search, answer = (1000 * statistics.median(each) for each in (encoding, searching, answering))
    print(f"{len(papers)} papers, medians of {ROUNDS * len(QUESTIONS)} questions\n")
    print("| what | value | beside the bare encoder |\n|---|---|---|")
    print(f"| `paperchat --help` | {help_time:.2f} s | |")
    print(f"| a first question, from process start to answer | {first:.1f} s | |")
    print(f"| bare `SentenceTransformer.encode` | {len(papers) / bare:.1f} papers/s | 1 |")
    print(f"| indexing | {len(papers) / indexing:.1f} papers/s | {bare / indexing:.2f} |")
    print(f"| indexing again, unchanged | {again:.2f} s | {again / indexing:.1%} of the first run |")
    print(f"| encoding a question | {encode:.1f} ms | 1 |")
    print(f"| a warm search | {search:.1f} ms | {search / encode:.2f} |")
    print(f"| a warm answer | {answer:.1f} ms | {answer / encode:.2f} |")


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
