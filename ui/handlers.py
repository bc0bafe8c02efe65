"""What happens when a visitor does something: short generators between the window and the assistant."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Protocol

import gradio as gr

from assistant.answer import Answer
from assistant.conversation import Conversation
from assistant.errors import PaperchatError
from ui import render

log = logging.getLogger(__name__)

LONGEST = 20_000  # characters of a message; more is refused rather than cut unseen


class Assistant(Protocol):
    """What the window needs of an assistant."""

    def stream(self, message: str, conversation: Conversation) -> Iterator[Answer]:
        """Drafts of the answer, each longer than the last; the last one is whole."""
        ...

    def examples(self) -> list[str]:
        """Questions a visitor may begin with."""
        ...

    def about(self) -> str:
        """What the library holds, in a line."""
        ...


Shown = tuple[Conversation, str, str]


def respond(assistant: Assistant, message: str, conversation: Conversation | None) -> Iterator[Shown]:
    """The conversation, transcript and sources after each draft of the answer."""
    conversation = conversation or Conversation()
    question = message.strip()
    if not question:
        yield conversation, render.transcript(conversation), render.sources(conversation)
        return
    if len(question) > LONGEST:
        raise gr.Error(f"That message is longer than {LONGEST:,} characters. Please ask in fewer words.")
    yield conversation, render.waiting(conversation, question), render.sources(conversation)
    try:
        for draft in assistant.stream(question, conversation):
            # every draft is kept: when the visitor stops the answer, what was written stays in the conversation
            yield conversation.after(draft), render.transcript(conversation, draft), render.sources(conversation, draft)
    except PaperchatError as error:
        log.info("not answered", exc_info=True)
        yield _failed(conversation, question, str(error))
    except Exception:  # a visitor sees one line; the log has the report
        log.exception("not answered")
        yield _failed(
            conversation, question, "Something went wrong while answering. The log has the details; please ask again."
        )


def chat(assistant: Assistant, message: str) -> str:
    """One question without a conversation, for programs: the answer's text."""
    *_, answer = assistant.stream(message[:LONGEST], Conversation())
    return answer.text


def anew() -> tuple[Conversation, str, str, str]:
    """An empty conversation, transcript, sources and question box."""
    return Conversation(), "", render.sources(Conversation()), ""


def _failed(conversation: Conversation, question: str, why: str) -> Shown:
    told = Answer(question, why, abstained=True, engine="none")
    return conversation, render.transcript(conversation, told), render.sources(conversation)
