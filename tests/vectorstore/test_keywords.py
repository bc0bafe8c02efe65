from pathlib import Path

from vectorstore.keywords import Entry, KeywordIndex, terms


def test_terms_are_stemmed_folded_and_free_of_stop_words() -> None:
    assert terms("The naïve Circuits of the watermarking") == ["naiv", "circuit", "watermark"]


def test_the_rarer_word_decides(tmp_path: Path) -> None:
    index = KeywordIndex(tmp_path)
    index.write([Entry("a", "model of cats"), Entry("b", "model of quasars"), Entry("c", "model")])
    assert next(iter(index.search("a model of quasars", 3))) == "b"


def test_british_and_american_spelling_are_one(tmp_path: Path) -> None:
    index = KeywordIndex(tmp_path)
    index.write([Entry("a", "quantisation of neighbours"), Entry("b", "quasars")])
    assert list(index.search("Quantization", 2)) == ["a"]
    assert list(index.search("neighbor", 2)) == ["a"]


def test_a_rewritten_entry_is_found_by_its_new_words_only(tmp_path: Path) -> None:
    index = KeywordIndex(tmp_path)
    index.write([Entry("a", "old words")])
    index.write([Entry("a", "new text")])
    assert len(index) == 1
    assert index.search("old words", 5) == {}
    assert list(index.search("text", 5)) == ["a"]


def test_a_search_within_papers_finds_no_others(tmp_path: Path) -> None:
    index = KeywordIndex(tmp_path)
    index.write([Entry("a", "quasars"), Entry("b", "quasars")])
    assert list(index.search("quasars", 5, within=["b"])) == ["b"]


def test_a_question_of_stop_words_or_of_none_finds_nothing(tmp_path: Path) -> None:
    index = KeywordIndex(tmp_path)
    index.write([Entry("a", "quasars")])
    assert index.search("what is the", 5) == {}
    assert index.search("", 5) == {}


def test_another_reader_sees_new_entries_after_a_reload(tmp_path: Path) -> None:
    writer, reader = KeywordIndex(tmp_path), KeywordIndex(tmp_path)
    writer.write([Entry("a", "quasars")])
    reader.reload()
    assert list(reader.search("quasar", 5)) == ["a"]


def test_removed_entries_are_gone(tmp_path: Path) -> None:
    index = KeywordIndex(tmp_path)
    index.write([Entry("a", "quasars"), Entry("b", "quasars")])
    index.write([], remove=["a"])
    assert list(index.search("quasars", 5)) == ["b"]
    index.clear()
    assert len(index) == 0
