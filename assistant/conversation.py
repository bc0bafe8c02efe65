"""The turns so far, and the one number each paper keeps for the whole conversation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant.answer import Answer, Source


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

    @property
    def sources(self) -> list[Source]:
        """Every paper cited so far, by number, with all that was quoted from it, in the order of the abstract."""
        whole: dict[int, Source] = {}
        for source in (source for turn in self.turns for source in turn.sources):
            held = whole.get(source.number)
            quotes = {*source.quotes, *(held.quotes if held else ())}
            ordered = tuple(sorted(quotes, key=lambda quote: (quote.start, quote.end)))
            whole[source.number] = replace(source, quotes=ordered)
        return [whole[number] for number in sorted(whole)]
