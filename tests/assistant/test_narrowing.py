"""Filters inside a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.narrowing import narrow
from vectorstore.filters import Filters


def count(filters: Filters) -> int:
    """A library that has papers at NeurIPS and ICML 2024, and by Kaiming He."""
    return int(filters.venue in {"NeurIPS", "ICML 2024"} or filters.author == "Kaiming He")


@pytest.mark.parametrize(
    ("message", "left", "filters"),
    [
        ("papers on pruning since 2023", "papers on pruning", Filters(year_from=2023)),
        ("pruning papers after 2020?", "pruning papers ?", Filters(year_from=2021)),
        ("work on pruning before 2019", "work on pruning", Filters(year_to=2018)),
        ("papers on pruning in 2024", "papers on pruning", Filters(year_from=2024, year_to=2024)),
        ("pruning between 2019 and 2021", "pruning", Filters(year_from=2019, year_to=2021)),
        ("2023年以来关于剪枝的论文", "关于剪枝的论文", Filters(year_from=2023)),
        ("which papers at NeurIPS are on pruning", "which papers are on pruning", Filters(venue="NeurIPS")),
        ("pruning at ICML 2024", "pruning", Filters(venue="ICML 2024")),
        ("papers on ResNets by Kaiming He", "papers on ResNets", Filters(author="Kaiming He")),
        ("papers by Ada Lovelace", "papers", Filters(author="Ada Lovelace")),
        ("papers on pruning at CVPR since 2020", "papers on pruning", Filters(year_from=2020, venue="CVPR")),
    ],
)
def test_a_filter_is_taken_out_of_the_question(message: str, left: str, filters: Filters) -> None:
    found = narrow(message, count)
    assert (found.message, found.filters) == (left, filters)


@pytest.mark.parametrize(
    "message",
    [
        "what happens at inference in Llama 2023B models",
        "is it limited by Lipschitz constants?",
        "what is trained on CIFAR-10 in 200 epochs",
        "compare Fox and LTC",
        "gain of 2024 points",
        "Why do ViTs fail at ImageNet?",
    ],
)
def test_a_question_without_filters_stays_whole(message: str) -> None:
    assert narrow(message, count) == narrow(message, count, Filters())
    assert narrow(message, count).message == message
    assert not narrow(message, count).filters


def test_what_the_message_says_goes_over_what_was_set() -> None:
    given_before = Filters(year_from=2010, venue="NeurIPS")
    assert narrow("papers since 2023", count, given_before).filters == Filters(year_from=2023, venue="NeurIPS")


@given(st.text(max_size=80))
def test_any_text_is_taken(text: str) -> None:
    assert isinstance(narrow(text, count).message, str)
