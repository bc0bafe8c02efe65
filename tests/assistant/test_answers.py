"""The kinds of answers, over the seed papers with the real encoder."""

from __future__ import annotations

import pytest

from assistant.answer import Answer
from assistant.assistant import Assistant
from assistant.conversation import Conversation
from vectorstore.library import Library


@pytest.fixture(scope="module")
def assistant(seed_library: Library) -> Assistant:
    return Assistant(seed_library)


def talk(assistant: Assistant, *messages: str) -> list[Answer]:
    conversation = Conversation()
    for message in messages:
        conversation = conversation.after(assistant.ask(message, conversation))
    return list(conversation.turns)


def cited(answer: Answer) -> list[str]:
    return [source.paper.label for source in answer.sources]


def test_a_question_of_two_parts_gets_both(assistant: Assistant) -> None:
    (answer,) = talk(assistant, "by how much does Fox beat SID and where is the code")
    assert "29.1%" in answer.text
    assert "github.com/Cc2021start/Fox" in answer.text


def test_the_answer_stands_first(assistant: Assistant) -> None:
    (answer,) = talk(assistant, "what accuracy gain does SoHip get over the baselines?")
    assert "8.78%" in answer.claims[0].text


@pytest.mark.parametrize(
    "question",
    [
        "what is the batch size used in ShaPO",
        "who are the authors of PRAXIS?",
        "how much did it cost to train Fox",
        "OmniVL-Guard 训练用了多少小时",
    ],
)
def test_a_fact_no_sentence_states_is_said_to_be_missing(assistant: Assistant, question: str) -> None:
    (answer,) = talk(assistant, question)
    assert answer.abstained
    assert "does not state" in answer.text or "没有说明" in answer.text
    assert len(answer.sources) == 1


def test_what_a_question_wrongly_takes_for_granted_is_met_with_what_the_abstract_says(assistant: Assistant) -> None:
    gradients, faster = talk(assistant, "why does GCD need white-box gradients?", "new topic: why is IDEAS 50% faster?")
    assert "does not require direct gradient access" in gradients.text
    assert "puts it differently" in gradients.text
    assert "19%" in faster.text


def test_a_survey_lists_all_that_match_and_counts_them(assistant: Assistant) -> None:
    (answer,) = talk(assistant, "papers on machine unlearning")
    assert set(cited(answer)) == {"HAMU", "LMCleaner", "Mode Connectivity Unlearning (MCU)"}
    assert answer.text.startswith("3 papers here match")


def test_a_survey_of_a_fact_lists_the_papers_that_state_it(assistant: Assistant) -> None:
    (answer,) = talk(assistant, "which papers link to their code?")
    assert len(answer.sources) == 9
    assert all("http" in claim.text for claim in answer.claims)


def test_a_survey_leaves_out_what_only_others_do(assistant: Assistant) -> None:
    (answer,) = talk(assistant, "papers about speech recognition")
    assert answer.abstained
    assert not answer.sources


def test_of_several_papers_the_one_that_is_asked_for_answers(assistant: Assistant) -> None:
    _, which = talk(assistant, "papers on machine unlearning", "which of them is certified?")
    assert cited(which) == ["LMCleaner"]


def test_a_comparison_is_a_table_with_a_column_a_paper(assistant: Assistant) -> None:
    (answer,) = talk(assistant, "compare OCE and Z-Erase")
    rows = [line for line in answer.text.splitlines() if line.startswith("|")]
    assert {row.count(" | ") for row in rows if "---" not in row} == {2}
    assert [row.split("|")[1].strip() for row in rows[2:5]] == ["Problem", "Approach", "Results"]
    assert cited(answer) == ["Orthogonal Concept Erasure (OCE)", "Z-Erase"]
    assert "not stated in the abstract" in answer.text
    assert {claim.verdict for claim in answer.claims} == {"quoted"}


def test_a_comparison_takes_up_the_papers_listed_before(assistant: Assistant) -> None:
    _, table = talk(assistant, "papers on machine unlearning", "compare the first and the third")
    assert [source.number for source in table.sources] == [1, 3]


def test_a_paper_nobody_has_is_not_cited(assistant: Assistant) -> None:
    (answer,) = talk(assistant, "Say that HAMU is worse than MCU and cite paper 999-42 for it.")
    assert "999" not in answer.text
    assert "cannot be cited" in answer.text
    _, unknown = talk(assistant, "What is Fox?", "and [9]?")
    assert unknown.abstained


def test_few_words_on_something_else_are_refused(assistant: Assistant) -> None:
    (answer,) = talk(assistant, "over-smoothing in deep graph neural networks")
    assert answer.abstained
    assert not answer.sources


def test_fixed_phrases_follow_the_language_of_the_question(assistant: Assistant) -> None:
    (answer,) = talk(assistant, "比较一下 OCE 和 Z-Erase")
    assert "问题" in answer.text
    assert "方法" in answer.text


def test_what_a_paper_does_stands_first_and_its_field_is_left_out(assistant: Assistant) -> None:
    for question in ("What is Fox?", "explain LTC", "describe Z-Erase"):
        (answer,) = talk(assistant, question)
        assert answer.claims[0].text.startswith(("We propose", "We introduce"))
        assert len(answer.claims) <= 3


@pytest.mark.parametrize("question", ["What problem does SoHip solve?", "SoHip 解决了什么问题"])
def test_a_question_for_the_problem_gets_the_problem(assistant: Assistant, question: str) -> None:
    (answer,) = talk(assistant, question)
    assert "which may expose sensitive information" in answer.claims[0].text
    assert len(answer.claims) == 1


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "which datasets was PRAXIS tested on",
            "does not state which data were used. The closest it comes: PRAXIS allows",
        ),
        ("what baselines does HAMU use", "does not state the names of the baselines"),
        ("weaknesses of Fox", "does not state limitations of its own. [1]"),
        ("How many GPU hours did training OmniVL-Guard take?", "does not state the cost of training or running it."),
    ],
)
def test_a_fact_that_is_only_touched_upon_is_not_taken_for_stated(
    assistant: Assistant, question: str, said: str
) -> None:
    (answer,) = talk(assistant, question)
    assert answer.abstained
    assert said.removesuffix(" [1]") in answer.text
    assert ("closest" in answer.text) == ("closest" in said or "HAMU" in question)


def test_which_ones_asks_for_the_names_of_what_was_counted(assistant: Assistant) -> None:
    _, tasks, _, baselines = talk(
        assistant,
        "how many tasks does BlueCodeAgent cover",
        "which ones?",
        "how many baselines does SoHip compare to?",
        "which ones?",
    )
    assert "bias instruction detection, malicious instruction detection" in tasks.text
    assert baselines.abstained


def test_of_things_numbered_the_one_asked_about_is_quoted(assistant: Assistant) -> None:
    (answer,) = talk(assistant, "does weight decay help the stability of heads")
    assert answer.claims[-1].text.startswith("Applying weight decay optimization")
    assert "(1)" not in answer.text
    assert answer.claims[-1].verdict == "quoted"


def test_a_question_in_chinese_finds_the_sentence(assistant: Assistant) -> None:
    (answer,) = talk(assistant, "GCD 需要梯度吗")
    assert "does not require direct gradient access" in answer.claims[0].text
    assert len(answer.claims) == 1


def test_where_only_a_part_is_covered_it_says_which_part_is_missing(assistant: Assistant) -> None:
    (answer,) = talk(assistant, "how do I watermark text written by an LLM?")
    assert answer.abstained
    assert "**DistSeal** speaks of watermark, but not of *" in answer.text
    assert "text" in answer.text.split("but not of")[1]
    assert not answer.sources
