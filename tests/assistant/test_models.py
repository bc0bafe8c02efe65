"""Which models there are, how they are reached, and what a person reads when they are not."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Iterator

import pytest

from assistant import models
from assistant.errors import BadSetting, ModelTrouble
from assistant.models import ModelSettings, available, choose, connect
from assistant.streaming import Message, Speaker
from tests.assistant.servers import StandIn, stand_in

KEY = "sk-very-secret"
HELLO: list[Message] = [("user", "Hello")]


@pytest.fixture(scope="module")
def server() -> Iterator[StandIn]:
    with stand_in() as running:
        yield running


def settings(server: StandIn, provider: str, **more: object) -> ModelSettings:
    url = server.url if provider == "ollama" else f"{server.url}/v1"
    return ModelSettings(f"{provider}/small:1b", url, **more)  # type: ignore[arg-type]


def speaker(server: StandIn, provider: str, **more: object) -> Speaker:
    chosen = settings(server, provider, **more)
    return Speaker(connect(chosen, chosen.name), chosen.patience)


def test_auto_finds_nothing_where_nothing_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setattr(models, "OLLAMA", f"http://127.0.0.1:{free.getsockname()[1]}")
    assert available(ModelSettings()) == []
    assert choose(ModelSettings()) is None


def test_auto_takes_the_first_chat_model_of_a_local_ollama(server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "OLLAMA", server.url)
    assert available(ModelSettings()) == ["ollama/small:1b", "ollama/large:70b"]
    assert choose(ModelSettings()) == "ollama/small:1b"


def test_auto_never_asks_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "_listens", lambda address: pytest.fail("looked elsewhere"))
    assert available(ModelSettings(url="http://192.0.2.1:11434")) == []


def test_auto_puts_up_with_another_program_on_the_port(monkeypatch: pytest.MonkeyPatch, server: StandIn) -> None:
    monkeypatch.setattr(models, "OLLAMA", f"{server.url}/elsewhere")
    assert available(ModelSettings()) == []


def test_none_is_none() -> None:
    assert choose(ModelSettings("none")) is None
    assert available(ModelSettings("none")) == []


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_a_server_tells_what_it_has_the_chosen_one_first(server: StandIn, provider: str) -> None:
    server.plays()
    url = server.url if provider == "ollama" else f"{server.url}/v1/"
    chosen = ModelSettings(f"{provider}/large:70b", url)
    assert available(chosen) == [f"{provider}/large:70b", f"{provider}/small:1b"]


@pytest.mark.parametrize(
    ("name", "url", "variable"),
    [
        ("gpt-4o", "", "PAPERCHAT_LLM "),
        ("ollama/", "", "PAPERCHAT_LLM "),
        ("openai/x", "", "PAPERCHAT_LLM_KEY"),
        ("openai/x", "localhost:80", "PAPERCHAT_LLM_URL"),
        ("openai/x", f"http://me:{KEY}@localhost", "PAPERCHAT_LLM_URL"),
    ],
)
def test_a_bad_setting_is_named(name: str, url: str, variable: str) -> None:
    with pytest.raises(BadSetting, match=variable) as told:
        ModelSettings(name, url)
    assert KEY not in str(told.value)


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_a_reply_comes_in_pieces(server: StandIn, provider: str) -> None:
    script = server.plays("One two three.")
    pieces = [piece for piece in speaker(server, provider, key=KEY).reply(HELLO) if piece]
    assert "".join(pieces).strip() == "One two three."
    assert len(pieces) >= 3
    assert script.keys == [f"Bearer {KEY}"]


def test_the_context_is_told_to_ollama_and_the_length_of_a_reply_to_both(server: StandIn) -> None:
    for provider in ("ollama", "openai"):
        script = server.plays("Yes.")
        list(speaker(server, provider, context=4096).reply(HELLO))
        options = script.asked[0].get("options", script.asked[0])
        assert options.get("num_predict", options.get("max_tokens")) == models.LONGEST_REPLY
        assert options.get("num_ctx", 4096) == 4096


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_no_key_is_sent_where_none_was_set(server: StandIn, provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    script = server.plays("Yes.")
    list(speaker(server, provider).reply(HELLO))
    assert KEY not in script.keys[0]


@pytest.mark.parametrize("provider", ["ollama", "openai"])
@pytest.mark.parametrize("silence", [0.0, 30.0])
def test_closing_a_reply_ends_the_models_work_within_a_second(server: StandIn, provider: str, silence: float) -> None:
    script = server.plays("word " * 500, pace=0.02, silence=silence)
    reply = speaker(server, provider).reply(HELLO)
    for _ in range(3):
        next(reply)
    reply.close()
    deadline = time.monotonic() + 1
    while not script.left and time.monotonic() < deadline:
        time.sleep(0.02)
    assert script.left
    assert script.sent < 100


@pytest.mark.parametrize("provider", ["ollama", "openai"])
@pytest.mark.parametrize(
    ("script", "line"),
    [
        ({"status": 401, "error": f"Incorrect API key provided: {KEY}"}, "refuses the key"),
        ({"status": 404}, "does not have this model"),
        ({"status": 429}, "asked too much"),
        ({"status": 500}, "reports an error (500)"),
        ({"status": 400, "error": "maximum context length is 2048 tokens"}, "PAPERCHAT_LLM_CONTEXT"),
        ({"cut": 2}, "broke off"),
        ({"silence": 5.0}, "takes too long"),
    ],
)
def test_trouble_is_one_line_that_holds_no_key(
    server: StandIn, provider: str, script: dict[str, object], line: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server.plays("One two three four.", **script)
    with pytest.raises(ModelTrouble) as told:
        list(speaker(server, provider, key=KEY, patience=0.5).reply(HELLO))
    assert line in str(told.value)
    assert "\n" not in str(told.value)
    assert KEY not in str(told.value) + caplog.text
    assert told.value.__cause__ is None


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_a_server_that_is_down_is_named(provider: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    chosen = ModelSettings(f"{provider}/small:1b", url)
    with pytest.raises(ModelTrouble, match="cannot be reached"):
        available(chosen)
    with pytest.raises(ModelTrouble, match="cannot be reached"):
        list(Speaker(connect(chosen, chosen.name)).reply(HELLO))


def test_settings_do_not_show_the_key(server: StandIn) -> None:
    assert KEY not in repr(settings(server, "openai", key=KEY))
