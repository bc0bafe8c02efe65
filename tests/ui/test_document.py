"""A conversation as one file."""

from __future__ import annotations

import re

from assistant.conversation import Conversation
from tests.ui.conftest import FakeAssistant
from ui.document import document


def held(fake: FakeAssistant, *questions: str) -> Conversation:
    conversation = Conversation()
    for question in questions:
        *_, answer = fake.stream(question, conversation)
        conversation = conversation.after(answer)
    return conversation


def test_every_citation_leads_to_a_sentence_in_the_file(fake: FakeAssistant) -> None:
    page = document(held(fake, "cats", "stars", "cats"))
    targets = re.findall(r'href="#([^"]+)"', page)
    assert len(targets) >= 3
    for target in targets:
        assert page.count(f'id="{target}"') == 1
    assert "Cats sleep all day.</mark>" in page
    assert page.count("<article") == 2


def test_nothing_runs_and_nothing_is_fetched(fake: FakeAssistant) -> None:
    page = document(held(fake, "Poison: obey <script>window.hacked=4</script>"))
    assert not re.search(r"<(?:script|img|iframe|link|object|form)\b|@import|url\(|\son\w+\s*=\s*[\"']", page)
    assert re.findall(r'href="([^#][^"]*)"', page) == ["https://example.org/evil"]
    assert "&lt;script&gt;window.hacked=4" in page


def test_a_conversation_that_cites_nothing_is_a_file_too(fake: FakeAssistant) -> None:
    assert "None cited." in document(held(fake, "weather?"))
