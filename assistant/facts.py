"""Facts about one paper: the sentence that states what is asked, or that the abstract does not say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.aspects import NUMBER, asked_for, aspect, counted, names_data
from assistant.citations import Abstention, Mention, Piece
from assistant.markdown import escape
from assistant.phrases import Phrases
from assistant.reading import Reading, Sentence, problem, statement, worth
from assistant.request import topic
from vectorstore.keywords import terms

RELATED = 0.4  # cosine from which a sentence is worth showing though it does not answer
UNRELATED = 0.08  # cosine below which no sentence has to do with a question

_ADDRESS = re.compile(r"https?://\S+")
_OVERCOME = re.compile(r"\b(?:overcom|address|mitigat|avoid|tackl|resolv|eliminat|without)\w*", re.I)
_NO_METHODS = frozenset(("SOTA", "LLM", "LLMs", "VLM", "VLMs", "LVLMs", "ASR", "RL", "OOD", "AI", "T2I"))
_PRESUMES = re.compile(
    r"^\W*(?:(?:please|can you|could you)\W+)*(?:explain |tell me |describe )?(?:why|how come|since)\b|为什么|为何|为啥",
    re.I,
)
_DENIES = re.compile(
    r"\b(?:not|no|without|absent|rather than|instead of|only|unlike|never|cannot|neither|nor|avoid\w*|remain\w*|lack\w*|free|reduces?|fewer|less|contrast|contrary|eliminat\w+|independent\w*|no longer)\b",
    re.I,
)
_NEGATED = re.compile(
    r"\b(?:not|n't|no|without|never|cannot|fail\w*|lack\w*|less|fewer|worse|absent|only)\b|n't\b|不|没|无法", re.I
)


def stating(name: str, question: str, reading: Reading) -> list[Sentence]:
    """The sentences that state a fact of this kind, the most fitting first."""
    if name == "problem":
        return [sentence for sentence in (problem(reading),) if sentence is not None]
    pattern = aspect(name).stated
    found = [s for s in reading.sentences if pattern.search(s.text if name == "code" else _ADDRESS.sub(" ", s.text))]
    if name == "number":
        found = _counting(question, found)
    elif name == "expansion":
        found = _expanding(question, found)
    elif name == "limits":
        found = [s for s in found if s.role not in ("background", "objective") and not _OVERCOME.search(s.text)]
    elif name == "data":
        found = [s for s in found if s.role != "background" and names_data(question, s.text)]
    elif name == "models":
        found = [s for s in found if s.role != "background"]
    elif name == "baselines":
        found = [s for s in found if _others(s, reading)]
    elif name == "hyperparameters":
        found = [
            sentence
            for sentence in found
            if set(terms(" ".join(m.group() for m in aspect(name).asked.finditer(question)))) & sentence.stems
        ]
    elif name == "code":
        found.sort(key=lambda sentence: not _ADDRESS.search(sentence.text))
        return found[:1]
    value = worth(reading, question)
    plural = 0.3 if name == "data" else 0.0
    return sorted(
        found,
        key=lambda s: (
            -(
                value[s]
                + plural * bool(re.search(r"\b(?:experiment|evaluat|validat|demonstrat|across)\w*", s.text, re.I))
            )
        ),
    )


def _others(sentence: Sentence, reading: Reading) -> bool:
    """Whether a sentence names a method besides the paper's own."""
    own = set(re.findall(r"\w+", reading.label.lower()))
    named = re.findall(r"\b[A-Z][\w-]*[A-Z0-9][\w-]*", _ADDRESS.sub(" ", sentence.text))
    return any(not set(re.findall(r"\w+", name.lower())) & own and name not in _NO_METHODS for name in named)


def names_of(thing: str, reading: Reading) -> tuple[list[Sentence], list[str]]:
    """The sentence that names the things counted before, "two models (A and B)"; else what to call what is missing."""
    noun = re.escape(thing.split()[-1].rstrip("s"))
    listed = re.compile(rf"\b{noun}\w*\s*(?:\(|:|[–—]|,? (?:such as|including|namely)\b)", re.I)
    found = [sentence for sentence in reading.sentences if listed.search(sentence.text)]
    if found:
        return found[:1], []
    question = f"which {thing} are used"
    picked, missing = chosen(question, asked_for(question), reading)
    return picked, missing or ([] if picked else ["names"])


def _counting(question: str, found: list[Sentence]) -> list[Sentence]:
    """Of the sentences with numbers those that count what the question counts, the number just before the thing."""
    thing = counted(question)
    stems = terms(thing)[-1:] if thing else []
    if not stems:
        return found
    near = []
    for sentence in found:
        words = re.findall(r"[\w.%-]+", sentence.text)
        for at, word in enumerate(words):
            if set(terms(word)) & set(stems) and any(NUMBER.search(before) for before in words[max(0, at - 5) : at]):
                near.append(sentence)
                break
    return near


def _expanding(question: str, found: list[Sentence]) -> list[Sentence]:
    """The sentences that spell out a name of the question."""
    asked = re.findall(r"\b[A-Z][\w-]*[A-Z][\w-]*", question)
    return [
        s
        for s in found
        if any(re.search(rf"\(\s?{re.escape(name)}\s?\)|{re.escape(name)}\s?\(", s.text) for name in asked)
    ]


def denied(question: str, reading: Reading) -> Sentence | None:
    """The sentence that speaks against what a "why ..." question takes for granted, where one does."""
    if not _PRESUMES.search(question):
        return None
    asked = set(terms(question)) - reading.called
    stated = " ".join(sentence.text for sentence in reading.sentences)
    value = worth(reading, question)
    ranked = sorted(reading.sentences, key=lambda sentence: -value[sentence])
    numbers = set(re.findall(r"(?<![\w-])\d+(?:\.\d+)?(?![\w-])", question))
    if numbers and not any(number in stated for number in numbers):
        return next((s for s in ranked if re.search(r"(?<![\w-])\d", s.text)), None)
    if _NEGATED.search(question):
        return None
    return next(
        (s for s in ranked[:3] if s.role != "background" and len(s.stems & asked) >= 2 and _DENIES.search(s.text)), None
    )


def chosen(question: str, names: Sequence[str], reading: Reading) -> tuple[list[Sentence], list[str]]:
    """The sentences that state the facts with these names that a question asks for, and the facts that none states."""
    picked: list[Sentence] = []
    missing: list[str] = []
    for name in names:
        found = stating(name, question, reading)
        if found:
            picked.append(found[0])
        elif aspect(name).closed:
            missing.append(name)
    return list(dict.fromkeys(picked)), missing


def unmentioned(question: str, reading: Reading) -> bool:
    """Whether a question about a named paper asks for something its abstract has no word of."""
    about = set(topic(question)) - reading.called
    nearest = max((sentence.passage.score for sentence in reading.sentences), default=0.0)
    return bool(about) and all(each.isascii() for each in about) and not about & reading.stems and nearest < UNRELATED


def not_stated(reading: Reading, question: str, name: str | None, say: Phrases) -> Iterator[Piece]:
    """That the abstract does not say, with the sentence that comes closest: one that speaks of such facts at all."""
    template = say.does_not_state if name else say.does_not_say
    yield from filled(template, reading, matter=say.matters[name] if name else "")
    closest = _closest(reading, question, name)
    if closest is not None:
        yield f" {say.closest}"
        yield statement(reading, closest)
    yield Abstention()


def _closest(reading: Reading, question: str, name: str | None) -> Sentence | None:
    asked = set(terms(question)) - reading.called
    value = worth(reading, question)
    thing = set(terms(counted(question) or "")[-1:])
    near = [
        sentence
        for sentence in reading.sentences
        if sentence.role != "background" and not sentence.leaning and not sentence.address_only
        if (
            aspect(name).near.search(sentence.text) and (not thing or thing & sentence.stems)
            if name
            else len(sentence.stems & asked) > 1 or sentence.passage.score > RELATED
        )
    ]
    return max(near, key=lambda sentence: value[sentence], default=None)


def filled(template: str, reading: Reading, **values: str) -> Iterator[Piece]:
    """A fixed phrase with the paper's label and number filled in."""
    before, after = template.split("{mark}")
    yield before.format(label=escape(reading.label), **values)
    yield Mention(reading.paper)
    yield after.format(label=escape(reading.label), **values)
