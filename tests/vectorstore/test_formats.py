"""Each format: a small file by hand, and the files that people really have."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from tests.vectorstore.samples import SAMPLES, Sample
from vectorstore.errors import UnreadablePath
from vectorstore.paper import Paper, Skipped
from vectorstore.readers import check, formatted, read
from vectorstore.readers.identity import AGAIN
from vectorstore.readers.tally import tally

WILD = Path("/work/shared/data/wild")
wild = pytest.mark.skipif(not WILD.is_dir(), reason="the folder of real files is not here")


def written(folder: Path, sample: Sample) -> Path:
    file = folder / sample.name
    file.write_text(sample.text, encoding="utf-8")
    return file


def papers(path: Path, **columns: str) -> list[Paper]:
    return [record for record in read(path, columns) if isinstance(record, Paper)]


def sample(name: str) -> Sample:
    return next(each for each in SAMPLES if each.name == name)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda each: each.name)
def test_a_small_file_gives_what_stands_in_it(tmp_path: Path, sample: Sample) -> None:
    found = list(formatted(written(tmp_path, sample)))
    assert [(r.title, r.year) if isinstance(r, Paper) else r.reason for _, r in found] == list(sample.holds)
    assert {name for name, _ in found} == {sample.format}
    assert sum(isinstance(r, Paper) and bool(r.abstract) for _, r in found) == sample.with_abstract
    for _, record in found:
        assert record.origin.position >= 1
        if isinstance(record, Paper) and record.abstract:
            assert "<" not in record.abstract


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda each: each.name)
def test_content_tells_the_format_whatever_the_name(tmp_path: Path, sample: Sample) -> None:
    if sample.format in ("Markdown list", "front matter"):
        pytest.skip("told by its name too")
    file = tmp_path / "DOWNLOAD.TXT"
    file.write_text(sample.text, encoding="utf-8")
    assert {name for name, _ in formatted(file)} == {sample.format}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_marks_wide_characters_and_line_ends_change_nothing(tmp_path: Path, encoding: str, ends: str) -> None:
    for each in SAMPLES:
        file = tmp_path / each.name
        file.write_bytes(each.text.removeprefix("\ufeff").replace("\n", ends).encode(encoding))
        found = [(r.title, r.year) if isinstance(r, Paper) else r.reason for r in read(file)]
        if not (ends == "\r" and each.name.endswith(("json", "jsonl"))):
            assert found == list(each.holds), each.name


def test_all_formats_from_one_archive_and_from_a_folder_are_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for each in SAMPLES:
        written(folder, each)
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for each in SAMPLES:
            archive.writestr(f"in/{each.name}.gz", gzip.compress(each.text.encode()))
    assert Counter(p.id for p in papers(tmp_path / "all.zip")) == Counter(p.id for p in papers(folder))
    assert len(papers(folder)) == sum(isinstance(h, tuple) for each in SAMPLES for h in each.holds)


def test_names_are_in_the_order_they_are_spoken(tmp_path: Path) -> None:
    (first, *_) = papers(written(tmp_path, sample("export.bib")))
    assert first.authors == ("Jörg Müller", "The Cat Consortium", "Ana de la Cruz Jr.")
    assert papers(written(tmp_path, sample("csl.json")))[0].authors == ("H. K. Hall Jr.", "The Consortium")
    assert papers(written(tmp_path, sample("table.tsv")))[0].authors == ("Ann Lee", "Bob Ray", "Cy Dee")
    assert papers(written(tmp_path, sample("pubmed.csv")))[0].authors == ("Lin W", "Ha A", "Riew KD")
    assert papers(written(tmp_path, sample("zotero.csv")))[0].authors == ("Daniel Z. Sui", "Henriette van Heerden")
    assert papers(written(tmp_path, sample("scopus.csv")))[0].authors == ("Edward Hu", "Wei Li")


def test_markup_of_an_abstract_becomes_text_and_latex_mathematics_stays(tmp_path: Path) -> None:
    assert papers(written(tmp_path, sample("csl.json")))[0].abstract == "Aims: Cats & dogs have x legs."
    bib = papers(written(tmp_path, sample("export.bib")))[0].abstract
    assert bib == "We show $x^2$ is 25% better. A second line, with Protected words."
    assert papers(written(tmp_path, sample("openalex.json")))[0].abstract == "Cats chase Cats"


def test_columns_that_nobody_knows_are_named_by_the_user(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("Wat,Samenvatting,Wie\nKatten,Katten slapen veel,Ann Lee\n", encoding="utf-8")
    with pytest.raises(UnreadablePath, match=r"Samenvatting.*--map"):
        check(table)
    (paper,) = papers(table, title="Wat", abstract="Samenvatting", authors="Wie")
    assert (paper.title, paper.abstract, paper.authors) == ("Katten", "Katten slapen veel", ("Ann Lee",))
    lines = tmp_path / "lines.jsonl"
    lines.write_text(json.dumps({"nr": 7, "about": {"naam": "Katten"}, "tekst": "Katten slapen"}), encoding="utf-8")
    (paper,) = papers(lines, title="about.naam", abstract="tekst", id="nr")
    assert (paper.id, paper.title, paper.abstract) == ("7", "Katten", "Katten slapen")


def test_a_large_record_is_kept_whole(tmp_path: Path) -> None:
    file = tmp_path / "large.csv"
    names = "; ".join(f"Given{n} Family{n}" for n in range(3000))
    file.write_text(f'title,authors,abstract\nCats of many,"{names}","{"word " * 8000}"\n', encoding="utf-8")
    (paper,) = papers(file)
    assert (len(paper.authors), len(paper.abstract)) == (3000, 39_999)


def test_broken_xml_keeps_what_stands_before_the_fault(tmp_path: Path) -> None:
    text = sample("atom.xml").text.replace("<entry><id>http://arxiv.org/api", "<entry></wrong><id>http://arxiv.org/api")
    (tmp_path / "feed.xml").write_text(text, encoding="utf-8")
    first, second = read(tmp_path / "feed.xml")
    assert isinstance(first, Paper)
    assert isinstance(second, Skipped)
    assert second.reason == "broken XML from here on"


def test_xml_that_would_expand_without_end_is_refused(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 9))
    bomb = f'<!DOCTYPE feed [<!ENTITY l0 "cats">{entities}]>' + sample("atom.xml").text.split("?>\n")[1]
    (tmp_path / "bomb.xml").write_text(bomb.replace("Cats of", "&l8;"), encoding="utf-8")
    (only,) = read(tmp_path / "bomb.xml")
    assert isinstance(only, Skipped)


# File: distinct papers, those with an abstract, skipped.
REAL = {
    "acl_anthology_volume.xml": (55, 54, {}),
    "arxiv_atom_error.xml": (0, 0, {"an error of the arXiv API: incorrect id format for abc": 1}),
    "arxiv_atom_single.xml": (1, 1, {}),
    "arxiv_kaggle_few_lines.json": (4, 4, {}),
    "arxiv_sample.json": (100, 100, {}),
    "clarivate_2022.ris": (36, 28, {}),
    "crossref_csl.json": (4, 3, {}),
    "embase.ris": (6, 6, {}),
    "handwritten_commented.bib": (1, 1, {}),
    "ieee_xplore.csv": (11, 11, {}),
    "jabref_mixed_encodings.bib": (28, 15, {"neither title nor abstract": 1}),
    "mendeley_collection.bib": (146, 45, {AGAIN: 1}),
    "openreview_notes_v1.json": (2, 2, {}),
    "paper_table_macroman.csv": (98, 0, {}),
    "paperlists_automl2024.json": (19, 19, {}),
    "pmlr_acml22.bib": (83, 83, {"neither title nor abstract": 1}),
    "pmlr_post_front_matter.md": (1, 1, {}),
    "proquest.ris": (6, 6, {}),
    "pubmed.nbib": (92, 83, {}),
    "pubmed_book.xml": (1, 1, {}),
    "pubmed_efetch.xml": (4, 4, {}),
    "pubmed_summary.csv": (44, 0, {}),
    "s2_author.json": (60, 34, {}),
    "scopus_export.bib": (3, 3, {}),
    "scopus_small.csv": (14, 14, {}),
    "wos.ciw": (5, 5, {}),
    "zotero_export.bib": (50, 46, {}),
    "zotero_export_small.rdf": (1, 1, {}),
}


@wild
@pytest.mark.parametrize("name", REAL)
def test_a_real_file_gives_all_its_papers(name: str) -> None:
    found = tally([WILD / name])
    assert (found.papers, found.papers_with_abstract, found.skipped) == REAL[name]


@wild
@pytest.mark.parametrize(
    ("name", "title", "year", "author"),
    [
        ("zotero_export.bib", "Get Your Vitamin C! Robust Fact Verification with Contrastive Evidence", 2021, "Tal Schuster"),
        ("mendeley_collection.bib", "No, don't enable revocation checking", 2014, "Adam Langley"),
        ("jabref_mixed_encodings.bib", "Determination of free glycerol in biodiesel", 2006, "Martin Hájek"),
        ("crossref_csl.json", "Correlation of the Base Strengths of Amines1", 1957, "H. K. Hall Jr."),
        ("pubmed.nbib", "Psoas abscess in Crohn's disease.", 1971, "J Kyle"),
        ("pmlr_acml22.bib", "Asynchronous Personalized Federated Learning with Irregular Clients", 2022, "Zichen Ma"),
        ("s2_author.json", "Dystopian or Utopian? Two Images of Alan Turing", 2022, "A. Turing"),
        ("paperlists_automl2024.json", "Analyzing Few-Shot Neural Architecture Search in a Metric-Driven Framework", 2024, "Timotée Ly-Manson"),
        ("scopus_small.csv", "Creating and capturing value from freemium business models: A demand-side perspective", 2018, "Joost Rietveld"),
    ],
)  # fmt: skip
def test_a_real_record_is_read_as_it_is_printed(name: str, title: str, year: int, author: str) -> None:
    found = next(paper for paper in papers(WILD / name) if paper.title == title)
    assert (found.year, found.authors[0]) == (year, author)


@wild
def test_accents_of_a_mac_table_are_right() -> None:
    names = {name for paper in papers(WILD / "paper_table_macroman.csv") for name in paper.authors}
    assert "Télesphore Sime-Ngando" in names


@wild
def test_a_folder_of_real_files_is_read_to_its_end() -> None:
    found = tally([WILD])
    assert found.papers == sum(found.formats.values()) > 1200
    assert found.papers_with_abstract == 600


@pytest.mark.parametrize(
    ("record", "says"),
    [
        (
            {"collection": [{"doi": "10.1101/2020.01.01.111", "title": "Bio cats", "authors": "Lee, A.; Ray, B.", "date": "2020-01-02", "server": "biorxiv", "published": "10.1038/xyz"}]},
            ("Bio cats", 2020, ("A. Lee", "B. Ray"), ("doi:10.1101/2020.01.01.111", "doi:10.1038/xyz")),
        ),
        (
            {"resultList": {"result": [{"pmid": "333", "title": "EPMC cats.", "authorString": "Lin W, Ha A.", "pubYear": "2018"}]}},
            ("EPMC cats", 2018, ("Lin W", "Ha A"), ("pmid:333",)),
        ),
        (
            {"result": {"hits": {"hit": [{"info": {"authors": {"author": {"text": "Ann Lee 0001"}}, "title": "DBLP cats.", "venue": "CATS", "year": "2011", "type": "Article", "ee": "https://doi.org/10.1000/d"}}]}}},
            ("DBLP cats", 2011, ("Ann Lee",), ("doi:10.1000/d",)),
        ),
        (
            [{"title": "Mendeley cats", "type": "journal", "authors": [{"first_name": "Ann", "last_name": "Lee"}], "year": 2014, "identifiers": {"arxiv": "1401.00001"}}],
            ("Mendeley cats", 2014, ("Ann Lee",), ("arxiv:1401.00001",)),
        ),
        (
            [{"arxiv_id": "1805.09490", "title": "Coded cats", "url_abs": "http://arxiv.org/abs/1805.09490v2", "authors": ["Ann Lee"]}],
            ("Coded cats", 2018, ("Ann Lee",), ("arxiv:1805.09490",)),
        ),
    ],
)  # fmt: skip
def test_answers_of_other_services_are_read_too(tmp_path: Path, record: object, says: tuple[object, ...]) -> None:
    (tmp_path / "answer.json").write_text(json.dumps(record), encoding="utf-8")
    (paper,) = papers(tmp_path / "answer.json")
    assert (paper.title, paper.year, paper.authors, paper.ids) == says


def test_one_missing_brace_in_bibtex_costs_one_record_wherever_it_is(tmp_path: Path) -> None:
    entry = "@article{{k{0},\n  title = {{Cats of the year {0}}},\n  author = {{Lee, Ann}},\n  year = {{20{0}}}\n}}\n\n"
    whole = "".join(entry.format(n) for n in range(10, 20))
    for at in (n for n, character in enumerate(whole) if character == "}"):
        (tmp_path / "export.bib").write_text(whole[:at] + whole[at + 1 :], encoding="utf-8")
        assert len(papers(tmp_path / "export.bib")) >= 9, at


def test_what_people_get_wrong_in_bibtex_is_read_as_they_meant_it(tmp_path: Path) -> None:
    (tmp_path / "hand.bib").write_text(
        '@article{a,\n title = {No comma cats}\n author = "Ray, Bob"\n year = 2020, # a note\n}\n'
        "@misc(b, title = {Cats in brackets}, author = {family=Lee, given=Ann and others}, year = {2021})\n",
        encoding="utf-8",
    )
    assert [(p.title, p.authors, p.year) for p in papers(tmp_path / "hand.bib")] == [
        ("No comma cats", ("Bob Ray",), 2020),
        ("Cats in brackets", ("Ann Lee",), 2021),
    ]
