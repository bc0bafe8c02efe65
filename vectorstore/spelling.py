"""Words as a question means them: typing errors put right, British and American spelling made one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

SHORTEST = 5  # letters of a word that is worth correcting: shorter ones are near too many others
LONG = 9  # letters from which two errors are forgiven

# Only equal treatment of question and paper matters, so a word that changes without need ("exercise") does no harm.
_AMERICAN = (
    (re.compile(r"(?<=[a-z]{3})is(?=(?:e[drs]?|ing|ations?)\b)"), "iz"),
    (re.compile(r"(?<=[a-z]{3})yse(?=[ds]?\b)"), "yze"),
    (re.compile(r"(?<=[a-z]{3})our(?=(?:s|ed|ing|al|ally|able|hood|hoods)?\b)"), "or"),
    (re.compile(r"(?<=[a-z]{3}[aeiou]l)l(?=(?:ing|ed|er|ers)\b)"), ""),
    (re.compile(r"(?<=[a-z]{3})tre(?=s?\b)"), "ter"),
    (re.compile(r"(?<=[a-z]{3})ogue(?=s?\b)"), "og"),
    (re.compile(r"(?<=[a-z]{3})ence(?=s?\b)"), "ense"),
)
_PREFIX = re.compile(
    r"^(?:anti|co|de|dis|inter|mis|multi|non|out|over|post|pre|re|semi|sub|super|un|under)-?(?=[a-z]{4})"
)
_WORD = re.compile(r"(?<![\w-])[a-z]+(?![\w-])")


def american(text: str) -> str:
    """Lower-case text in which "optimisation" and "optimization", "modelling" and "modeling" are the same."""
    for british, instead in _AMERICAN:
        text = british.sub(instead, text)
    return text


def corrected(text: str, known: Callable[[str], bool], words: Sequence[str]) -> str:
    """The text with each unknown lower-case word replaced by the one of ``words`` that is a typing error or two away.

    ``words`` come commonest first; of equally near ones that which is known is taken, then the commoner. Names, which have
    capitals or digits, are left alone.
    """
    return _WORD.sub(lambda found: _nearest(found[0], known, words), text)


def _nearest(word: str, known: Callable[[str], bool], words: Sequence[str]) -> str:
    if len(word) < SHORTEST or known(word) or known(_PREFIX.sub("", word)):
        return word
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    errors = 2 if len(word) >= LONG else 1
    near = process.extract(word, words, scorer=OSA.distance, score_cutoff=errors, limit=10)
    # a typing error seldom hits the first letter
    likely = [(distance, not known(other), rank, other) for other, distance, rank in near if other[0] == word[0]]
    return min(likely)[-1] if likely else word
