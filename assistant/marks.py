"""From the raw text of a language model to sentences with the papers each cites: whatever form the citations have.

Every form becomes one sign inside the text first, two private characters around the numbers; then the text is taken
apart into sentences and the signs are lifted out. Numbers of papers that were not given are dropped and counted. Links,
images and HTML go; what is left is plain text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from vectorstore.sentences import sentences
from vectorstore.text import math_spans

WIDEST = 50  # papers that one range may span: more is no citation


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence as plain text and the numbers it cites, each of a paper that was given.

    ``before`` is the Markdown between it and the sentence before. ``invented`` counts citations of papers that were not
    given. A heading or a lead-in ("Two papers do this:") is no ``claim``.
    """

    text: str
    numbers: tuple[int, ...] = ()
    before: str = ""
    invented: int = 0
    claim: bool = True


_OPEN, _CLOSE, _HOLD = "\ue000", "\ue001", "\ue002"
_SIGN = re.compile(f"{_OPEN}([\\d,?]*){_CLOSE}")
_SIGNS = rf"(?:{_OPEN}[\d,?]*{_CLOSE})"

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\ud800-\udfff\ue000-\uf8ff"
    "\U000e0000-\U000e007f]"
)
_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.S | re.I)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]*$", re.M)
_ACTIVE = re.compile(r"<(script|style|svg|iframe|object)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.S | re.I)
_RAISED = re.compile(r"<(?:sup|cite|ref|sub|a)\b[^<>]*>\s*(\[?[\d,;\s–-]+\]?)\s*</(?:sup|cite|ref|sub|a)\s*>", re.I)
_TAG = re.compile(r"</?[A-Za-z!][^<>]{0,2000}>")
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*(?:[^()]|\([^()]*\))*\)")
_SCHEMES = re.compile(r"\b(?:https?|ftp|data|javascript|file|mailto):[^\s<>\])]+|\bwww\.[^\s<>\])]+", re.I)
_LIST_OF_SOURCES = re.compile(
    r"^[\s#*_>-]*(?:references?|sources?|citations?|bibliography|works cited|footnotes|参考文献|来源|引用)[\s*_:：]*$",
    re.I,
)
_DEFINITION = re.compile(
    r"^\s*\[\^?\d+\^?\]\s?:|^[\s*_-]*(?:references?|sources?|citations?)\s*[:：][\s*_]*[\[\d,\s\]^()【】and-]+$", re.I
)

_WORD = r"(?:sources?|papers?|ref(?:erence)?s?\.?|abstracts?|doc(?:ument)?s?\.?|citations?|cite|nos?\.?|numbers?|articles?|stud(?:y|ies)|passages?|texts?|论文|文献|来源|摘要|文章)"
_ONE = rf"(?:{_WORD}\s*:?\s*)?(?:no\.?\s*)?[#@^]?\d{{1,4}}\^?"
_LIST = rf"{_ONE}(?:\s*(?:[-–—‐‑−~,;&/|、，；]|to|and|or|through|和|至|到|\s)\s*{_ONE})*"
_BRACKETED = re.compile(
    rf"\^?(?:\\?[\[【〔〖])+\s*(?:see|cf\.?|from|as in)?\s*(?P<list>{_LIST})\s*(?P<tail>[†:,|]\s?[^\[\]【】〔〕]{{0,60}})?\s*(?:\\?[\]】〕〗])+",
    re.I,
)
_CITED = re.compile(rf"\\cite\w*\s*\{{\s*(?P<list>{_LIST})\s*\}}", re.I)
_NAMED = re.compile(
    rf"[(（]\s*(?:see|cf\.?|from|as in)?\s*(?={_WORD}|[#^]\d)(?P<list>{_LIST})(?P<tail>[†:,|]\s?[^()（）]{{0,60}})?\s*[)）]",
    re.I,
)
_ENDING = r"(?=\s*(?:[.,;:!?。，；：！？\])]|$|\n)|[ \t]*[(（]\d)"
_ROUND = re.compile(rf"(?<=[\s.,!?\w)）。])(?<!\w[(（])\s?[(（{{]\s*(?P<list>{_LIST})\s*[)）}}]{_ENDING}", re.I | re.M)
_ROUND_AFTER = re.compile(rf"(?<=[.!?。！？])\s?[(（]\s*(?P<list>{_LIST})\s*[)）](?=\s|$)", re.I)
_SUPER = re.compile(
    r"(?:(?<=[A-Za-z]{3})|(?<=[.,;:!?)\]”\"。]))(?P<list>[¹²³⁴⁵⁶⁷⁸⁹⁰]+(?:[˒,⁻][¹²³⁴⁵⁶⁷⁸⁹⁰]+)*)(?![\w(])"
)
_CARET = re.compile(rf"(?<=[\w.,;!?)])\^\(?(?P<list>\d{{1,3}}(?:,\d{{1,3}})*)\)?\^?{_ENDING}", re.M)
_SPOKEN = re.compile(
    r"\b(?P<word>(?:the |in )?(?:source|paper|abstract|document|reference))s?\s+(?:no\.?\s*|number\s+)?#?(?P<list>\d{1,3}(?:(?:\s*,\s*|\s+and\s+)\d{1,3})*)\b(?![.\d]*\d|%)",
    re.I,
)
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹˒⁻", "0123456789,-")
_WIDE = str.maketrans("［］０１２３４５６７８９＃＾", "[]0123456789#^")

_EMPHASIS = re.compile(r"(\*{1,3}|~~)(?=\S)(.+?)(?<=\S)\1", re.S)
_UNDERSCORED = re.compile(r"(?<!\w)(_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)", re.S)
_CODE = re.compile(r"(`{1,2})(?!`)(.+?)(?<!`)\1(?!`)", re.S)
_WRAPPED = re.compile(
    rf"[(（]\s*(?:see|cf\.?|from|sources?|as in|e\.g\.)?[\s:,]*({_SIGNS}(?:(?:[\s,;&]|and|or)*{_SIGNS})*)\s*[)）]", re.I
)
_APART = re.compile(rf"({_SIGNS})\s*(?:[,;&、，]|\band\b|\bor\b|和)?\s*(?={_OPEN})")
_AFTER_STOP = re.compile(rf"([.!?。！？；…]+[\"'”’)）」』*]*)\s*({_SIGNS}+)(?!\s+[a-z]|['’]s\b)")
_AS_OBJECT = re.compile(
    rf"(\b(?:in|by|of|from|to|with|than|like|unlike|per|and|both|while|whereas|see|that)|^|(?<=[.!?。！？])\s)[ \t]*({_SIGNS}+)(?=['’]s\b|,? ?[a-z(])",
    re.M,
)
_LEAD = re.compile(r"^\s*(?P<mark>#{1,6}\s+|>\s*|[-*+•‣–]\s+|\d{1,2}[.)、]\s+)?(?P<rest>.*)$", re.S)
_POLITE = re.compile(
    r"^(?:sure|certainly|of course|absolutely|okay|ok|great question|here (?:is|are) [^.]{0,40}|好的|当然)\W*$", re.I
)


def read(raw: str, given: Collection[int], addresses: Collection[str] = ()) -> tuple[Said, ...]:
    """The sentences of a model's text, in order. ``given`` are the numbers of the papers it had.

    Web addresses are dropped except those of ``addresses``.
    """
    text = _without_markup(raw, addresses)
    held = [text[start:end] for start, end in math_spans(text) if not _BRACKETED.fullmatch(text[start:end])]
    for number, span in enumerate(held):
        text = text.replace(span, f"{_HOLD}{number}{_HOLD}", 1)
    text = _signed(text, frozenset(given))
    found: list[Said] = []
    paragraph = False
    for line in text.split("\n"):
        if not line.strip():
            paragraph = True
            continue
        said = _line(line, paragraph)
        if found and said and not said[0].text:  # a line of nothing but marks
            found[-1] = _joined(found[-1], said[0])
            said = said[1:]
        found += [each for each in said if each.text or each.invented]
        paragraph = False if said else paragraph
    restored = [replace(each, text=_restored(each.text, held)) for each in found]
    return tuple(replace(each, before="") if not at else each for at, each in enumerate(restored))


def without_thoughts(raw: str) -> str:
    """The text without what a model thought aloud before it answered."""
    return _THOUGHT.sub(" ", raw)


def _without_markup(raw: str, addresses: Collection[str]) -> str:
    text = _UNSEEN.sub("", raw.replace("\r\n", "\n").translate(_WIDE))
    text = _FENCE.sub("", _ACTIVE.sub(" ", without_thoughts(text)))
    kept: list[str] = []
    for line in text.split("\n"):
        if _LIST_OF_SOURCES.match(line) and kept:
            break
        if not _DEFINITION.match(line):
            kept.append(line)
    text = "\n".join(kept)
    text = _RAISED.sub(lambda match: f"[{match[1].strip('[] ')}]", text)
    text = _LINK.sub(_link_text, _IMAGE.sub("", text))
    for _ in range(3):  # emphasis may hold emphasis
        text = _EMPHASIS.sub(r"\2", _UNDERSCORED.sub(r"\2", _CODE.sub(r"\2", text)))
    return _TAG.sub("", _SCHEMES.sub(lambda match: _own(match[0], addresses), text))


def _own(address: str, addresses: Collection[str]) -> str:
    """What is left of a web address: the whole of one that a paper gives, with the marks that end a sentence."""
    bare = address.rstrip(".,;:!?)")
    return address if bare in addresses else address[len(bare) :]


def _link_text(match: re.Match[str]) -> str:
    inner = match[1].strip("[] ^")
    return f"[{inner}]" if re.fullmatch(_LIST, inner, re.I) else match[1]


def _signed(text: str, given: frozenset[int]) -> str:
    """The text with every citation as a sign that stands before the full stop of its sentence."""

    def sign(match: re.Match[str]) -> str:
        numbers = _numbers(match["list"].translate(_DIGITS))
        if re.match(r"0\s*,|0?\.\d", match["list"]) or (match.groupdict().get("tail") or "").startswith(", ."):
            return match[0]  # an interval
        return _sign(numbers, given)

    def only_given(match: re.Match[str]) -> str:
        """Round brackets and raised digits mean other things too, so that only known numbers count."""
        return sign(match) if set(_numbers(match["list"].translate(_DIGITS))) <= given else match[0]

    def spoken(match: re.Match[str]) -> str:
        numbers = _numbers(match["list"])
        noun = "the cited papers" if len(numbers) > 1 else "the cited paper"
        lead = "in " if match["word"].lower().startswith("in ") else ""
        words = lead + noun
        return (words[0].upper() + words[1:] if match["word"][0].isupper() else words) + _sign(numbers, given)

    for pattern, made in (
        (_BRACKETED, sign),
        (_CITED, sign),
        (_NAMED, sign),
        (_ROUND, only_given),
        (_ROUND_AFTER, only_given),
        (_SUPER, only_given),
        (_CARET, only_given),
        (_SPOKEN, spoken),
    ):
        text = pattern.sub(made, text)
    text = _APART.sub(r"\1", _WRAPPED.sub(r"\1", text))
    text = _AS_OBJECT.sub(_noun, text)
    return _AFTER_STOP.sub(r"\2\1", text)


def _numbers(listed: str) -> list[int]:
    """The numbers of a list with ranges, in order."""
    numbers: list[int] = []
    for first, last in re.findall(r"(\d+)\^?(?:\s*(?:[-–—‐‑−~]|\bto\b|\bthrough\b|至|到)\s*[#^]?(\d+))?", listed):
        low, high = int(first), int(last or first)
        numbers += range(low, high + 1) if low <= high < low + WIDEST else [low, high]
    return list(dict.fromkeys(numbers))


def _sign(numbers: Sequence[int], given: frozenset[int]) -> str:
    kept = [str(number) if number in given else "?" for number in numbers]
    return f"{_OPEN}{','.join(kept)}{_CLOSE}"


def _noun(match: re.Match[str]) -> str:
    """A citation that the sentence cannot do without gets a noun in its place."""
    several = sum(len(numbers.split(",")) for numbers in _SIGN.findall(match[2])) > 1
    noun = "the cited papers" if several else "the cited paper"
    before = match[1]
    return f"{before} {noun}{match[2]}" if before.strip() else f"{before}T{noun[1:]}{match[2]}"


def _line(line: str, paragraph: bool) -> list[Said]:
    """The sentences of a line."""
    match = _LEAD.match(line)
    assert match is not None  # it matches anything
    mark, rest = match["mark"] or "", match["rest"]
    heading = mark.startswith("#")
    if rest.count("|") > 1 and rest.strip().startswith("|"):
        if re.fullmatch(r"[\s|:-]+", rest):
            return []
        mark, rest = "- ", "; ".join(cell.strip() for cell in rest.strip(" |").split("|") if cell.strip())
    item = f"\n{'1.' if mark[:1].isdigit() else '-'} "
    before = "\n\n" if paragraph or heading or mark.startswith(">") or not mark else item
    if mark and not heading and not mark.startswith(">"):
        before = item if not paragraph else "\n" + item
    found: list[Said] = []
    for start, end in sentences(rest):
        said = _sentence(rest[start:end], before, heading)
        if found and not said.text:
            found[-1] = _joined(found[-1], said)
        elif said.numbers or not _POLITE.match(said.text):
            found.append(said)
            before = " "
    return found


def _sentence(text: str, before: str, heading: bool) -> Said:
    marks = [mark for numbers in _SIGN.findall(text) for mark in numbers.split(",") if mark]
    bare = re.sub(rf"{_SIGN.pattern}\s*[:：]\s*(?=\S)", "", text, count=1) if text.startswith(_OPEN) else text
    bare = " ".join(_SIGN.sub("", bare).split())
    bare = re.sub(r"\s+([.,;:!?])", r"\1", re.sub(r"[(（\[]\s*[)）\]]", "", bare)).strip()
    if not re.search(r"\w", bare.replace(_HOLD, "x")):
        bare = ""
    lead_in = bare.endswith((":", "：")) and len(bare.split()) <= 12 and not re.search(r"\d", bare)
    return Said(
        bare,
        tuple(dict.fromkeys(int(mark) for mark in marks if mark != "?")),
        before,
        marks.count("?"),
        not heading and not lead_in,
    )


def _joined(said: Said, more: Said) -> Said:
    numbers = tuple(dict.fromkeys((*said.numbers, *more.numbers)))
    return replace(said, numbers=numbers, invented=said.invented + more.invented)


def _restored(text: str, held: Sequence[str]) -> str:
    return re.sub(f"{_HOLD}(\\d+){_HOLD}", lambda match: held[int(match[1])], text)
