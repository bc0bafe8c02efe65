"""Labels a person recognises, and the names by which a paper may be asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectorstore.labels import label, names
from vectorstore.paper import Paper
from vectorstore.readers import read

SEEDS = Path(__file__).parents[2] / "seeds"


def test_a_title_is_the_label_in_plain_text() -> None:
    assert label("We propose Foo, a method.", r"$\textbf{Bar}$: 25\% Better") == "Bar: 25% Better"


@pytest.mark.parametrize(
    ("abstract", "called"),
    [
        (r"We propose a novel approach, $\texttt{IDEAS}$, in which a model guides it.", "IDEAS"),
        ("We propose Sponge Tool Attack (STA), which disrupts reasoning. STA is cheap.", "Sponge Tool Attack (STA)"),
        ("We propose **Fox** (*F*aithfulness and *O*bservation via e*X*pression), a framework.", "Fox"),
        ("Next, we derive an algorithm (HAMU) with the goal of forgetting.", "HAMU"),
        (
            "We propose a framework called Mode Connectivity Unlearning (MCU) that leverages paths.",
            "Mode Connectivity Unlearning (MCU)",
        ),
        (
            "Models resist steering. We term this Endogenous Steering Resistance (ESR).",
            "Endogenous Steering Resistance (ESR)",
        ),
        ("In this work, we explore watermarks and introduce DistSeal, a unified approach.", "DistSeal"),
        ("To address this, we propose adaptive reward scaling (ARS).", "Adaptive reward scaling (ARS)"),
        (
            "We introduce the Web Agent Persuasion Benchmark (WAPB), a benchmark.",
            "Web Agent Persuasion Benchmark (WAPB)",
        ),
    ],
)
def test_what_the_abstract_introduces_names_the_paper(abstract: str, called: str) -> None:
    assert label(abstract, None) == called


@pytest.mark.parametrize(
    "abstract",
    [
        "Attacks such as Greedy Coordinate Gradient (GCG) are slow. GCG needs gradients. We study faster attacks on text.",
        "Models like CLIP are popular. We investigate spurious correlations in CLIP and its heads.",
        "We propose an efficient method for large language models (LLMs) and test it on AgentDojo.",
        "We introduce Gaussian processes on graphs for regression.",
    ],
)
def test_names_of_earlier_work_never_become_the_label(abstract: str) -> None:
    assert not {"GCG", "CLIP", "LLMs", "AgentDojo", "Gaussian"} & set(names(abstract, None))
    assert "(" not in label(abstract, None)
    assert len(label(abstract, None).split()) >= 2


@pytest.mark.parametrize(
    ("abstract", "phrase"),
    [
        (
            "We introduce a conformal prediction framework for two-stage sequential models, where one feeds the other.",
            "Conformal prediction framework for two-stage sequential models",
        ),
        (
            "We study the robustification of next-token prediction models in adversarial environments.",
            "Robustification of next-token prediction models in adversarial environments",
        ),
        (
            "We identify a contributor to this phenomenon: a center-focused saliency bias induced by padding.",
            "Center-focused saliency bias",
        ),
    ],
)
def test_a_paper_without_a_name_is_called_by_its_own_words(abstract: str, phrase: str) -> None:
    assert label(abstract, None) == phrase


def test_every_seed_paper_has_a_short_label_of_its_own() -> None:
    labels = [paper.label for paper in read(SEEDS) if isinstance(paper, Paper)]
    named = [
        "IDEAS",
        "LMCleaner",
        "Fox",
        "HAMU",
        "SVEB",
        "CausalArmor",
        "Z-Erase",
        "OCE",
        "DistSeal",
        "GraviTree",
        "OmniVL-Guard",
        "GCD",
        "SoHip",
    ]
    named += ["BlueCodeAgent", "TRAP", "PRAXIS", "LTC", "MCU", "ShaPO", "STA", "ESR"]
    assert len(set(labels)) == 38
    assert all(len(text) >= 2 and len(text.split()) <= 11 for text in labels)
    assert not [name for name in named if not any(name == text or f"({name})" in text for text in labels)]


def test_names_hold_acronym_long_form_and_secondary_methods() -> None:
    abstract = (
        "We introduce the State Value Estimation Benchmark (SVEB) to assess critics. We propose two techniques: "
        "Numca, which uses spans, and Hista, a framework. Code: https://github.com/someone/Hista2."
    )
    found = names(abstract, None)
    assert found[:2] == ("SVEB", "State Value Estimation Benchmark")
    assert {"Numca", "Hista"} <= set(found)


def test_the_part_of_a_title_before_a_colon_is_a_name() -> None:
    assert names("", "Z-Erase: Concept Erasure in Transformers") == (
        "Z-Erase",
        "Z-Erase: Concept Erasure in Transformers",
    )


@given(st.text(max_size=200) | st.text(st.sampled_from(list("We propos Xyz(ABC),. aninter$*:")), max_size=120))
@settings(deadline=None)
def test_any_text_has_a_label_on_one_line(text: str) -> None:
    assert label(text, None)
    assert "\n" not in label(text, None)
    assert all(names(text, None))
