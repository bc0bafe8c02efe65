"""A message taken apart: the questions inside one question, and the topics that a request for papers names."""

from __future__ import annotations

import re

from assistant.aspects import asked_for

MOST = 4  # questions inside one

_ASKS = r"(?:what|which|how|where|when|who|why|does|do|is|are|can|could|would|in which|in what|on which|on what|by how)"
_BREAKS = re.compile(
    rf"[?？]\s*|;\s+|\s*,?\s+\band\b\s+(?={_ASKS}\b)|,\s+(?={_ASKS}\b)|(?<=[\u4e00-\u9fff])[,。;]\s*", re.I
)

_ASKING = re.compile(rf"\b{_ASKS}\b|什么|哪|多少|几|怎|如何|吗|有没有|是否|为何", re.I)

# what frames the topic in a request for papers
_FRAME = re.compile(
    r"^\W*(?:(?:please|hi|hello|ok(?:ay)?|so|and|can you|could you|i (?:want|need|am looking for|would like)|i'm looking for)\W+)*"
    r"(?:(?:list|find|show|give|get|name|recommend|suggest|tell)(?: me)?\b\s*)?"
    r"(?:(?:which|what|any|all|are there|is there|do you have|other|some|the|more|how many|your)\b\s*)*"
    r"(?:papers?|works?|articles?|studies|publications|abstracts|research|overview|literature|everything|survey)?\s*"
    r"(?:(?:here|in (?:this|the) (?:collection|library)|among these|there)\s*)?"
    r"(?:(?:that|which|who|do|does|are|is|there|on|about|of|where|related|relevant|to|dealing|deals?|with|for|from|regarding|concerning|at|in|into|how|you|have)\b(?!-)\s*)*"
    r"(?:(?:works?|worked|working|studies|study|studied|looks?|looking|looked|address(?:es)?|addressing|tackles?|cover(?:s|ing)?|discuss(?:es)?|mentions?|mentioned|talks?|investigates?|explores?|considers?|analy[sz]es?|makes? use|uses?|using|proposes?|introduces?|presents?|concerns?|focus(?:es)?|provides?|come|comes|report|reports)\b\s*)?"
    r"(?:(?:of|on|at|into|with|about|in|to)\b(?!-)\s*)*",
    re.I,
)
_TAIL = re.compile(
    r"\s*(?:,?\s*\b(?:and|but)\b\s+(?:what|how|why|for (?:which|what)|where|which|who)\b.*|[:,]\s*(?:which|what) (?:papers|works|ones)\b.*|,?\s*(?:what|which|how) (?:do|does|did|is|are) (?:they|it|there)\b.*|,?\s*what (?:is|work is|do you have) (?:there|available)\b.*|\s*-?\s*what'?s (?:there|available).*"
    r"|,?\s*(?:according to|in|among|from|of) (?:the |these |this )?(?:papers|abstracts|collection|library)(?: here)?\b.*|\b(?:papers?|works?|articles?|studies|literature)\b(?: (?:are )?(?:there|here|do you have))?\s*|\bin (?:some|any) way\b.*|\bplease\b.*|\bhere\b\s*)?\W*$",
    re.I,
)
_HAN_FRAME = re.compile(
    r"有(?:没有|哪些)|哪些|什么|几篇|多少篇|所有|全部|相关的?|有关|关于|论文|文章|工作|研究(?:了|过)?|列出|列举|推荐|请|给我|找(?:一下|出)?|介绍|都|是|讲|涉及(?:到)?|用(?:到|了)|提到|方面的?|这里|里面?|吗|呢|的(?=\s|$|[,。?])|[??。,]"
)
_JOINTS = re.compile(r"\s*(?:,|;|\bor\b|、|或者?|以及|\band/or\b)\s*", re.I)
_BINDS = re.compile(r"\b(?:of|for|in|with|on|from|by|under)\b", re.I)


def parts(question: str) -> tuple[str, ...]:
    """The questions inside a question, each as a question of its own; one if it is a single one."""
    found: list[str] = []
    leading = ""
    for part in (piece.strip(" ,.") for piece in _BREAKS.split(question)):
        if len(part.split()) < 3 and len(re.findall(r"[\u4e00-\u9fff]", part)) < 4:
            continue
        if _ASKING.search(part) or asked_for(part):
            found.append(f"{leading} {part}".strip())
            leading = ""
        else:
            leading = f"{leading} {part},".strip()  # what only leads up to a question is asked with it
    return tuple(found[:MOST]) if len(found) > 1 else (question,)


def subject(request: str) -> str:
    """What a request for papers wants them to be about, without what frames it."""
    if re.search(r"[\u3400-\u9fff]", request):
        bare = " ".join(_HAN_FRAME.sub(" ", request).split())
    else:
        bare = _TAIL.sub("", _FRAME.sub("", request, count=1), count=1).strip(" ,.?!:")
    return re.sub(r"(?<=[a-z]{2})isation", "ization", bare or request)


def topics(about: str) -> tuple[str, ...]:
    """The alternatives that a subject names: "A, B or C" are three topics."""
    pieces: list[str] = []
    for piece in _JOINTS.split(about):
        halves = re.split(r"\s*/\s*", piece)
        pieces += halves if len(halves) > 1 and not any(_BINDS.search(half) for half in halves) else [piece]
    found = [piece.strip() for piece in pieces if len(re.sub(r"\W", "", piece)) > 1]
    return tuple(dict.fromkeys(found))[:4]
