"""What happens when a visitor does something: short generators between the window and the assistant."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import NamedTuple, Protocol

import gradio as gr

from assistant.answer import Answer
from assistant.conversation import Conversation
from assistant.errors import PaperchatError
from ui import render
from ui.download import BIBLIOGRAPHIES, file
from vectorstore.filters import Choices, Filters

log = logging.getLogger(__name__)

LONGEST = 20_000  # characters of a message; more is refused rather than cut unseen
TOO_LONG = f"That message is longer than {LONGEST:,} characters. Please ask in fewer words."


class Assistant(Protocol):
    """What the window needs of an assistant."""

    def stream(self, message: str, conversation: Conversation, filters: Filters | None = None) -> Iterator[Answer]:
        """Drafts of the answer, each longer than the last; the last one is whole."""
        ...

    def choices(self) -> Choices:
        """What questions can be narrowed to."""
        ...

    def examples(self) -> list[str]:
        """Questions a visitor may begin with."""
        ...

    def about(self) -> str:
        """What the library holds, in a line."""
        ...

    @property
    def engine(self) -> str:
        """What writes the answers: the name of a language model, or extractive."""
        ...


class Shown(NamedTuple):
    """What a visitor sees and keeps: ``unanswered`` is the question that no word of an answer stands under yet."""

    conversation: Conversation
    transcript: str
    sources: str
    unanswered: str


def accept(message: str, busy: bool) -> str:
    """The question to answer; one line to the visitor where it cannot be taken, so that the box keeps it."""
    if busy:
        raise gr.Error("Wait for it or stop it, then send.", title="Still answering", duration=4, print_exception=False)
    if len(message) > LONGEST:
        raise gr.Error(TOO_LONG, title="Too long", print_exception=False)
    return message.strip()


def respond(
    assistant: Assistant, question: str, conversation: Conversation, filters: Filters | None = None
) -> Iterator[Shown]:
    """What to show after each draft of the answer."""
    if not question:
        yield _shown(conversation)
        return
    yield Shown(conversation, render.waiting(conversation, question), render.sources(conversation), question)
    try:
        for draft in assistant.stream(question, conversation, filters):
            if not draft.text:
                reading = render.waiting(conversation, question, "Reading")
                yield Shown(conversation, reading, render.sources(conversation, draft), question)
                continue
            # every draft is kept: when the visitor stops the answer, what was written stays in the conversation
            yield _shown(conversation.after(draft))
    except Exception as error:
        told = Answer(question, _told(error), abstained=True, engine="none")
        yield Shown(conversation, render.transcript(conversation, told), render.sources(conversation), "")


def filters(since: int | None, until: int | None, venue: str | None, author: str | None, source: str | None) -> Filters:
    """What the controls of the window say; empty ones narrow nothing."""
    return Filters(since or None, until or None, venue or None, (author or "").strip() or None, source or None)


def filters_label(chosen: Filters) -> str:
    """What stands on the closed control: the filters that are set."""
    return ": ".join(["Filters", *([", ".join(chosen.named().values())] if chosen else [])])


def stop(conversation: Conversation, unanswered: str, typed: str) -> tuple[str, str, str]:
    """Transcript and sources as far as they were written; a question still without an answer goes back to its box."""
    return render.transcript(conversation), render.sources(conversation), typed or unanswered


def chat(assistant: Assistant, message: str) -> str:
    """One question without a conversation, for programs: the answer's text."""
    question = accept(message, busy=False)
    if not question:
        raise gr.Error("The message is empty.", print_exception=False)
    try:
        *_, answer = assistant.stream(question, Conversation())
    except Exception as error:
        raise gr.Error(_told(error), print_exception=False) from error
    return answer.text


def download(conversation: Conversation, form: str) -> dict[str, str]:
    """The file of a visitor's conversation in a form of ui/download.py: ``name``, ``type`` and ``text``.

    The browser makes the file of it: none is written on this side, so none can be left or seen by another visitor.
    """
    if not conversation.turns:
        raise gr.Error("Ask something first.", title="Nothing to download", duration=4, print_exception=False)
    if form in BIBLIOGRAPHIES and not conversation.sources:
        raise gr.Error("No paper is cited yet.", title="Nothing to download", duration=4, print_exception=False)
    return file(conversation, form)


def anew() -> Shown:
    """An empty conversation."""
    return _shown(Conversation())


def _shown(conversation: Conversation) -> Shown:
    return Shown(conversation, render.transcript(conversation), render.sources(conversation), "")


def _told(error: Exception) -> str:
    """The line a visitor reads about an error; all of it goes to the log."""
    if isinstance(error, PaperchatError):
        log.info("not answered", exc_info=error)
        return str(error)
    log.error("not answered", exc_info=error)
    return "Something went wrong while answering. The log has the details; please ask again."
