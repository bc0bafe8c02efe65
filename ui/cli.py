"""The command line: `paperchat index | remove | ask | chat | search | export | eval | serve | info`.

Answers go to standard output, everything else to standard error. Exit codes: 0 fine, 1 failed, 2 wrong use.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from assistant.answer import paper_json
from assistant.errors import PaperchatError
from ui.config import AppConfig, log_file
from vectorstore.filters import Filters

if TYPE_CHECKING:
    from assistant.answer import Answer
    from assistant.assistant import Assistant
    from vectorstore.library import Library, SyncReport
    from vectorstore.paper import Hit, Paper, Skipped

log = logging.getLogger(__name__)

MOST_ROWS = 12  # of a kind that `info` shows
MENU = 12  # language models to choose from in the window
FILTERS = {"since": "year_from", "until": "year_to", "venue": "venue", "author": "author", "source": "source"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    arguments = _parser().parse_args(argv)
    _log_to_file()
    try:
        config = AppConfig.from_env(os.environ)
        if arguments.library:
            config = replace(config, library=arguments.library)
        command: Callable[[argparse.Namespace, AppConfig], int] = arguments.command
        return command(arguments, config)
    except PaperchatError as error:
        print(f"paperchat: {error}", file=sys.stderr)
        log.info("failed", exc_info=True)
        return 1
    except KeyboardInterrupt:
        print("\npaperchat: stopped. What was written is kept; run the command again to go on.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the exit does not complain again
        return 1
    except Exception as error:  # the one place where anything unforeseen becomes a line for a person
        log.exception("unforeseen")
        print(
            f"paperchat: something went wrong ({type(error).__name__}). The full report is in {log_file()}.",
            file=sys.stderr,
        )
        return 1


def index(arguments: argparse.Namespace, config: AppConfig) -> int:
    """Read papers and bring the library up to date with them; make it anew with another encoder."""
    columns = arguments.map or {}
    if arguments.dry_run:
        return _dry_run(arguments.paths, columns, arguments.json)
    from vectorstore.library import Library
    from vectorstore.readers import check, read

    if not arguments.paths and not arguments.rebuild:
        print("paperchat index: give a PATH with papers, or --rebuild.", file=sys.stderr)
        return 2
    for path in arguments.paths:
        check(path, columns)  # before anything is created

    def records() -> Iterator[Paper | Skipped]:
        return (record for path in arguments.paths for record in read(path, columns))

    if arguments.rebuild:
        library = Library.open(config.library, None)
        report = _progress("Rebuilding", library.rebuild(config.encoder), library.count)
        print(f"{report.read} papers made anew with {config.encoder}")
    if arguments.paths:
        library = Library.create(config.library, config.encoder)
        prune = arguments.paths if arguments.prune else ()
        report = _progress("Indexing", library.sync(records(), prune), lambda: sum(1 for _ in records()))
        print(_summary(report))
        for skipped in report.examples:
            print(f"  skipped {skipped.origin.file}, {skipped.origin.position}: {skipped.reason}", file=sys.stderr)
        if report.skipped > len(report.examples):
            print(f"  ... and {report.skipped - len(report.examples)} more", file=sys.stderr)
    return 0


def remove(arguments: argparse.Namespace, config: AppConfig) -> int:
    """Take papers out of the library."""
    from vectorstore.library import Library

    library = Library.open(config.library, None)
    ids = arguments.id or library.read_from(arguments.source)
    if not ids:
        known = ", ".join(sorted(library.stats().sources)[:5])
        print(f"paperchat: no paper was read from {arguments.source}. Sources are {known}.", file=sys.stderr)
        return 1
    papers = library.remove(ids)
    if arguments.source:
        print(f"{len(papers)} removed, read from {arguments.source}")
    for paper in papers if arguments.id else ():
        print(f"removed {paper.id}: {paper.label}")
    return 0


def _dry_run(paths: Sequence[Path], columns: Mapping[str, str], as_json: bool) -> int:
    """Tell what is in the paths; nothing is kept."""
    from dataclasses import asdict

    from vectorstore.readers import check
    from vectorstore.readers.tally import tally

    for path in paths:
        check(path, columns)
    found = tally(paths, columns)
    if as_json:
        print(json.dumps(asdict(found), ensure_ascii=False))
        return 0
    skipped = ", ".join(f"{reason}: {count}" for reason, count in found.skipped.items())
    formats = ", ".join(f"{name}: {count}" for name, count in found.formats.items())
    print(
        f"{found.papers} papers, {found.papers_with_abstract} with an abstract ({formats or 'none'}), "
        f"{sum(found.skipped.values())} skipped" + (f" ({skipped})" if skipped else "")
    )
    return 0


def ask(arguments: argparse.Namespace, config: AppConfig) -> int:
    """Answer one question."""
    from assistant.conversation import Conversation

    answer = _assistant(config).ask(arguments.question, Conversation(), _filters(arguments))
    _show(answer, arguments.json)
    return 0


def chat(arguments: argparse.Namespace, config: AppConfig) -> int:
    """A conversation: lines of JSON in and out, or at the terminal."""
    from assistant.conversation import Conversation

    assistant = _assistant(config)
    conversation = Conversation()
    filters = _filters(arguments)
    for said in _json_messages(filters) if arguments.json else _typed_messages(assistant, filters):
        if said.anew:
            conversation = Conversation()
        answer = assistant.ask(said.message, conversation, said.filters)
        conversation = conversation.after(answer)
        _show(answer, arguments.json)
    return 0


def search(arguments: argparse.Namespace, config: AppConfig) -> int:
    """Find papers, for one query or for a file of queries."""
    if (arguments.queries is None) == (arguments.query is None):
        print("paperchat search: give a query, or --queries FILE with --run OUT.", file=sys.stderr)
        return 2
    filters = _filters(arguments)
    if arguments.queries:
        return _run_file(arguments, _library(config), filters)
    library = _library(config)
    hits = library.search(arguments.query, arguments.top, filters=filters)
    if not hits and filters:
        print(f"paperchat: {library.loosen(filters)}", file=sys.stderr)
    _show_hits(hits, arguments.json)
    return 0


def similar(arguments: argparse.Namespace, config: AppConfig) -> int:
    """Find papers like a given one."""
    _show_hits(_library(config).similar(arguments.id, arguments.top), arguments.json)
    return 0


def serve(arguments: argparse.Namespace, config: AppConfig) -> int:
    """Open the chat window."""
    from ui.app import serve as serve_window

    assistant = _assistant(config)
    assistant.warm_up()  # so that the first visitor does not wait for the encoder
    serve_window(
        assistant, arguments.host or config.host, arguments.port or config.port, _other_writers(assistant, config)
    )
    return 0


def export(arguments: argparse.Namespace, config: AppConfig) -> int:
    """Write the papers that a saved conversation cites, or that a search finds, or the conversation itself."""
    from assistant.export import cited
    from assistant.saved import conversations
    from ui.download import BIBLIOGRAPHIES, CONVERSATIONS

    if (arguments.query is None) == (arguments.chat is None):
        print("paperchat export: give a saved conversation (- for standard input), or --query.", file=sys.stderr)
        return 2
    if arguments.query is not None and arguments.format in CONVERSATIONS:
        print("paperchat export: a search is no conversation; choose bibtex, ris or csl.", file=sys.stderr)
        return 2
    library = _library(config)
    if arguments.query is not None:
        text = BIBLIOGRAPHIES[arguments.format]([hit.paper for hit in library.search(arguments.query, arguments.top)])
    else:
        held = conversations(_saved_lines(arguments.chat), library)
        if not held:
            raise PaperchatError(f"{arguments.chat} is empty. Save a conversation with `paperchat chat --json`.")
        if arguments.format in BIBLIOGRAPHIES:
            text = BIBLIOGRAPHIES[arguments.format](cited(held))
        elif len(held) == 1:
            text = CONVERSATIONS[arguments.format](held[0])
        else:
            raise PaperchatError(
                f"{arguments.chat} holds {len(held)} conversations; {arguments.format} takes one. Split the file."
            )
    if not text or text == "[]\n":
        print("paperchat export: no paper is cited there, so the list is empty.", file=sys.stderr)
    _write(text, arguments.out)
    return 0


def eval_(arguments: argparse.Namespace, config: AppConfig) -> int:
    """Ask files of questions, and tell how well they were answered."""
    from assistant.evaluation import evaluate, read_questions

    questions = read_questions(arguments.folder)
    assistant = _assistant(config)
    assistant.warm_up()
    report = evaluate(questions, assistant.ask)
    if arguments.json:
        print(json.dumps(report.to_json(), ensure_ascii=False))
        return 0
    if arguments.show:
        for each in report.asked:
            if not each.passed:
                print(f"{each.groups[0]} FAILED: {each.question}\n  {each.why}\n  {each.answer.text}\n")
    print(f"{'group':36}{'passed':>6}{'of':>6}{'rate':>8}")
    for name, (passed, of) in report.rates().items():
        print(f"{name:36}{passed:6}{of:6}{passed / of:8.3f}")
    print()
    for name, value in report.figures().items():
        print(f"{name:36}{value:12.3f}" if value != int(value) or value <= 1 else f"{name:36}{value:12.0f}")
    return 0


def info(arguments: argparse.Namespace, config: AppConfig) -> int:
    """Tell what the library holds and how it is set up."""
    from rich.console import Console
    from rich.table import Table

    from assistant.models import described

    stats = _library(config).stats()
    reasons: dict[str, int] = {}
    for of_source in stats.skipped.values():
        for reason, count in of_source.items():
            reasons[reason] = reasons.get(reason, 0) + count
    if arguments.json:
        print(
            json.dumps(
                {
                    "library": str(config.library),
                    "papers": stats.papers,
                    "sources": stats.sources,
                    "venues": stats.venues,
                    "years": stats.years,
                    "encoder": stats.encoder,
                    "dimension": stats.dimension,
                    "bytes_on_disk": stats.bytes_on_disk,
                    "bytes_by_part": stats.bytes_by_part,
                    "indexed": stats.indexed,
                    "skipped": reasons,
                    "skipped_by_source": stats.skipped,
                    "language_model": described(config.model),
                },
                ensure_ascii=False,
            )
        )
        return 0
    table = Table(box=None, show_header=False)
    table.add_row("library", str(config.library))
    table.add_row("papers", str(stats.papers))
    table.add_row("last indexed", stats.indexed or "never to the end")
    for name, counts in (
        ("source", stats.sources),
        ("venue", stats.venues),
        ("year", stats.years),
        ("skipped", reasons),
    ):
        ranked = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
        for key, count in ranked[:MOST_ROWS]:
            table.add_row(name, f"{key or '(none)'}: {count}")
        if len(ranked) > MOST_ROWS:
            table.add_row(name, f"... and {len(ranked) - MOST_ROWS} more")
    table.add_row("encoder", f"{stats.encoder}, {stats.dimension} dimensions")
    parts = ", ".join(f"{part} {size / 1e6:.1f} MB" for part, size in sorted(stats.bytes_by_part.items()))
    table.add_row("on disk", f"{stats.bytes_on_disk / 1e6:.1f} MB: {parts}")
    table.add_row("language model", described(config.model))
    Console().print(table)
    return 0


def _filters(arguments: argparse.Namespace) -> Filters:
    return Filters(**{field: getattr(arguments, name) for name, field in FILTERS.items()})


def _library(config: AppConfig) -> Library:
    from vectorstore.library import Library
    from vectorstore.reranker import Reranker

    library = Library.open(config.library, config.encoder)
    library.reranker = Reranker(config.reranker) if config.reranker not in ("", "none") else None
    return library


def _assistant(config: AppConfig) -> Assistant:
    from assistant.assistant import Assistant
    from assistant.models import choose

    assistant = Assistant(_library(config))
    name = choose(config.model)
    return assistant if name is None else _writing_with(assistant, config, name)


def _writing_with(assistant: Assistant, config: AppConfig, name: str) -> Assistant:
    from assistant.models import connect

    replacing = config.unsupported == "replace"
    return assistant.writing_with(connect(config.model, name), name, config.model.patience, replacing=replacing)


def _other_writers(assistant: Assistant, config: AppConfig) -> list[Assistant]:
    """What else may write: the other models of the server, and the assistant that only quotes."""
    from assistant.assistant import Assistant
    from assistant.models import available

    try:
        names = available(config.model)
    except PaperchatError as error:
        print(f"paperchat: {error}", file=sys.stderr)
        names = []
    if not names and assistant.engine == "extractive":
        return []
    others = [_writing_with(assistant, config, name) for name in names[:MENU] if name != assistant.engine]
    return [*others, Assistant(assistant.library)]


def _progress(doing: str, reports: Iterator[SyncReport], count: Callable[[], int]) -> SyncReport:
    """Show how far it is, at what rate, and how long it takes yet; gives the last report."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

    from vectorstore.library import SyncReport

    report = SyncReport()
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as progress:
        task = progress.add_task(doing, total=None, rate="")
        counting = threading.Thread(
            target=lambda: progress.update(task, total=count()), name="count records", daemon=True
        )
        for report in reports:
            if report.added + report.updated and not counting.ident:  # counting pays only where there is work to do
                counting.start()
            speed = progress.tasks[0].speed
            progress.update(task, completed=report.read, rate=f"{speed:.0f}/s" if speed else "")
    return report


def _summary(report: SyncReport) -> str:
    reasons = sorted(report.reasons.items(), key=lambda each: -each[1])[:8]
    why = ", ".join(f"{reason}: {count}" for reason, count in reasons)
    return (
        f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged, "
        + (f"{report.removed} removed, " if report.removed else "")
        + f"{report.skipped} skipped"
        + (f" ({why})" if why else "")
    )


def _show(answer: Answer, as_json: bool) -> None:
    if as_json:
        print(json.dumps(answer.to_json(), ensure_ascii=False), flush=True)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    from ui.terminal import printable

    Console().print(Markdown(printable(answer)))


def _show_hits(hits: Sequence[Hit], as_json: bool) -> None:
    if as_json:
        for hit in hits:
            print(json.dumps(paper_json(hit.paper, hit.relevance), ensure_ascii=False))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("", "match", "paper", "venue", "id", box=None)
    for rank, hit in enumerate(hits, 1):
        table.add_row(str(rank), f"{hit.relevance:.0%}", hit.paper.label, hit.paper.published, hit.paper.id)
    Console().print(table)


def _saved_lines(file: Path) -> list[str]:
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise PaperchatError(
            f"Cannot read {file}. Save a conversation with `paperchat chat --json > {file.name}` and export that."
        ) from error
    return text.split("\n")


def _write(text: str, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise PaperchatError(f"Cannot write {out}: {error.strerror}. Name another file with `--out`.") from error


class Said(NamedTuple):
    """A message of a chat: whether it begins a new conversation, and what it is narrowed to."""

    message: str
    anew: bool
    filters: Filters


def _json_messages(filters: Filters) -> Iterator[Said]:
    """Messages from standard input, a JSON object a line; a line that is none is told on standard error and skipped.

    A line's own filters come over the given ones; null lifts one.
    """
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            own: dict[str, Any] = {
                FILTERS[name]: _filter_value(name, value) for name, value in (record.get("filters") or {}).items()
            }
            if not isinstance(record["message"], str):
                raise TypeError("a message is a text")
            said = Said(record["message"], bool(record.get("new_conversation")), replace(filters, **own))
        except (ValueError, KeyError, TypeError, AttributeError):
            print(
                f'paperchat chat: line {number} is not of the form {{"message": "..."}}; '
                f'"filters", if any, may hold {", ".join(FILTERS)}.',
                file=sys.stderr,
            )
            continue
        yield said


def _filter_value(name: str, value: object) -> object:
    """A year as a number, anything else as text, null as it is."""
    if value is None:
        return None
    return int(str(value)) if name in ("since", "until") else str(value)


def _typed_messages(assistant: Assistant, filters: Filters) -> Iterator[Said]:
    only = f" Only papers {', '.join(filters.named().values())}." if filters else ""
    print(f"{assistant.about()}.{only} An empty line ends the chat; /new begins another one.", file=sys.stderr)
    anew = False
    while True:
        try:
            message = input("> ").strip()
        except EOFError:
            return
        if not message:
            return
        if message == "/new":
            anew = True
            continue
        yield Said(message, anew, filters)
        anew = False


def _run_file(arguments: argparse.Namespace, library: Library, filters: Filters) -> int:
    """Answer a file of queries with a run in the TREC form."""
    if arguments.run is None:
        print("paperchat search: --queries needs --run OUT.", file=sys.stderr)
        return 2
    try:
        lines = [line for line in arguments.queries.read_text(encoding="utf-8").splitlines() if line.strip()]
        queries = [json.loads(line) for line in lines]
        wanted = [(str(query.get("_id", query.get("id"))), str(query["text"])) for query in queries]
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise PaperchatError(
            f'Cannot read queries from {arguments.queries}: each line should be {{"_id": "...", "text": "..."}}.'
        ) from error
    with arguments.run.open("w", encoding="utf-8") as out:
        for query_id, text in wanted:
            for rank, hit in enumerate(library.search(text, arguments.top, filters=filters), 1):
                out.write(f"{query_id} Q0 {hit.paper.id} {rank} {hit.relevance:.6f} paperchat\n")
    return 0


def _log_to_file() -> None:
    """Full reports go to a file; a folder that cannot be written leaves them out rather than stopping the program."""
    file = log_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = logging.FileHandler(file, encoding="utf-8", delay=False)
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it writes down addresses, which may hold a key


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="paperchat",
        description="Ask questions of a collection of paper abstracts and get answers with cited papers.",
        epilog="Begin with:  paperchat index seeds/   then   paperchat serve",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"paperchat {version('paperchat')}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--library", type=Path, metavar="DIR", help="folder of the library (PAPERCHAT_LIBRARY)")
    filters = argparse.ArgumentParser(add_help=False)
    only = filters.add_argument_group("only papers")
    only.add_argument("--since", type=int, metavar="YEAR", help="of this year or later")
    only.add_argument("--until", type=int, metavar="YEAR", help="of this year or earlier")
    only.add_argument("--venue", help="whose venue contains this")
    only.add_argument("--author", help="by this author")
    only.add_argument("--source", metavar="FILE", help="read from a file whose name contains this")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def command(
        run: Callable[[argparse.Namespace, AppConfig], int], help: str, example: str, *parents: argparse.ArgumentParser
    ) -> argparse.ArgumentParser:
        sub = commands.add_parser(
            run.__name__.rstrip("_"),
            parents=[common, *parents],
            help=help,
            description=help,
            epilog=f"example:  {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.set_defaults(command=run)
        return sub

    sub = command(
        index,
        "Read papers into the library; only what is new or changed costs time.",
        "paperchat index seeds/ papers.jsonl.gz",
    )
    sub.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="files or folders of papers")
    sub.add_argument("--dry-run", action="store_true", help="only tell what is there: nothing is kept")
    sub.add_argument("--json", action="store_true", help="with --dry-run: end with one JSON object")
    sub.add_argument(
        "--map",
        type=_columns,
        metavar="FIELD=COLUMN,...",
        help="columns of tables and JSON: title, abstract, authors, year, venue, url, id",
    )
    sub.add_argument(
        "--prune", action="store_true", help="remove the papers that have left the given files and folders"
    )
    sub.add_argument(
        "--rebuild",
        action="store_true",
        help="make the library anew with the configured encoder; until that is done, the old one serves",
    )
    sub = command(remove, "Take papers out of the library.", "paperchat remove --source old-list.bib")
    which = sub.add_mutually_exclusive_group(required=True)
    which.add_argument("--id", nargs="+", metavar="ID", help="papers by their ids, as `paperchat search` shows them")
    which.add_argument("--source", metavar="FILE", help="all papers that were read from this file or folder")
    sub = command(ask, "Ask one question.", 'paperchat ask "Which papers erase concepts?" --since 2024', filters)
    sub.add_argument("question")
    sub.add_argument("--json", action="store_true", help="print one JSON object")
    sub = command(chat, "Chat in the terminal, or as lines of JSON.", "paperchat chat --venue ICML", filters)
    sub.add_argument(
        "--json",
        action="store_true",
        help='read {"message": ..., "new_conversation": bool, "filters": {"since": ..., ...}} a line, print an answer a line',
    )
    sub = command(search, "Find papers.", 'paperchat search "machine unlearning" --top 5', filters)
    sub.add_argument("query", nargs="?")
    sub.add_argument("--top", type=_positive, default=10, metavar="K", help="how many papers (default 10)")
    sub.add_argument("--json", action="store_true", help="print a JSON object a line")
    sub.add_argument("--queries", type=Path, metavar="FILE", help='a file of {"_id", "text"} lines')
    sub.add_argument("--run", type=Path, metavar="OUT", help="write a TREC run file")
    sub = command(similar, "Find papers like a given one.", "paperchat similar p3f9c2a81b07e --top 5")
    sub.add_argument("id", metavar="ID", help="a paper's id, as `paperchat search` shows it")
    sub.add_argument("--top", type=_positive, default=10, metavar="K", help="how many papers (default 10)")
    sub.add_argument("--json", action="store_true", help="print a JSON object a line")
    sub = command(serve, "Open the chat window in a browser.", "paperchat serve --port 8080")
    sub.add_argument("--host", help="address to listen on (PAPERCHAT_HOST)")
    sub.add_argument("--port", type=_positive, help="port to listen on (PAPERCHAT_PORT)")
    sub = command(
        export,
        "Write citations or a conversation to a file.",
        "paperchat chat --json < questions.jsonl > chat.jsonl\n          paperchat export chat.jsonl --format html --out chat.html",
    )
    sub.add_argument("chat", nargs="?", type=Path, metavar="CHAT", help="what `chat --json` or `ask --json` printed")
    sub.add_argument("--query", help="instead of a conversation: the papers a search finds")
    sub.add_argument("--top", type=_positive, default=10, metavar="K", help="of a search, how many papers (default 10)")
    sub.add_argument(
        "--format",
        choices=("bibtex", "ris", "csl", "markdown", "html"),
        default="bibtex",
        help="bibtex (default), ris or csl for the papers cited; markdown or html for the conversation",
    )
    sub.add_argument("--out", type=Path, metavar="FILE", help="write here instead of to standard output")
    sub = command(eval_, "Measure how well files of questions are answered.", "paperchat eval answers my-questions/")
    sub.add_argument("what", choices=("answers",), help="what to measure")
    sub.add_argument("folder", type=Path, metavar="FOLDER", help="question files, as docs/EVALUATION.md describes them")
    sub.add_argument("--show", action="store_true", help="also print every answer that failed, and why")
    sub.add_argument("--json", action="store_true", help="print one JSON object with every answer")
    sub = command(info, "Tell what the library holds, and which language model writes.", "paperchat info")
    sub.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _columns(text: str) -> dict[str, str]:
    """ "title=Paper name,abstract=Summary" as a mapping."""
    from vectorstore.readers.columns import COLUMNS

    pairs = [part.partition("=") for part in re.split(rf",(?=\s*(?:{'|'.join(COLUMNS)})\s*=)", text)]
    found = {field.strip(): column.strip() for field, _, column in pairs}
    if not all(field in COLUMNS and column for field, column in found.items()):
        raise argparse.ArgumentTypeError(f"write FIELD=COLUMN,... with the fields {', '.join(COLUMNS)}")
    return found


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


if __name__ == "__main__":
    sys.exit(main())
