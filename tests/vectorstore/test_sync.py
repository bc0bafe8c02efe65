"""A library follows its sources: what left them, what moved, what is taken out by hand, and what a rebuild changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from standin import StandIn

import vectorstore.library
from vectorstore.errors import UnknownPaper
from vectorstore.filters import Filters
from vectorstore.journal import Journal
from vectorstore.library import Library, SyncReport
from vectorstore.paper import Origin, Paper, Skipped

MakePaper = Callable[..., Paper]


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectorstore.library, "Encoder", StandIn)
    monkeypatch.setattr(vectorstore.library, "GRACE", 0.0)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library.create(tmp_path / "library", "one")


@pytest.fixture
def papers(make_paper: MakePaper) -> list[Paper]:
    return [
        make_paper("cats", "Cats sleep all day.", origin=Origin("/lists/a.bib", 1)),
        make_paper("stars", "Stars burn hydrogen.", origin=Origin("/lists/a.bib", 2)),
        make_paper("trees", "Trees grow in forests.", origin=Origin("/lists/more/b.bib", 1)),
        make_paper("rivers", "Rivers carry sand.", origin=Origin("/lists-old/c.bib", 1)),
    ]


def sync(library: Library, *records: Paper | Skipped, prune: tuple[Path, ...] = ()) -> SyncReport:
    return list(library.sync(records, prune))[-1]


def everywhere(library: Library) -> set[str]:
    """The ids in Chroma, which are those of the keyword index and of the token rows too."""
    ids = set(library._held()[1])
    assert len(library._keywords) == len(ids)
    assert set(library._tokens.fingerprints()) == ids
    return ids


def test_papers_that_left_a_pruned_folder_are_removed_and_no_others(library: Library, papers: list[Paper]) -> None:
    sync(library, *papers)
    report = sync(library, papers[0], prune=(Path("/lists"),))
    assert (report.unchanged, report.removed) == (1, 2)
    assert everywhere(library) == {"cats", "rivers"}
    assert "stars" not in [hit.paper.id for hit in library.search("stars burn hydrogen")]


def test_without_prune_nothing_is_removed(library: Library, papers: list[Paper]) -> None:
    sync(library, *papers)
    assert sync(library, papers[0]).removed == 0
    assert len(everywhere(library)) == 4


def test_the_papers_of_a_file_that_could_not_be_read_are_not_pruned(library: Library, papers: list[Paper]) -> None:
    sync(library, *papers)
    broken = Skipped(Origin("/lists/a.bib", 1), "the compressed data are damaged")
    assert sync(library, papers[2], broken, prune=(Path("/lists"),)).removed == 0


def test_a_run_that_is_stopped_prunes_nothing(library: Library, papers: list[Paper]) -> None:
    sync(library, *papers)

    def stopped() -> object:
        yield papers[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(library.sync(stopped(), [Path("/lists")]))  # type: ignore[arg-type]
    assert len(everywhere(library)) == 4


def test_members_of_an_archive_are_pruned_with_it(library: Library, make_paper: MakePaper) -> None:
    sync(library, *(make_paper(name, name, origin=Origin(f"/all.zip/{name}.bib", 1)) for name in ("in", "out")))
    kept = make_paper("in", "in", origin=Origin("/all.zip/in.bib", 1))
    assert sync(library, kept, prune=(Path("/all.zip"),)).removed == 1
    assert everywhere(library) == {"in"}


def test_a_file_of_the_same_name_in_another_folder_is_not_pruned(
    library: Library, make_paper: MakePaper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "one")
    sync(library, make_paper("a", "Cats sleep.", origin=Origin("list.bib", 1)))
    monkeypatch.chdir(tmp_path / "other")
    report = sync(library, make_paper("b", "Stars burn.", origin=Origin("list.bib", 1)), prune=(Path("list.bib"),))
    assert (report.added, report.removed) == (1, 0)


def test_a_paper_found_at_another_place_is_unchanged_but_cited_from_there(
    library: Library, papers: list[Paper]
) -> None:
    sync(library, *papers)
    moved = replace(papers[0], origin=Origin("/new/home.bib", 9))
    assert sync(library, moved) == SyncReport(unchanged=1)
    assert library.get(["cats"]) == [moved]
    assert library.count(Filters(source="home.bib")) == 1
    assert everywhere(library) == {paper.id for paper in papers}


def test_removed_papers_are_gone_from_everywhere(library: Library, papers: list[Paper]) -> None:
    sync(library, *papers)
    assert library.remove(["stars", "cats"]) == [papers[1], papers[0]]
    assert everywhere(library) == {"trees", "rivers"}
    assert sync(library, *papers) == SyncReport(added=2, unchanged=2)


def test_an_unknown_id_is_named_and_nothing_is_removed(library: Library, papers: list[Paper]) -> None:
    sync(library, *papers)
    with pytest.raises(UnknownPaper, match="nobody"):
        library.remove(["cats", "nobody"])
    assert len(everywhere(library)) == 4


@pytest.mark.parametrize(
    ("source", "ids"),
    [
        ("/lists/a.bib", ["cats", "stars"]),
        ("/lists", ["cats", "stars", "trees"]),
        ("/lists/", ["cats", "stars", "trees"]),
        ("a.bib", []),
        ("/lists/a", []),
    ],
)
def test_the_papers_of_a_source_are_told(library: Library, papers: list[Paper], source: str, ids: list[str]) -> None:
    sync(library, *papers)
    assert sorted(library.read_from(source)) == ids


@pytest.mark.parametrize("step", ["_keywords", "_tokens"])
def test_a_removal_that_is_killed_half_way_is_finished_by_the_next_run(
    library: Library, papers: list[Paper], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    sync(library, *papers)

    def killed(*_: object, **__: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(getattr(library, step), "write", killed)
        with pytest.raises(SystemExit):
            library.remove(["cats"])
    assert sync(library, papers[1]) == SyncReport(unchanged=1)
    assert everywhere(library) == {"stars", "trees", "rivers"}


def test_what_was_skipped_is_kept_by_source_until_the_source_is_read_again(
    library: Library, papers: list[Paper]
) -> None:
    sync(library, papers[0], *(Skipped(Origin("/lists/a.bib", n), "no title") for n in (2, 3)), papers[3])
    sync(library, Skipped(Origin("/other.json", 1), "not JSON"))
    stats = library.stats()
    assert stats.skipped == {"/lists/a.bib": {"no title": 2}, "/other.json": {"not JSON": 1}}
    assert stats.indexed.endswith("+00:00")
    sync(library, papers[0])
    assert library.stats().skipped == {"/other.json": {"not JSON": 1}}


def test_a_damaged_journal_is_begun_anew(tmp_path: Path) -> None:
    file = tmp_path / "journal.json"
    for text in ("", "[]", '{"indexed": 1}', '{"skipped": 3, "indexed": ""}', "\x00"):
        file.write_text(text, encoding="utf-8")
        assert Journal.read(file) == Journal()
    Journal("now", {"a": {"no title": 1}}).write(file)
    assert Journal.read(file) == Journal("now", {"a": {"no title": 1}})
    assert json.loads(file.read_text(encoding="utf-8"))["indexed"] == "now"


def test_a_report_stays_small_however_many_records_are_skipped(library: Library) -> None:
    report = sync(library, *(Skipped(Origin("x", n), "not JSON") for n in range(5000)))
    assert (report.skipped, report.reasons, len(report.examples)) == (5000, {"not JSON": 5000}, 20)


def test_progress_is_told_where_nothing_is_new_too(
    library: Library, papers: list[Paper], make_paper: MakePaper
) -> None:
    many = [make_paper(f"p{n}", f"Paper {n}.") for n in range(600)]
    sync(library, *many)
    read = [report.read for report in library.sync(many)]
    assert read == sorted(read)
    assert len(read) >= 3
    assert read[-1] == 600


def test_a_rebuild_changes_the_encoder_and_keeps_all_else(
    library: Library, papers: list[Paper], tmp_path: Path
) -> None:
    sync(library, *papers, Skipped(Origin("/other.json", 1), "not JSON"))
    reader = Library.open(tmp_path / "library", "one")
    assert list(library.rebuild("another"))[-1].added == 4
    for each in (library, reader, Library.open(tmp_path / "library", "another")):
        assert each.search("stars burn hydrogen", 1)[0].paper == papers[1]
        assert (each.encoder_name, each.encoder.name) == ("another", "another")
        assert each.stats().skipped == {"/other.json": {"not JSON": 1}}
        assert everywhere(each) == {paper.id for paper in papers}
    assert not (tmp_path / "library" / "chroma").exists()
    assert list(library.rebuild("one"))[-1].read == 4
    assert [path.name for path in (tmp_path / "library").glob("rebuilt-*")] == ["rebuilt-2"]
    assert sync(library, *papers) == SyncReport(unchanged=4)


def test_a_rebuild_that_stops_leaves_the_old_one_serving_and_can_be_dropped_for_another(
    library: Library, papers: list[Paper], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(vectorstore.library, "PAGE", 2)
    monkeypatch.setattr(vectorstore.library, "BATCH", 2)
    sync(library, *papers)
    stopped = library.rebuild("another")
    while next(stopped).added < 2:
        pass
    stopped.close()
    library.remove(["cats"])
    assert Library.open(tmp_path / "library", "one").search("stars", 1)[0].paper.id == "stars"
    assert list(library.rebuild("third"))[-1].added == 3
    assert Library.open(tmp_path / "library", "third").count() == 3


def test_a_rebuild_goes_on_where_it_was_stopped_without_what_was_removed_since(
    library: Library, papers: list[Paper], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectorstore.library, "PAGE", 2)
    monkeypatch.setattr(vectorstore.library, "BATCH", 2)
    sync(library, *papers)
    stopped = library.rebuild("another")
    while next(stopped).added < 2:
        pass
    stopped.close()
    library.remove(["cats"])
    report = list(library.rebuild("another"))[-1]
    assert (report.unchanged + report.added, report.removed) == (3, 1)
    assert everywhere(library) == {"stars", "trees", "rivers"}
