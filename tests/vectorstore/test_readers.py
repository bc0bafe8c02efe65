"""Papers from files, honest about each record."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vectorstore.errors import UnreadablePath
from vectorstore.paper import Paper, Skipped
from vectorstore.readers import read

SEEDS = Path(__file__).parents[2] / "seeds"
ABSTRACT = "We study how cats sleep in warm places and find that they sleep for most of the day."


def papers(path: Path) -> list[Paper]:
    return [record for record in read(path) if isinstance(record, Paper)]


def skipped(path: Path) -> list[tuple[int, str]]:
    return [(record.origin.position, record.reason) for record in read(path) if isinstance(record, Skipped)]


def lines(file: Path, *records: object) -> Path:
    file.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in records), encoding="utf-8")
    return file


def test_the_seed_lists_give_their_papers_with_venue_year_and_position() -> None:
    found = papers(SEEDS)
    assert len(found) == 38
    assert {(paper.venue, paper.year, paper.title) for paper in found} == {("ICML", 2026, None)}
    assert [paper.origin.position for paper in found] == [*range(1, 20), *range(1, 20)]
    assert len({paper.id for paper in found}) == 38


def test_the_original_text_is_kept_letter_for_letter() -> None:
    assert any(r"$\texttt{IDEAS}$" in paper.abstract for paper in papers(SEEDS))


def test_an_abstract_has_the_same_id_in_another_file_and_order(tmp_path: Path) -> None:
    other = "Another abstract speaks of stars that burn hydrogen for a very long time in the sky."
    (tmp_path / "one.txt").write_text(f"ICML 2026\n\n{ABSTRACT}\n\n{other}", encoding="utf-8")
    (tmp_path / "two.txt").write_text(f"{other}\r\n\r\n{ABSTRACT}\r\n", encoding="utf-8")
    one, two = papers(tmp_path / "one.txt"), papers(tmp_path / "two.txt")
    assert [paper.id for paper in one] == [paper.id for paper in reversed(two)]


@pytest.mark.parametrize("header", ["ICML 2026 论文列表", "NeurIPS 2024 accepted papers", "ACL-2023"])
def test_the_header_becomes_venue_and_year(tmp_path: Path, header: str) -> None:
    (tmp_path / "list.txt").write_text(f"{header}\n\n{ABSTRACT}\n", encoding="utf-8")
    (paper,) = papers(tmp_path / "list.txt")
    assert f"{paper.venue} {paper.year}" in header.replace("-", " ")


def test_a_list_without_a_header_loses_no_abstract(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(ABSTRACT, encoding="utf-8")
    (paper,) = papers(tmp_path / "list.txt")
    assert (paper.abstract, paper.venue, paper.year) == (ABSTRACT, None, None)


def test_json_lines_bring_all_they_know(tmp_path: Path) -> None:
    record = {
        "_id": "x1",
        "title": "Cats",
        "text": ABSTRACT,
        "authors": ["Ann B.", {"name": "Çelik"}],
        "year": "2021.0",
        "venue": "ICML",
        "url": "https://example.org",
    }
    (paper,) = papers(lines(tmp_path / "papers.JSONL", record))
    assert (paper.id, paper.title, paper.abstract, paper.label) == ("x1", "Cats", ABSTRACT, "Cats")
    assert (paper.authors, paper.year, paper.venue) == (("Ann B.", "Çelik"), 2021, "ICML")


def test_bad_lines_are_skipped_with_line_and_reason_and_the_rest_is_read(tmp_path: Path) -> None:
    file = lines(
        tmp_path / "papers.jsonl",
        {"id": "a", "abstract": ABSTRACT},
        '{"id": "b", "abstract": "broken',
        {"id": "c", "title": "", "abstract": "N/A"},
        "[1, 2]",
        "",
        {"id": 7, "title": "A title alone", "abstract": None, "year": "n.d.", "authors": None},
    )
    assert [(paper.id, paper.year) for paper in papers(file)] == [("a", None), ("7", None)]
    assert skipped(file) == [(2, "not JSON"), (3, "neither title nor abstract"), (4, "not a record")]


def test_one_id_with_two_texts_stays_two_papers(tmp_path: Path) -> None:
    file = lines(tmp_path / "p.jsonl", {"id": "a", "abstract": ABSTRACT}, {"id": "a", "abstract": "Other text here."})
    first, second = papers(file)
    assert first.id == "a"
    assert second.id.startswith("a~")


def test_compressed_files_marks_and_odd_characters_are_read(tmp_path: Path) -> None:
    record = '{"id": "a", "abstract": "Half a pair \\ud835 and a NUL \\u0000 in a text of words."}'
    (tmp_path / "papers.jsonl.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + record.encode() + b"\r\n"))
    (paper,) = papers(tmp_path / "papers.jsonl.gz")
    assert paper.abstract.encode("utf-8") == b"Half a pair  and a NUL  in a text of words."


def test_other_encodings_are_read(tmp_path: Path) -> None:
    text = f"ICML 2020\n\nNaïve {ABSTRACT}"
    (tmp_path / "latin.txt").write_bytes(text.encode("cp1252"))
    (tmp_path / "wide.txt").write_bytes(text.encode("utf-16"))
    assert (
        papers(tmp_path / "latin.txt")[0].abstract == papers(tmp_path / "wide.txt")[0].abstract == f"Naïve {ABSTRACT}"
    )


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.txt", b"", "empty"),
        ("blank.jsonl", b" \n\n", "empty"),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not"),
        ("broken.jsonl.gz", b"\x1f\x8b\x08\x00broken", "damaged"),
    ],
)
def test_a_file_that_holds_no_papers_is_named_with_the_reason(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadablePath, match=says) as caught:
        list(read(tmp_path / name))
    assert name in str(caught.value)
    (tmp_path / "good.txt").write_text(ABSTRACT, encoding="utf-8")
    assert len(papers(tmp_path)) == 1
    assert [says in reason for _, reason in skipped(tmp_path)] == [True]


def test_a_missing_path_or_an_empty_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "typo", tmp_path):
        with pytest.raises(UnreadablePath):
            list(read(path))


@given(st.binary(max_size=300))
@settings(max_examples=300, deadline=None)
def test_no_file_makes_the_reader_fall_over(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.mktemp("fuzz") / "papers.jsonl"
    file.write_bytes(content)
    try:
        records = list(read(file))
    except UnreadablePath:
        return
    assert all(isinstance(record, Paper | Skipped) for record in records)
