"""What a person calls a paper: its title, else the name of what it introduces, else a few words of its own.

A name counts only where the abstract introduces it ("we propose X", "an algorithm (X)", "a benchmark called X"), for a
name that is merely mentioned belongs to somebody else's method. Long forms are matched to acronyms as by Schwartz and
Hearst (2003).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from vectorstore.phrases import topic
from vectorstore.sentences import sentences
from vectorstore.text import plain

_LONGEST_LONG_FORM = 7
_FAR_ENOUGH = 8000  # characters
_LONG_SENTENCE = 1200
_SURE_ENOUGH = 5.5  # of a name's weight, for it to stand as the paper's label

_WORD = r"[A-Za-z0-9Α-ω][A-Za-z0-9Α-ω]*(?:[-+./@'’_^&][A-Za-z0-9Α-ω]+)*[+★*]{0,2}"
_CAPITAL = r"(?=[A-Z0-9a-zΑ-ω]*[A-ZΑ-Ω])" + _WORD
_SEQUENCE = rf"(?:{_CAPITAL})(?:(?:[ ](?:of|for|and|with|via|to|in|on|by|from|the|as|through|under)){{0,2}}[ ](?:{_CAPITAL})){{0,8}}"
_KIND = (
    r"(?:algorithm|approach|method|methodology|framework|benchmark|dataset|data set|corpus|suite|model|system|agent|attack|"
    r"defen[cs]e|pipeline|architecture|network|library|toolkit|tool|toolbox|procedure|scheme|strategy|technique|paradigm|loss|"
    r"objective|metric|estimator|optimizer|sampler|layer|module|mechanism|simulator|environment|platform|package|protocol|"
    r"language|family|variant|extension|formulation|task|score|index|measure|test|phenomenon|problem|solver|decoder|encoder)s?"
)
_VERB = (
    r"(?:propos(?:e[sd]?|ing)|present(?:s|ed|ing)?|introduc(?:e[sd]?|ing)|develop(?:s|ed|ing)?|design(?:s|ed|ing)?|devis(?:e[sd]?|ing)|"
    r"deriv(?:e[sd]?|ing)|buil(?:d|ds|t)|creat(?:e[sd]?|ing)|construct(?:s|ed)?|contribut(?:e[sd]?|ing)|releas(?:e[sd]?|ing)|"
    r"describ(?:e|es)|establish(?:es)?|formulat(?:e|es)|provid(?:e|es)|offer(?:s)?|curat(?:e|es)|suggest(?:s)?|defin(?:e|es)|"
    r"launch|unveil|open-sourc(?:e|es)|call|term|name|dub|coin|report|explor(?:e|es)|advocat(?:e|es)|invent|implement(?:s)?|leverag(?:e|es))"
)
_CUE = re.compile(rf"\b(?P<verb>{_VERB})\b(?!-)")
_OWN = re.compile(
    r"\b(?:we|our|this (?:paper|work|article|study|report|thesis)|the paper|here|authors?|thus|novel|new)\b", re.I
)
_MODIFIERS = (
    r"(?:(?:the|a|an|our|two|three|this|it|these|method|framework|such|novel|new|simple|first|first-ever|so-called|open-source|technique"
    r"|techniques|namely|called|to as|as|i\.e\.,)[: ]+)*"
)
_DIRECT = re.compile(rf"\s+(?:us\s+)?{_MODIFIERS}[“\"‘]?(?P<name>{_SEQUENCE})[”\"’]?(?P<next>.{{0,40}})")
_CALLED = re.compile(
    rf"\b(?:called|named|dubbed|termed|coined|namely|titled|denoted(?: as| by)?|known as|refer(?:red)? to (?:(?:it|this|them) )?as|"
    rf"we (?:call|name|term|dub|coin)(?: (?:it|this|our \w+|the \w+(?: \w+)?))?|which is|i\.e\.),? (?:the |as )?[“\"‘]?(?P<name>{_SEQUENCE})[”\"’]?(?P<next>.{{0,40}})"
)
_APPOSED = re.compile(
    rf"\b(?P<kind>{_KIND}|\w+)\s*(?:,|:|—|–| -)\s*(?P<name>{_SEQUENCE})(?P<next>\s*(?:[,(—–:.]|$| that\b| which\b| to\b| by\b).{{0,40}})"
)
_IN_BRACKETS = re.compile(
    rf"\((?:i\.e\., |called |dubbed |or |the |abbreviated as )?[“\"]?(?P<name>{_WORD})[”\"]?(?:[,;][^()]*)?\)"
)
_BARE_KIND = re.compile(rf"\b{_KIND}$")
_NEXT_OK = re.compile(
    rf"[”\"’]?\s*(?:$|[,(:;.—–]|-\s|(?:an?|the|to|that|which|for|as|by|with|and|in|on|using|is|via|where|whose|based|based on|through|consisting"
    rf"|featuring|under|comprising|—)\b|{_KIND}\b)"
)
_SOLITARY_OK = re.compile(r"[”\"’]?\s*(?:\(|[,:—–]\s*(?:an?|the|which|our|one)\b|$)")
_FUNCTION_WORD = re.compile(
    r"\b(?:that|which|where|when|who|for|of|in|on|to|with|by|from|using|via|into|over|under|between|based|is|are|and|as|than|"
    r"through|across|can|while)\b"
)
_GOES_ON = re.compile(r"\w|-[a-z]{0,3}\d")  # right after a name: it is the beginning of another one
_SUBJECT = re.compile(
    r"(?:'s|’s)?\s+(?:\w+ly\s+|also\s+)?(?:achieves?|outperforms?|improves?|reduces?|enables?|uses?|leverages?|employs?|provides?|"
    r"consists?|is able|allows?|can|matches|surpasses|demonstrates?|shows?|exhibits?|generates?|learns?|combines?|introduces?)\b"
)
_GENERIC = re.compile(
    r"(?:We|The|This|These|Our|In|A|An|It|However|To|For|AI|ML|DL|RL|NLP|CV|LLMs?|VLMs?|LVLMs?|MLLMs?|LMs?|GPUs?|CPUs?|APIs?|SGD|Adam|CNNs?|"
    r"RNNs?|GNNs?|GANs?|VAEs?|MDPs?|DNNs?|NNs?|SOTA|OOD|IID|PAC|Bayesian|Gaussian|Markov|Transformers?|SVMs?|KL|MSE|"
    r"Theorem|Python|PyTorch|JAX|TensorFlow|GitHub|English|Chinese|ImageNet|CIFAR(?:-10+)?|MNIST|GPT(?:-\w+)?|LLaMA|BERT|CLIP|"
    r"State-of-the-Art|SoTA|Monte|Carlo|Section|Table|Figure|[A-Z]|[IVX]+|\d+|(?:\d+[DKMB]))"
)
_REPOSITORY = re.compile(
    r"https?://(?:www\.)?(?:github\.com|gitlab\.com|huggingface\.co)/(?:datasets/)?[^/\s]+/([A-Za-z0-9_.-]+?)(?:\.git)?(?=[/\s.,;)>}]|$)"
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name that an abstract introduces, with its long form where it gives one."""

    short: str
    long: str | None
    weight: float

    @property
    def shown(self) -> str:
        """The acronym alone says little to a reader who does not know the paper; a coined word says enough."""
        if self.long and self.short.isupper() and len(self.long.split()) <= _LONGEST_LONG_FORM:
            return f"{self.long[0].upper()}{self.long[1:]} ({self.short})"
        return self.short


def label(abstract: str, title: str | None) -> str:
    """What to call the paper, in one short line."""
    if title and (reading := plain(title)):
        return reading
    read = _sentences(abstract)
    introduced = [name for name in _introduced(read) if name.weight >= _SURE_ENOUGH]
    return introduced[0].shown if introduced else topic(read)


def names(abstract: str, title: str | None) -> tuple[str, ...]:
    """Every name by which people may ask for the paper, most likely first: short and long forms, title, code name."""
    found: list[str] = []
    if title and (reading := plain(title)):
        head, colon, _ = reading.partition(": ")
        found += [head, reading] if colon and len(head.split()) <= 5 else [reading]
    read = _sentences(abstract)
    for name in _introduced(read):
        found += [name.short, *([name.long] if name.long else [])]
    found += [name for name in _repositories(" ".join(read)) if _is_distinctive(name)]
    return tuple(dict.fromkeys(found))


def _sentences(abstract: str) -> list[str]:
    """The plain sentences of the beginning: what comes later than a long abstract's length names nothing new."""
    beginning = abstract[:_FAR_ENOUGH]
    read = (plain(beginning[start : min(end, start + _LONG_SENTENCE)]) for start, end in sentences(beginning))
    return [sentence for sentence in read if sentence]


def _repositories(text: str) -> list[str]:
    return _REPOSITORY.findall(text)


def _introduced(read: list[str]) -> list[Name]:
    """The names the abstract introduces, the paper's own first."""
    text = " ".join(read)
    long_forms = dict(_definitions(text))
    weights: dict[str, float] = {}
    for index, sentence in enumerate(read):
        before = " ".join(read[:index])
        for name, weight in (single for found in _candidates(sentence) for single in _singles(*found)):
            short, long = _split(name, long_forms)
            if not _acceptable(short) or _mentions(before, short) > (1 if index < 2 else 0):
                continue
            if long:
                long_forms[short] = long
            weights[short] = max(weights.get(short, 0.0), weight - 0.3 * len([w for w in weights if w != short]))
    repositories = [re.sub(r"[-_ ]", "", name).lower() for name in _repositories(text)]
    ranked = []
    for short, weight in weights.items():
        spoken = _mentions(text, short)
        bare = re.sub(r"[-_ ]", "", short).lower()
        hinted = any(bare == name or (len(bare) > 3 and bare in name) for name in repositories)
        subject = any(_SUBJECT.match(text, end) for end in _ends(text, short))
        ranked.append(Name(short, long_forms.get(short), weight + 0.5 * min(spoken, 8) + 2 * hinted + subject))
    return sorted(ranked, key=lambda name: -name.weight)


def _singles(name: str, weight: float) -> Iterator[tuple[str, float]]:
    """ "DoG and DoWG" are two names, "FairProof in Gnark" is one; "Selective and Interpretable Normalization" is whole."""
    words = name.split()
    if len(words) == 3 and words[1] in ("and", "in", "on", "for", "with") and _is_distinctive(words[0]):
        yield words[0], weight
        if words[1] == "and":
            yield words[2], weight - 1
    else:
        yield name, weight


def _split(name: str, long_forms: dict[str, str]) -> tuple[str, str | None]:
    """The form the abstract goes on to use, and the long form: the acronym of a long name when it has one."""
    if given := re.fullmatch(r"(.+) \((\S+)\)", name):
        return given[2], given[1]
    for acronym, long in long_forms.items():
        if name in (long, acronym):
            return acronym, long
    return name, None


def _acceptable(name: str) -> bool:
    return len(name) > 1 and not _GENERIC.fullmatch(name) and any(letter.isalpha() for letter in name)


def _is_distinctive(name: str) -> bool:
    """Whether a word is spelled as only a name is: several capitals, or one inside."""
    return sum(letter.isupper() for letter in name) >= 2 or bool(re.search(r"[a-z0-9][A-Z]|[A-Z].*\d", name))


def _mentions(text: str, name: str) -> int:
    return sum(_GOES_ON.match(text, end) is None for end in _ends(text, name))


def _ends(text: str, name: str) -> Iterator[int]:
    """Where each occurrence of the name ends that begins a word. A search of plain text: patterns made for a name cost more."""
    at = text.find(name)
    while at >= 0:
        before = text[at - 1 : at]
        if not (before.isalnum() or before in ("_", "-")):
            yield at + len(name)
        at = text.find(name, at + 1)


def _candidates(sentence: str) -> Iterator[tuple[str, float]]:
    """Names that a sentence introduces, each with how sure the wording makes it."""
    for cue in _CUE.finditer(sentence):
        own = _OWN.search(sentence[: cue.start()]) is not None
        rest = sentence[cue.end() :]
        naming = cue["verb"] in ("call", "term", "name", "dub", "coin")
        weak = cue["verb"] in (
            "explore",
            "explores",
            "provide",
            "provides",
            "leverage",
            "leverages",
            "report",
            "suggest",
            "suggests",
        )
        base = (0.0 if own else -3.0) - (2.0 if weak else 0.0)
        if (match := _DIRECT.match(rest)) and _stands_alone(match):
            yield match["name"], 10 + base
            if (given := _IN_BRACKETS.match(match["next"].lstrip(' ”"’'))) and given["name"][0] == match["name"][0]:
                yield f"{match['name']} ({given['name']})", 10.5 + base
        for match in _IN_BRACKETS.finditer(rest[:220]):
            gap = rest[: match.start()].rstrip()
            if (long := _long_form(gap, match["name"])) is not None:
                gap = gap[: len(gap) - len(long)]
                if not _FUNCTION_WORD.search(re.sub(r"^\s*(?:this|it)\s+as\b", "", gap)) and "," not in gap:
                    yield match["name"], 10 + base
            elif _BARE_KIND.search(gap) and _is_distinctive(match["name"]) and not _FUNCTION_WORD.search(gap):
                yield match["name"], 9 + base
        for match in _APPOSED.finditer(rest[:220]):
            kind = bool(re.fullmatch(_KIND, match["kind"]))
            if _is_distinctive(match["name"]) and not re.match(r"\s*,\s*(?:and|or)\b|\s*, [A-Z]", match["next"]):
                yield match["name"], (8.5 if kind else 5.0) + base
        for match in re.finditer(rf"\band (?P<name>{_CAPITAL})(?:, (?:an?|which|the|that)\b| \()", rest):
            yield match["name"], (6 if _is_distinctive(match["name"]) else 3) + base
        if naming and (
            match := re.match(rf"\s+(?:\w+\s+){{0,4}}?[“\"‘]?(?P<name>{_SEQUENCE})(?P<next>.{{0,40}})", rest)
        ):
            yield match["name"], 9 + base
    for match in _CALLED.finditer(sentence):
        if _stands_alone(match):
            yield (
                match["name"],
                9 if _CUE.search(sentence[: match.start()]) or _OWN.search(sentence[: match.end()]) else 4,
            )
    if (
        match := re.match(rf"(?P<name>{_SEQUENCE})(?: \([^()]*\))?(?:,| is) (?:an?|our|the first) ", sentence)
    ) and _is_distinctive(match["name"]):
        yield match["name"], 4


def _stands_alone(match: re.Match[str]) -> bool:
    """Whether what follows lets the words before be a whole name, not the start of "Gaussian processes for"."""
    name, following = match["name"], match["next"]
    if _is_distinctive(name):
        return _NEXT_OK.match(following) is not None
    return _SOLITARY_OK.match(following) is not None


def _definitions(text: str) -> Iterator[tuple[str, str]]:
    """Pairs of acronym and long form, wherever the text defines one."""
    for match in _IN_BRACKETS.finditer(text):
        if long := _long_form(text[: match.start()].rstrip(), match["name"]):
            yield match["name"], long
    for match in re.finditer(rf"(?P<name>{_CAPITAL}) \((?P<long>[^()]{{8,120}})\)", text):
        if _long_form(match["long"], match["name"].upper()) is not None:
            yield match["name"], match["long"]


def _long_form(before: str, acronym: str) -> str | None:
    """The words right before an acronym that spell it, after Schwartz and Hearst; ``None`` when they do not."""
    if not 2 <= len(acronym) <= 14 or sum(letter.isupper() for letter in acronym) < 2:
        return None
    letters = [letter.lower() for letter in re.sub(r"s$", "", acronym) if letter.isalnum()]
    words = re.findall(r"\S+", before)[-min(len(letters) + 5, 2 * len(letters)) :]
    window = " ".join(words)
    position = len(window)
    for index in range(len(letters) - 1, -1, -1):
        position -= 1
        while position >= 0 and (
            window[position].lower() != letters[index] or (index == 0 and position and window[position - 1].isalnum())
        ):
            position -= 1
        if position < 0:
            return None
    start = window.rfind(" ", 0, position + 1) + 1
    long = window[start:]
    if (
        re.search(r"[.;:()]\s", long)
        or len(long) <= len(acronym)
        or re.match(r"(?:a|an|the|of|for|and|to|in)\b", long, re.I)
    ):
        return None
    return long if len(long.split()) <= len(letters) + 3 else None


def fold_name(text: str) -> str:
    """Lower case, accents dropped, hyphens and marks as spaces; CamelCase is left whole ("z-erase" is "z erase")."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
    return " ".join(re.findall(r"[^\W_]+", bare))
