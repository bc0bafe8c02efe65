"""A few words of an abstract's own that say what the paper is about, for papers without title or coined name."""

from __future__ import annotations

import re
from collections import Counter

_LONGEST = 9
_VERB_OF_STUDY = (
    "study|studies|investigate|investigates|explore|explores|examine|examines|analy[sz]e|analy[sz]es|characteri[sz]e|consider|considers|"
    "propose|proposes|present|presents|introduce|introduces|develop|develops|contribute|contributes|design|derive|derives|"
    "formali[sz]e|formulate|provide|provides|identify|address|addresses|revisit|reframe|establish|describe|build|give|tackle|"
    "quantify|compare|evaluate|prove|offer|uncover|reveal|extend|discuss|devise|construct|demonstrate|show|argue|find|observe|report"
)
_CUE = re.compile(
    rf"\b(?:[Ww]e|[Ii]n this work we|[Tt]his (?:paper|work|article|study)|[Tt]he paper|[Oo]ur (?:work|paper))\s+(?:\w+ly,? |first |then |also |here |next )*(?P<verb>{_VERB_OF_STUDY})\b\s*"
)
_STRENGTH = (
    (
        3.0,
        "propose|present|introduce|develop|contribute|study|studies|investigate|design|formulat|explore|examine|analy|consider|tackle",
    ),
    (2.0, "reframe|revisit|characteri|formali|identify|address|devise|describe|construct|compare|quantify|establish"),
    (0.5, "provide|give|build|derive|uncover|offer|extend|discuss|quantify"),
    (1.0, ""),
)
_CLAUSE = re.compile(r"\s*(?:that|how|whether|why)\b\s*")
_HOLDS_FOR = re.compile(
    r"(?:an?|the)?\s*(?:similar|same|analogous)?\s*\w+ (?:holds?|appl(?:y|ies)|extends?) (?:for|to)\s+", re.I
)
_BY_DOING = re.compile(r"(?:such|this|these|it|the)\b[^,.:;]{0,60}?\bby\s+(?=\w+ing\b)")
_AFTER_COLON = re.compile(r"[^,.:;]{0,90}:\s*")
_LISTED = re.compile(r"\s*(?:,?\s*(?:and|or)?\s*\(\w{1,3}\)|;)\s*")
_ASIDE = re.compile(r"\s*—[^—]{1,160}—\s*|\s*\((?:[^()]{4,}|[A-Z][A-Za-z-]+)\)(?=\W)")
_LEANING = re.compile(
    r"^(?:we|results?|not|empirical results|applications|performance|attempt|initial attempt|evidence|positive|for|via|by|in|on|from|with|as|at|through|asking|using|under|when|if|and|or|it|they|there|here|\(\w+\))\b"
    r"|\b(?:this|these|such|those|it|they|them)\b",
    re.I,
)
_DETERMINERS = re.compile(
    r"^(?:(?:the|a|an|our|this|these|such|its|their|some|several|various|both|here|also|one|two|three|of)\s+)+", re.I
)
_PRAISE = re.compile(
    r"^(?:(?:novel|new|simple|efficient|systematic|challenging|alternative|non-trivial|strong|surprising|initial|general|unified|unifying|principled|first|effective|practical|powerful|scalable|"
    r"flexible|comprehensive|systematically|robust|previously|underappreciated|different|large-scale|theoretically-grounded|"
    r"problem|task|setting|question|issue|notion|role|use|effect|number|class|family|set|an?|the|of)(?:,|\s)+(?:and\s+)?)+",
    re.I,
)
_STOP = re.compile(
    r"\s*(?:[,;:.!?()\[\]—]|–\s| - )|\s+(?:that|which|where|when|whose|who|while|whereas|because|since|so|such as|by|if|is|are|was|were|"
    r"can|could|may|might|will|has|have|had|does|do|we|and (?:show|find|prove|demonstrate|propose|introduce)|given|due|called|"
    r"termed|under mild|without|including|based on|in order|to (?:be|help|enable|allow|address|improve|achieve|reduce|make|assess|"
    r"guide|synthesize|generate|learn|model|describe|predict))\b"
)
_DANGLING = re.compile(
    r"(?:\s+(?:of|for|in|on|to|with|from|and|or|the|a|an|at|as|into|using|over|under|via|between|through|across|towards?|than|"
    r"its|their|our|more|most|potential|several|various|increasingly|complex|induced|different|these|this|both|one|two|is|are|can|be|not))+$",
    re.I,
)
_GENERIC_HEAD = re.compile(
    r"\b(?:approach|method|framework|algorithm|paradigm|model|technique|account|perspective|strategy|problem|setting|theory|analysis|"
    r"hypothes[ei]s|procedure|system|benchmark|dataset|mechanism|study|evidence|results?|findings?|task|link|question|limitation|"
    r"predictions?|contributor|issues?|challenges?|gap|phenomenon|explanation)s?$",
    re.I,
)
_COMMON = re.compile(
    r"an?|the|of|for|in|on|to|with|from|and|or|by|as|at|is|are|be|we|our|this|that|these|its?|their|they|such|can|not|into|using"
    r"|based|via|which|when|where|how|models?|methods?|approach|framework|results|new|novel|different|existing|paper|work|show"
    r"|study|problem|two|three|more|most|also|both|between|than|while|data|learning|training|large"
)
_STATEMENT = re.compile(r"\b(?:is|are|can|has|have|does|do)\b")
_RUN = re.compile(r"[A-Za-z][\w'’/-]*(?: [A-Za-z][\w'’/-]*)+")
_VERBAL = re.compile(
    r"\b(?:an?|the|of|for|in|on|to|with|from|and|or|by|as|at|is|are|be|we|our|this|that|these|its?|their|they|such|can|not|into"
    r"|using|via|which|when|where|how|show\w*|propos\w*|often|has|have|been|was|were|may|while|than|however|existing|recent"
    r"|each|any|all|no|but|only|both|between|more|most|many|under|over|if|also|new|novel|\w+ly|does|do|existing|first"
    r"|demonstrate\w*|achiev\w+|provid\w+|introduc\w+|state-of-the-art|experiment\w*)\b",
    re.I,
)
_LABOUR = re.compile(r"^(?:\w+\s+)?(?:approach|method|framework|algorithm|technique|procedure)s?\s+(?:for|to)\s+", re.I)
_KIND_FIRST = re.compile(r"(?:approach|method|framework|algorithm|technique|procedure)s?\s+(?:for|to)\s", re.I)
_FIRST_SUBJECT = re.compile(
    r"^(?:(?:while|although|despite|recent(?:ly)?|in recent years|existing|current|modern|many|most|the|a|an|standard|common assumption in|"
    r"finding|designing|training|understanding|prior|previous|theoretical studies show)\s+)*(?P<subject>.+?)(?=\s*(?:,|\()|"
    r"\s+(?:is|are|was|has|have|can|could|offers?|play|plays|serves?|aims?|enables?|remains?|often|provide|provides|perform|exhibit|"
    r"requires?|describes?|suffers?|focus|mainly|rely|relies|require|allow|allows|achieves?|become|commonly|typically|refines?|highlights?|admit|"
    r"learn|learns|do|does|exist|must|should|show|shows|used|need|needs|struggle|fail)\b)",
    re.I,
)


def topic(read: list[str]) -> str:
    """A noun phrase (seldom a short clause) from the plain sentences of an abstract, of nine words at most."""
    if not read:
        return "Untitled"
    words = Counter(word for sentence in read for word in _content(sentence))
    subject = _subject(read[0])
    options = [(_worth(phrase, words) + strength, phrase) for phrase, strength in _objects(read)]
    if subject:
        options.append((_worth(subject, words) + 0.5, subject))
    options += [(_worth(phrase, words) + 0.5, phrase) for phrase in _repeated(read)]
    if not options:
        opening = " ".join(read[0].split()[:_LONGEST])
        return _capitalised(_cut(opening) or opening)
    phrase = max(options, key=lambda option: option[0])[1]
    if subject and _wants_subject(phrase) and not set(_content(phrase)) & set(_content(subject)):
        phrase = f"{subject}: {phrase}" if len(subject.split()) <= 5 else phrase
    return _capitalised(phrase)


def _repeated(read: list[str]) -> list[str]:
    """Runs of two to four words of content that the abstract says more than once, in the form it says first."""
    counts: Counter[tuple[str, ...]] = Counter()
    forms: dict[tuple[str, ...], str] = {}
    for sentence in read:
        for run in _RUN.findall(sentence):
            words = run.split()
            for start in range(len(words)):
                for stop in range(start + 2, min(start + 4, len(words)) + 1):
                    piece = words[start:stop]
                    if all(_content(word) for word in (piece[0], piece[-1])) and not _VERBAL.search(" ".join(piece)):
                        key = tuple(_stem(word.lower()) for word in piece)
                        counts[key] += 1
                        forms.setdefault(key, " ".join(piece))
    return [forms[key] for key, count in counts.items() if count > 1]


def _wants_subject(phrase: str) -> bool:
    words = len(phrase.split())
    return (words <= 4 and bool(_GENERIC_HEAD.search(phrase))) or (words <= 6 and phrase.startswith(("how ", "why ")))


def _content(text: str) -> list[str]:
    return [_stem(word) for word in re.findall(r"[A-Za-z][\w-]+", text.lower()) if not _COMMON.fullmatch(word)]


def _stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s|ing|ed)$", "", word) if len(word) > 4 else word


def _objects(read: list[str]) -> list[tuple[str, float]]:
    """What the paper says it studies, proposes or shows, each with how telling the verb is."""
    found = []
    for index, sentence in enumerate(read):
        for cue in _CUE.finditer(sentence):
            rest = _ASIDE.sub(" ", sentence[cue.end() :])
            strength = next(value for value, verbs in _STRENGTH if re.match(verbs, cue["verb"])) - 0.25 * index
            found += [(phrase, strength - cost) for phrase, cost in _readings(rest) if _is_whole(phrase)]
    return found


def _is_whole(phrase: str) -> bool:
    """Whether the words can be read without what stood around them."""
    return len(phrase.split()) >= 2 and not _LEANING.search(phrase)


def _readings(rest: str) -> list[tuple[str, float]]:
    """The phrases that may stand for what follows a verb of study, each with what it costs in directness."""
    if clause := _CLAUSE.match(rest):
        about = _HOLDS_FOR.match(rest, clause.end())
        asked = f"{clause[0].strip()} " if clause[0].strip() in ("how", "why") else ""
        return [(_noun_phrase(rest[about.end() :]) if about else asked + _clause(rest[clause.end() :]), 1.0)]
    if by := _BY_DOING.match(rest):
        return [(_clause(rest[by.end() :]), 0.0)]
    if colon := _AFTER_COLON.match(rest):
        listed = [item for item in _LISTED.split(rest[colon.end() :]) if item]
        after = [(_noun_phrase(item) if _DETERMINERS.match(item) else _clause(item), 0.5) for item in listed]
        return [(_noun_phrase(rest), 0.0), *after]
    return [(_noun_phrase(rest), 0.0)]


def _noun_phrase(text: str) -> str:
    before = None
    while before != text:
        before = text
        text = _PRAISE.sub("", _DETERMINERS.sub("", text))
    stop = _STOP.search(text)
    head = text[: stop.start()] if stop else text
    return _cut(head)


def _clause(text: str) -> str:
    """A clause up to its first pause, whole if it is short enough for a headline; else its start."""
    stop = re.search(r"[,;:.!?—]|\s(?:and|which|when|while|where|because)\s", text)
    clause = _DETERMINERS.sub("", text[: stop.start()] if stop else text).strip()
    return clause if len(clause.split()) <= _LONGEST + 1 and not _DANGLING.search(clause) else _cut(clause)


def _cut(text: str) -> str:
    """At most nine words, cut before a preposition where possible, and no dangling word at the end."""
    text = re.sub(r"\s*\([^()]*\)", "", text).strip(" .")
    bare = _LABOUR.sub("", text)
    if len(text.split()) > _LONGEST or (_KIND_FIRST.match(text) and len(bare.split()) >= 3):
        text = bare
    words = text.split()
    if len(words) > _LONGEST:
        cut = next((i for i in range(_LONGEST, 3, -1) if _DANGLING.fullmatch(" " + words[i])), _LONGEST)
        words = words[:cut]
        if len(words) > 4 and words[-2] == "to":
            words = words[:-2]
    return _DANGLING.sub("", " ".join(words)).strip(" ,;:")


def _subject(sentence: str) -> str | None:
    match = _FIRST_SUBJECT.match(sentence)
    if not match:
        return None
    subject = _cut(_DETERMINERS.sub("", match["subject"]))
    return subject if subject and not re.match(r"(?:we|this|it|there|why|how|what)\b", subject, re.I) else None


def _worth(phrase: str, words: Counter[str]) -> float:
    """How much the phrase says: how often its content words come back in the abstract, and a length that reads well."""
    content = _content(phrase)
    if not content:
        return -5.0
    salience = sum(min(words[word], 5) for word in content) / len(content)
    length = len(phrase.split())
    fitting = 0.0 if 3 <= length <= _LONGEST + 1 else -1.0
    fitting -= 1.5 if length == 1 or (length <= 4 and _STATEMENT.search(phrase)) else 0.0
    telling = -0.5 if _GENERIC_HEAD.search(phrase) else 0.0
    return salience + min(len(content), 5) * 0.5 + fitting + telling


def _capitalised(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:]
