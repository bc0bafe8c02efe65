"""The chat window: components and wiring. What they do stands in handlers.py, how things look in
render.py and style.css, and the little that happens in the browser in page.js.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from importlib.resources import files
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")  # read when gradio is imported

import gradio as gr

from assistant.conversation import Conversation
from assistant.errors import PortInUse
from ui import handlers, render
from ui.download import FORMS

SYSTEM_FONTS = (
    "ui-sans-serif",
    "system-ui",
    "-apple-system",
    "Segoe UI",
    "Noto Sans",
    "Noto Sans CJK SC",
    "sans-serif",
)
VISITORS_AT_ONCE = 20
QUOTES = "Quotes only"  # what the menu calls answers without a language model
# the sources of a new answer begin at the top of their column, wherever the visitor had scrolled
TO_TOP = "(...given) => { document.getElementById('sources-column').scrollTop = 0; return given; }"

# the browser makes the file, so that nothing of it lies on the server
SAVE = """(file) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([file.text], { type: file.type }));
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}"""


def build(assistant: handlers.Assistant, others: Sequence[handlers.Assistant] = ()) -> gr.Blocks:
    """The window over an assistant; where there are ``others``, a menu lets each conversation choose what writes."""
    writers = {each.engine: each for each in (assistant, *others)} if others else {}

    choices = assistant.choices()

    def respond(asked: str, conversation: Conversation, writer: str, *chosen: Any) -> Iterator[handlers.Shown]:
        yield from handlers.respond(writers.get(writer, assistant), asked, conversation, handlers.filters(*chosen))

    def label(*chosen: Any) -> dict[str, Any]:
        return gr.update(label=handlers.filters_label(handlers.filters(*chosen)))

    def chat(message: str) -> str:
        """Ask one question of the papers; returns the answer in Markdown with numbered citations."""
        return handlers.chat(assistant, message)

    def begin(message: str, busy: bool) -> tuple[Any, ...]:
        return handlers.accept(message, busy), "", True, *_visible(examples=False, send=False, stop=True)

    def end() -> tuple[Any, ...]:
        return False, *_visible(send=True, stop=False)

    def stopped(conversation: Conversation, asked: str, typed: str) -> tuple[Any, ...]:
        return *handlers.stop(conversation, asked, typed), *end()

    def anew() -> tuple[Any, ...]:
        return *handlers.anew(), *_visible(examples=True), *end()

    page = _resource("page.js")
    with gr.Blocks(title="paperchat", analytics_enabled=False, fill_height=True) as window:
        conversation, asked, busy = gr.State(Conversation()), gr.State(""), gr.State(False)
        with gr.Row(elem_id="top"):
            gr.HTML(f"<h1>paperchat</h1><p>{escape(assistant.about())}</p>", elem_id="title")
            writer = gr.Dropdown(
                [(QUOTES if name == "extractive" else name, name) for name in writers],
                value=next(iter(writers), None),
                label="What writes the answers",
                show_label=False,
                container=False,
                visible=bool(writers),
                elem_id="writer",
                scale=0,
                min_width=220,
            )
            new = gr.Button("New chat", elem_id="new", size="sm", min_width=110, scale=0)
        with gr.Row(elem_id="columns"):
            with gr.Column(scale=3, elem_id="conversation"):
                transcript = gr.HTML(elem_id="transcript", js_on_load=page)
                with gr.Column(elem_id="examples") as examples:
                    gr.HTML("<p>Ask about the papers, for example:</p>")
                    chips = [gr.Button(text, size="sm", elem_classes="chip") for text in assistant.examples()]
                with (
                    gr.Accordion("Filters", open=False, visible=bool(choices), elem_id="filters") as folded,
                    gr.Row(),
                ):
                    narrowing: list[Any] = [
                        _menu("Since", choices.years),
                        _menu("Until", choices.years),
                        _menu("Venue", choices.venues),
                        gr.Textbox(label="Author", visible=choices.authors, max_lines=1, min_width=150),
                        _menu("Source", choices.sources),
                    ]
                    clear = gr.Button("Clear", size="sm", scale=0, min_width=80, elem_id="clear")
                with gr.Row(elem_id="ask"):
                    question = gr.Textbox(
                        placeholder="Ask about the papers",
                        show_label=False,
                        label="Question",
                        container=False,
                        lines=1,
                        max_lines=6,
                        autofocus=True,
                        elem_id="question",
                        scale=1,
                    )
                    send = gr.Button("Send", variant="primary", elem_id="send", scale=0, min_width=90)
                    stop = gr.Button("Stop", variant="stop", elem_id="stop", scale=0, min_width=90, visible=False)
            with gr.Column(scale=2, elem_id="sources-column", min_width=300):
                with gr.Row(elem_id="downloads"):
                    gr.HTML("<span>Download</span>")
                    downloads = {form: gr.Button(name, size="sm", min_width=0, scale=0) for form, name in FORMS.items()}
                    saved = gr.JSON(visible=False)
                sources = gr.HTML(render.sources(Conversation()), elem_id="sources", js_on_load=page)

        shown = [conversation, transcript, sources, asked]
        ready = [busy, send, stop]
        quick: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
        runs = []
        for trigger, source in ((question.submit, question), (send.click, question), *((c.click, c) for c in chips)):
            # queued, for only then does the window show why a question was not taken
            given, taken = [source, busy], [asked, question, busy, examples, send, stop]
            begun = trigger(begin, given, taken, js=TO_TOP, **{**quick, "queue": True})
            run = begun.success(
                respond,
                [asked, conversation, writer, *narrowing],
                shown,
                show_progress="hidden",
                concurrency_limit=VISITORS_AT_ONCE,
                concurrency_id="answers",
                api_visibility="private",
            )
            run.then(end, None, ready, **quick)
            runs.append(run)
        stop.click(
            stopped, [conversation, asked, question], [transcript, sources, question, *ready], cancels=runs, **quick
        )
        new.click(anew, None, [*shown, examples, *ready], cancels=runs, **quick)
        for control in narrowing:
            control.change(label, narrowing, folded, **quick)
        clear.click(lambda: [None] * len(narrowing), None, narrowing, **quick)
        for form, button in downloads.items():
            made = button.click(partial(handlers.download, form=form), conversation, saved, **{**quick, "queue": True})
            made.success(None, saved, None, js=SAVE, api_visibility="private")
        gr.api(chat, api_name="chat", concurrency_limit=VISITORS_AT_ONCE)  # type: ignore[attr-defined]
    return window  # type: ignore[no-any-return]


def serve(assistant: handlers.Assistant, host: str, port: int, others: Sequence[handlers.Assistant] = ()) -> None:
    """Open the window and stay until interrupted. PortInUse where another program listens there."""
    _check_free(host, port)
    window = build(assistant, others)
    print(f"paperchat: http://{host}:{port}  (Ctrl-C to stop)", flush=True)
    launch(window, host, port, wait=True)


def launch(window: gr.Blocks, host: str, port: int, *, wait: bool) -> None:
    """Serve a built window with our looks, and nothing from outside this machine."""
    window.queue(default_concurrency_limit=VISITORS_AT_ONCE).launch(
        server_name=host,
        server_port=port,
        share=False,
        quiet=True,
        prevent_thread_lock=not wait,
        inbrowser=False,
        footer_links=[],
        theme=theme(),
        css=_resource("style.css"),
        show_error=False,
    )


def theme() -> gr.themes.Base:
    """System fonts, so that nothing is fetched; calm colours."""
    return gr.themes.Base(
        primary_hue="blue", neutral_hue="slate", font=list(SYSTEM_FONTS), font_mono=["ui-monospace", "monospace"]
    ).set(body_text_color_subdued="*neutral_500", input_placeholder_color="*neutral_500")


def _resource(name: str) -> str:
    return files("ui").joinpath(name).read_text(encoding="utf-8")


def _menu(name: str, among: Sequence[Any]) -> gr.Dropdown:
    """A menu to narrow questions by; not shown where there is nothing to choose."""
    return gr.Dropdown(
        [("any", ""), *((str(each), each) for each in among)], label=name, visible=bool(among), min_width=150
    )


def _visible(**parts: bool) -> tuple[Any, ...]:
    """Updates that show or hide components, in the order named."""
    return tuple(gr.update(visible=visible) for visible in parts.values())


def _check_free(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise PortInUse(
                f"Cannot listen on {host}, port {port}: {error.strerror}. Choose another with `--port`."
            ) from error
