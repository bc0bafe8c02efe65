"""An abstract as the answerer reads it, and the choice of the sentences that answer a question."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from assistant import roles
from assistant.citations import Statement, quote
from assistant.roles import Role
from vectorstore.keywords import terms
from vectorstore.labels import names
from vectorstore.paper import Hit, Paper, Passage
from vectorstore.text import plain, readable

WORDS = 0.5  # weight of the question's words that a sentence holds, beside its cosine
BACKGROUND = 0.2  # how much less a sentence on others' work is worth
LEANS = 0.05  # and one that needs another beside it

# what joins a sentence to the one before it, which is not quoted
_JOINT = re.compile(
    r"^(?:However|Moreover|Furthermore|Additionally|In addition|Specifically|Thus|Therefore|Consequently|Finally|Hence|"
    r"Subsequently|Overall|Taken together|Notably|First(?:ly)?|Second(?:ly)?|Next|Then|Here|Indeed|Instead|Also|Besides|"
    r"In particular|In contrast|By contrast|Conversely|As a result|In this (?:work|paper|study|setting)|Motivated by this|"
    r"To (?:this end|(?!\w+ing\b)\w+ (?:in )?(?:this|these|that|it|so)\b[^,]{0,40})|"
    r"(?:Based|Building) (?:on|upon) (?:this|these)[^,]{0,30}), +"
)
_LEANING = re.compile(
    r"^(?:(?:[A-Z][a-z]+ )?(?:this|these|those|such)\b(?! (?:paper|work|study|article))|(?:that|it|they|both|their|its)\b|"
    r"(?:we|which we) (?:term|call|name|dub|coin|formali[sz]e) (?:this|these|it)\b|"
    r"the (?:resulting|latter|former|above|model|method|approach|framework|algorithm|system|process)\b|without (?:this|it)\b)",
    re.I,
)
_INTRODUCES = re.compile(
    r"\b(?:we|this (?:paper|work|study)|our (?:\w+ )?(?:method|approach|work|framework)) (?:\w+ ){0,3}(?:propose|introduce|present|develop|design|contribute"
    r"|study|reframe|derive|describe|explore|formali[sz]e|investigate|train|provide|revisit|adopt|relat|extract|term|identif)\w*\b",
    re.I,
)
_PROPOSES = re.compile(r"\b(?:propos|introduc|present|develop|design|contribut|deriv)\w*\b", re.I)
_MEASURED = re.compile(
    r"\d+(?:\.\d+)?\s?(?:%|x\b|×|times|s\b)|\b\d+\.\d+\b|outperform|state-of-the-art|SOTA|orders? of magnitude", re.I
)
_JOINED = re.compile(r"(?:and|or|which|that|but)\b")
_TRIED = re.compile(
    rf"{_MEASURED.pattern}|\b(?:experiment\w*|evaluat\w*|validat\w*|demonstrat\w*|proves?|proving)\b", re.I
)
_FOUND = re.compile(
    rf"{_TRIED.pattern}|\b(?:we (?:\w+ )?(?:show|find)|findings?|results? (?:show|reveal|suggest|indicate)\w*)\b", re.I
)
_OWN = re.compile(r"\b(?:we|our)\b", re.I)
_NUMBERED = re.compile(r"\((?:[1-9]|i{1,3}|iv|v|[a-f])\)")
_SHOWN = re.compile(r"\b(?:show|find|demonstrate|validate|prove|reveal|establish)s? that\b")
_ADDRESS = re.compile(r"https?://\S+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an abstract: as it reads, what it does there, its index terms, its cosine to the question."""

    passage: Passage
    text: str
    role: Role
    stems: frozenset[str]

    @property
    def leaning(self) -> bool:
        """Whether it opens with a word that points to the sentence before."""
        return bool(_LEANING.match(_JOINT.sub("", self.text)))

    @property
    def address_only(self) -> bool:
        """Whether it does little but say where the code is."""
        return bool(_ADDRESS.search(self.text)) and len(self.text.split()) < 16


@dataclass(frozen=True, slots=True)
class Reading:
    """A paper that was found, read sentence by sentence."""

    hit: Hit
    sentences: tuple[Sentence, ...]

    @property
    def paper(self) -> Paper:
        """The paper."""
        return self.hit.paper

    @property
    def called(self) -> frozenset[str]:
        """The index terms of the paper's names: they say which paper is meant, not what is asked of it."""
        return frozenset(
            terms(" ".join((*names(self.paper.abstract, self.paper.title), self.paper.label.split("(")[-1])))
        )

    @property
    def stems(self) -> frozenset[str]:
        """The index terms of the abstract."""
        return frozenset[str]().union(*(sentence.stems for sentence in self.sentences))

    @property
    def label(self) -> str:
        """What a person calls the paper, as plain text."""
        return plain(self.paper.label)


def read(hit: Hit) -> Reading:
    """The sentences of a hit's abstract."""
    texts = [readable(hit.paper.abstract[passage.start : passage.end]) for passage in hit.passages]
    read_as = roles.bundled().roles(texts)
    return Reading(
        hit,
        tuple(
            Sentence(passage, text, role, frozenset(terms(_ADDRESS.sub(" ", text))))
            for passage, text, role in zip(hit.passages, texts, read_as, strict=True)
        ),
    )


def statement(reading: Reading, sentence: Sentence, before: Sentence | None = None) -> Statement:
    """The sentence as a statement of the answer; what joins it to another stays only after that one, ``before``."""
    joined = before is not None and before == preceding(reading, sentence)
    text = sentence.text if joined else _JOINT.sub("", sentence.text)
    passage = sentence.passage
    return Statement(text[:1].upper() + text[1:], reading.paper, quote(reading.paper, passage.start, passage.end))


def statements(reading: Reading, picked: Sequence[Sentence]) -> Iterator[str | Statement]:
    """The sentences as they are said one after the other, each with the one that it leans on."""
    before: Sentence | None = None
    for sentence in standing(reading, picked):
        if before is not None:
            yield " "
        yield statement(reading, sentence, before)
        before = sentence


def standing(reading: Reading, picked: Sequence[Sentence]) -> list[Sentence]:
    """The sentences, each that leans on the one before it in the abstract right after that one."""
    stood: list[Sentence] = []
    for sentence in picked:
        if sentence.leaning and (support := preceding(reading, sentence)) is not None and support not in stood:
            stood.append(support)
        stood.append(sentence)
    return list(dict.fromkeys(stood))


def preceding(reading: Reading, sentence: Sentence) -> Sentence | None:
    """The sentence before one in the abstract."""
    return max(
        (each for each in reading.sentences if each.passage.end <= sentence.passage.start),
        key=lambda each: each.passage.start,
        default=None,
    )


def worth(reading: Reading, question: str, wanted: Collection[str] | None = None) -> dict[Sentence, float]:
    """How well each sentence answers the question: nearness in meaning, rare words shared, own work before background.

    ``wanted`` are the question's terms that count, by default all of them but the paper's names.
    """
    asked = set(terms(question)) - reading.called if wanted is None else set(wanted)
    spread = Counter(stem for sentence in reading.sentences for stem in sentence.stems & asked)
    rarity = {stem: math.log(1 + len(reading.sentences) / count) for stem, count in spread.items()}
    total = sum(rarity.values()) or 1.0
    nearest = max((sentence.passage.score for sentence in reading.sentences), default=0.0)
    # where the paper shares few of the question's words, they say little of which sentence is meant
    share = WORDS * min(1.0, 0.3 + len(spread) / max(1, len(asked)))
    return {
        sentence: sentence.passage.score
        - nearest
        + share * sum(rarity[stem] for stem in sentence.stems & asked) / total
        - (BACKGROUND if sentence.role == "background" and not _INTRODUCES.search(sentence.text) else 0.0)
        - (LEANS if sentence.leaning else 0.0)
        - (0.5 if sentence.address_only or sentence.text.endswith("?") else 0.0)
        for sentence in reading.sentences
    }


def best(reading: Reading, question: str, count: int, taken: Sequence[Sentence] = ()) -> list[Sentence]:
    """The sentences that answer best, one by one, each for what the ones before it leave unsaid."""
    left = set(terms(question)) - reading.called
    for sentence in taken:
        left -= sentence.stems
    picked: list[Sentence] = []
    while len(picked) < count:
        value = worth(reading, question, left)
        rest = [sentence for sentence in reading.sentences if sentence not in picked and sentence not in taken]
        if not rest:
            break
        chosen = max(rest, key=lambda sentence: (value[sentence], -sentence.passage.start))
        left -= chosen.stems
        picked.append(chosen)
    return picked


def further(reading: Reading, question: str, picked: Sequence[Sentence]) -> list[Sentence]:
    """One sentence more, where it holds words of the question that those picked do not."""
    asked = set(terms(question)) - reading.called
    left = asked - frozenset[str]().union(*(sentence.stems for sentence in picked))
    return [sentence for sentence in best(reading, question, 1, picked) if sentence.stems & left or not asked]


def item(reading: Reading, sentence: Sentence, question: str) -> Sentence:
    """Of a sentence that numbers several things, "(1) ...; (2) ...", the one asked about; else the sentence."""
    start = sentence.passage.start
    source = reading.paper.abstract[start : sentence.passage.end]
    marks = list(_NUMBERED.finditer(source))
    if len(marks) < 2:
        return sentence
    asked = set(terms(question)) - reading.called
    ends = [*(mark.start() for mark in marks[1:]), len(source)]
    items = []
    for first, last in zip((mark.end() for mark in marks), ends, strict=True):
        bare = re.sub(r"[\s,;]*(?:(?:and|or)\s*)?$", "", source[first:last])
        at = first + len(bare) - len(bare.lstrip())
        text = readable(bare.strip())
        passage = Passage(start + at, start + first + len(bare), sentence.passage.score)
        items.append(replace(sentence, passage=passage, text=text, stems=frozenset(terms(text))))
    items.sort(key=lambda each: -len(each.stems & asked))
    held = [len(each.stems & asked) for each in items]
    return items[0] if held[0] > max(1, held[1]) else sentence


def introducing(reading: Reading) -> Sentence | None:
    """The sentence in which the paper says what it does."""
    head = reading.label.split(" (")[0]
    short = reading.label.rpartition("(")[2].rstrip(")")

    def rank(sentence: Sentence) -> tuple[float, int]:
        named = any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sentence.text) for name in (head, short) if name)
        opens = bool(_INTRODUCES.search(sentence.text))
        own = sentence.role in ("objective", "method", "result")
        value = (
            2.0 * (named and opens)
            + 1.0 * opens
            + 0.5 * named
            + 0.75 * own
            + 0.5 * bool(opens and _PROPOSES.search(sentence.text))
        )
        return value - (1.0 if sentence.address_only else 0.0), -sentence.passage.start

    return max(reading.sentences, key=rank, default=None)


def problem(reading: Reading) -> Sentence | None:
    """The sentence that says what the paper is up against: of the background, what tells of a difficulty."""
    first = introducing(reading)
    opening = [
        s
        for s in reading.sentences
        if s != first and first is not None
        if s.role == "background" or (s.passage.start < first.passage.start and not _OWN.search(s.text))
    ]
    alone = [sentence for sentence in opening if not sentence.leaning]
    hard = [sentence for sentence in opening if _HARD.search(sentence.text)]
    own_feet = [sentence for sentence in hard if not sentence.leaning]
    return next((options[0] for options in (own_feet, hard, alone, opening) if options), None)


_HARD = re.compile(
    r"\b(?:however|yet|challeng\w+|limit\w*|remain\w*|fail\w*|lack\w*|suffer\w*|difficult\w*|vulnerab\w+|susceptib\w+|unclear|under-?explored|struggl\w+|brittle|cannot|despite|missing|hinder\w*|costly|expensive|ignor\w+|overlook\w*|neglect\w*|(?:do|does|did|can) not)\b",
    re.I,
)


def method(reading: Reading) -> Sentence | None:
    """How the paper goes about it: the first sentence after the introducing one that tells of the method."""
    opening = introducing(reading)
    after = [s for s in reading.sentences if opening and s.passage.start > opening.passage.start and s.role == "method"]
    return next((s for s in after if not s.leaning and not _TRIED.search(s.text)), None)


def result(reading: Reading) -> Sentence | None:
    """The main result: the first that is measured, else the first that stands on its own."""
    found = [
        s
        for s in reading.sentences
        if s != introducing(reading)
        and not s.address_only
        and (s.role == "result" or _MEASURED.search(s.text) or _SHOWN.search(s.text))
        and s.role != "background"
    ]
    measured = [s for s in found if _MEASURED.search(s.text)]
    tried = [s for s in found if _FOUND.search(s.text)]
    alone = [s for s in found if not s.leaning]
    on_its_own = [s for s in tried if not s.leaning]
    return next((options[0] for options in (measured, on_its_own, alone, tried, found) if options), None)


def clause(reading: Reading, sentence: Sentence, stated: re.Pattern[str]) -> Sentence:
    """The part of a sentence between commas that states something, where one does by itself; else the sentence."""
    start, end = sentence.passage.start, sentence.passage.end
    source = reading.paper.abstract[start:end]
    at = 0
    for piece in re.split(r"(, )", source):
        text = readable(piece)
        whole = piece.count("(") == piece.count(")") and piece.count("$") % 2 == 0
        if whole and len(text.split()) >= 4 and stated.search(text) and not _JOINED.match(text):
            return replace(sentence, passage=Passage(start + at, start + at + len(piece)), text=text)
        at += len(piece)
    return sentence
