"""Conversations read back from what the command line printed."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from assistant.answer import Answer, Claim, Quote, Source
from assistant.conversation import Conversation
from assistant.errors import SavedUnusable
from assistant.saved import conversations
from vectorstore.paper import Paper

MakePaper = Callable[..., Paper]


class Shelf:
    """Papers by id."""

    def __init__(self, *papers: Paper) -> None:
        self._papers = {paper.id: paper for paper in papers}

    def get(self, ids: list[str]) -> list[Paper]:
        return [self._papers[each] for each in ids if each in self._papers]


def about(paper: Paper, number: int) -> Answer:
    quote = Quote(paper.id, 0, 4, paper.abstract[:4])
    source = Source(number, paper, 0.5, (quote,))
    claim = Claim(quote.text, (number,), "quoted", quote)
    return Answer("What?", f"{quote.text} [{number}]", False, "fake", (claim,), (source,), (), {"total": 1.0}, "e", "l")


def lines(*answers: Answer) -> list[str]:
    return [json.dumps(answer.to_json()) for answer in answers]


def test_what_was_printed_comes_back_as_it_was(make_paper: MakePaper) -> None:
    cats = make_paper("cats", "Cats sleep.")
    assert conversations([*lines(about(cats, 1)), ""], Shelf(cats)) == [Conversation((about(cats, 1),))]


def test_a_number_that_passes_to_another_paper_begins_a_conversation(make_paper: MakePaper) -> None:
    cats, dogs = make_paper("cats", "Cats sleep."), make_paper("dogs", "Dogs bark.")
    held = conversations(lines(about(cats, 1), about(dogs, 2), about(dogs, 1)), Shelf(cats, dogs))
    assert [len(each.turns) for each in held] == [2, 1]


@pytest.mark.parametrize("line", ["oops", "[]", "{}", '{"question": 1}', "null", '{"sources": [3], "suggestions": []}'])
def test_a_line_that_is_no_answer_is_named(line: str) -> None:
    with pytest.raises(SavedUnusable, match="Line 1 is not an answer"):
        conversations([line], Shelf())


def test_a_paper_that_is_gone_or_changed_is_told(make_paper: MakePaper) -> None:
    cats = make_paper("cats", "Cats sleep.")
    with pytest.raises(SavedUnusable, match="does not hold cats"):
        conversations(lines(about(cats, 1)), Shelf())
    with pytest.raises(SavedUnusable, match="has changed"):
        conversations(lines(about(cats, 1)), Shelf(make_paper("cats", "Dogs sleep.")))
