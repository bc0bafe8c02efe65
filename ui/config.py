"""What an operator may set: read once, when the program starts. Below that, plain values are passed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assistant.errors import BadSetting
from assistant.models import ModelSettings

Unsupported = Literal["strike", "replace"]

# name, default as the README shows it, what it does
VARIABLES: tuple[tuple[str, str, str], ...] = (
    ("PAPERCHAT_LIBRARY", "user data directory", "folder of the library"),
    (
        "PAPERCHAT_ENCODER",
        "all-MiniLM-L6-v2",
        "sentence-transformers model: the bundled one, a folder, or one in the local cache",
    ),
    (
        "PAPERCHAT_RERANKER",
        "none",
        "sentence-transformers cross-encoder that reads the first papers again: a folder, or one in the local cache",
    ),
    (
        "PAPERCHAT_LLM",
        "auto",
        "language model: `auto` (a local Ollama, if any), `none`, `ollama/<model>`, `openai/<model>`",
    ),
    ("PAPERCHAT_LLM_URL", "the usual address", "address of the language model's server"),
    ("PAPERCHAT_LLM_KEY", "none", "its key; never printed, logged or saved"),
    ("PAPERCHAT_LLM_CONTEXT", "8192", "the model's context in tokens"),
    ("PAPERCHAT_LLM_PATIENCE", "120", "seconds to wait for its next word"),
    (
        "PAPERCHAT_LLM_UNSUPPORTED",
        "strike",
        "sentences of its answer that no abstract bears out: `strike` them, or `replace` them by quotes",
    ),
    ("PAPERCHAT_HOST", "127.0.0.1", "address the chat window listens on"),
    ("PAPERCHAT_PORT", "7860", "port of the chat window"),
)


@dataclass(frozen=True, slots=True)
class AppConfig:
    """The settings of one run."""

    library: Path
    encoder: str
    reranker: str
    model: ModelSettings
    unsupported: Unsupported
    host: str
    port: int

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> AppConfig:
        """Settings from environment variables; BadSetting names a variable whose value cannot be used."""
        return cls(
            library=Path(environ.get("PAPERCHAT_LIBRARY") or default_library()).expanduser(),
            encoder=environ.get("PAPERCHAT_ENCODER") or "all-MiniLM-L6-v2",
            reranker=environ.get("PAPERCHAT_RERANKER") or "",
            model=ModelSettings(
                name=environ.get("PAPERCHAT_LLM") or "auto",
                url=environ.get("PAPERCHAT_LLM_URL") or "",
                key=environ.get("PAPERCHAT_LLM_KEY") or "",
                context=_count("PAPERCHAT_LLM_CONTEXT", environ.get("PAPERCHAT_LLM_CONTEXT") or "8192", "tokens", 512),
                patience=_count("PAPERCHAT_LLM_PATIENCE", environ.get("PAPERCHAT_LLM_PATIENCE") or "120", "seconds", 1),
            ),
            unsupported=_unsupported(environ.get("PAPERCHAT_LLM_UNSUPPORTED") or "strike"),
            host=environ.get("PAPERCHAT_HOST") or "127.0.0.1",
            port=_port(environ.get("PAPERCHAT_PORT") or "7860"),
        )


def default_library() -> Path:
    """Where the library lives when nobody says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("paperchat", appauthor=False) / "library"


def log_file() -> Path:
    """The file that keeps what a person is not shown: full reports of errors."""
    from platformdirs import user_log_path

    return user_log_path("paperchat", appauthor=False) / "paperchat.log"


def _port(value: str) -> int:
    if value.isdigit() and 0 < int(value) < 65536:
        return int(value)
    raise BadSetting(f"PAPERCHAT_PORT is {value!r}, which is no port. Use a number from 1 to 65535.")


def _count(variable: str, value: str, unit: str, least: int) -> int:
    if value.isascii() and value.isdigit() and least <= int(value) <= 10_000_000:
        return int(value)
    raise BadSetting(f"{variable} is {value!r}. Use a number of {unit}, {least} or more.")


def _unsupported(value: str) -> Unsupported:
    if value in ("strike", "replace"):
        return value  # type: ignore[return-value]
    raise BadSetting(f"PAPERCHAT_LLM_UNSUPPORTED is {value!r}. Use strike or replace.")
