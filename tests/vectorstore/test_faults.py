"""Killed at any moment, an index run loses nothing and leaves nothing wrong; and who asks meanwhile gets answers.

PAPERCHAT_TEST_KILLS sets how many times a run is killed.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from standin import StandIn

import vectorstore.library
from vectorstore.library import Library
from vectorstore.paper import Origin, Paper

KILLS = int(os.environ.get("PAPERCHAT_TEST_KILLS", "6"))
QUERIES = tuple(range(70, 320, 50))  # the numbers of papers whose abstracts are asked for
WORDS = re.findall(
    r"\w+",
    "quasar telescope spectrum galaxy tree pruning forest graph edge river ice flood protein cell membrane neuron "
    "kernel margin policy reward token vector attention speech vowel market price vaccine virus magnet spin lattice",
)

# a server that has imported everything and forks a process for each run: a run starts at once and shares no thread
processes = multiprocessing.get_context("forkserver")


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    use_stand_in(monkeypatch.setattr)


def use_stand_in(assign: Callable[[object, str, object], None] = setattr) -> None:
    assign(vectorstore.library, "Encoder", StandIn)
    assign(vectorstore.library, "BATCH", 16)
    assign(vectorstore.library, "GRACE", 0.5)


def papers_of(numbers: Sequence[int], changed: Sequence[int] = ()) -> list[Paper]:
    return [paper(n, "Anew" if n in changed else "First") for n in numbers]


def paper(number: int, version: str) -> Paper:
    chance = random.Random(f"{number} {version}")
    abstract = " ".join(
        f"{version} we study the {' '.join(chance.choices(WORDS, k=9))} of paper {number}." for _ in range(4)
    )
    return Paper(f"p{number}", abstract, Origin("/papers.jsonl", number), f"Paper {number}", title=f"Paper {number}")


BEFORE = papers_of(range(320))
AFTER = papers_of([*range(60, 380)], changed=range(60, 320, 3))


def index(folder: Path, papers: Sequence[Paper]) -> None:
    use_stand_in()
    list(Library.create(folder, "one").sync(papers, prune=[Path("/papers.jsonl")]))


def rebuild(folder: Path) -> None:
    use_stand_in()
    list(Library.open(folder, None).rebuild("another"))


def start(run: Callable[..., None], *arguments: object) -> BaseProcess:
    processes.set_forkserver_preload(["chromadb.api.client", "tantivy", "filelock", __name__])
    process = processes.Process(target=run, args=arguments, daemon=True)
    process.start()
    return process


def state(library: Library) -> dict[str, object]:
    """All that can be told of a library: what it holds, and what is derived from it."""
    held = library._held()[1]
    hits = {number: library.search(paper(number, "First").abstract[:200], 1)[0] for number in QUERIES}
    return {
        "papers": {id: fingerprint for id, (fingerprint, _) in held.items()},
        "token rows": library._tokens.fingerprints(),
        "keyword entries": len(library._keywords),
        "abstracts": {paper.id: paper.abstract for paper in library.get(list(held))},
        "found": {number: hit.paper.id for number, hit in hits.items()},
        # the keyword index counts the words of removed papers until it has tidied up: as near as matters
        "surely": {number: hit.relevance > 0.9 for number, hit in hits.items()},
    }


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Library]]:
    """Libraries of both collections that nobody killed."""
    folder = tmp_path_factory.mktemp("clean")
    with pytest.MonkeyPatch.context() as patch:
        use_stand_in(patch.setattr)
        for name, papers in (("before", BEFORE), ("after", AFTER)):
            index(folder / name, papers)
        yield {name: Library.open(folder / name, "one") for name in ("before", "after")}


def kill(process: BaseProcess, after: float) -> bool:
    """Kill a run after so many seconds; False where it had ended before."""
    process.join(after)
    running = process.exitcode is None
    process.kill()
    process.join()
    return running


def test_a_run_killed_at_any_moment_is_finished_by_the_next(tmp_path: Path, clean: dict[str, Library]) -> None:
    chance = random.Random(os.environ.get("PAPERCHAT_TEST_SEED", "5"))
    wanted = {name: state(library) for name, library in clean.items()}
    usual = seconds_of(index, tmp_path / "timed", BEFORE)
    killed = 0
    for attempt in range(KILLS):
        folder = tmp_path / f"killed{attempt}"
        anew = attempt % 2 == 0
        if not anew:
            shutil.copytree(clean["before"]._folder, folder)
        killed += kill(start(index, folder, BEFORE if anew else AFTER), chance.uniform(0, usual))
        library = Library.create(folder, "one")
        library.search("quasar telescope")
        list(library.sync(BEFORE if anew else AFTER, prune=[Path("/papers.jsonl")]))
        assert state(library) == wanted["before" if anew else "after"], attempt
        library.close()
        shutil.rmtree(folder)
    assert killed  # how many end before their time hangs on the machine's load


def test_a_rebuild_killed_at_any_moment_leaves_a_library_that_serves(tmp_path: Path, clean: dict[str, Library]) -> None:
    chance = random.Random(os.environ.get("PAPERCHAT_TEST_SEED", "6"))
    wanted = state(clean["before"])
    shutil.copytree(clean["before"]._folder, tmp_path / "timed")
    usual = seconds_of(rebuild, tmp_path / "timed")
    for attempt in range(max(1, KILLS // 6)):
        folder = tmp_path / f"killed{attempt}"
        shutil.copytree(clean["before"]._folder, folder)
        kill(start(rebuild, folder), chance.uniform(0, usual))
        library = Library.open(folder, None)
        assert library.search(BEFORE[0].abstract, 1)[0].paper.id == "p0"
        list(library.rebuild("another"))
        assert library.encoder_name == "another"
        assert state(library) == wanted
        assert len([path for path in folder.rglob("tokens-*") if path.suffix == ".sqlite"]) == 1
        library.close()
        shutil.rmtree(folder)


def test_no_question_fails_while_another_process_indexes(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    index(folder, BEFORE[:16])
    asking = Library.open(folder, "one")
    writer = start(index, folder, AFTER)
    asked = 0
    while writer.is_alive():
        query = paper(QUERIES[asked % len(QUERIES)], "First").abstract
        assert asking.search(query)
        asked += 1
    assert writer.exitcode == 0
    assert asked > 5
    assert asking.search(AFTER[-1].abstract, 1)[0].paper == AFTER[-1]


def seconds_of(run: Callable[..., None], *arguments: object) -> float:
    began = time.perf_counter()
    process = start(run, *arguments)
    process.join()
    assert process.exitcode == 0
    return time.perf_counter() - began
