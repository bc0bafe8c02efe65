"""The README tells the truth about settings and commands."""

import re
from pathlib import Path

from assistant.assistant import Assistant
from assistant.conversation import Conversation
from ui.cli import _parser
from ui.config import VARIABLES
from vectorstore.library import Library

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_settings_table_is_the_codes_own() -> None:
    rows = re.findall(r"^\| `(PAPERCHAT_\w+)` \| (.*?) \| (.*?) \|$", README, re.M)
    assert tuple(rows) == VARIABLES


def test_every_setting_that_is_read_is_in_the_table() -> None:
    source = (Path(__file__).parent.parent / "ui" / "config.py").read_text(encoding="utf-8")
    assert set(re.findall(r"environ\.get\(\"(\w+)\"\)", source)) == {name for name, _, _ in VARIABLES}


def test_every_command_is_shown() -> None:
    commands = next(action for action in _parser()._actions if action.dest == "command" or action.choices)
    assert commands.choices
    for command in commands.choices:
        assert f"paperchat {command}" in README


def test_the_answer_shown_is_the_answer_given(seed_library: Library) -> None:
    shown = re.search(r'\$ paperchat ask "(.+?)"\n    (.+?)\n\n', README, re.S)
    assert shown
    answer = Assistant(seed_library).ask(shown[1], Conversation())
    assert " ".join(answer.text.replace("**", "").split()) == " ".join(shown[2].split())
