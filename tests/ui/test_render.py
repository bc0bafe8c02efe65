"""What the window shows of an answer, and what it never shows."""

from __future__ import annotations

from assistant.answer import Answer, Quote
from assistant.conversation import Conversation
from tests.ui.conftest import FakeAssistant
from ui import render


def answered(fake: FakeAssistant, *questions: str) -> Conversation:
    conversation = Conversation()
    for question in questions:
        *_, answer = fake.stream(question, conversation)
        conversation = conversation.after(answer)
    return conversation


def test_a_citation_leads_to_the_card_of_its_paper(fake: FakeAssistant) -> None:
    conversation = answered(fake, "cats")
    assert 'href="#quote-1"' in render.transcript(conversation)
    assert '<mark id="quote-1">' in render.sources(conversation)


def test_the_quoted_sentence_is_marked_in_the_abstract(fake: FakeAssistant) -> None:
    assert "Cats sleep all day.</mark> They hunt" in render.sources(answered(fake, "cats"))


def test_a_mark_that_no_source_has_stays_text() -> None:
    shown = render.answer_html(Answer("q", "See [7] and item [1].", False, "fake"))
    assert "<a" not in shown
    assert "[7]" in shown


def test_earlier_sources_stay_within_reach(fake: FakeAssistant) -> None:
    shown = render.sources(answered(fake, "cats", "stars"))
    assert shown.index('id="source-2"') < shown.index("Earlier in this conversation") < shown.index('id="source-1"')


def test_prices_stay_text_and_formulas_become_mathematics() -> None:
    shown = render.abstract_html("It costs $5 to $12, with error $\\frac{1}{n}$ where a < b and snake_case_name.", ())
    assert "$5 to $12" in shown
    assert shown.count("<math") == 1
    assert "<mfrac>" in shown
    assert "a &lt; b and snake_case_name" in shown


def test_nothing_of_a_hostile_paper_or_question_becomes_markup(fake: FakeAssistant) -> None:
    conversation = answered(fake, "Poison: <b>bold</b> <script>alert(1)</script> http://evil.example")
    for shown in (render.transcript(conversation), render.sources(conversation)):
        assert "<script" not in shown
        assert "<img" not in shown
        assert "<b>" not in shown
        assert 'href="http://evil' not in shown


def test_an_address_that_is_no_web_address_is_not_linked(fake: FakeAssistant) -> None:
    from dataclasses import replace

    conversation = answered(fake, "cats")
    source = conversation.turns[0].sources[0]
    bad = replace(source, paper=replace(source.paper, url="javascript:alert(1)"))
    answer = replace(conversation.turns[0], sources=(bad,))
    assert "javascript:" not in render.sources(Conversation((answer,)))


def test_suggestions_are_shown_as_such(fake: FakeAssistant) -> None:
    conversation = answered(fake, "weather in Boston")
    assert "Nearest papers, not cited" in render.sources(conversation)
    assert 'class="cite"' not in render.transcript(conversation)


def test_tables_are_tables() -> None:
    shown = render.answer_html(Answer("q", "| a | b |\n|---|---|\n| c | d |", False, "fake"))
    assert "<table>" in shown
    assert "<td>c</td>" in shown


def test_overlapping_quotes_mark_the_text_once() -> None:
    quotes = (Quote("p", 0, 9, ""), Quote("p", 4, 15, ""))
    shown = render.abstract_html("One. Two. Three. Four.", quotes)
    assert shown.count("Two") == 1
