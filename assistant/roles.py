"""What each sentence of an abstract does: background, objective, method, result or other.

A linear-chain conditional random field (Lafferty, McCallum and Pereira 2001) over the words of a sentence and of its
neighbours and its place in the abstract, decoded for the whole abstract at once. It was trained on CSAbstruct (Cohan
et al. 2019) by benchmarks/train_roles.py; what it learned lies in roles.npz.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import numpy as np
import numpy.typing as npt

Role = Literal["background", "objective", "method", "result", "other"]
ROLES: tuple[Role, ...] = ("background", "objective", "method", "result", "other")

PLACES = 8  # stretches that an abstract is divided into
LONGEST_PHRASE = 3  # words of the longest phrase looked at
AROUND = (0, -1, 1)  # the sentence itself, the one before, the one after

_TOKEN = re.compile(r"[a-z]+|\d+|[.:;()%?]")

Weights = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class RoleModel:
    """``words[i]`` are the weights of phrases in the sentence ``AROUND[i]`` away, shape (len(vocabulary), roles).

    ``places`` has shape (PLACES + 3, roles); ``transitions[a, b]`` is for role b after role a.
    """

    vocabulary: dict[str, int]
    words: Weights
    places: Weights
    transitions: Weights
    first: Weights
    last: Weights

    def roles(self, sentences: Sequence[str]) -> tuple[Role, ...]:
        """The role of each sentence of an abstract, given in order as plain text."""
        if not sentences:
            return ()
        return tuple(
            ROLES[number] for number in decode(self.emissions(sentences), self.transitions, self.first, self.last)
        )

    def emissions(self, sentences: Sequence[str]) -> Weights:
        """How much speaks for each role of each sentence, before its neighbours' roles count, shape (sentences, roles)."""
        known = [[self.vocabulary[each] for each in phrases_of(text) if each in self.vocabulary] for text in sentences]
        scores = place_features(len(sentences)) @ self.places
        for weights, offset in zip(self.words, AROUND, strict=True):
            for number in range(len(sentences)):
                if 0 <= number + offset < len(sentences) and (own := known[number + offset]):
                    scores[number] += weights[own].sum(axis=0) / np.sqrt(len(own))
        return scores


@lru_cache(maxsize=1)
def bundled() -> RoleModel:
    """The trained model that ships with the package."""
    held = np.load(io.BytesIO(files("assistant").joinpath("roles.npz").read_bytes()), allow_pickle=False)
    phrases = bytes(held["vocabulary"]).decode("utf-8").split("\n")
    weights = {name: held[name].astype(np.float32) for name in ("words", "places", "transitions", "first", "last")}
    return RoleModel({phrase: number for number, phrase in enumerate(phrases)}, **weights)


def phrases_of(text: str) -> set[str]:
    """The phrases of one to three tokens of a sentence; every number is the same token."""
    tokens = ["<", *("0" if token.isdigit() else token for token in _TOKEN.findall(text.lower())), ">"]
    return {
        " ".join(tokens[at : at + length])
        for length in range(1, LONGEST_PHRASE + 1)
        for at in range(len(tokens) - length + 1)
    }


def place_features(count: int) -> Weights:
    """Where each of ``count`` sentences stands: its stretch of the abstract, first, last, and a constant."""
    features = np.zeros((count, PLACES + 3), np.float32)
    for number in range(count):
        features[number, min(PLACES - 1, number * PLACES // count)] = 1
        features[number, PLACES:] = (number == 0, number == count - 1, 1)
    return features


def decode(emissions: Weights, transitions: Weights, first: Weights, last: Weights) -> list[int]:
    """The most probable sequence of roles (Viterbi 1967)."""
    best, came_from = first + emissions[0], []
    for own in emissions[1:]:
        ways = best[:, np.newaxis] + transitions
        came_from.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + own
    path = [int((best + last).argmax())]
    for origin in reversed(came_from):
        path.append(int(origin[path[-1]]))
    return path[::-1]
