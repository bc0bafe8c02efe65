"""Train the sentence roles on CSAbstruct and compare with plain classifiers in the same run.

    python benchmarks/train_roles.py --data ../shared/data/csabstruct [--out assistant/roles.npz]

Needs scikit-learn and torch, which come with the encoder. Prints micro-F1 on the dev part (each sentence counts once).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from sklearn.linear_model import LogisticRegression

from assistant.roles import AROUND, ROLES, RoleModel, phrases_of, place_features
from vectorstore.encoder import Encoder

PHRASES = 4000  # kept of the training part's phrases
RARE = 4  # sentences a phrase must stand in
STEPS = 150
RATE = 0.05
SHRINK = 1e-3  # weight of the squared weights in the loss


@dataclass(frozen=True)
class Part:
    """A part of the data: abstracts as sentences, their labels, and how sure the annotators were (0 to 1)."""

    abstracts: list[list[str]]
    labels: list[npt.NDArray[np.int64]]
    sure: list[npt.NDArray[np.float32]]

    @property
    def sentences(self) -> list[str]:
        return [sentence for abstract in self.abstracts for sentence in abstract]

    @property
    def flat_labels(self) -> npt.NDArray[np.int64]:
        return np.concatenate(self.labels)


def read(file: Path) -> Part:
    """One of CSAbstruct's files."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return Part(
        [row["sentences"] for row in rows],
        [np.array([ROLES.index(label) for label in row["labels"]]) for row in rows],
        [np.array(row["confs"], np.float32) for row in rows],
    )


def vocabulary_of(part: Part) -> dict[str, int]:
    """The phrases that tell most about the role (chi-squared), by number."""
    counts: Counter[str] = Counter()
    by_role: dict[str, npt.NDArray[np.float64]] = {}
    for sentence, label in zip(part.sentences, part.flat_labels, strict=True):
        for phrase in phrases_of(sentence):
            counts[phrase] += 1
            by_role.setdefault(phrase, np.zeros(len(ROLES)))[label] += 1
    share = np.bincount(part.flat_labels, minlength=len(ROLES)) / len(part.flat_labels)
    worth = {
        phrase: float((((by_role[phrase] - count * share) ** 2) / (count * share)).sum())
        for phrase, count in counts.items()
        if count >= RARE
    }
    best = sorted(worth, key=lambda phrase: (-worth[phrase], phrase))[:PHRASES]
    return {phrase: number for number, phrase in enumerate(sorted(best))}


def train(part: Part, vocabulary: dict[str, int]) -> RoleModel:
    """Maximise the penalised likelihood of the label sequences."""
    torch.manual_seed(0)
    longest, roles = max(map(len, part.abstracts)), len(ROLES)
    lengths = torch.tensor([len(abstract) for abstract in part.abstracts])
    words = _sparse(part, vocabulary, longest)
    places = torch.zeros(len(lengths), longest, place_features(1).shape[1])
    gold = torch.zeros(len(lengths), longest, dtype=torch.long)
    for number, labels in enumerate(part.labels):
        places[number, : len(labels)] = torch.from_numpy(place_features(len(labels)))
        gold[number, : len(labels)] = torch.from_numpy(labels)
    shapes = {
        "words": (len(AROUND) * len(vocabulary), roles),
        "places": (places.shape[2], roles),
        "transitions": (roles, roles),
        "first": (roles,),
        "last": (roles,),
    }
    weights = {name: torch.zeros(shape, requires_grad=True) for name, shape in shapes.items()}
    optimizer = torch.optim.Adam(weights.values(), RATE)
    sure = torch.tensor([float(each.mean()) for each in part.sure])
    for _ in range(STEPS):
        emissions = (words @ weights["words"]).view(len(lengths), longest, roles) + places @ weights["places"]
        missed = _negative_log_likelihood(emissions, gold, lengths, weights)
        loss = (missed * sure).sum() / (lengths * sure).sum() + SHRINK * (weights["words"] ** 2).sum() / roles
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    learned = {name: value.detach().numpy() for name, value in weights.items()}
    learned["words"] = learned["words"].reshape(len(AROUND), len(vocabulary), roles)
    return RoleModel(vocabulary, **learned)


def _sparse(part: Part, vocabulary: dict[str, int], longest: int) -> torch.Tensor:
    """A row a sentence (abstracts padded to the longest), a column for each phrase of each of the sentences around it."""
    rows, columns, values = [], [], []
    for number, abstract in enumerate(part.abstracts):
        known = [[vocabulary[each] for each in sorted(phrases_of(text)) if each in vocabulary] for text in abstract]
        for at in range(len(abstract)):
            for block, offset in enumerate(AROUND):
                if 0 <= at + offset < len(abstract) and (own := known[at + offset]):
                    rows += [number * longest + at] * len(own)
                    columns += [block * len(vocabulary) + each for each in own]
                    values += [1 / np.sqrt(len(own))] * len(own)
    shape = (len(part.abstracts) * longest, len(AROUND) * len(vocabulary))
    index, value = torch.tensor([rows, columns]), torch.tensor(values, dtype=torch.float32)
    return torch.sparse_coo_tensor(index, value, shape, check_invariants=True).coalesce()


def _negative_log_likelihood(
    emissions: torch.Tensor, gold: torch.Tensor, lengths: torch.Tensor, weights: dict[str, torch.Tensor]
) -> torch.Tensor:
    every = torch.arange(len(lengths))
    total = weights["first"] + emissions[:, 0]
    score = weights["first"][gold[:, 0]] + emissions[every, 0, gold[:, 0]]
    for at in range(1, emissions.shape[1]):
        inside = at < lengths
        onward = torch.logsumexp(total[:, :, None] + weights["transitions"][None], 1) + emissions[:, at]
        total = torch.where(inside[:, None], onward, total)
        step = weights["transitions"][gold[:, at - 1], gold[:, at]] + emissions[every, at, gold[:, at]]
        score = score + torch.where(inside, step, torch.zeros_like(step))
    score = score + weights["last"][gold[every, lengths - 1]]
    return torch.logsumexp(total + weights["last"], 1) - score


def micro_f1(model: RoleModel, part: Part) -> float:
    """The share of sentences whose role is right."""
    right = sum(
        ROLES.index(role) == label
        for abstract, labels in zip(part.abstracts, part.labels, strict=True)
        for role, label in zip(model.roles(abstract), labels, strict=True)
    )
    return right / len(part.sentences)


def frozen(part: Part, encoder: Encoder) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Sentence vectors, alone and with those of the neighbours and the place, a row a sentence."""
    alone = encoder.embed(part.sentences)
    around, at = [], 0
    for abstract in part.abstracts:
        own = np.pad(alone[at : at + len(abstract)], ((1, 1), (0, 0)))
        around.append(np.hstack([own[1:-1], own[:-2], own[2:], place_features(len(abstract))]))
        at += len(abstract)
    return alone, np.vstack(around)


def save(model: RoleModel, file: Path) -> None:
    """Half-precision weights and the vocabulary as text, no pickle."""
    names = "\n".join(model.vocabulary).encode()
    arrays = {
        name: getattr(model, name).astype(np.float16) for name in ("words", "places", "transitions", "first", "last")
    }
    np.savez_compressed(file, vocabulary=np.frombuffer(names, np.uint8), **arrays)


def main() -> None:
    """Train, compare, and write the model if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/csabstruct"))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--plain", action="store_true", help="also train the plain classifiers on the frozen encoder")
    arguments = parser.parse_args()
    training, dev = read(arguments.data / "train.jsonl"), read(arguments.data / "dev.jsonl")
    if arguments.plain:
        encoder = Encoder()
        titles = ("frozen vector of the sentence", "frozen vectors of it and its neighbours, place")
        for title, seen, unseen in zip(titles, frozen(training, encoder), frozen(dev, encoder), strict=True):
            plain = LogisticRegression(max_iter=500).fit(seen, training.flat_labels)
            print(f"{title + ', logistic regression':80} {np.mean(plain.predict(unseen) == dev.flat_labels):.3f}")
    model = train(training, vocabulary_of(training))
    alone = [model.emissions(abstract).argmax(axis=1) for abstract in dev.abstracts]
    print(f"{'ours, each sentence by itself':80} {np.mean(np.concatenate(alone) == dev.flat_labels):.3f}")
    print(f"{'ours, the whole abstract at once':80} {micro_f1(model, dev):.3f}")
    if arguments.out:
        save(model, arguments.out)


if __name__ == "__main__":
    main()
