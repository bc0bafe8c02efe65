"""Numbers, sources and receipts, whoever writes the pieces."""

from __future__ import annotations

from assistant.citations import Abstention, Manuscript, Mention, Statement, quote, verdict
from vectorstore.paper import Hit, Origin, Paper

CATS = Paper("cats", "Cats sleep for 16 hours. They hunt *mice* at night.", Origin("f", 1), "Cats")
STARS = Paper("stars", "Stars burn hydrogen.", Origin("f", 2), "Stars")


def said(paper: Paper, text: str, start: int, end: int) -> Statement:
    return Statement(text, paper, quote(paper, start, end))


def test_papers_are_numbered_by_first_use_and_listed_in_that_order() -> None:
    manuscript = Manuscript("q", "e", {}, {"cats": 0.9})
    for piece in (Mention(STARS), " ", said(CATS, "Cats sleep for 16 hours.", 0, 24), " ", Mention(STARS)):
        manuscript.add(piece)
    answer = manuscript.answer()
    assert answer.text == "[1] Cats sleep for 16 hours. [2] [1]"
    assert [(source.number, source.paper.id) for source in answer.sources] == [(1, "stars"), (2, "cats")]


def test_a_paper_keeps_the_number_of_the_conversation() -> None:
    manuscript = Manuscript("q", "e", {"cats": 4}, {})
    manuscript.add(Mention(STARS))
    manuscript.add(Mention(CATS))
    assert [source.number for source in manuscript.answer().sources] == [5, 4]


def test_a_claim_carries_the_exact_words_and_offsets() -> None:
    manuscript = Manuscript("q", "e", {}, {})
    manuscript.add(said(CATS, "They hunt mice at night.", 25, 51))
    claim = manuscript.answer().claims[0]
    assert claim.verdict == "quoted"
    assert claim.quote is not None
    assert CATS.abstract[claim.quote.start : claim.quote.end] == claim.quote.text == "They hunt *mice* at night."


def test_verdicts_tell_quotes_from_changed_numbers_and_inventions() -> None:
    assert verdict(said(CATS, "Cats sleep for 16 hours.", 0, 24)) == "quoted"
    assert verdict(said(CATS, "Cats sleep for 61 hours.", 0, 24)) == "numbers differ"
    assert verdict(said(CATS, "Dogs bark loudly in gardens.", 0, 24)) == "not found"
    assert verdict(Statement("Cats sleep.", CATS, None)) == "not found"
    assert verdict(Statement("Stars burn hydrogen.", CATS, quote(STARS, 0, 20))) == "not found"


def test_an_abstention_suggests_and_does_not_cite() -> None:
    manuscript = Manuscript("q", "e", {}, {})
    manuscript.add("Nothing here.")
    manuscript.add(Abstention((Hit(CATS, 0.2, ()),)))
    answer = manuscript.answer()
    assert answer.abstained
    assert answer.sources == ()
    assert [suggestion.paper.id for suggestion in answer.suggestions] == ["cats"]


def test_marks_and_markup_inside_a_quote_do_not_act() -> None:
    paper = Paper("p", "As shown in [1] and | a_b | <b>x</b> it works.", Origin("f", 1), "P")
    manuscript = Manuscript("q", "e", {}, {})
    manuscript.add(said(paper, paper.abstract, 0, len(paper.abstract)))
    assert "\\[1\\]" in manuscript.answer().text
    assert " | " not in manuscript.answer().text.replace("\\|", "")
