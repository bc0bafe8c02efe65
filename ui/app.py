"""The chat window: components and wiring. What they do stands in handlers.py, how things look in render.py and style.css."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")  # read when gradio is imported

import gradio as gr

from assistant.conversation import Conversation
from assistant.errors import PortInUse
from ui import handlers, render

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


def build(assistant: handlers.Assistant) -> gr.Blocks:
    """The window over an assistant."""

    def respond(message: str, conversation: Conversation | None) -> Iterator[handlers.Shown]:
        yield from handlers.respond(assistant, message, conversation)

    def chat(message: str) -> str:
        """Ask one question of the papers; returns the answer in Markdown with numbered citations."""
        return handlers.chat(assistant, message)

    with gr.Blocks(title="paperchat", analytics_enabled=False, fill_height=True) as window:
        conversation = gr.State(Conversation())
        asked = gr.State("")
        with gr.Row(elem_id="top"):
            gr.HTML(f"<h1>paperchat</h1><p>{escape(assistant.about())}</p>", elem_id="title")
            new = gr.Button("New chat", elem_id="new", size="sm", min_width=110, scale=0)
        with gr.Row(elem_id="columns"):
            with gr.Column(scale=3, elem_id="conversation"):
                transcript = gr.HTML(elem_id="transcript", autoscroll=True)
                with gr.Column(elem_id="examples") as examples:
                    gr.HTML("<p>Ask about the papers, for example:</p>")
                    chips = [gr.Button(text, size="sm", elem_classes="chip") for text in assistant.examples()]
                with gr.Row(elem_id="ask"):
                    question = gr.Textbox(
                        placeholder="Ask about the papers",
                        show_label=False,
                        label="Question",
                        lines=1,
                        max_lines=6,
                        autofocus=True,
                        elem_id="question",
                        scale=1,
                        max_length=handlers.LONGEST,
                    )
                    send = gr.Button("Send", variant="primary", elem_id="send", scale=0, min_width=90)
                    stop = gr.Button("Stop", variant="stop", elem_id="stop", scale=0, min_width=90, visible=False)
            with gr.Column(scale=2, elem_id="sources-column", min_width=300):
                sources = gr.HTML(render.sources(Conversation()), elem_id="sources")

        def begin(message: str) -> tuple[str, str, Any, Any, Any]:
            return message, "", gr.update(visible=False), gr.update(visible=True), gr.update(visible=False)

        def end() -> tuple[Any, Any]:
            return gr.update(visible=True), gr.update(visible=False)

        shown = [conversation, transcript, sources]
        busy: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
        runs = []
        for trigger, source in ((question.submit, question), (send.click, question), *((c.click, c) for c in chips)):
            run = trigger(begin, source, [asked, question, send, stop, examples], **busy).then(
                respond,
                [asked, conversation],
                shown,
                show_progress="hidden",
                concurrency_limit=VISITORS_AT_ONCE,
                concurrency_id="answers",
                api_visibility="private",
            )
            run.then(end, None, [send, stop], **busy)
            runs.append(run)
        stop.click(end, None, [send, stop], cancels=runs, **busy)
        new.click(handlers.anew, None, [*shown, question], cancels=runs, **busy).then(
            lambda: (gr.update(visible=True), gr.update(visible=True), gr.update(visible=False)),
            None,
            [examples, send, stop],
            **busy,
        )
        gr.api(chat, api_name="chat", concurrency_limit=VISITORS_AT_ONCE)  # type: ignore[attr-defined]
    return window  # type: ignore[no-any-return]


def serve(assistant: handlers.Assistant, host: str, port: int) -> None:
    """Open the window and stay until interrupted. PortInUse where another program listens there."""
    _check_free(host, port)
    window = build(assistant)
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
        css=files("ui").joinpath("style.css").read_text(encoding="utf-8"),
        show_error=False,
    )


def theme() -> gr.themes.Base:
    """System fonts, so that nothing is fetched; calm colours."""
    return gr.themes.Base(
        primary_hue="blue", neutral_hue="slate", font=list(SYSTEM_FONTS), font_mono=["ui-monospace", "monospace"]
    )


def _check_free(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise PortInUse(
                f"Cannot listen on {host}, port {port}: {error.strerror}. Choose another with `--port`."
            ) from error
