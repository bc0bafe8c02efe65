"""The command line: `paperchat index | ask | chat | search | serve | info`.

Answers go to standard output, everything else to standard error. Exit codes: 0 fine, 1 failed, 2 wrong use.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.answer import paper_json
from assistant.errors import PaperchatError
from ui.config import AppConfig, log_file
from vectorstore.filters import Filters

if TYPE_CHECKING:
    from assistant.answer import Answer
    from assistant.assistant import Assistant
    from vectorstore.library import Library, SyncReport
    from vectorstore.paper import Hit

log = logging.getLogger(__name__)

MENU = 12  # language models to choose from in the window


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
    """Read papers and bring the library up to date with them."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from vectorstore.library import Library
    from vectorstore.readers import check, read

    for path in arguments.paths:
        check(path)  # before anything is created
    console = Console(stderr=True)
    with console.status("Loading the encoder"):
        library = Library.create(config.library, config.encoder)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("Indexing", total=None)
        for report in library.sync(record for path in arguments.paths for record in read(path)):
            progress.update(task, completed=report.read)
    print(_summary(report))
    for skipped in report.skipped[:20]:
        print(f"  skipped {skipped.origin.file}, {skipped.origin.position}: {skipped.reason}", file=sys.stderr)
    if len(report.skipped) > 20:
        print(f"  ... and {len(report.skipped) - 20} more", file=sys.stderr)
    return 0


def ask(arguments: argparse.Namespace, config: AppConfig) -> int:
    """Answer one question."""
    from assistant.conversation import Conversation

    answer = _assistant(config).ask(arguments.question, Conversation())
    _show(answer, arguments.json)
    return 0


def chat(arguments: argparse.Namespace, config: AppConfig) -> int:
    """A conversation: lines of JSON in and out, or at the terminal."""
    from assistant.conversation import Conversation

    assistant = _assistant(config)
    conversation = Conversation()
    for message, anew in _json_messages() if arguments.json else _typed_messages(assistant):
        if anew:
            conversation = Conversation()
        answer = assistant.ask(message, conversation)
        conversation = conversation.after(answer)
        _show(answer, arguments.json)
    return 0


def search(arguments: argparse.Namespace, config: AppConfig) -> int:
    """Find papers, for one query or for a file of queries."""
    if (arguments.queries is None) == (arguments.query is None):
        print("paperchat search: give a query, or --queries FILE with --run OUT.", file=sys.stderr)
        return 2
    if arguments.queries:
        return _run_file(arguments, _library(config))
    filters = Filters(arguments.since, arguments.until, arguments.venue, arguments.author, arguments.source)
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


def info(arguments: argparse.Namespace, config: AppConfig) -> int:
    """Tell what the library holds and how it is set up."""
    from rich.console import Console
    from rich.table import Table

    from assistant.models import described

    stats = _library(config).stats()
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
                    "language_model": described(config.model),
                },
                ensure_ascii=False,
            )
        )
        return 0
    table = Table(box=None, show_header=False)
    table.add_row("library", str(config.library))
    table.add_row("papers", str(stats.papers))
    for name, counts in (("source", stats.sources), ("venue", stats.venues), ("year", stats.years)):
        for key, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:12]:
            table.add_row(name, f"{key or '(none)'}: {count}")
    table.add_row("encoder", f"{stats.encoder}, {stats.dimension} dimensions")
    table.add_row("on disk", f"{stats.bytes_on_disk / 1e6:.1f} MB")
    table.add_row("language model", described(config.model))
    Console().print(table)
    return 0


def _library(config: AppConfig) -> Library:
    from vectorstore.library import Library

    return Library.open(config.library, config.encoder)


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


def _summary(report: SyncReport) -> str:
    reasons: dict[str, int] = {}
    for skipped in report.skipped:
        reasons[skipped.reason] = reasons.get(skipped.reason, 0) + 1
    why = ", ".join(f"{reason}: {count}" for reason, count in sorted(reasons.items(), key=lambda each: -each[1])[:8])
    return (
        f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged, {len(report.skipped)} skipped"
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
        venue = " ".join(str(part) for part in (hit.paper.venue, hit.paper.year) if part)
        table.add_row(str(rank), f"{hit.relevance:.0%}", hit.paper.label, venue, hit.paper.id)
    Console().print(table)


def _json_messages() -> Iterator[tuple[str, bool]]:
    """Messages from standard input, a JSON object a line; a line that is none is told on standard error and skipped."""
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            message = record["message"]
        except (ValueError, KeyError, TypeError):
            print(f'paperchat chat: line {number} is not of the form {{"message": "..."}}.', file=sys.stderr)
            continue
        yield str(message), bool(record.get("new_conversation"))


def _typed_messages(assistant: Assistant) -> Iterator[tuple[str, bool]]:
    print(f"{assistant.about()}. An empty line ends the chat; /new begins another one.", file=sys.stderr)
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
        yield message, anew
        anew = False


def _run_file(arguments: argparse.Namespace, library: Library) -> int:
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
            for rank, hit in enumerate(library.search(text, arguments.top), 1):
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
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def command(
        run: Callable[[argparse.Namespace, AppConfig], int], help: str, example: str
    ) -> argparse.ArgumentParser:
        sub = commands.add_parser(
            run.__name__,
            parents=[common],
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
    sub.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files or folders of papers")
    sub = command(ask, "Ask one question.", 'paperchat ask "Which papers erase concepts from diffusion models?"')
    sub.add_argument("question")
    sub.add_argument("--json", action="store_true", help="print one JSON object")
    sub = command(chat, "Chat in the terminal, or as lines of JSON.", "paperchat chat")
    sub.add_argument(
        "--json",
        action="store_true",
        help='read {"message": ..., "new_conversation": bool} a line, print an answer a line',
    )
    sub = command(search, "Find papers.", 'paperchat search "machine unlearning" --top 5')
    sub.add_argument("query", nargs="?")
    sub.add_argument("--top", type=_positive, default=10, metavar="K", help="how many papers (default 10)")
    sub.add_argument("--json", action="store_true", help="print a JSON object a line")
    sub.add_argument("--queries", type=Path, metavar="FILE", help='a file of {"_id", "text"} lines')
    sub.add_argument("--run", type=Path, metavar="OUT", help="write a TREC run file")
    sub.add_argument("--since", type=int, metavar="YEAR", help="only papers of this year or later")
    sub.add_argument("--until", type=int, metavar="YEAR", help="only papers of this year or earlier")
    sub.add_argument("--venue", help="only papers whose venue contains this")
    sub.add_argument("--author", help="only papers by this author")
    sub.add_argument("--source", metavar="FILE", help="only papers read from a file whose name contains this")
    sub = command(similar, "Find papers like a given one.", "paperchat similar p3f9c2a81b07e --top 5")
    sub.add_argument("id", metavar="ID", help="a paper's id, as `paperchat search` shows it")
    sub.add_argument("--top", type=_positive, default=10, metavar="K", help="how many papers (default 10)")
    sub.add_argument("--json", action="store_true", help="print a JSON object a line")
    sub = command(serve, "Open the chat window in a browser.", "paperchat serve --port 8080")
    sub.add_argument("--host", help="address to listen on (PAPERCHAT_HOST)")
    sub.add_argument("--port", type=_positive, help="port to listen on (PAPERCHAT_PORT)")
    sub = command(info, "Tell what the library holds, and which language model writes.", "paperchat info")
    sub.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


if __name__ == "__main__":
    sys.exit(main())
