"""What the tests share: the bundled encoder, loaded once, and libraries made of a few papers or of the seeds."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"

from vectorstore.encoder import Encoder
from vectorstore.library import Library
from vectorstore.paper import Origin, Paper
from vectorstore.readers import read

SEEDS = Path(__file__).parent.parent / "seeds"


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    return Encoder()


@pytest.fixture(autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing a test does reaches the library, the log or the language model of whoever runs it."""
    monkeypatch.setenv("PAPERCHAT_LLM", "none")
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("PAPERCHAT_LIBRARY", str(home / "library"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))


@pytest.fixture(scope="session")
def seed_papers() -> list[Paper]:
    return [paper for paper in read(SEEDS) if isinstance(paper, Paper)]


@pytest.fixture(scope="session")
def seed_library(tmp_path_factory: pytest.TempPathFactory, seed_papers: list[Paper]) -> Library:
    library = Library.create(tmp_path_factory.mktemp("seeds") / "library")
    list(library.sync(seed_papers))
    return library


@pytest.fixture
def make_paper() -> Callable[..., Paper]:
    def make(id: str, abstract: str, **more: object) -> Paper:
        about: dict[str, object] = {"origin": Origin("papers.jsonl", 1), "label": id, **more}
        return Paper(id=id, abstract=abstract, **about)  # type: ignore[arg-type]

    return make
