"""A visitor's actions, step by step."""

from __future__ import annotations

from collections.abc import Iterator

import gradio as gr
import pytest

from assistant.answer import Answer, Suggestion
from assistant.conversation import Conversation
from assistant.errors import PaperchatError
from tests.ui.conftest import FakeAssistant
from ui import handlers
from ui.download import FORMS
from vectorstore.filters import Filters


def test_an_answer_grows_and_the_conversation_keeps_it(fake: FakeAssistant) -> None:
    steps = list(handlers.respond(fake, "What do cats do?", Conversation()))
    assert "Searching" in steps[0].transcript
    assert 'class="cite"' not in steps[1].transcript
    assert 'class="cite"' in steps[-1].transcript
    assert steps[-1].conversation.turns[0].question == "What do cats do?"


def test_a_stopped_answer_stays_in_the_conversation(fake: FakeAssistant) -> None:
    running = handlers.respond(fake, "What do cats do?", Conversation())
    next(running)
    conversation, _, _, unanswered = next(running)
    running.close()
    assert conversation.turns[0].text == "**cats**"
    transcript, _, box = handlers.stop(conversation, unanswered, "")
    assert "<strong>cats</strong>" in transcript
    assert box == ""


def test_a_question_stopped_before_its_answer_goes_back_to_the_box(fake: FakeAssistant) -> None:
    conversation, _, _, unanswered = next(handlers.respond(fake, "What do cats do?", Conversation()))
    assert handlers.stop(conversation, unanswered, "")[::2] == ("", "What do cats do?")
    assert handlers.stop(conversation, unanswered, "Or dogs?")[2] == "Or dogs?"


def test_a_paper_keeps_its_number_in_the_next_turn(fake: FakeAssistant) -> None:
    conversation = Conversation()
    for question in ("cats", "stars", "cats"):
        *_, (conversation, *_) = handlers.respond(fake, question, conversation)
    assert [turn.sources[0].number for turn in conversation.turns] == [1, 2, 1]


def test_a_blank_message_changes_nothing(fake: FakeAssistant) -> None:
    assert list(handlers.respond(fake, handlers.accept("  \n", False), Conversation())) == [handlers.anew()]


def test_an_endless_message_is_refused_in_a_line(fake: FakeAssistant) -> None:
    with pytest.raises(gr.Error, match="longer than"):
        handlers.accept("x" * 30_000, busy=False)
    with pytest.raises(gr.Error, match="longer than"):
        handlers.chat(fake, "x" * 30_000)


def test_a_second_question_waits_for_the_first() -> None:
    with pytest.raises(gr.Error, match="Wait for it or stop it"):
        handlers.accept("And dogs?", busy=True)


class Failing(FakeAssistant):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def stream(self, message: str, conversation: Conversation, filters: Filters | None = None) -> Iterator[Answer]:
        raise self.error
        yield


def test_a_known_error_is_told_in_its_own_words() -> None:
    *_, (conversation, transcript, *_) = handlers.respond(
        Failing(PaperchatError("The library is gone. Index again.")), "cats", Conversation()
    )
    assert "The library is gone. Index again." in transcript
    assert conversation == Conversation()


def test_an_unknown_error_is_one_line_here_and_all_of_it_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    *_, (_, transcript, *_) = handlers.respond(Failing(ZeroDivisionError("secret")), "cats", Conversation())
    assert "secret" not in transcript
    assert "secret" in caplog.text


def test_a_new_chat_is_empty() -> None:
    assert handlers.anew()[:2] == (Conversation(), "")


def test_a_program_is_told_of_errors_as_a_visitor_is(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(gr.Error, match="Index again"):
        handlers.chat(Failing(PaperchatError("The library is gone. Index again.")), "cats")
    with pytest.raises(gr.Error) as told:
        handlers.chat(Failing(ZeroDivisionError("secret")), "cats")
    assert "secret" not in str(told.value)
    assert "secret" in caplog.text


def test_a_visitor_downloads_what_was_cited_and_what_was_said(fake: FakeAssistant) -> None:
    *_, (conversation, *_) = handlers.respond(fake, "What do cats do?", Conversation())
    made = {form: handlers.download(conversation, form) for form in FORMS}
    assert made["bibtex"]["name"] == "papers.bib"
    assert "title = {cats}" in made["bibtex"]["text"]
    assert "## 1. What do cats do?" in made["markdown"]["text"]
    assert made["html"]["text"].startswith("<!doctype html>")


def test_where_nothing_is_cited_there_is_nothing_to_download(fake: FakeAssistant) -> None:
    *_, (conversation, *_) = handlers.respond(fake, "weather?", Conversation())
    with pytest.raises(gr.Error, match="No paper is cited yet"):
        handlers.download(conversation, "ris")
    with pytest.raises(gr.Error, match="Ask something first"):
        handlers.download(Conversation(), "html")


class Reading(FakeAssistant):
    def stream(self, message: str, conversation: Conversation, filters: Filters | None = None) -> Iterator[Answer]:
        found = Suggestion(self.papers[0], 0.9)
        yield Answer(message, "", False, "model", suggestions=(found,))
        yield from super().stream(message, conversation)


def test_what_was_found_is_shown_while_a_model_reads_and_stop_gives_the_question_back() -> None:
    running = handlers.respond(Reading(), "What do cats do?", Conversation())
    next(running)
    conversation, transcript, sources, unanswered = next(running)
    assert "Reading" in transcript
    assert "cats" in sources
    assert conversation == Conversation()
    assert unanswered == "What do cats do?"
    assert next(running).conversation.turns[0].text == "**cats**"


def test_what_is_chosen_stands_on_the_closed_filters() -> None:
    assert handlers.filters_label(handlers.filters(None, None, None, " ", None)) == "Filters"
    chosen = handlers.filters(2023, None, "ACL", "Ada Lovelace ", None)
    assert chosen == Filters(year_from=2023, venue="ACL", author="Ada Lovelace")
    assert handlers.filters_label(chosen) == "Filters: since 2023, at ACL, by Ada Lovelace"
