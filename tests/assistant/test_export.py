"""Papers and conversations as files that other programs read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.answer import Answer, Claim, Quote, Source
from assistant.conversation import Conversation
from assistant.export import bibtex, cited, csl, markdown, ris
from vectorstore.paper import Origin, Paper

MakePaper = Callable[..., Paper]


def entries(text: str) -> list[tuple[str, str, dict[str, str]]]:
    """Type, key and fields of each entry, by counting braces as BibTeX does."""
    found = []
    for head in re.finditer(r"^@(\w+)\{([^,\s]+),\n", text, re.M):
        fields, at = {}, head.end()
        while named := re.compile(r"  (\w+) = \{").match(text, at):
            depth, end = 1, named.end()
            while depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            assert named[1] not in fields
            fields[named[1]] = text[named.end() : end - 1]
            assert text[end : end + 2] == ",\n"
            at = end + 2
        assert text[at : at + 2] == "}\n"
        found.append((head[1], head[2], fields))
    return found


def records(text: str) -> list[list[tuple[str, str]]]:
    """The tagged lines of each RIS record."""
    whole: list[list[tuple[str, str]]] = [[]]
    for line in filter(None, text.split("\n")):
        assert re.match(r"[A-Z][A-Z0-9]  - ", line), line
        tag, value = line[:2], line[6:]
        if tag == "ER":
            whole.append([])
        else:
            whole[-1].append((tag, value))
    assert whole.pop() == []
    return whole


@pytest.fixture
def known(make_paper: MakePaper) -> Paper:
    return make_paper(
        "p1",
        "We cut 50% of the cost & keep $x_i$.",
        title="Deep_Nets & 100% of BERT: an $O(n^2)$ view",
        authors=("Kaiming He", "van der Berg, Jan", "Ludwig van Beethoven"),
        year=2016,
        venue="NeurIPS",
        url="https://doi.org/10.1000/a_b",
    )


def test_bibtex_escapes_the_words_and_keeps_the_mathematics(known: Paper) -> None:
    ((kind, key, fields),) = entries(bibtex([known]))
    assert kind == "inproceedings"
    assert key.startswith("he2016deep-")
    assert fields["title"] == r"Deep\_Nets \& 100\% of {BERT}: an $O(n^2)$ view"
    assert fields["author"] == "Kaiming He and van der Berg, Jan and Ludwig van Beethoven"
    assert fields["booktitle"] == "NeurIPS"
    assert fields["doi"] == "10.1000/a_b"
    assert fields["abstract"] == r"We cut 50\% of the cost \& keep $x_i$."


def test_ris_and_csl_say_the_same(known: Paper) -> None:
    (record,) = records(ris([known]))
    assert record[0] == ("TY", "CPAPER")
    assert [value for tag, value in record if tag == "AU"] == [
        "He, Kaiming",
        "van der Berg, Jan",
        "van Beethoven, Ludwig",
    ]
    (item,) = json.loads(csl([known]))
    assert item["author"][0] == {"family": "He", "given": "Kaiming"}
    assert item["issued"] == {"date-parts": [[2016]]}
    assert (item["DOI"], item["container-title"]) == ("10.1000/a_b", "NeurIPS")


def test_a_paper_without_title_or_authors_goes_by_its_label(make_paper: MakePaper) -> None:
    bare = make_paper("p2", "PRAXIS is an algorithm.", label="PRAXIS")
    ((kind, key, fields),) = entries(bibtex([bare]))
    assert kind == "misc"
    assert key.startswith("praxis-")
    assert fields["title"] == "{PRAXIS}"
    assert "Title not given" in fields["note"]
    assert "author" not in fields
    assert ("TI", "PRAXIS") in records(ris([bare]))[0]
    (item,) = json.loads(csl([bare]))
    assert (item["title"], "author" in item) == ("PRAXIS", False)


@pytest.mark.parametrize(
    ("venue", "kind"),
    [("Journal of Machine Learning Research", "article"), ("arXiv", "misc"), ("ICML", "inproceedings"), (None, "misc")],
)
def test_the_venue_makes_the_type(make_paper: MakePaper, venue: str | None, kind: str) -> None:
    assert entries(bibtex([make_paper("p", "A.", venue=venue)]))[0][0] == kind


@pytest.mark.parametrize("title", [r"On $\input{/etc/passwd}$", r"$a } b {$", "$5 % off$", "}{", "a\nb}\n@misc{x,\n"])
def test_what_tex_would_choke_on_is_text(make_paper: MakePaper, title: str) -> None:
    ((_, _, fields),) = entries(bibtex([make_paper("p", "A.", title=title)]))
    assert r"\input" not in fields["title"].replace(r"\textbackslash{}input", "")


def test_keys_are_the_same_in_every_export_and_never_twice(make_paper: MakePaper) -> None:
    twins = [make_paper(f"id{n}", "A.", title="Attention", authors=("Ann Lee",), year=2020) for n in range(300)]
    keys = [key for _, key, _ in entries(bibtex(twins))]
    assert len(set(keys)) == 300
    assert entries(bibtex(twins[:1]))[0][1] == keys[0]


anything = st.text(st.characters(codec=None), max_size=60) | st.text(alphabet='\\{}$%&#_~^<>|@,=" aBé\n', max_size=40)


@given(anything, anything, st.lists(anything, max_size=3), anything, anything)
def test_any_record_is_well_formed(title: str, abstract: str, authors: list[str], venue: str, url: str) -> None:
    paper = Paper("p", abstract, Origin("f", 1), "label", title or None, tuple(authors), 2020, venue, url)
    ((_, _, fields),) = entries(bibtex([paper]))
    assert fields["title"].count("{") == fields["title"].count("}")
    assert len(records(ris([paper]))) == 1
    assert json.loads(csl([paper]))[0]["id"] == entries(bibtex([paper]))[0][1]


def test_a_bibtex_reader_takes_it(known: Paper, make_paper: MakePaper) -> None:
    bibtexparser = pytest.importorskip("bibtexparser")
    library = bibtexparser.parse_string(bibtex([known, make_paper("p2", "B } c {.")]))
    assert len(library.entries) == 2
    assert library.failed_blocks == []
    assert library.entries[0]["year"] == "2016"


def test_a_ris_reader_takes_it(known: Paper) -> None:
    rispy = pytest.importorskip("rispy")
    (record,) = rispy.loads(ris([known]))
    assert record["authors"][0] == "He, Kaiming"


@pytest.fixture
def conversation(known: Paper) -> Conversation:
    quote = Quote("p1", 0, len(known.abstract), known.abstract)
    claim = Claim("We cut 50% of the cost", (1,), "quoted", quote)
    first = Answer("What does *it* cut?", "Half. [1]", False, "fake", (claim,), (Source(1, known, 0.9, (quote,)),))
    return Conversation((first, Answer("thanks", "You are welcome.", False, "fake")))


def test_a_paper_cited_twice_is_listed_once(conversation: Conversation, known: Paper) -> None:
    assert cited([conversation, conversation]) == [known]


def test_the_conversation_reads_as_markdown_with_its_evidence(conversation: Conversation) -> None:
    text = markdown(conversation)
    assert r"## 1. What does \*it\* cut?" in text
    assert "> “We cut 50% of the cost & keep $x_i$.”" in text
    assert "<https://doi.org/10.1000/a_b>" in text
    assert text.index("## 2. thanks") < text.index("## Papers")
