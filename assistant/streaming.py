"""A language model that is listened to word by word and can be cut off at any moment.

Its stream is read on an event loop of its own, where a cancelled request closes the connection at once, even while the
model is still reading the prompt; servers then end their work. The listener only waits on a queue.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Generator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from assistant.errors import ModelTrouble
from assistant.models import told

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

Message = tuple[Literal["system", "user", "assistant"], str]

BEAT = 0.2  # seconds after which a silent model yields "", so that whoever listens can stop
WHOLE = 900.0  # seconds for a whole reply


class Speaker:
    """A language model to talk to. Any number of replies can be listened to at once."""

    def __init__(self, llm: LLM, patience: float = 120.0) -> None:
        """``patience`` is how many seconds to wait for the next word."""
        self._llm = llm
        self._patience = patience

    @property
    def context(self) -> int:
        """The model's context in tokens."""
        return self._llm.metadata.context_window

    def reply(self, messages: Sequence[Message]) -> Generator[str, None, None]:
        """The reply in pieces as they come, "" after each beat without one. To close the iterator ends the model's work.

        Raises ModelTrouble where the model cannot be reached, fails, or takes too long.
        """
        from llama_index.core.base.llms.types import ChatMessage

        said = [ChatMessage(role=role, content=text) for role, text in messages]
        heard: queue.SimpleQueue[str | Exception | None] = queue.SimpleQueue()

        async def listen() -> None:
            try:
                async for part in await self._llm.astream_chat(said):
                    heard.put(part.delta or "")
                heard.put(None)
            except Exception as error:
                heard.put(error)

        listening = asyncio.run_coroutine_threadsafe(listen(), self._loop)
        began = last = time.monotonic()
        try:
            while True:
                try:
                    part = heard.get(timeout=BEAT)
                except queue.Empty:
                    if time.monotonic() - last > self._patience:
                        raise ModelTrouble("The language model takes too long.") from None
                    yield ""
                    continue
                last = time.monotonic()
                if isinstance(part, Exception):
                    raise told(part) from None
                if part is None:
                    return
                if last - began > WHOLE:
                    raise ModelTrouble("The language model does not come to an end.")
                yield part
        finally:
            listening.cancel()

    @cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        """One loop for all replies: a client's open connections belong to the loop they were made on."""
        loop = asyncio.new_event_loop()
        threading.Thread(target=loop.run_forever, name="language model", daemon=True).start()
        return loop
