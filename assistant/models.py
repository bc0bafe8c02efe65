"""Which language model writes, if any: a server asked what it has, and a name made into a LlamaIndex ``LLM``.

A name is ``ollama/<model>`` or ``openai/<model>``. Only the address that was set is spoken to; where none was, only
this machine. Keys go to that address and nowhere else: they are in no message, log or ``repr``.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import socket
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from assistant.errors import BadSetting, ModelTrouble

if TYPE_CHECKING:
    import httpx
    from llama_index.core.llms import LLM

log = logging.getLogger(__name__)

# models in a server's list that are not for conversation
_MUTE = re.compile(
    r"embed|bge-|rerank|whisper|tts|dall-e|image|audio|realtime|moderation|transcri|sora|babbage|davinci", re.I
)

OLLAMA = "http://127.0.0.1:11434"
OPENAI = "https://api.openai.com/v1"
LONGEST_REPLY = 1024  # tokens a model may write
KNOCK = 0.25  # seconds until a port of this machine counts as closed
CONNECT = 5.0  # seconds to reach a server
LIST = 5.0  # seconds to be told what it has
MINUTES = 600.0  # seconds between two words before the connection itself gives up; streaming.py is stricter


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """What an operator set: ``name`` is auto, none, ollama/<model> or openai/<model>.

    ``context`` is the model's context in tokens, ``patience`` the seconds to wait for its next word.
    """

    name: str = "auto"
    url: str = ""
    key: str = field(default="", repr=False)
    context: int = 8192
    patience: float = 120.0

    def __post_init__(self) -> None:
        provider, _, model = self.name.partition("/")
        if self.name not in ("auto", "none") and not (provider in ("ollama", "openai") and model):
            raise BadSetting(
                f"PAPERCHAT_LLM is {self.name!r}. Use auto, none, ollama/<model> or openai/<model>, as in ollama/llama3.2."
            )
        address = urlsplit(self.url)
        if self.url and (address.scheme not in ("http", "https") or not address.hostname):
            raise BadSetting("PAPERCHAT_LLM_URL is no web address. Write it as in http://127.0.0.1:8000/v1.")
        if address.username or address.password:
            raise BadSetting("PAPERCHAT_LLM_URL holds a password. Put it into PAPERCHAT_LLM_KEY instead.")
        if provider == "openai" and not self.url and not self.key:
            raise BadSetting("openai/<model> needs PAPERCHAT_LLM_URL, your server's address, or PAPERCHAT_LLM_KEY.")

    @property
    def provider(self) -> str:
        """ollama, openai, or none."""
        return "ollama" if self.name == "auto" else self.name.partition("/")[0]

    @property
    def address(self) -> str:
        """The server's address without a slash at its end."""
        return (self.url or (OPENAI if self.provider == "openai" else OLLAMA)).rstrip("/")


def available(settings: ModelSettings) -> list[str]:
    """The chat models there are, by name, the one that was set first.

    ``auto`` finds none, at no cost, where no Ollama runs on this machine. A server that was named and does not answer
    is ModelTrouble.
    """
    if settings.provider == "none":
        return []
    if settings.name == "auto" and not (_is_here(settings.address) and _listens(settings.address)):
        return []
    try:
        found = [f"{settings.provider}/{name}" for name in _listed(settings)]
    except ModelTrouble:
        if settings.name == "auto":
            return []  # something else listens there
        raise
    return sorted(found, key=lambda name: name not in (settings.name, f"{settings.name}:latest"))


def choose(settings: ModelSettings) -> str | None:
    """The name of the model that writes by default: the one that was set, else the first there is, else none."""
    if settings.name == "auto":
        return next(iter(available(settings)), None)
    return None if settings.name == "none" else settings.name


def described(settings: ModelSettings) -> str:
    """What a look at the server shows, in a line: which model would write, or why none."""
    if settings.name == "none":
        return "none, as set"
    try:
        found = available(settings)
    except ModelTrouble as trouble:
        return f"{settings.name}: {trouble}"
    if settings.name == "auto":
        return f"{found[0]}, found on this machine ({len(found)} there)" if found else "none: no Ollama on this machine"
    if found and found[0] in (settings.name, f"{settings.name}:latest"):
        return f"{settings.name}, ready at {settings.address}"
    there = ", ".join(found[:5]) or "none"
    return f"{settings.name}: the server at {settings.address} does not have it. It has: {there}"


def connect(settings: ModelSettings, name: str) -> LLM:
    """The model of that name on the configured server. Nothing is sent yet."""
    import httpx

    settings = replace(settings, name=name)
    model = name.partition("/")[2]
    waits = httpx.Timeout(MINUTES, connect=CONNECT)
    # a proxy that the environment names must not see what goes to this machine
    client: dict[str, Any] = {"timeout": waits, "trust_env": not _is_here(settings.address)}
    if settings.provider == "ollama":
        import ollama
        from llama_index.llms.ollama import Ollama

        given = {"Authorization": f"Bearer {settings.key}"} if settings.key else None
        return Ollama(
            model=model,
            base_url=settings.address,
            # told explicitly: by default Ollama keeps only the end of a long prompt, which loses the instructions
            context_window=settings.context,
            temperature=0.1,
            thinking=False,  # a model that thinks aloud would use up the reply before it answers
            additional_kwargs={"num_predict": LONGEST_REPLY},
            client=ollama.Client(settings.address, headers=given, **client),
            async_client=ollama.AsyncClient(settings.address, headers=given, **client),
        )
    from llama_index.llms.openai_like import OpenAILike

    clients: dict[str, Any] = {
        "http_client": httpx.Client(**client),
        "async_http_client": httpx.AsyncClient(**client),
    }
    return OpenAILike(
        model=model,
        api_base=settings.address,
        api_key=settings.key or "none",  # without one the client would take OPENAI_API_KEY, meant for another server
        context_window=settings.context,
        max_tokens=LONGEST_REPLY,
        temperature=0.1,
        is_chat_model=True,
        max_retries=0,
        timeout=MINUTES,
        **clients,
    )


def told(error: BaseException, address: str = "") -> ModelTrouble:
    """What went wrong between us and a model, as one line for a person. The error's own words may hold a key: unsaid."""
    if isinstance(error, ModelTrouble):
        return error
    status = getattr(error, "status_code", None)
    log.warning("language model: %s, status %s", type(error).__name__, status)
    where = f" at {address}" if address else ""
    said = str(error).lower()
    if status in (400, 413, 422, 500) and "context" in said:
        return ModelTrouble("The papers do not fit into the language model's context. Set PAPERCHAT_LLM_CONTEXT to it.")
    if status in (401, 403):
        return ModelTrouble(f"The language model's server{where} refuses the key. Check PAPERCHAT_LLM_KEY.")
    if status == 404:
        return ModelTrouble(f"The language model's server{where} does not have this model. Check PAPERCHAT_LLM.")
    if status == 429:
        return ModelTrouble("The language model's server is asked too much at the moment. Try again in a minute.")
    if isinstance(status, int) and status >= 400:
        return ModelTrouble(f"The language model's server{where} reports an error ({status}).")
    kind = type(error).__name__
    if "Timeout" in kind:
        return ModelTrouble(f"The language model's server{where} takes too long.")
    if "Connect" in kind and "incomplete" not in said:
        return ModelTrouble(f"The language model's server{where} cannot be reached. Is it running?")
    return ModelTrouble("The language model's answer broke off.")


def _listed(settings: ModelSettings) -> list[str]:
    """The chat models that the server says it has."""
    import httpx

    path = "/api/tags" if settings.provider == "ollama" else "/models"
    try:
        answer = httpx.get(
            settings.address + path,
            headers={"Authorization": f"Bearer {settings.key}"} if settings.key else {},
            timeout=httpx.Timeout(LIST, connect=KNOCK if _is_here(settings.address) else CONNECT),
            follow_redirects=False,  # another address must not get the key
            trust_env=not _is_here(settings.address),
        )
        answer.raise_for_status()
        if settings.provider == "ollama":
            return [str(each["name"]) for each in answer.json()["models"] if _chats(each)]
        listed = [str(each["id"]) for each in answer.json()["data"]]
        return [name for name in listed if not _MUTE.search(name)]
    except httpx.HTTPStatusError as error:
        if error.response.status_code == 404:  # the list itself is not there
            raise _no_server(settings) from None
        raise told(_Refused(error.response), settings.address) from None
    except httpx.HTTPError as error:
        raise told(error, settings.address) from None
    except (ValueError, KeyError, TypeError) as error:
        log.info("no list of models from %s: %s", settings.address, type(error).__name__)
        raise _no_server(settings) from None


def _no_server(settings: ModelSettings) -> ModelTrouble:
    return ModelTrouble(f"What answers at {settings.address} is no language model's server. Check PAPERCHAT_LLM_URL.")


class _Refused(Exception):
    def __init__(self, response: httpx.Response) -> None:
        super().__init__(response.reason_phrase)
        self.status_code = response.status_code


def _chats(model: dict[str, Any]) -> bool:
    """Whether an entry of Ollama's list is a model to talk to rather than one that only gives vectors."""
    family = str((model.get("details") or {}).get("family", "")).lower()
    return "bert" not in family and not _MUTE.search(str(model["name"]))


def _is_here(address: str) -> bool:
    """Whether an address is this machine."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listens(address: str) -> bool:
    parts = urlsplit(address)
    try:
        with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=KNOCK):
            return True
    except OSError:
        return False
