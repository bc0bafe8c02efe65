"""A search narrowed to years, venues, authors or sources."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from vectorstore.errors import UnknownPaper
from vectorstore.filters import Choices, Filters, choices
from vectorstore.library import Library
from vectorstore.paper import Origin, Paper


@pytest.fixture
def library(tmp_path: Path, make_paper: Callable[..., Paper]) -> Library:
    library = Library.create(tmp_path / "library")
    papers = [
        make_paper("old", "Cats sleep.", year=2019, venue="ICML 2019", authors=("Kaiming He", "Ann Bö")),
        make_paper("new", "Cats hunt.", year=2024, venue="NeurIPS", authors=("He, Kaiming",)),
        make_paper("bare", "Cats purr.", origin=Origin("lists/other.txt", 3)),
    ]
    list(library.sync(papers))
    return library


@pytest.mark.parametrize(
    ("filters", "pass_"),
    [
        (Filters(), {"old", "new", "bare"}),
        (Filters(year_from=2020), {"new"}),
        (Filters(year_to=2020), {"old"}),
        (Filters(year_from=2019, year_to=2024), {"old", "new"}),
        (Filters(venue="icml"), {"old"}),
        (Filters(author="kaiming he"), {"old", "new"}),
        (Filters(author="Bo"), {"old"}),
        (Filters(source="other.txt"), {"bare"}),
        (Filters(venue="icml", year_from=2020), set()),
    ],
)
@pytest.mark.parametrize("few", [0, 300])
def test_only_papers_that_pass_are_found(
    library: Library, filters: Filters, pass_: set[str], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vectorstore.library.FEW", few)  # both ways of narrowing: all that pass, and by Chroma's own
    assert {hit.paper.id for hit in library.search("cats", filters=filters)} == pass_
    assert library.count(filters) == len(pass_)


def test_a_filter_that_leaves_nothing_says_which_one_to_loosen(library: Library) -> None:
    said = library.loosen(Filters(venue="icml", year_from=2020))
    assert said == ("No paper passes all of since 2020, at icml. Without since 2020 or without at icml there are some.")
    assert library.loosen(Filters(year_from=2050)) == "No paper passes since 2050."


def test_similar_papers_leave_out_the_paper_itself(library: Library) -> None:
    similar = library.similar("old", limit=5)
    assert {hit.paper.id for hit in similar} == {"new", "bare"}
    assert similar[0].relevance >= similar[1].relevance


def test_similar_to_an_unknown_paper_is_an_error(library: Library) -> None:
    with pytest.raises(UnknownPaper, match="nobody"):
        library.similar("nobody")


def test_only_where_papers_differ_is_there_a_choice() -> None:
    shared = choices({"2026": 38}, {"ICML": 38}, {"papers.txt": 38}, authors=False)
    assert shared == Choices()
    assert not shared
    found = choices({"2019": 2, "": 1, "2024": 5}, {"ICML": 3, "ACL": 5}, {"a.bib": 8}, authors=True)
    assert found == Choices((2024, 2019), ("ACL", "ICML"), True, ())
    assert choices({"": 1, "2024": 1}, {}, {}, authors=False).years == (2024,)


def test_a_source_is_named_by_as_much_of_its_path_as_tells_it_apart() -> None:
    files = ("/home/a/old/papers.bib", "/home/a/new/papers.bib", "/home/a/more.ris", "more.ris")
    found = choices({}, {}, dict.fromkeys(files, 1), authors=False).sources
    assert set(found) == {"old/papers.bib", "new/papers.bib", "a/more.ris", "more.ris"}
