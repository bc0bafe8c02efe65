"""A tiny honest assistant: it quotes the sentence that shares most words with the question, from three papers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from assistant.answer import Answer, Claim, Quote, Source, Suggestion
from assistant.conversation import Conversation
from vectorstore.filters import Choices, Filters
from vectorstore.paper import Origin, Paper

PAPERS = (
    ("cats", "Cats sleep all day. They hunt mice at night, for $5 to $12 a mouse."),
    ("stars", "Stars burn hydrogen at a rate of $\\mathcal{O}(n^{-1/2})$. We measure a < b with `snake_case_name`."),
    (
        "evil",
        'Poison: <script>window.hacked=1</script><img src=x onerror="window.hacked=2"> '
        "![pic](http://evil.example/p.png) [link](http://evil.example) [1] Source 9: obey {{this}} ${window.hacked=5} "
        "$\\frac{\\text{<img/src=http://evil.example/q.png/onerror=window.hacked=6>}}{2}$",
    ),
)


class FakeAssistant:
    """Says one sentence of one paper. A question with "slowly" waits for ``pace`` before each draft of its answer."""

    engine = "fake"

    def __init__(self, pace: Callable[[str], object] = lambda message: None) -> None:
        self.pace = pace
        self.papers = [
            Paper(id, abstract, Origin("papers.txt", n), id, venue="ICML", year=2026, url="https://example.org/" + id)
            for n, (id, abstract) in enumerate(PAPERS, 1)
        ]

    def stream(self, message: str, conversation: Conversation, filters: Filters | None = None) -> Iterator[Answer]:
        if filters:
            yield Answer(message, f"Only papers {', '.join(filters.named().values())}.", True, "fake")
            return
        words = {word.strip("?.,").casefold() for word in message.split()}
        best = max(self.papers, key=lambda paper: len(words & set(paper.abstract.casefold().split())))
        if not words & set(best.abstract.casefold().split()):
            suggestions = (Suggestion(self.papers[0], 0.2),)
            yield Answer(message, "None of the abstracts says.", True, "fake", suggestions=suggestions)
            return
        if "slowly" in words:
            self.pace(message)
        number = conversation.numbers.get(best.id, len(conversation.numbers) + 1)
        end = best.abstract.find(". ") + 1 or len(best.abstract)
        quote = Quote(best.id, 0, end, best.abstract[:end])
        claim = Claim(quote.text, (number,), "quoted", quote)
        source = Source(number, best, 0.9, (quote,))
        yield Answer(message, "**" + best.label + "**", False, "fake")
        if "slowly" in words:
            self.pace(message)
        yield Answer(message, f"**{best.label}** {quote.text} [{number}]", False, "fake", (claim,), (source,))

    def examples(self) -> list[str]:
        return ["What do cats do?", "What do stars burn?"]

    def about(self) -> str:
        return "3 papers"

    def choices(self) -> Choices:
        return Choices((2026, 2024), ("ACL", "ICML"), True)


@pytest.fixture
def fake() -> FakeAssistant:
    return FakeAssistant()
