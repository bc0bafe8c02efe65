"""Citations in every form that models write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.marks import Said, read

GIVEN = range(1, 5)
S = "Fox cuts errors."


def short(text: str) -> list[tuple[str, tuple[int, ...], int]]:
    return [(said.text, said.numbers, said.invented) for said in read(text, GIVEN)]


@pytest.mark.parametrize(
    ("written", "numbers", "invented"),
    [
        ("Fox cuts errors [1].", (1,), 0),
        ("Fox cuts errors. [1]", (1,), 0),
        ("Fox cuts errors.[1]", (1,), 0),
        ("Fox cuts errors[1].", (1,), 0),
        ("Fox cuts errors [1,2].", (1, 2), 0),
        ("Fox cuts errors [1, 2].", (1, 2), 0),
        ("Fox cuts errors [1; 3].", (1, 3), 0),
        ("Fox cuts errors [1-3].", (1, 2, 3), 0),
        ("Fox cuts errors [1–3].", (1, 2, 3), 0),
        ("Fox cuts errors [1, 3-4].", (1, 3, 4), 0),
        ("Fox cuts errors [1 and 2].", (1, 2), 0),
        ("Fox cuts errors [1][2].", (1, 2), 0),
        ("Fox cuts errors [1] [2].", (1, 2), 0),
        ("Fox cuts errors [1], [2].", (1, 2), 0),
        ("Fox cuts errors [1]. [1]", (1,), 0),
        ("Fox cuts errors [1] [1].", (1,), 0),
        ("Fox cuts errors [[1]].", (1,), 0),
        ("Fox cuts errors [ 1 ].", (1,), 0),
        ("Fox cuts errors [^1].", (1,), 0),
        ("Fox cuts errors.[^1^]", (1,), 0),
        ("Fox cuts errors ^[1].", (1,), 0),
        ("Fox cuts errors [#1].", (1,), 0),
        ("Fox cuts errors [Source 2].", (2,), 0),
        ("Fox cuts errors [source: 2].", (2,), 0),
        ("Fox cuts errors [Sources 1, 2].", (1, 2), 0),
        ("Fox cuts errors [Source 1, Source 2].", (1, 2), 0),
        ("Fox cuts errors [Paper 2].", (2,), 0),
        ("Fox cuts errors [Ref. 3].", (3,), 0),
        ("Fox cuts errors [Document 1].", (1,), 0),
        ("Fox cuts errors [cite: 1, 2].", (1, 2), 0),
        ("Fox cuts errors [@1].", (1,), 0),
        ("Fox cuts errors [1, p. 3].", (1,), 0),
        ("Fox cuts errors 【2】.", (2,), 0),
        ("Fox cuts errors【2†source】.", (2,), 0),
        ("Fox cuts errors 【2】【3】.", (2, 3), 0),
        ("Fox cuts errors 〔2〕.", (2,), 0),
        ("Fox cuts errors ［２］.", (2,), 0),
        ("Fox cuts errors (1).", (1,), 0),
        ("Fox cuts errors（1）.", (1,), 0),
        ("Fox cuts errors (1, 2).", (1, 2), 0),
        ("Fox cuts errors. (1)", (1,), 0),
        ("Fox cuts errors (Source 1).", (1,), 0),
        ("Fox cuts errors (see [1]).", (1,), 0),
        ("Fox cuts errors ([1], [2]).", (1, 2), 0),
        ("Fox cuts errors<sup>1</sup>.", (1,), 0),
        ("Fox cuts errors<sup>[1]</sup>.", (1,), 0),
        ("Fox cuts errors.¹", (1,), 0),
        ("Fox cuts errors¹˒².", (1, 2), 0),
        ("Fox cuts errors^1.", (1,), 0),
        (r"Fox cuts errors \[1\].", (1,), 0),
        (r"Fox cuts errors \cite{1,2}.", (1, 2), 0),
        ("Fox cuts errors `[1]`.", (1,), 0),
        ("`Fox cuts errors [1].`", (1,), 0),
        ("```\nFox cuts errors [1].\n```", (1,), 0),
        ("Fox cuts errors **[1]**.", (1,), 0),
        ("**Fox** cuts *errors* [1].", (1,), 0),
        ("Fox cuts errors [1](http://evil.example/1).", (1,), 0),
        ("Fox cuts errors <a href='http://evil.example'>[1]</a>.", (1,), 0),
        ("[1] Fox cuts errors.", (1,), 0),
        ("- [1]: Fox cuts errors.", (1,), 0),
        ("Fox cuts errors.\n[1]", (1,), 0),
        ("Fox cuts errors [1].\n\n[1]: Fox, ICML 2026", (1,), 0),
        ("Fox cuts errors [1].\n\nReferences:\n[1] Fox. ICML.\n[9] Nothing.", (1,), 0),
        ("Fox cuts errors [1].\n\nSources: [1], [2]", (1,), 0),
        ("Fox cuts errors [9].", (), 1),
        ("Fox cuts errors [1, 9].", (1,), 1),
        ("Fox cuts errors [3-6].", (3, 4), 2),
        ("Fox cuts errors [2019].", (), 1),
        ("Fox cuts errors (Source 9).", (), 1),
        ("Fox cuts errors 【7】.", (), 1),
        ("Fox cuts errors [0].", (), 1),
        ("<think>Which? [2] maybe.</think>Fox cuts errors [1].", (1,), 0),
        ("Sure! Fox cuts errors [1].", (1,), 0),
        ("Fox cuts\u200b errors [\u200b1].", (1,), 0),
        ("Fox cuts errors.", (), 0),
    ],
)
def test_a_form_of_citation(written: str, numbers: tuple[int, ...], invented: int) -> None:
    assert short(written) == [(S, numbers, invented)]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("It rises by 3 (2023).", "It rises by 3 (2023)."),
        ("Values lie in [0, 1].", "Values lie in [0, 1]."),
        ("The error is $x[1]$ and $a_{[2]}$.", "The error is $x[1]$ and $a_{[2]}$."),
        ("We use f(1) and x².", "We use f(1) and x²."),
        ("It has (1) speed and (2) size.", "It has (1) speed and (2) size."),
        ("See Table 1 and Figure 2.", "See Table 1 and Figure 2."),
        ("It is 3.5 times faster.", "It is 3.5 times faster."),
    ],
)
def test_what_is_no_citation_stays(written: str, text: str) -> None:
    assert short(written) == [(text, (), 0)]


def test_each_sentence_keeps_its_own() -> None:
    assert short("A works. [1] B fails [2]. C is new [3][4]! D?") == [
        ("A works.", (1,), 0),
        ("B fails.", (2,), 0),
        ("C is new!", (3, 4), 0),
        ("D?", (), 0),
    ]


@pytest.mark.parametrize(
    ("written", "text", "numbers"),
    [
        ("According to [1], errors fall.", "According to the cited paper, errors fall.", (1,)),
        ("[2] proposes a probe.", "The cited paper proposes a probe.", (2,)),
        ("[1] and [2] propose probes.", "The cited papers propose probes.", (1, 2)),
        ("Paper 2 proposes a probe.", "The cited paper proposes a probe.", (2,)),
        ("As shown in source 3, errors fall.", "As shown in the cited paper, errors fall.", (3,)),
    ],
)
def test_a_citation_that_is_a_word_of_the_sentence_leaves_one(
    written: str, text: str, numbers: tuple[int, ...]
) -> None:
    assert short(written) == [(text, numbers, 0)]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("Fox ![x](http://evil.example/a.png) cuts.", "Fox cuts."),
        ("Fox [cuts](http://evil.example) errors.", "Fox cuts errors."),
        ("Fox <img src=x onerror=alert(1)> cuts.", "Fox cuts."),
        ("Fox <script>fetch('http://evil.example')</script> cuts.", "Fox cuts."),
        ("Fox cuts, see http://evil.example/x and more.", "Fox cuts, see and more."),
        ("Fox <b>cuts</b> errors.", "Fox cuts errors."),
        ("Code is at https://github.com/fox/fox today.", "Code is at https://github.com/fox/fox today."),
        ("For a < b and c > d it holds.", "For a < b and c > d it holds."),
    ],
)
def test_nothing_foreign_is_left(written: str, text: str) -> None:
    said = read(written, GIVEN, ("https://github.com/fox/fox",))
    assert [each.text for each in said] == [text]


def test_the_shape_of_a_text_stays() -> None:
    written = (
        "## Findings\n\nTwo papers do this:\n- Fox cuts errors [1].\n- LTC does too [2].\n\nBoth are fast. Really."
    )
    assert read(written, GIVEN) == (
        Said("Findings", claim=False),
        Said("Two papers do this:", before="\n\n", claim=False),
        Said("Fox cuts errors.", (1,), "\n- "),
        Said("LTC does too.", (2,), "\n- "),
        Said("Both are fast.", before="\n\n"),
        Said("Really.", before=" "),
    )


def test_a_table_becomes_items() -> None:
    written = "| paper | effect |\n|---|---|\n| Fox | cuts errors [1] |"
    assert [said.text for said in read(written, GIVEN)] == ["paper; effect", "Fox; cuts errors"]


def test_chinese_sentences_and_marks() -> None:
    assert short("Fox 减少了错误【1】。LTC 也是。[2]") == [("Fox 减少了错误。", (1,), 0), ("LTC 也是。", (2,), 0)]


@given(st.text(alphabet=st.sampled_from("ab [](){}123,-^.<>*`_$\\\n【】#|:/!?~\ue000\ue001\ue002"), max_size=80))
def test_no_text_makes_it_fall_over_or_cites_what_was_not_given(text: str) -> None:
    for said in read(text, GIVEN):
        assert set(said.numbers) <= set(GIVEN)
        assert not set("\ue000\ue001\ue002\n") & set(said.text)
