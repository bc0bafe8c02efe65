"""A visitor's actions, step by step."""

from __future__ import annotations

from collections.abc import Iterator

import gradio as gr
import pytest

from assistant.answer import Answer
from assistant.conversation import Conversation
from assistant.errors import PaperchatError
from tests.ui.conftest import FakeAssistant
from ui import handlers


def test_an_answer_grows_and_the_conversation_keeps_it(fake: FakeAssistant) -> None:
    steps = list(handlers.respond(fake, "What do cats do?", Conversation()))
    assert "Searching" in steps[0][1]
    assert 'class="cite"' not in steps[1][1]
    assert 'class="cite"' in steps[-1][1]
    assert steps[-1][0].turns[0].question == "What do cats do?"


def test_a_stopped_answer_stays_in_the_conversation(fake: FakeAssistant) -> None:
    running = handlers.respond(fake, "What do cats do?", Conversation())
    next(running)
    conversation, _, _ = next(running)
    running.close()
    assert conversation.turns[0].text == "**cats**"


def test_a_paper_keeps_its_number_in_the_next_turn(fake: FakeAssistant) -> None:
    *_, (conversation, _, _) = handlers.respond(fake, "cats", Conversation())
    *_, (conversation, _, _) = handlers.respond(fake, "stars", conversation)
    *_, (conversation, _, _) = handlers.respond(fake, "cats", conversation)
    assert [turn.sources[0].number for turn in conversation.turns] == [1, 2, 1]


def test_a_blank_message_changes_nothing(fake: FakeAssistant) -> None:
    ((conversation, transcript, _),) = handlers.respond(fake, "  \n", Conversation())
    assert (conversation, transcript) == (Conversation(), "")


def test_an_endless_message_is_refused_in_a_line(fake: FakeAssistant) -> None:
    with pytest.raises(gr.Error, match="longer than"):
        list(handlers.respond(fake, "x" * 30_000, Conversation()))


class Failing(FakeAssistant):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def stream(self, message: str, conversation: Conversation) -> Iterator[Answer]:
        raise self.error
        yield


def test_a_known_error_is_told_in_its_own_words() -> None:
    *_, (conversation, transcript, _) = handlers.respond(
        Failing(PaperchatError("The library is gone. Index again.")), "cats", Conversation()
    )
    assert "The library is gone. Index again." in transcript
    assert conversation == Conversation()


def test_an_unknown_error_is_one_line_here_and_all_of_it_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    *_, (_, transcript, _) = handlers.respond(Failing(ZeroDivisionError("secret")), "cats", Conversation())
    assert "secret" not in transcript
    assert "secret" in caplog.text


def test_a_new_chat_is_empty() -> None:
    conversation, transcript, _, question = handlers.anew()
    assert (conversation, transcript, question) == (Conversation(), "", "")
