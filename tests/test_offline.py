"""Indexing and asking work where there is no network at all."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Any name look-up or connection beyond this machine ends the program.
GUARD = """
import socket, sys

def guarded(connect):
    def connect_here(self, address, *rest):
        here = self.family == socket.AF_UNIX or str(address[0]).startswith(("127.", "::1", "localhost"))
        if not here:
            raise SystemExit(f"reached out to {address}")
        return connect(self, address, *rest)
    return connect_here

def look_up(host, *rest, **more):
    if host not in (None, "localhost", "127.0.0.1", "::1"):
        raise SystemExit(f"looked up {host}")
    return getaddrinfo(host, *rest, **more)

getaddrinfo, socket.getaddrinfo = socket.getaddrinfo, look_up
socket.socket.connect = guarded(socket.socket.connect)
socket.socket.connect_ex = guarded(socket.socket.connect_ex)
from ui.cli import main
sys.exit(main(sys.argv[1:]))
"""


def paperchat(*arguments: str) -> str:
    command = [sys.executable, "-c", GUARD, *arguments]
    # native code does not pass through Python's sockets: a namespace without a network holds it too
    if (
        shutil.which("unshare")
        and subprocess.run(["unshare", "-rn", "true"], check=False, capture_output=True).returncode == 0
    ):
        command = ["unshare", "-rn", *command]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_indexing_and_asking_need_no_network(tmp_path: Path) -> None:
    library = str(tmp_path / "library")
    assert "38 added" in paperchat("index", "seeds", "--library", library)
    answer = json.loads(paperchat("ask", "--json", "--library", library, "What is PRAXIS?"))
    assert answer["sources"][0]["label"] == "PRAXIS"
