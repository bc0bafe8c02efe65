"""What the window shows of an answer, and what it never shows."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from assistant.answer import Answer, Claim, Quote, Source
from assistant.conversation import Conversation
from tests.ui.conftest import FakeAssistant
from ui import render
from vectorstore.paper import Origin, Paper


def answered(fake: FakeAssistant, *questions: str) -> Conversation:
    conversation = Conversation()
    for question in questions:
        *_, answer = fake.stream(question, conversation)
        conversation = conversation.after(answer)
    return conversation


def test_a_citation_leads_to_the_card_of_its_paper(fake: FakeAssistant) -> None:
    conversation = answered(fake, "cats")
    assert 'href="#quote-1-0"' in render.transcript(conversation)
    assert '<mark><span id="quote-1-0"></span>Cats' in render.sources(conversation)


def two_quotes() -> Answer:
    """An answer with a mention of a paper and two sentences of it, in the wrong order."""
    abstract = "Dogs bark [1]. Dogs run_fast."
    paper = Paper("dogs", abstract, Origin("papers.txt", 1), "dogs")
    bark, run = Quote("dogs", 0, 14, abstract[:14]), Quote("dogs", 15, 29, abstract[15:])
    claims = (Claim(run.text, (1,), "quoted", run), Claim(bark.text, (1,), "quoted", bark))
    text = "**dogs** [1]: Dogs run_fast. [1] Dogs bark \\[1\\]. [1]"
    return Answer("dogs?", text, False, "fake", claims, (Source(1, paper, 0.9, (bark, run)),))


def test_each_citation_leads_to_its_own_sentence() -> None:
    shown = render.answer_html(two_quotes())
    assert re.findall(r'href="#([^"]+)"', shown) == ["quote-1-0", "quote-1-15", "quote-1-0"]
    cards = render.sources(Conversation((two_quotes(),)))
    assert '<span id="quote-1-15"></span>Dogs run_fast.</mark>' in cards


def test_a_bracketed_number_of_a_paper_is_no_citation_and_no_formula() -> None:
    shown = render.answer_html(two_quotes())
    assert "Dogs bark [1]." in shown
    assert "<math" not in shown


def test_an_earlier_citation_still_finds_its_sentence_which_is_marked_quietly() -> None:
    first = two_quotes()
    source = first.sources[0]
    then = replace(
        first, text="Dogs run_fast. [1]", claims=first.claims[:1], sources=(replace(source, quotes=source.quotes[1:]),)
    )
    cards = render.sources(Conversation((first, then)))
    assert cards.count("<article") == 1
    assert '<mark class="earlier"><span id="quote-1-0"></span>' in cards
    assert '<mark><span id="quote-1-15"></span>' in cards


def test_a_claim_that_its_quote_does_not_bear_out_says_so() -> None:
    answer = two_quotes()
    doubted = replace(answer, claims=(replace(answer.claims[0], verdict="numbers differ"), answer.claims[1]))
    assert render.answer_html(doubted).count('<span class="verdict">numbers differ</span>') == 1
    assert "verdict" not in render.answer_html(answer)


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


def test_suggestions_beside_citations_follow_them(fake: FakeAssistant) -> None:
    (cited,) = answered(fake, "cats").turns
    (refused,) = answered(fake, "weather in Boston").turns
    shown = render.sources(Conversation((replace(cited, suggestions=refused.suggestions),)))
    assert shown.index('id="source-1"') < shown.index("Nearest papers, not cited")


def test_a_title_that_is_not_the_label_is_shown(fake: FakeAssistant) -> None:
    (answer,) = answered(fake, "cats").turns
    (source,) = answer.sources
    titled = replace(source, paper=replace(source.paper, title="On <Cats>"))
    assert "On &lt;Cats&gt;" in render.sources(Conversation((replace(answer, sources=(titled,)),)))


@given(st.text(alphabet="ab<>&$\\{}[]1 \"'_*`.\ue000\ue001", max_size=60))
def test_no_text_of_a_paper_or_visitor_becomes_markup(text: str) -> None:
    shown = render.abstract_html(text, (Quote("p", 1, 9, ""),), 1)
    shown += render.transcript(Conversation((Answer(text, "plain", False, "fake"),)))
    ours = "mark|span|div|p|math|m(?:row|i|o|n|text|sub|sup|subsup|frac|space|style|table|tr|td|over|under|underover)"
    assert re.sub(rf"</?(?:{ours})(?: [a-z]+=\"[^\"<>]*\")*>", "", shown).count("<") == 0


def test_a_sentence_that_no_abstract_bears_out_is_struck_once_and_says_why() -> None:
    paper = Paper("p", "Fox is fast. It is small.", Origin("f.txt", 1), "Fox")
    held = Quote("p", 0, 12, "Fox is fast.")
    claims = (
        Claim("Fox is quick.", (1,), "partly", held),
        Claim("Fox is 3.", (1,), "numbers differ", None),
        Claim("Owls fly.", (), "not found", None),
    )
    text = "Fox is quick. [1] ~~Fox is 3.~~ [1] ~~Owls fly.~~ *(no source)*"
    page = render.answer_html(Answer("q", text, False, "model", claims, (Source(1, paper, 0.9, (held,)),)))
    assert page.count("Fox is 3.") == page.count("Owls fly.") == 1
    assert "<s>Fox is 3.</s>" in page
    assert re.findall(r'class="verdict">([\w ]+)<', page) == ["partly", "numbers differ"]


def test_several_marks_of_a_sentence_lead_to_its_quote_and_tell_a_doubt_once() -> None:
    papers = [Paper(id, "Both are fast.", Origin("f.txt", 1), id) for id in ("a", "b")]
    quotes = [Quote(paper.id, 0, 14, "Both are fast.") for paper in papers]
    sources = tuple(
        Source(n, paper, 0.9, (quote,)) for n, (paper, quote) in enumerate(zip(papers, quotes, strict=True), 1)
    )
    claim = Claim("Both are quick.", (1, 2), "partly", quotes[0])
    page = render.answer_html(Answer("q", "Both are quick. [1][2]", False, "model", (claim,), sources))
    assert page.count('class="cite"') == 2
    assert page.count("partly") == 1
