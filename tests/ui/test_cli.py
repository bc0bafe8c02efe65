"""The command line as a script meets it: what it prints, and its exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.assistant.servers import stand_in
from ui.cli import main
from vectorstore.library import Library

SEEDS = Path(__file__).parents[2] / "seeds"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "library"
    assert main(["index", str(SEEDS), "--library", str(folder)]) == 0
    return folder


def one_line(text: str) -> str:
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text.strip()


def test_indexing_ends_with_one_line_of_counts(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", str(SEEDS), "--library", str(library)]) == 0
    assert one_line(capsys.readouterr().out) == "0 added, 0 updated, 38 unchanged, 0 skipped"


def test_ask_prints_the_answer_as_one_json_object(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "--json", "--library", str(library), "What is PRAXIS?"]) == 0
    answer = json.loads(one_line(capsys.readouterr().out))
    assert list(answer) == [
        "question",
        "text",
        "abstained",
        "engine",
        "claims",
        "sources",
        "suggestions",
        "timings_ms",
        "encoder",
        "library",
        "retrieved",
    ]
    assert answer["retrieved"][0] == answer["sources"][0]["paper_id"]
    assert answer["sources"][0]["number"] == 1
    assert answer["sources"][0]["label"] == "PRAXIS"
    assert answer["sources"][0]["source"]["position"] == 16
    assert "[1]" in answer["text"]


def test_every_quote_stands_at_its_offsets(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["ask", "--json", "--library", str(library), "Which papers are on machine unlearning?"])
    answer = json.loads(capsys.readouterr().out)
    papers = {paper.id: paper for paper in Library.open(library).get([s["paper_id"] for s in answer["sources"]])}
    quotes = [(source["paper_id"], quote) for source in answer["sources"] for quote in source["quotes"]]
    assert quotes
    for paper_id, quote in quotes:
        assert papers[paper_id].abstract[quote["start"] : quote["end"]] == quote["text"]


def test_chat_reads_and_prints_a_line_of_json_each(
    library: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ['{"message": "What is PRAXIS?", "new_conversation": true}', "oops", '{"message": "thanks"}']
    monkeypatch.setattr("sys.stdin", iter(line + "\n" for line in lines))
    assert main(["chat", "--json", "--library", str(library)]) == 0
    printed = capsys.readouterr()
    first, second = (json.loads(line) for line in printed.out.splitlines())
    assert first["sources"]
    assert second["sources"] == []
    assert "line 2" in printed.err


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same method in two years."""
    folder = tmp_path_factory.mktemp("dated")
    papers = [
        {"title": name, "abstract": f"We prune neural networks {how}.", "year": year, "venue": venue, "authors": [who]}
        for name, how, year, venue, who in (
            ("OldPrune", "by the magnitude of their weights", 2015, "ICML", "Ada Lovelace"),
            ("NewPrune", "by the gradient of their weights", 2023, "NeurIPS", "Alan Turing"),
        )
    ]
    (folder / "papers.jsonl").write_text("\n".join(map(json.dumps, papers)), encoding="utf-8")
    assert main(["index", str(folder / "papers.jsonl"), "--library", str(folder / "library")]) == 0
    return folder / "library"


def labels(printed: str) -> list[list[str]]:
    return [[source["label"] for source in json.loads(line)["sources"]] for line in printed.splitlines()]


@pytest.mark.parametrize(
    "flags",
    [["--since", "2020"], ["--since", "2020", "--until", "2024"], ["--venue", "neurips"], ["--author", "Turing"]],
)
def test_ask_is_narrowed_by_the_flags_of_search(
    dated: Path, capsys: pytest.CaptureFixture[str], flags: list[str]
) -> None:
    assert main(["ask", "--json", "--library", str(dated), "Which papers prune neural networks?", *flags]) == 0
    assert labels(capsys.readouterr().out) == [["NewPrune"]]


def test_ask_says_which_flag_to_loosen(dated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    question = "Which papers prune neural networks?"
    assert main(["ask", "--library", str(dated), question, "--venue", "ICML", "--since", "2020"]) == 0
    assert "Without since 2020" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("line", ["not JSON", "[1, 2]", '{"msg": "cats"}', '{"message": null}', '{"message": 3}'])
def test_a_line_of_chat_that_holds_no_message_is_told_and_the_next_one_answered(
    library: Path, line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", iter([line + "\n", '{"message": "thanks"}\n']))
    main(["chat", "--json", "--library", str(library)])
    printed = capsys.readouterr()
    assert json.loads(one_line(printed.out))["question"] == "thanks"
    assert "line 1 is not of the form" in printed.err


def test_a_line_of_chat_may_set_and_lift_filters(
    dated: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own: list[object] = [
        None,
        {"since": None},
        {"since": None, "author": "Ada"},
        {"colour": "red"},
        {"since": "soon"},
        "x",
    ]
    lines = [
        json.dumps({"message": "Which papers prune neural networks?", "new_conversation": True, "filters": filters})
        for filters in own
    ]
    monkeypatch.setattr("sys.stdin", iter(line + "\n" for line in lines))
    assert main(["chat", "--json", "--library", str(dated), "--since", "2020"]) == 0
    printed = capsys.readouterr()
    assert [sorted(each) for each in labels(printed.out)] == [["NewPrune"], ["NewPrune", "OldPrune"], ["OldPrune"]]
    assert [line.split(" is not")[0] for line in printed.err.splitlines()] == [
        f"paperchat chat: line {n}" for n in (4, 5, 6)
    ]
    assert "since, until, venue, author, source" in printed.err


def test_a_run_is_narrowed_too(dated: Path, tmp_path: Path) -> None:
    queries, run = tmp_path / "q.jsonl", tmp_path / "run.txt"
    queries.write_text('{"_id": "q1", "text": "pruning"}\n', encoding="utf-8")
    narrowed = ["--queries", str(queries), "--run", str(run), "--until", "2020"]
    assert main(["search", "--library", str(dated), *narrowed]) == 0
    assert len(run.read_text(encoding="utf-8").splitlines()) == 1


def test_search_writes_a_trec_run(library: Path, tmp_path: Path) -> None:
    queries, run = tmp_path / "q.jsonl", tmp_path / "run.txt"
    queries.write_text('{"_id": "q1", "text": "Rashomon sets"}\n', encoding="utf-8")
    assert main(["search", "--library", str(library), "--queries", str(queries), "--top", "3", "--run", str(run)]) == 0
    rows = [line.split() for line in run.read_text(encoding="utf-8").splitlines()]
    assert [(row[0], row[1], row[3], row[5]) for row in rows] == [("q1", "Q0", str(n), "paperchat") for n in (1, 2, 3)]
    scores = [float(row[4]) for row in rows]
    assert scores == sorted(scores, reverse=True)


def test_ask_without_a_library_says_what_to_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "hello", "--library", str(tmp_path / "none")]) == 1
    assert "paperchat index" in one_line(capsys.readouterr().err)
    assert not (tmp_path / "none").exists()


def test_a_path_that_does_not_exist_creates_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", str(tmp_path / "typo.jsonl"), "--library", str(tmp_path / "library")]) == 1
    assert "typo.jsonl" in one_line(capsys.readouterr().err)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256))])
def test_an_empty_or_binary_file_gets_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes
) -> None:
    (tmp_path / "file").write_bytes(content)
    assert main(["index", str(tmp_path / "file"), "--library", str(tmp_path / "library")]) == 1
    assert "file" in one_line(capsys.readouterr().err)
    assert not (tmp_path / "library").exists()


def test_a_library_of_another_encoder_is_named(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAPERCHAT_ENCODER", "some/other")
        assert main(["info", "--library", str(library)]) == 1
    assert "some/other" in one_line(capsys.readouterr().err)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert main(["index", str(SEEDS), "--library", str(tmp_path / "file" / "library")]) == 1
    assert "--library" in one_line(capsys.readouterr().err)


def test_a_bad_port_is_told_by_its_variable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAPERCHAT_PORT", "http")
    assert main(["info"]) == 1
    assert "PAPERCHAT_PORT" in one_line(capsys.readouterr().err)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A file of three papers with a record that is none, and the library made of it."""
    monkeypatch.setattr("vectorstore.library.GRACE", 0)
    file, folder = tmp_path / "papers.jsonl", tmp_path / "library"
    lines = [
        json.dumps({"id": id, "title": f"On {id}", "abstract": f"We study {id}."}) for id in ("cats", "stars", "ice")
    ]
    file.write_text("\n".join([*lines, "{oops"]), encoding="utf-8")
    assert main(["index", str(file), "--library", str(folder)]) == 0
    return file, folder


def test_papers_that_left_their_file_go_when_asked_to(
    own: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    file, folder = own
    file.write_text(file.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    capsys.readouterr()
    assert main(["index", str(file), "--library", str(folder)]) == 0
    assert one_line(capsys.readouterr().out) == "0 added, 0 updated, 1 unchanged, 0 skipped"
    assert main(["index", str(file), "--prune", "--library", str(folder)]) == 0
    assert one_line(capsys.readouterr().out) == "0 added, 0 updated, 1 unchanged, 2 removed, 0 skipped"


def test_papers_are_removed_by_id_and_by_source(own: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = own
    capsys.readouterr()
    assert main(["remove", "--id", "cats", "--library", str(folder)]) == 0
    assert one_line(capsys.readouterr().out) == "removed cats: On cats"
    assert main(["remove", "--id", "cats", "--library", str(folder)]) == 1
    assert "no paper cats" in one_line(capsys.readouterr().err)
    assert main(["remove", "--source", "elsewhere.jsonl", "--library", str(folder)]) == 1
    assert str(file) in one_line(capsys.readouterr().err)
    assert main(["remove", "--source", str(file), "--library", str(folder)]) == 0
    assert one_line(capsys.readouterr().out) == f"2 removed, read from {file}"
    assert Library.open(folder).count() == 0


def test_info_tells_what_was_skipped_and_when(own: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = own
    capsys.readouterr()
    assert main(["info", "--json", "--library", str(folder)]) == 0
    told = json.loads(one_line(capsys.readouterr().out))
    assert told["skipped"] == {"not JSON": 1}
    assert told["skipped_by_source"] == {str(file): {"not JSON": 1}}
    assert told["bytes_on_disk"] == sum(told["bytes_by_part"].values())
    assert main(["info", "--library", str(folder)]) == 0
    shown = capsys.readouterr().out
    assert "not JSON: 1" in shown
    assert told["indexed"] in shown


def test_a_rebuild_says_with_which_encoder(own: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    _, folder = own
    capsys.readouterr()
    assert main(["index", "--rebuild", "--library", str(folder)]) == 0
    assert one_line(capsys.readouterr().out) == "3 papers made anew with all-MiniLM-L6-v2"
    assert Library.open(folder).search("stars", 1)[0].paper.id == "stars"


def test_an_interrupted_run_ends_with_one_line(
    own: tuple[Path, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, folder = own
    file.write_text('{"id": "new", "title": "On rivers", "abstract": "We study rivers."}', encoding="utf-8")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Library, "_keep", interrupted)
    capsys.readouterr()
    assert main(["index", str(file), "--library", str(folder)]) == 130
    assert "run the command again to go on" in one_line(capsys.readouterr().err.lstrip())
    assert Library.open(folder).count() == 3


def test_wrong_use_exits_with_two() -> None:
    for arguments in (["ask"], ["search"], ["index"], ["remove"], ["remove", "--id"], ["nonsense"], []):
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
        assert code == 2, arguments


def test_an_unforeseen_error_is_one_line_and_the_log_has_all_of_it(
    library: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Library, "stats", lambda self: 1 / 0)
    assert main(["info", "--library", str(library)]) == 1
    assert "ZeroDivisionError" in one_line(capsys.readouterr().err)
    assert "Traceback" in caplog.text


def test_help_loads_nothing_heavy() -> None:
    heavy = ("torch", "chromadb", "gradio", "sentence_transformers", "numpy")
    code = f"import sys, ui.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_window_listens_and_stops_when_asked(library: Path) -> None:
    import socket
    import urllib.request

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "ui.cli", "serve", "--library", str(library), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as window:
        try:
            for _ in range(600):
                try:
                    page = urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).read().decode()
                    break
                except OSError:
                    time.sleep(0.1)
            assert "paperchat" in page
            second = subprocess.run(command, capture_output=True, text=True, check=False)
            assert second.returncode == 1
            assert str(port) in second.stderr
            assert "Traceback" not in second.stderr
        finally:
            window.terminate()


@pytest.fixture(scope="module")
def saved(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A conversation as `chat --json` prints it."""
    from assistant.assistant import Assistant
    from assistant.conversation import Conversation

    assistant, conversation = Assistant(Library.open(library)), Conversation()
    for message in ("What is PRAXIS?", "thanks"):
        conversation = conversation.after(assistant.ask(message, conversation))
    file = tmp_path_factory.mktemp("saved") / "chat.jsonl"
    file.write_text("".join(json.dumps(turn.to_json()) + "\n" for turn in conversation.turns), encoding="utf-8")
    return file


def test_the_papers_a_conversation_cites_are_exported(
    library: Path, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(saved), "--library", str(library)]) == 0
    printed = capsys.readouterr().out
    assert printed.count("@") == 1
    assert "title = {{PRAXIS}}" in printed


def test_a_conversation_is_exported_with_its_evidence(library: Path, saved: Path, tmp_path: Path) -> None:
    for form in ("markdown", "html"):
        out = tmp_path / f"chat.{form}"
        assert main(["export", str(saved), "--format", form, "--out", str(out), "--library", str(library)]) == 0
        assert "Rashomon" in out.read_text(encoding="utf-8")


def test_a_search_is_exported(library: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["export", "--query", "machine unlearning", "--top", "3", "--format", "csl", "--library", str(library)]
    assert main(arguments) == 0
    assert len(json.loads(capsys.readouterr().out)) == 3


def test_an_export_that_cannot_be_is_told_in_a_line(
    library: Path, saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nonsense = tmp_path / "nonsense.jsonl"
    nonsense.write_bytes(b"\xff\xfe\x00")
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    for arguments, code, said in (
        ([], 2, "or --query"),
        (["--query", "cats", "--format", "html"], 2, "choose bibtex"),
        ([str(tmp_path / "missing.jsonl")], 1, "Cannot read"),
        ([str(nonsense)], 1, "Cannot read"),
        ([str(empty)], 1, "is empty"),
        ([str(saved), "--out", str(tmp_path / "no" / "where.bib")], 1, "Cannot write"),
    ):
        assert main(["export", *arguments, "--library", str(library)]) == code
        assert said in one_line(capsys.readouterr().err)


def test_answers_to_a_folder_of_questions_are_measured(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    question = {"kind": "name", "question": "What is PRAXIS?", "gold": ["002-16"], "facts": ["Rashomon"]}
    (tmp_path / "single.jsonl").write_text(json.dumps(question), encoding="utf-8")
    assert main(["eval", "answers", str(tmp_path), "--library", str(library)]) == 0
    printed = capsys.readouterr().out
    assert " ".join(printed.split("single/name")[1].split()[:3]) == "1 1 1.000"
    assert main(["eval", "answers", str(tmp_path), "--json", "--library", str(library)]) == 0
    report = json.loads(one_line(capsys.readouterr().out))
    assert report["figures"]["quotes that stand letter for letter"] == 1.0
    assert main(["eval", "answers", str(tmp_path / "no"), "--library", str(library)]) == 1
    assert "There are no question files" in one_line(capsys.readouterr().err)


def test_a_dry_run_tells_what_is_there_and_keeps_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, lines, library = tmp_path / "a.csv", tmp_path / "b.jsonl", tmp_path / "library"
    table.write_text("Wat,Samenvatting\nKatten,Zij slapen\nHonden,\n,\n", encoding="utf-8")
    lines.write_text('{"id": "x", "title": "Cats", "abstract": "They sleep."}\n{"id": "x", "abstr\n', encoding="utf-8")
    arguments = ["index", str(table), str(lines), "--map", "title=Wat,abstract=Samenvatting", "--library", str(library)]
    assert main([*arguments, "--dry-run", "--json"]) == 0
    assert json.loads(one_line(capsys.readouterr().out)) == {
        "papers": 3,
        "papers_with_abstract": 2,
        "skipped": {"not JSON": 1},
        "formats": {"CSV": 2, "JSON": 1},
    }
    assert main([*arguments, "--dry-run"]) == 0
    assert one_line(capsys.readouterr().out).startswith("3 papers, 2 with an abstract")
    assert not library.exists()


@pytest.mark.parametrize("arguments", [["nowhere.bib"], ["."], ["x", "--map", "titel=Wat"]])
def test_a_dry_run_of_nothing_says_so_in_one_line(
    tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["index", *arguments, "--dry-run", "--json"])
    except SystemExit as stopped:
        code = int(str(stopped.code))
    printed = capsys.readouterr()
    assert code in (1, 2)
    assert printed.out == ""
    assert "Traceback" not in printed.err


def test_info_says_which_language_model_writes(
    library: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(model: str, url: str) -> str:
        monkeypatch.setenv("PAPERCHAT_LLM", model)
        monkeypatch.setenv("PAPERCHAT_LLM_URL", url)
        monkeypatch.setenv("PAPERCHAT_LLM_KEY", "sk-secret")
        assert main(["info", "--json", "--library", str(library)]) == 0
        printed = capsys.readouterr().out
        assert "sk-secret" not in printed
        return str(json.loads(printed)["language_model"])

    with stand_in() as server:
        assert told("none", "") == "none, as set"
        assert "ready at" in told("openai/small:1b", f"{server.url}/v1")
        assert "It has: ollama/small:1b" in told("ollama/huge", server.url)
        assert "no language model's server" in told("openai/small:1b", f"{server.url}/other")
    assert "cannot be reached" in told("ollama/small:1b", server.url)


def test_a_chosen_model_writes_the_answer(
    library: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with stand_in() as server:
        server.plays("PRAXIS approximates the Rashomon set with less runtime and memory [1].")
        monkeypatch.setenv("PAPERCHAT_LLM", "ollama/small:1b")
        monkeypatch.setenv("PAPERCHAT_LLM_URL", server.url)
        assert main(["ask", "--json", "--library", str(library), "What is PRAXIS?"]) == 0
    answer = json.loads(one_line(capsys.readouterr().out))
    assert answer["engine"] == "ollama/small:1b"
    assert answer["claims"][0]["verdict"] == "close"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PAPERCHAT_LLM", "gpt"),
        ("PAPERCHAT_LLM_URL", "localhost"),
        ("PAPERCHAT_LLM_CONTEXT", "many"),
        ("PAPERCHAT_LLM_PATIENCE", "-1"),
        ("PAPERCHAT_LLM_UNSUPPORTED", "keep"),
    ],
)
def test_a_bad_setting_of_the_model_is_told_by_its_variable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert main(["info"]) == 1
    assert variable in one_line(capsys.readouterr().err)
