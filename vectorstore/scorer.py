"""From evidence to one number: the probability that a paper answers the question.

A linear model of the log-odds on standardised evidence, trained by benchmarks/train_scorer.py; its coefficients lie in scorer.json.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from vectorstore.evidence import FEATURES


@dataclass(frozen=True, slots=True)
class Scorer:
    """``probability(rows)``: shape (candidates, features) to (candidates,)."""

    mean: npt.NDArray[np.float32]
    scale: npt.NDArray[np.float32]
    weights: npt.NDArray[np.float32]
    bias: float

    @classmethod
    def bundled(cls) -> Scorer:
        """The trained scorer that ships with the package."""
        return cls.of(files("vectorstore").joinpath("scorer.json").read_text(encoding="utf-8"))

    @classmethod
    def of(cls, text: str) -> Scorer:
        """The scorer that benchmarks/train_scorer.py wrote down as JSON."""
        held = json.loads(text)
        if held["features"] != list(FEATURES):
            raise ValueError("the scorer was trained on other features: run benchmarks/train_scorer.py")
        mean, scale, weights = (np.array(held[key], np.float32) for key in ("mean", "scale", "weights"))
        return cls(mean, scale, weights, float(held["bias"]))

    def probability(self, rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        logits = np.clip((rows - self.mean) / self.scale, -6, 6) @ self.weights + self.bias
        odds: npt.NDArray[np.float32] = (1 / (1 + np.exp(-logits))).astype(np.float32)
        return odds
