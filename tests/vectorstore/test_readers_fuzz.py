"""Files that were cut, mixed up and sprinkled with odd bytes: a reader may skip, but never fall over.

The ordinary run tries a few hundred; PAPERCHAT_FUZZ=10000 tries as many as it says.
"""

from __future__ import annotations

import gzip
import io
import os
import random
import zipfile
from pathlib import Path

import pytest

from tests.vectorstore.samples import SAMPLES
from vectorstore.errors import UnreadablePath
from vectorstore.paper import Paper, Skipped
from vectorstore.readers import read

WILD = Path("/work/shared/data/wild")
RUNS = int(os.environ.get("PAPERCHAT_FUZZ", "400"))
ODD = (
    b"\x00", b"\xff", b"\xfe\xff", b"{", b"}", b"[", b"]", b'"', b"<", b">", b"&", b"\\", b"$", b"@article{", b"\n", b"\r", b"\t", b",",
    b"\\ud835", b"<!--", b"<![CDATA[", b"---\n", b"&bogus;", b"TY  - ", b"ER  - ", b"PMID- ", b"null", b"1e999", b"\xe2\x80\xae",
)  # fmt: skip


def mutated(content: bytes, chance: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(6)
        if kind == 0:
            del data[at : at + chance.randint(1, 60)]
        elif kind == 1:
            data[at:at] = chance.choice(ODD)
        elif kind == 2 and data:
            data[at % len(data)] = chance.randrange(256)
        elif kind == 3:
            data[at:at] = data[at : at + chance.randint(1, 200)]
        elif kind == 4:
            del data[at:]
        else:
            other = chance.choice(SAMPLES).text.encode()
            data[at:at] = other[chance.randrange(len(other)) :][:300]
    return bytes(data)


def packed(content: bytes, chance: random.Random) -> bytes:
    kind = chance.randrange(12)
    if kind == 0:
        return mutated(gzip.compress(content), chance)
    if kind == 1:
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("papers", content)
        return mutated(whole.getvalue(), chance)
    return content.decode("utf-8", "replace").encode("utf-16") if kind == 2 else content


@pytest.mark.parametrize("part", range(20))
def test_no_mutated_file_makes_a_reader_fall_over(tmp_path: Path, part: int) -> None:
    originals = [(each.name, each.text.encode()) for each in SAMPLES]
    if WILD.is_dir():
        originals += [(each.name, each.read_bytes()[:20_000]) for each in sorted(WILD.iterdir())]
    for run in range(part, RUNS, 20):
        chance = random.Random(run)
        name, content = chance.choice(originals)
        file = tmp_path / (name if chance.random() < 0.7 else chance.choice(originals)[0])
        file.write_bytes(packed(mutated(content, chance), chance))
        try:
            records = list(read(file))
        except UnreadablePath:
            continue
        for record in records:
            assert isinstance(record, Paper | Skipped), run
            if isinstance(record, Paper):
                assert record.title or record.abstract, run
                assert not any(each.isspace() for each in record.id), run
                f"{record}".encode()  # nothing that cannot be stored
