"""What an operator may set: read once, when the program starts. Below that, plain values are passed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import BadSetting

# name, default as the README shows it, what it does
VARIABLES: tuple[tuple[str, str, str], ...] = (
    ("PAPERCHAT_LIBRARY", "user data directory", "folder of the library"),
    (
        "PAPERCHAT_ENCODER",
        "all-MiniLM-L6-v2",
        "sentence-transformers model: the bundled one, a folder, or one in the local cache",
    ),
    ("PAPERCHAT_HOST", "127.0.0.1", "address the chat window listens on"),
    ("PAPERCHAT_PORT", "7860", "port of the chat window"),
)


@dataclass(frozen=True, slots=True)
class AppConfig:
    """The settings of one run."""

    library: Path
    encoder: str
    host: str
    port: int

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> AppConfig:
        """Settings from environment variables; BadSetting names a variable whose value cannot be used."""
        return cls(
            library=Path(environ.get("PAPERCHAT_LIBRARY") or default_library()).expanduser(),
            encoder=environ.get("PAPERCHAT_ENCODER") or "all-MiniLM-L6-v2",
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
