"""A real llama.cpp server with a very small model, which writes whatever it likes: what must hold regardless."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from assistant.assistant import Assistant
from assistant.conversation import Conversation
from assistant.models import ModelSettings, available, connect, described
from assistant.streaming import Speaker
from tests.assistant.servers import llama_cpp, small_model
from vectorstore.library import Library

pytest.importorskip("xllamacpp")
MODEL = small_model()
pytestmark = pytest.mark.skipif(
    MODEL is None, reason="the file of SmolLM2-135M-Instruct is missing: `make test` adds it"
)


@pytest.fixture(scope="module")
def settings() -> Iterator[ModelSettings]:
    assert MODEL is not None
    with llama_cpp(MODEL, 2048) as url:
        (name,) = available(ModelSettings("openai/any", url))
        yield ModelSettings(name, url, context=2048)


@pytest.fixture(scope="module")
def writing(settings: ModelSettings, seed_library: Library) -> Assistant:
    return Assistant(seed_library).writing_with(connect(settings, settings.name), settings.name)


def test_the_server_is_found_ready(settings: ModelSettings) -> None:
    assert "ready at http://127.0.0.1" in described(settings)


def test_words_stream(settings: ModelSettings) -> None:
    reply = Speaker(connect(settings, settings.name)).reply([("user", "Count from one to five.")])
    pieces = [next(piece for piece in reply if piece) for _ in range(3)]
    reply.close()
    assert len(pieces) == 3


def test_whatever_it_writes_only_papers_found_are_cited_and_every_quote_is_real(writing: Assistant) -> None:
    answer = writing.ask("What is PRAXIS?", Conversation())
    numbers = {source.number for source in answer.sources}
    papers = {source.paper.id: source.paper for source in answer.sources}
    assert answer.text
    for claim in answer.claims:
        assert set(claim.citations) <= numbers
        if claim.quote and claim.quote.paper_id in papers:
            whole = papers[claim.quote.paper_id].abstract
            assert whole[claim.quote.start : claim.quote.end] == claim.quote.text


def test_stop_leaves_the_server_free_for_the_next(settings: ModelSettings, writing: Assistant) -> None:
    drafts = writing.stream("What is Fox?", Conversation())
    next(drafts)
    drafts.close()  # type: ignore[attr-defined]
    started = time.monotonic()
    reply = Speaker(connect(settings, settings.name)).reply([("user", "Hello")])
    next(piece for piece in reply if piece)
    reply.close()
    assert time.monotonic() - started < 60  # one slot: it would wait for the whole first answer otherwise


def test_too_little_patience_gives_the_quoted_answer(settings: ModelSettings, seed_library: Library) -> None:
    hasty = Assistant(seed_library).writing_with(connect(settings, settings.name), settings.name, patience=0.0)
    answer = hasty.ask("What is PRAXIS?", Conversation())
    assert answer.engine in ("extractive", settings.name)
    assert answer.sources
