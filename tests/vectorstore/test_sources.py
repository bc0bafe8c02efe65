"""Files and archives as text: encodings, and what would fill memory or leave its folder."""

from __future__ import annotations

import gzip
import io
import json
import logging
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from vectorstore.errors import UnreadablePath
from vectorstore.paper import Paper, Skipped
from vectorstore.readers import read
from vectorstore.readers.sources import guess_encoding

LINE = json.dumps({"id": "a", "title": "Cats sleep"}) + "\n"


def reasons(path: Path) -> list[str]:
    return [record.reason for record in read(path) if isinstance(record, Skipped)]


def zipped(file: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Télesphore Sime-Ngando and André-Jean sûr", "mac-roman"),
        ("Télesphore Sime-Ngando and André-Jean sûr", "cp1252"),
        ("it’s naïve – “quoted”", "cp1252"),
        ("本文提出了一种新的方法，用于擦除扩散模型中的概念。", "gb18030"),
    ],
)
def test_the_encoding_is_guessed_from_what_speaks_for_itself(text: str, encoding: str) -> None:
    assert text.encode(encoding).decode(guess_encoding(text.encode(encoding))) == text


def test_one_odd_line_does_not_spoil_the_others_and_is_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lines = [f"TY  - JOUR\nTI  - Größe {n}\nER  -\n".encode("cp1252" if n == 2 else "utf-8") for n in range(3)]
    (tmp_path / "mixed.ris").write_bytes(b"".join(lines))
    with caplog.at_level(logging.WARNING):
        titles = [record.title for record in read(tmp_path / "mixed.ris") if isinstance(record, Paper)]
    assert titles == ["Größe 0", "Größe 1", "Größe 2"]
    assert caplog.messages == [f"{tmp_path / 'mixed.ris'}: 1 lines are not UTF-8 and were read as cp1252"]


def test_a_lone_nul_and_half_a_surrogate_are_dropped(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_bytes(LINE.replace("Cats", "C\x00ats \\ud835").encode())
    (paper,) = read(tmp_path / "p.jsonl")
    assert isinstance(paper, Paper)
    assert paper.title == "Cats sleep"


@pytest.mark.parametrize("pack", ["gz", "zip"])
def test_a_bomb_is_refused_before_it_fills_memory(tmp_path: Path, pack: str) -> None:
    bomb = LINE.encode() + b" " * (200 << 20)
    file = tmp_path / f"bomb.jsonl.{pack}"
    if pack == "gz":
        file.write_bytes(gzip.compress(bomb, 9))
    else:
        zipped(file, **{"a.jsonl": bomb})
    with pytest.raises(UnreadablePath, match="far more than its size"):
        list(read(file))


def test_members_that_leave_the_archive_are_skipped_and_the_rest_is_read(tmp_path: Path) -> None:
    line = LINE.encode()
    file = zipped(
        tmp_path / "a.zip",
        **{
            "../../up.jsonl": line,
            "/root.jsonl": line,
            "in/ok.jsonl": line,
            "__MACOSX/x": b"\x00",
            "p.png": b"\x89PNG",
        },
    )
    records = list(read(file))
    assert [record.origin.file.removeprefix(str(file)) for record in records if isinstance(record, Paper)] == [
        "/in/ok.jsonl"
    ]
    assert sorted(reasons(file)) == ["its path leaves the archive", "its path leaves the archive", "not a text file"]


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def office(_: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
    return whole.getvalue()


def tarred(content: bytes) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as archive:
        about = tarfile.TarInfo("papers.jsonl")
        about.size = len(content)
        archive.addfile(about, io.BytesIO(content))
    return whole.getvalue()


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda content: cut(gzip.compress(content)), "damaged"),
        (lambda _: b"PK\x03\x04 no archive", "damaged"),
        (office, "Office document"),
        (tarred, "not a text file"),
        (lambda _: b"%PDF-1.7 \xe2\xe3", "a PDF"),
        (lambda _: b"\n" * 5000, "empty"),
    ],
)
def test_what_is_no_text_is_told_in_one_line(tmp_path: Path, made: Callable[[bytes], bytes], says: str) -> None:
    (tmp_path / "file").write_bytes(made(LINE.encode()))
    with pytest.raises(UnreadablePath, match=says) as caught:
        list(read(tmp_path / "file"))
    assert "\n" not in str(caught.value)


def test_a_stream_that_breaks_off_gives_what_came_before(tmp_path: Path) -> None:
    lines = "".join(
        json.dumps({"id": str(n), "title": f"Cats {n * 7919 % 10007} of {n}"}) + "\n" for n in range(40_000)
    )
    (tmp_path / "p.jsonl.gz").write_bytes(cut(gzip.compress(lines.encode())))
    records = list(read(tmp_path / "p.jsonl.gz"))
    assert len(records) > 10_000
    assert reasons(tmp_path / "p.jsonl.gz")[-1] == "the compressed data are damaged"


def test_lines_are_read_one_at_a_time(tmp_path: Path) -> None:
    import tracemalloc

    with (tmp_path / "large.jsonl").open("w", encoding="utf-8") as file:
        for n in range(30_000):
            file.write(json.dumps({"id": str(n), "title": f"Cats of {n}", "note": "x" * 1500}) + "\n")
    tracemalloc.start()
    count = sum(1 for _ in read(tmp_path / "large.jsonl"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 30_000
    assert peak < 20_000_000  # of a file of 46 MB
