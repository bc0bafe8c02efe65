"""The turns so far, and the one number each paper keeps for the whole conversation."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.answer import Answer


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said, oldest first. A conversation is a value: ``after`` gives the next one, nothing is changed."""

    turns: tuple[Answer, ...] = ()

    def after(self, answer: Answer) -> Conversation:
        """This conversation with one more turn."""
        return Conversation((*self.turns, answer))

    @property
    def numbers(self) -> dict[str, int]:
        """Paper id to number, in the order in which the papers were first cited."""
        return {source.paper.id: source.number for turn in self.turns for source in turn.sources}
