"""The window as a program meets it."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import gradio as gr
import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from assistant.errors import PortInUse
from tests.ui.conftest import FakeAssistant
from ui.app import build, launch, serve


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def address(fake: FakeAssistant) -> Iterator[str]:
    window, port = build(fake), free_port()
    launch(window, "127.0.0.1", port, wait=False)
    yield f"http://127.0.0.1:{port}/"
    window.close()


def test_a_program_asks_at_the_named_endpoint(address: str) -> None:
    client = Client(address, verbose=False)
    assert client.predict("What do cats do?", api_name="/chat") == "**cats** Cats sleep all day. [1]"


def test_a_port_in_use_is_named_with_the_remedy(fake: FakeAssistant) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse, match=rf"{port}.*--port"):
            serve(fake, "127.0.0.1", port)


def test_a_program_is_told_why_it_gets_no_answer(address: str) -> None:
    client = Client(address, verbose=False)
    with pytest.raises(AppError, match="The message is empty"):
        client.predict("  ", api_name="/chat")


def test_a_menu_chooses_what_writes_only_where_there_is_a_choice(fake: FakeAssistant) -> None:
    def menu(window: gr.Blocks) -> gr.Dropdown:
        return next(block for block in window.blocks.values() if isinstance(block, gr.Dropdown))

    assert menu(build(fake)).visible is False
    other = FakeAssistant()
    other.engine = "extractive"
    chosen = menu(build(fake, [other]))
    assert chosen.visible is True
    assert chosen.choices == [("fake", "fake"), ("Quotes only", "extractive")]
    assert chosen.value == "fake"
