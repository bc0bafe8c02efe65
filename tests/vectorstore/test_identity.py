"""Which records are one paper, and what becomes of two records of one."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectorstore.library import Library
from vectorstore.paper import Origin, Paper, Skipped
from vectorstore.readers.entry import Entry, paper
from vectorstore.readers.identity import AGAIN, ANOTHER_VERSION, Identities, address, ids_in, merged, rank, renewed

TITLE = "Attention is all cats need"
ABSTRACT = "We show that cats need attention and little else, on nine data sets of three hundred cats."


def record(file: str = "a.bib", **entry: object) -> Paper:
    about: dict[str, object] = {"title": TITLE, "authors": ("Ann Lee",), "year": 2017, **entry}
    made = paper(Entry(**about), Origin(file, 1))  # type: ignore[arg-type]
    assert isinstance(made, Paper)
    return made


def distinct(*records: Paper) -> int:
    known = Identities()
    for each in records:
        known.add(known.placed(each))
    return len({known.placed(each).id for each in records})


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("10.1145/3597503.3639187", ("doi:10.1145/3597503.3639187",)),
        ("https://doi.org/10.1000/ABC.1", ("doi:10.1000/abc.1",)),
        ("http://dx.doi.org/10.1016/S0013-7944(03)00122-X.", ("doi:10.1016/s0013-7944(03)00122-x",)),
        ("doi: 10.1000/182, accessed", ("doi:10.1000/182",)),
        ("https://x.org/r?eid=2&doi=10.1108%2fJMD-11-2018&partnerID=40", ("doi:10.1108/jmd-11-2018",)),
        ("https://www.biorxiv.org/content/10.1101/2020.01.02.123456v2.full.pdf", ("doi:10.1101/2020.01.02.123456",)),
        ("10/fk249f", ("doi:10/fk249f",)),
        ("https://arxiv.org/pdf/2101.00001v2.pdf", ("arxiv:2101.00001",)),
        ("http://arxiv.org/abs/math.GT/0309136v1", ("arxiv:math/0309136",)),
        ("arXiv preprint arXiv:1706.03762", ("arxiv:1706.03762",)),
        ("10.48550/arXiv.1706.03762", ("arxiv:1706.03762",)),
        ("https://openreview.net/pdf?id=ZTCxT2t2Ru", ("openreview:ZTCxT2t2Ru",)),
        ("https://aclanthology.org/2021.naacl-main.52/", ("acl:2021.naacl-main.52",)),
        ("https://www.aclweb.org/anthology/p19-1001.pdf", ("acl:P19-1001",)),
        ("10.18653/v1/P19-1001", ("acl:P19-1001", "doi:10.18653/v1/p19-1001")),
        ("https://pubmed.ncbi.nlm.nih.gov/31352693/", ("pmid:31352693",)),
        ("https://example.org/2021.00001", ()),
        ("Version 10.2/3 of the software", ()),
        ("", ()),
    ],
)
def test_ids_are_found_in_fields_and_addresses(text: str, ids: tuple[str, ...]) -> None:
    assert ids_in(text) == ids


@given(st.text(max_size=80))
def test_any_text_has_ids_that_are_stable_and_without_blanks(text: str) -> None:
    for found in ids_in(text):
        assert not any(each.isspace() for each in found)
        assert found in ids_in(address(found) or found)


def test_two_versions_of_an_arxiv_paper_are_one() -> None:
    one = record(known_as=["arxiv:2101.00001v1"])
    two = record(known_as=["arxiv:2101.00001v2"], title="Cats need attention after all", year=2022)
    assert distinct(one, two) == 1


def test_a_preprint_and_its_published_version_are_one_paper_with_both_links() -> None:
    preprint = record(url="https://arxiv.org/abs/2101.00001", year=2020, abstract="Short.")
    published = record(
        known_as=["10.1000/1"], title="Attention is All Cats Need.", authors=("A. Lee", "Bob Ray"), abstract=ABSTRACT
    )
    for first, second in permutations((preprint, published)):
        known = Identities()
        known.add(first)
        placed = known.placed(second)
        assert placed.id == first.id
        whole = renewed(first, placed, rank(first))
        assert set(whole.links) == {"https://arxiv.org/abs/2101.00001", "https://doi.org/10.1000/1"}
        assert whole.ids == ("doi:10.1000/1", "arxiv:2101.00001")
        assert (whole.abstract, whole.id) == (ABSTRACT, first.id)


def test_two_papers_with_one_title_and_other_ids_stay_two() -> None:
    assert distinct(record(known_as=["10.1000/1"]), record(known_as=["10.1000/2"])) == 2
    assert distinct(record(known_as=["arxiv:2101.00001"]), record(known_as=["arxiv:2101.00002"])) == 2
    assert distinct(record(known_as=["10.1000/1"]), record(known_as=["arxiv:2101.00001"], authors=("Bob Ray",))) == 2
    assert distinct(record(own_id="a"), record(own_id="b")) == 2
    editorials = [record(title="Editorial", abstract=f"On the cats of {year}.", year=year) for year in (2001, 2002)]
    assert distinct(*editorials) == 2


def test_a_copied_doi_does_not_make_two_papers_one() -> None:
    other = record(known_as=["10.1000/1"], title="Doing justice to the law of dogs", authors=("Jo Phillips",))
    assert distinct(record(known_as=["10.1000/1"]), other) == 2


def test_without_ids_title_first_author_and_year_tell() -> None:
    assert distinct(record(), record(title=f"{TITLE.upper()}!", authors=("Lee A",), abstract=ABSTRACT)) == 1
    assert distinct(record(), record(year=2018)) == 2
    assert record().id == record(abstract=ABSTRACT).id
    assert distinct(record(authors=(), abstract="One text."), record(authors=(), abstract="Other text.")) == 2


def test_the_same_own_id_in_two_files_is_two_papers_but_one_when_it_says_the_same() -> None:
    one, other = (
        record("a.jsonl", own_id="7", abstract="One text."),
        record("b.jsonl", own_id="7", title="Dogs of war do bark"),
    )
    assert distinct(one, other) == 2
    assert distinct(one, replace(one, origin=Origin("b.jsonl", 3))) == 1


_WORKS = (("Cats and their many dogs", "Ann Lee"), ("Cats and their many birds", "Bob Ray"), ("Editorial", "Cy Dee"))
_entries = st.builds(
    lambda work, signed, year, doi, arxiv, abstract: record(
        title=_WORKS[work][0],
        authors=(_WORKS[work][1],) if signed else (),
        year=year,
        abstract=abstract,
        known_as=[f"10.1000/{work}" if doi else "", f"arxiv:2101.0000{work}" if arxiv else ""],
    ),
    st.integers(0, 2),
    st.booleans(),
    st.sampled_from([None, 2019, 2020]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["", "One text.", "Other text."]),
)


@given(st.lists(_entries, max_size=8))
@settings(deadline=None)
def test_records_read_twice_are_the_papers_of_the_first_time(records: list[Paper]) -> None:
    known = Identities()
    for each in records:
        known.add(known.placed(each))
    papers = {known.placed(each).id for each in records}
    assert all(known.placed(each).id in known for each in records)
    for each in records:
        known.add(known.placed(each))
    assert {known.placed(each).id for each in records} == papers


@given(_entries, _entries)
def test_joining_loses_no_id_and_no_link_and_is_done_once(one: Paper, two: Paper) -> None:
    whole = merged(one, two)
    assert {*one.ids, *two.ids} == set(whole.ids)
    assert {*one.links, *two.links} == set(whole.links)
    assert whole.id == one.id
    assert merged(whole, two) == whole


def sync(library: Library, *records: Paper | Skipped) -> tuple[int, int, int, list[str]]:
    report = list(library.sync(records))[-1]
    return report.added, report.updated, report.unchanged, [each.reason for each in report.examples]


def test_a_library_joins_versions_and_does_it_only_once(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "library")
    preprint = record("pre.bib", known_as=["arxiv:2101.00001"], abstract="Dogs were here.", year=2016)
    published = record("pub.bib", known_as=["10.1000/1"], abstract=ABSTRACT)
    assert sync(library, preprint, published) == (1, 0, 0, [ANOTHER_VERSION])
    assert sync(library, preprint, published) == (0, 0, 1, [AGAIN])
    assert sync(library, preprint) == (0, 0, 1, [])
    assert sync(library, published) == (0, 0, 1, [])
    (paper,) = library.get(["arxiv:2101.00001"])
    assert (paper.abstract, len(paper.links), library.count()) == (ABSTRACT, 2, 1)


def test_a_changed_abstract_replaces_the_old_one(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "library")
    sync(library, record(known_as=["10.1000/1"], abstract="Zebras graze on the plains of Serengeti."))
    assert sync(library, record(known_as=["10.1000/1"], abstract="Penguins swim in the cold sea.")) == (0, 1, 0, [])
    (paper,) = library.get(["doi:10.1000/1"])
    assert (library.count(), paper.abstract) == (1, "Penguins swim in the cold sea.")
    assert not library._keywords.search("zebras", 5)
    assert list(library._keywords.search("penguins", 5)) == ["doi:10.1000/1"]


def test_a_published_version_that_comes_later_joins_the_preprint(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "library")
    sync(library, record("pre.bib", known_as=["arxiv:2101.00001"], abstract="Short."))
    assert sync(library, record("pub.bib", known_as=["10.1000/1"])) == (0, 1, 0, [])
    (paper,) = library.get(["arxiv:2101.00001"])
    assert (paper.ids, paper.abstract) == (("doi:10.1000/1", "arxiv:2101.00001"), "Short.")
