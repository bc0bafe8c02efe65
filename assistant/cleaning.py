"""A message made safe to search for: whatever hides in it or gives orders to the assistant is left out."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 2000  # characters of a message that are searched for

_BLOCKS = re.compile(r"<(script|style|system|assistant|developer)\b[^>]*>.*?(?:</\1\s*>|\Z)", re.I | re.S)
_TAGS = re.compile(r"</?[A-Za-z!|][^<>]{0,300}>|\[/?(?:INST|SYS|system|assistant|user)\]|<\|[^|>]{0,40}\|>", re.I)
_LINKS = re.compile(r"\b\w{2,12}:/{2}\S+|\b(?:javascript|data|ldap):\S+", re.I)
_BLOBS = re.compile(r"\S{80,}|\b[A-Za-z0-9+/]{40,}={0,2}(?!\S)")
_SENTENCES = re.compile(r"(?<=[.!?。!?])\s+|(?<=[。!?])|\n+|:\s+(?=[A-Z])")

_ORDERS = re.compile(
    r"^\W*(?:please|now|and|then|also|ok|hey)?\W*(?:"
    r"(?:ignore|disregard|forget|override|bypass)\b.{0,60}\b(?:instructions?|rules?|prompts?|guidelines?|above|previous|everything)"
    r"|(?:reply|respond|answer|output|print|say|write|end)\b.{0,40}\b(?:only|exactly|verbatim|with the (?:word|phrase)|nothing (?:else|but))"
    r"|(?:print|reveal|show|repeat|output|tell|give|leak|dump|what(?:'s| is| are))\b.{0,40}\b(?:your|system|hidden|initial|developer)\b.{0,25}\b(?:prompt|instructions?|rules|messages?|configuration)"
    r"|you are (?:now|no longer)\b|(?:pretend|act as|role-?play|imagine you)|from now on"
    r"|decode\b|execute\b|run (?:the|this) (?:command|code)|new (?:policy|instructions?|rules?)\b|system\s*:"
    r"|(?:忽略|无视|忘记|不要理会).{0,20}(?:指令|规则|提示|要求|设定)|.{0,20}(?:系统提示词|系统提示|system prompt)|(?:扮演|假装|从现在开始|你现在是)"
    r")",
    re.I | re.S,
)


def clean(message: str) -> str:
    """The message as plain words: no markup, control or invisible characters, links or unreadable blobs; not too long."""
    text = _visible(message)
    text = _TAGS.sub(" ", _BLOCKS.sub(" ", text))
    text = _BLOBS.sub(" ", _LINKS.sub(" ", text))
    text = re.sub(r"[ \t\r\f\v]+", " ", text).strip()
    if len(text) > LONGEST:  # the question tends to stand at either end
        text = f"{text[: LONGEST // 2]} {text[-LONGEST // 2 :]}"
    return text


def without_orders(text: str) -> tuple[str, bool]:
    """The text without sentences that command the assistant rather than ask, and whether there were any."""
    sentences = [sentence.strip() for sentence in _SENTENCES.split(text) if sentence and sentence.strip()]
    kept = [sentence for sentence in sentences if not _ORDERS.match(sentence)]
    return (" ".join(kept), True) if len(kept) < len(sentences) else (text, False)


def _visible(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text.encode("utf-8", "replace").decode("utf-8"))
    return "".join(
        " " if char in "\n\t\r" else char for char in folded if char in "\n\t\r" or unicodedata.category(char)[0] != "C"
    )
