"""The library's promises: nothing twice, nothing lost, nothing stale."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from vectorstore.errors import LibraryBusy, LibraryMismatch, LibraryMissing
from vectorstore.library import SCHEMA, Library, SyncReport
from vectorstore.paper import Origin, Paper, Skipped

MakePaper = Callable[..., Paper]


def sync(library: Library, *records: Paper | Skipped) -> SyncReport:
    return list(library.sync(records))[-1]


@pytest.fixture
def papers(make_paper: MakePaper) -> list[Paper]:
    return [
        make_paper("cats", "Cats sleep all day. They wake at night to hunt mice."),
        make_paper("stars", "Stars burn hydrogen. We measure the spectrum of quasars with a telescope."),
        make_paper("trees", "Decision trees split data. Sparse trees are easy to read."),
    ]


def test_the_paper_that_speaks_of_it_comes_first(tmp_path: Path, papers: list[Paper]) -> None:
    library = Library.create(tmp_path / "library")
    sync(library, *papers)
    hits = library.search("which animals are active in the dark?", limit=3)
    assert hits[0].paper.id == "cats"
    assert 0 <= hits[-1].relevance <= hits[0].relevance <= 1


def test_a_hit_shows_which_sentence_matched(tmp_path: Path, papers: list[Paper]) -> None:
    library = Library.create(tmp_path / "library")
    sync(library, *papers)
    hit = library.search("quasar spectra", limit=1)[0]
    best = max(hit.passages, key=lambda passage: passage.score)
    assert hit.paper.abstract[best.start : best.end] == "We measure the spectrum of quasars with a telescope."


def test_a_second_run_changes_nothing(tmp_path: Path, papers: list[Paper]) -> None:
    library = Library.create(tmp_path / "library")
    assert sync(library, *papers) == SyncReport(added=3)
    assert sync(library, *papers) == SyncReport(unchanged=3)
    assert sync(library, *reversed(papers)) == SyncReport(unchanged=3)


def test_papers_come_back_as_they_went_in(tmp_path: Path, make_paper: MakePaper) -> None:
    full = make_paper(
        "a b/c",
        'An abstract with $x_i$ and "quotes".',
        title="Title",
        authors=("Ann B.", "Çelik, Ö."),
        year=2021,
        venue="ICML",
        url="https://example.org/1",
    )
    bare = make_paper("bare", "Only words.")
    titled = make_paper("titled", "", title="A title alone")
    library = Library.create(tmp_path / "library")
    sync(library, full, bare, titled)
    assert library.get(["a b/c", "bare", "nobody", "titled"]) == [full, bare, titled]


def test_a_changed_abstract_replaces_the_old_one(tmp_path: Path, papers: list[Paper]) -> None:
    library = Library.create(tmp_path / "library")
    sync(library, *papers)
    newer = replace(papers[0], abstract="Penguins swim in cold water.", year=None)
    assert sync(library, newer).updated == 1
    assert library.search("penguins swimming", limit=1)[0].paper.abstract == "Penguins swim in cold water."
    assert all("mice" not in hit.paper.abstract for hit in library.search("cats hunt mice", limit=5))
    assert library.stats().papers == 3


def test_a_field_that_a_newer_record_lacks_is_gone(tmp_path: Path, make_paper: MakePaper) -> None:
    library = Library.create(tmp_path / "library")
    old = make_paper("a", "Some text.", year=2020, venue="ICML", url="https://example.org")
    sync(library, old)
    newer = replace(old, year=None, venue=None, url=None)
    sync(library, newer)
    assert library.get(["a"]) == [newer]


def test_one_id_in_two_files_stays_two_papers(tmp_path: Path, make_paper: MakePaper) -> None:
    library = Library.create(tmp_path / "library")
    one = make_paper("1", "Cats sleep.", origin=Origin("a.jsonl", 1))
    other = make_paper("1", "Stars burn.", origin=Origin("b.jsonl", 1))
    assert sync(library, one, other).added == 2
    assert sync(library, one, other) == SyncReport(unchanged=2)
    assert {paper.abstract for paper in library.get([hit.paper.id for hit in library.search("cats stars")])} == {
        "Cats sleep.",
        "Stars burn.",
    }


def test_the_same_paper_twice_in_one_run_is_taken_once(tmp_path: Path, papers: list[Paper]) -> None:
    library = Library.create(tmp_path / "library")
    again = replace(papers[0], origin=Origin("copy.jsonl", 7))
    report = sync(library, papers[0], again)
    assert (report.added, report.skipped) == (1, 1)
    assert report.examples == (Skipped(Origin("copy.jsonl", 7), "the same paper again"),)


def test_skipped_records_are_counted_with_their_reason(tmp_path: Path, papers: list[Paper]) -> None:
    library = Library.create(tmp_path / "library")
    skipped = Skipped(Origin("x", 3), "not JSON")
    report = sync(library, papers[0], skipped)
    assert (report.added, report.skipped, report.read) == (1, 1, 2)
    assert (report.reasons, report.examples) == ({"not JSON": 1}, (skipped,))


def test_a_search_within_papers_gives_only_those(tmp_path: Path, papers: list[Paper]) -> None:
    library = Library.create(tmp_path / "library")
    sync(library, *papers)
    assert [hit.paper.id for hit in library.search("cats", within=["stars"])] == ["stars"]


def test_what_another_process_wrote_is_found_without_reopening(tmp_path: Path, papers: list[Paper]) -> None:
    writer = Library.create(tmp_path / "library")
    sync(writer, papers[1])
    reader = Library.open(tmp_path / "library")
    assert [hit.paper.id for hit in reader.search("cats")] == ["stars"]
    sync(writer, papers[0])
    assert reader.search("cats")[0].paper.id == "cats"


def test_a_missing_library_says_what_to_run_and_creates_nothing(tmp_path: Path) -> None:
    with pytest.raises(LibraryMissing, match="paperchat index"):
        Library.open(tmp_path / "typo")
    assert list(tmp_path.iterdir()) == []


def test_a_library_of_another_encoder_is_refused_naming_both(tmp_path: Path, papers: list[Paper]) -> None:
    sync(Library.create(tmp_path / "library"), papers[0])
    with pytest.raises(LibraryMismatch, match=r"all-MiniLM-L6-v2.*other-model"):
        Library.open(tmp_path / "library", "other-model")


def test_two_writers_do_not_meet(tmp_path: Path, papers: list[Paper]) -> None:
    first, second = Library.create(tmp_path / "library"), Library.open(tmp_path / "library")

    def papers_while_another_writes() -> object:
        with pytest.raises(LibraryBusy, match="process"):
            list(second.sync([papers[1]]))
        yield papers[0]

    assert list(first.sync(papers_while_another_writes()))[-1].added == 1  # type: ignore[arg-type]


def test_a_run_that_stops_half_way_keeps_what_it_wrote_and_goes_on(
    tmp_path: Path, papers: list[Paper], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vectorstore.library.BATCH", 1)
    library = Library.create(tmp_path / "library")

    def interrupted() -> object:
        yield papers[0]
        yield papers[1]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(library.sync(interrupted()))  # type: ignore[arg-type]
    assert sync(library, *papers) == SyncReport(added=1, unchanged=2)


@pytest.mark.parametrize("step", ["_keywords", "_tokens"])
def test_a_paper_written_to_chroma_alone_is_finished_by_the_next_run(
    tmp_path: Path, papers: list[Paper], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    library = Library.create(tmp_path / "library")
    with monkeypatch.context() as patch:
        patch.setattr(getattr(library, step), "write", _killed)
        with pytest.raises(SystemExit):
            sync(library, papers[0])
    assert sync(library, *papers[1:]) == SyncReport(added=2)
    assert library.search("cats hunt mice")[0].paper.id == "cats"


def _killed(*_: object) -> None:
    raise SystemExit


def test_derived_files_are_made_again_when_they_are_lost(tmp_path: Path, papers: list[Paper]) -> None:
    library = Library.create(tmp_path / "library")
    sync(library, *papers)
    library.close()
    shutil.rmtree(tmp_path / "library" / f"keywords-{SCHEMA}")
    for file in (tmp_path / "library").glob(f"tokens-{SCHEMA}*"):
        file.unlink()
    again = Library.open(tmp_path / "library")
    assert sync(again, *papers) == SyncReport(unchanged=3)
    assert again.search("cats hunt mice")[0].paper.id == "cats"


def test_stats_count_by_source_venue_and_year(tmp_path: Path, make_paper: MakePaper) -> None:
    library = Library.create(tmp_path / "library")
    sync(library, make_paper("a", "One.", year=2020, venue="ICML"), make_paper("b", "Two.", year=2020))
    stats = library.stats()
    assert (stats.papers, stats.years, stats.venues) == (2, {"2020": 2}, {"ICML": 1, "": 1})
    assert stats.sources == {"papers.jsonl": 2}


def test_an_empty_library_finds_nothing(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "library")
    assert library.search("anything") == []


def test_the_fingerprint_tells_contents_apart_and_not_their_order(
    tmp_path: Path, papers: list[Paper], make_paper: MakePaper
) -> None:
    one, other = Library.create(tmp_path / "one"), Library.create(tmp_path / "other")
    empty = one.fingerprint
    sync(one, *papers)
    sync(other, *reversed(papers))
    assert one.fingerprint == other.fingerprint != empty
    sync(other, make_paper("cats", "Cats sleep all night."))
    assert one.fingerprint != other.fingerprint
    assert Library.open(tmp_path / "one").fingerprint == one.fingerprint
