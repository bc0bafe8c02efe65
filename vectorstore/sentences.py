"""Sentences of an abstract, as spans on the text as it stands: receipts point at them letter for letter.

A small rule set of our own. pysbd was tried and is not used: it takes about 7 ms an abstract, rewrites the text so that
offsets have to be searched again, and breaks inside mathematics and citations.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from vectorstore.text import address_spans, math_spans

_END = re.compile(
    r"""(?P<west>[.!?…]+)(?P<close>["'”’)\]}*_»]*)(?P<gap>\s+|$)"""
    r"""|(?P<east>[。！？；]+)(?P<tail>[”’」』）】"*]*)\s*"""
    r"""|(?<=[a-z]{3})\.(?=[A-Z][a-z]+\s[a-z])"""
    r"""|(?P<paragraph>\n[^\S\n]*\n\s*)"""
)
_NEVER_LAST = re.compile(
    r"e\.g|i\.e|cf|vs|viz|figs?|eq[sn]?|eqns|secs?|refs?|tab|thm|prop|lem|def|alg|app|ch|nos|vol|pp|eds?|dr|prof|mr|mrs|ms"
    r"|st|resp|a\.k\.a|ca|incl|esp"
)
_SOMETIMES_LAST = re.compile(r"al|etc|u\.s|u\.k|a\.m|p\.m|inc|ltd|co|dept|univ|ph\.d|approx|no|i\.i\.d|w\.r\.t")
_STARTERS = re.compile(
    r"an?|the|this|these|that|those|we|our|its?|in|on|for|to|from|with|at|by|as|if|when|while|although|though|since|however"
    r"|moreover|furthermore|additionally|finally|thus|hence|therefore|here|there|they|such|both|one|each|many|most|first"
    r"|second|third|then|next|besides|consequently|specifically|experiments|results|code|but|and|unlike|despite|using|given"
)
_WORD_BEFORE = re.compile(r"[^\s(\[{“\"'‘*_$,;:]+$")
_BRACKETS = re.compile(r"[(\[][^()\[\]]{0,400}[)\]]")


def sentences(text: str) -> list[tuple[int, int]]:
    """The sentences as (start, end) offsets, in order and apart; together they hold every non-blank character."""
    spans = []
    start = 0
    for stop, resume in _boundaries(text):
        if text[start:stop].strip():
            spans.append(_trimmed(text, start, stop))
            start = resume
    if text[start:].strip():
        spans.append(_trimmed(text, start, len(text)))
    return spans


def _trimmed(text: str, start: int, stop: int) -> tuple[int, int]:
    while text[start].isspace():
        start += 1
    while text[stop - 1].isspace():
        stop -= 1
    return start, stop


def _boundaries(text: str) -> list[tuple[int, int]]:
    """Where a sentence ends and where the next may begin."""
    closed = _Regions(math_spans(text) + address_spans(text))
    bracketed = _Regions([match.span() for match in _BRACKETS.finditer(text)])
    found = []
    for match in _END.finditer(text):
        if match["paragraph"] is not None:
            found.append((match.start(), match.end()))
        elif closed.hold(match.start()):
            continue
        elif match["east"] is not None:
            if not bracketed.hold(match.start()):
                found.append((match.end("tail"), match.end()))
        elif match["west"] is None:
            if not bracketed.hold(match.start()):
                found.append((match.end(), match.end()))
        elif not bracketed.hold(match.start()) and _ends_sentence(text, match):
            found.append((match.end("close"), match.end()))
    return found


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    following = text[match.end() : match.end() + 40]
    if not following:
        return True
    if text[: match.start()][-1:].isspace() and match["west"] == ".":
        return True  # a full stop set apart by blanks, as in old collections
    first_word = following.split(maxsplit=1)[0]
    starts_new = _may_start(first_word)
    if match["west"] != "." or match["close"]:
        return starts_new or (match["west"][-1] in "!?" and not first_word[0].islower())
    if not starts_new:
        return False
    before = _WORD_BEFORE.search(text[max(match.start() - 40, 0) : match.start()])
    word = before[0].lower() if before else ""
    starter = _STARTERS.fullmatch(re.sub(r"\W+$", "", first_word).lower()) is not None and first_word[0].isupper()
    if _SOMETIMES_LAST.fullmatch(word):
        return starter or word == "etc"
    if _NEVER_LAST.fullmatch(word):
        return False
    if len(word) == 1 and word.isalpha():
        return starter or (before is not None and before[0].islower())  # an initial: "J. Smith"
    if re.fullmatch(r"(?:[a-z]\.)+[a-z]", word):
        return starter
    # "1. First": the number of a list item, not the end of a sentence
    return not (re.fullmatch(r"\d{1,2}", word) and _opens_line(text, match.start() - len(word)))


def _opens_line(text: str, position: int) -> bool:
    ahead = text[max(position - 3, 0) : position].rstrip(" \t")
    return not ahead or ahead[-1] in "\n.:;"


def _may_start(word: str) -> bool:
    """A sentence starts with a capital, a digit, a mark that opens something, or a name like mRNA or iOS."""
    bare = word.lstrip("\"'“‘([{*_`$\\<¿¡")
    if not bare or bare != word:
        return True
    first = bare[0]
    if first.isupper() or first.isdigit():
        return True
    if first.islower():
        return any(letter.isupper() for letter in bare[1:])
    return first.isalpha() or first in "@#→•–—-"


class _Regions:
    """Stretches of the text that no sentence ends in."""

    def __init__(self, spans: list[tuple[int, int]]) -> None:
        self._spans = sorted(spans)
        self._starts = [start for start, _ in self._spans]

    def hold(self, position: int) -> bool:
        index = bisect_right(self._starts, position) - 1
        return index >= 0 and self._spans[index][0] <= position < self._spans[index][1]
