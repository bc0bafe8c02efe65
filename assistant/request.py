"""What a message asks, as far as its own words tell. No search happens here; grounding.py finds the papers meant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from assistant.aspects import ASPECTS, asked_for
from assistant.cleaning import clean, without_orders
from assistant.parts import parts, subject, topics
from assistant.phrases import Language
from vectorstore.filters import NONE, Filters
from vectorstore.keywords import terms

Kind = Literal["fact", "explain", "survey", "compare", "more", "similar", "greeting", "thanks", "help", "orders"]


@dataclass(frozen=True, slots=True)
class Reference:
    """How a message points back: by number, by place in the last list, as all of them, or by a pronoun.

    ``places`` count from 1, -1 being the last. ``early`` is true where the pronoun opens the message, so that it can
    hardly stand for something in the message itself. ``description`` is what "that ... paper" says of the paper.
    """

    numbers: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    all: bool = False
    pronoun: bool = False
    early: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """A message understood. ``query`` is what to search for; it is never shown.

    ``parts`` are the questions inside it; ``subject`` is what a survey is about, ``topics`` its alternatives; ``sides`` what a comparison sets side by
    side. ``unknown_paper`` is true where it names a paper by a number of a form that is not ours. ``filters`` narrow the search.
    """

    kind: Kind
    language: Language
    query: str
    aspects: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    subject: str = ""
    topics: tuple[str, ...] = ()
    unknown_paper: bool = False
    reference: Reference | None = None
    new_topic: bool = False
    elliptic: bool = False
    filters: Filters = NONE


_HAN = re.compile(r"[\u3400-\u9fff]")

_THANKS = re.compile(
    r"^(?:(?:ok(?:ay)?|great|perfect|nice|cool|good|super|awesome|wonderful|got it|i see|fine|alright|many|very|so|well|that(?:'s| is)|this is|helpful|interesting|clear|much|thanks|thank|you|thx|cheers|ty|a lot|for|the|help|your|all|bye|goodbye|see|later|done)[\s,.!:)]*)+$"
    r"|^(?:好的?|谢谢(?:你|您|啦)?|多谢|感谢|明白了?|知道了|再见|拜拜|太好了|不错|辛苦了)[\s,。!~]*(?:谢谢(?:你|您|啦)?)?[\s,。!~]*$",
    re.I,
)
_GREETING = re.compile(
    r"^(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings|yo|你好|您好|嗨|哈喽|早上好|下午好|晚上好)(?: there| everyone| paperchat)?[\s,.!~。,!]*$",
    re.I,
)
_HELP = re.compile(
    r"^\W*(?:help|what can you do|what do you do|who are you|what are you|how (?:do|can) i use (?:this|you)|how does this work|what is this|what is paperchat"
    r"|what (?:papers|documents) do you have|what(?:'s| is) in (?:here|this collection|the (?:library|collection)))\W*$"
    r"|^\W*(?:帮助|你是谁|你能做什么|你会什么|怎么用|你有哪些论文|这是什么)[\s??。!]*$",
    re.I,
)
_MORE = re.compile(
    r"^\W*(?:ok(?:ay)?[, ]*)?(?:(?:show|give|tell|list)(?: me)? )?(?:some |any )?(?:more|others?|the rest|further ones|next)(?: of (?:them|these|those))?(?: papers?)?(?: please)?\W*$"
    r"|^\W*(?:(?:and )?(?:any|are there)(?: any)? (?:more|others?)|anything else|any other(?:s| papers?| ones)?|what else(?: is there)?|continue|go on)\W*$"
    r"|^\W*(?:还有(?:吗|别的|其他|其它|更多)?(?:的)?(?:论文)?(?:吗)?|更多|继续|其他的呢?|再(?:来|列)(?:一些|几篇))[\s??。!]*$",
    re.I,
)
_SIMILAR = re.compile(
    r"\b(?:papers?|works?|articles?|ones?|anything|something|others?|more)\s+(?:\w+ ){0,3}(?:like|similar to|related to|close to|resembling)\s+(?:it|that|this|these|those|them|the|\[|number|paper|[A-Z])"
    r"|\b(?:similar|related|neighbou?ring)\s+(?:papers?|works?|articles?|ones?)(?!\s+(?:on|about|in|that|which))|\bwhat else is (?:like|similar to)\b"
    r"|(?:与|和|跟|像).{1,30}(?:类似|相似|相近|一样)的?(?:论文|文章|工作|研究)|(?:类似|相似)的?(?:论文|文章|工作|研究)",
    re.I,
)
_NEW_TOPIC = re.compile(
    r"\b(?:new (?:topic|question|subject)|change (?:of )?(?:the )?(?:topic|subject)|different (?:topic|question|subject)|another (?:topic|question|thing)|something (?:else|different)|on another note|moving on|switching (?:topic|gears)|unrelated)\b[\s:,.;-]*"
    r"|\b(?:there (?:was|is|were) (?:also )?(?:a|another|one|some|this) (?:other )?(?:paper|work|study|article)s?|(?:the|an)?other (?:paper|work) (?:on|about|where|that|which|with))\b"
    r"|(?:再?换(?:一?个|下)?(?:话题|问题|主题)|另一个(?:话题|问题)|新(?:话题|问题)|另外(?:那|一|有)[一]?篇|还有(?:那|一)[一]?篇|另一篇)[\s:,。]*",
    re.I,
)
_COMPARE = re.compile(
    r"\bvs\b\.?|\bversus\b|\bcompar(?:e|es|ed|ing|ison)\b(?! to (?:what|which)| with (?:what|which)| against (?:what|which))|\bdiffer(?:s|ence|ences|ent(?:ly)? from)?\b(?! privacy)"
    r"|\bsame (?:idea|thing|approach|method|problem)\b|\bsimilarit(?:y|ies)\b|\b(?:which|who) (?:of|one of) (?:them|these|those|the two|both) (?:is|are|would be|works?|performs?) (?:better|faster|best|cheaper|safer)\b|\bin (?:a|one) (?:\w+ )?table\b|\bside by side\b|\btable\b"
    r"|\bon each side\b|\bin common\b|\bcontrast\b.{0,30}\b(?:with|and)\b|\bwhich (?:one )?(?:is|are|would be) (?:better|faster|cheaper|safer|best)\b|\b(?:better|worse|faster|cheaper) than\b"
    r"|对比|比较|相比|区别|异同|有(?:什么|何|哪些)不同|不同点|不同之处|哪(?:个|一个|种|篇)(?:更|比较|最)|表格|列(?:成|个)表|和.{1,30}(?:一样|相同)吗",
    re.I,
)
_SURVEY = re.compile(
    r"\b(?:which|what|any|all|other|more|list|find|show(?: me)?|give me|are there|do you have)\b(?: \w+){0,3} (?:papers|works|articles|studies|publications|abstracts|approaches|methods(?= (?:are there|exist|do)))\b"
    r"|^\W*papers?\b|\bpapers (?:here|on|about|which|that|related|dealing|with|using|for|where|like)\b|\bthe papers (?:here|that|which|on)\b"
    r"|\b(?:any|some|there) (?:work|research|literature) (?:on|about|in)\b|\bwho (?:works|worked|else works) on\b|\beverything (?:on|about)\b|\bwhat is there (?:on|about)\b|\bwhat(?:'s| is| work is) (?:there|out there|available)\b(?: on)?|\bhow many papers\b|\boverview of\b|\bliterature on\b|\brelated work\b|\bsurvey of\b"
    r"|(?:哪些|什么|几篇|所有|多少篇|全部)[^,。?]{0,12}(?:论文|工作|文章|研究)|相关的?(?:论文|工作|文章|研究)|有(?:没有|哪些)[^。?]{0,25}(?:论文|工作|文章|研究|方法)|(?:论文|文章|工作)(?:有|都有)?哪些|有关[^。?]{1,30}的(?:论文|文章|工作)|列出",
    re.I,
)
_EXPLAIN = re.compile(
    r"^\W*(?:(?:please|pls|can you|could you|would you)\W*)?(?:explain|describe|summari[sz]e|introduce|tell (?:me|us) (?:about|more about)|give (?:me )?(?:a|an) (?:summary|overview|introduction)|what(?:'s| is| are| does)\b.{1,60}\b(?:about|do)\b\W*$|what(?:'s| is| are)\b(?! the\b(?-i: [a-z]))|who is|how does .{1,60} work\b|main idea)"
    r"|是(?:什么|干什么|做什么|啥)|(?:介绍|解释|讲|说)(?:一?下|解)|什么是|是(?:怎么|如何)(?:做|工作|实现)|主要(?:内容|思想|贡献)|讲了什么|干(?:什么|嘛)的",
    re.I,
)
_QUESTION = re.compile(
    r"[??]|^\W*(?:who|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|should|would|has|have|will|according|suppose|i|my|we|give|tell)\b|吗|呢|什么|怎么|如何|为什么|多少|哪|是否|能否|几",
    re.I,
)

_ORDINALS = {
    "first": 1, "1st": 1, "former": 1, "second": 2, "2nd": 2, "latter": -1, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
    "sixth": 6, "last": -1, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "前": 1, "后": -1,
}  # fmt: skip
_PLACE = re.compile(
    r"\b(?:the |your |that )?(first|1st|second|2nd|third|3rd|fourth|4th|fifth|5th|sixth|last) (?:one|two|paper|method|approach|work|of (?:them|these|those|the))\b|\bthe (former|latter|first|second|third)\b(?!\s+(?:\w+\s+)?(?:order|moment|stage|step|layer|time|author|concept|part))"
    r"|第([一二三四五六1-6])(?:篇|个|种|项)?|(前|后)(?:者|一篇)",
    re.I,
)
_NUMBERED = re.compile(
    r"\[(\d{1,4})\]|\b(?:paper|ref(?:erence)?|source|number|no\.?|#)\s?#?(\d{1,4})\b(?!-)|(?:论文|文献|编号)\s?\[?(\d{1,4})\]?",
    re.I,
)
_ALL = re.compile(
    r"\b(?:both|all (?:of )?(?:them|these|those|three|four|five)|the two|(?:these|those) (?:two|three|four|papers|methods|works)|each (?:other|of them)|(?:which|one|none|any) of (?:them|these|those))\b|两(?:者|篇|个)|二者|这(?:几|些|两|三)|它们|上(?:面|述)(?:的)?(?:几|两|三)?(?:篇|个)?",
    re.I,
)
_DESCRIBED = re.compile(
    r"\b(?:that|this|the) ((?:[\w-]+ ){1,4}?)(?:paper|work|one|method|study|article)\b(?! (?:where|that|which|on|about))|(?:那|这)篇(?:关于|讲|做|研究)?([^,。??的]{1,20}?)的?(?:论文|文章|工作)",
    re.I,
)
_PRONOUN = re.compile(
    r"\b(?:it|its|they|their|them|that (?:one|paper|method|work|approach)|this (?:one|paper|method|work|approach)|the (?:paper|method|authors|approach|abstract|work|one)|these|those|which ones?|what about|how about)\b"
    r"|它(?:们)?(?!山)|该(?:方法|论文|文|工作|模型)|(?:这|那)(?:篇|个方法|种方法|项工作|个)|(?:这|那)(?:样|里)|其(?=[\u4e00-\u9fff])|作者",
    re.I,
)
_GENERIC = frozenset(
    terms(
        "a about abstract all also and answer any anything are article ask at author authors be better both but by can can't compare compared could count cover did different do does done either else "
        "even exactly example explain find fine first for from further give good got had has have he help here him his how i idea if in instead is it its just kind know last let list little look lot made make many "
        "may me mean meant mention method methods might more most much must my name need new no not now of off ok okay on one ones only or other our out over own paper papers part people per please point pretty put question "
        "quick rather really dataset data benchmark baseline model code accuracy performance experiment evaluate evaluation score improvement gain number percent abstract author paper said same say says second see she should show shown small so some something sort state still such sure take tell test tested than thanks that the their them then there these they thing things think this those "
        "through to too tried try two under up us use used using very want was way we well were what when where whether which while who whom whose why will wish with without work worst worked works would write wrote yes yet you your "
        "approach results result main run apply applied available come comes go happen happens achieve achieved exist enough able report reported say best work kind detail details summary summarize public table format short briefly btw wait hmm oh hey actually"
    )
)  # fmt: skip
_HAN_FILLERS = re.compile(
    r"准确率|精度|性能|得分|分数|提升|提高|加速|数据集?|基线|代码|模型|实验|它们?|这个?|那个?|[这那]篇|该|论文|文章|方法|作者|请问|请|一下|什么|哪些|哪个|哪里|多少|怎么样?|如何|为什么|为何|是否|有没有|可以|能不能|能否|还有|另外|以及|而且|就是|主要|具体|结果|效果|最高|最多|最大|平均|大概|"
    r"第[一二三四五六]|[的了吗呢吧啊呀嘛么是在有和与或也都就还要会能把被给对到上下中里做用比跟为几多少其并但而且及不没谁吗个篇种些]"
)  # fmt: skip


def understand(message: str) -> Request:
    """What the message asks, by its own words alone."""
    text, ordered = without_orders(clean(message))
    language: Language = "zh" if len(_HAN.findall(text or clean(message))) >= 2 else "en"
    if ordered and not topic(text):
        return Request("orders", language, "")
    for kind, pattern in (("thanks", _THANKS), ("greeting", _GREETING), ("help", _HELP)):
        if pattern.match(text):
            return Request(kind, language, text)  # type: ignore[arg-type]
    if not re.search(r"\w", text):
        return Request("help", language, "")
    new_topic = bool(_NEW_TOPIC.search(text))
    # what leads up to the announcement of another topic belongs to the old one
    announced = re.search(r"(?:new (?:topic|question|subject)|换(?:一?个|下)?(?:话题|问题|主题))\W*", text, re.I)
    query = text[announced.end() :] if announced and text[announced.end() :].strip() else text
    aspects = asked_for(query)
    kind = _kind(query, aspects)
    about = subject(query) if kind == "survey" else ""
    return Request(
        kind=kind,
        language=language,
        query=query,
        aspects=aspects if kind != "compare" else (),
        sides=_sides(query) if kind == "compare" else (),
        parts=parts(query) if kind == "fact" else (query,),
        subject=about,
        topics=tuple(each for each in topics(about) if topic(each)),
        unknown_paper=bool(_FOREIGN_NUMBER.search(query)),
        reference=_reference(query),
        new_topic=new_topic,
        elliptic=not topic(query),
    )


def topic(text: str) -> tuple[str, ...]:
    """The words of a message that say what it is about: no question words, references or names of facts asked for."""
    for each in ASPECTS:
        text = each.asked.sub(" ", text)
    text = _PLACE.sub(" ", _NUMBERED.sub(" ", text))
    han: list[str] = re.findall(r"[\u3400-\u9fff]{2,}", _HAN_FILLERS.sub(" ", text))
    latin = [term for term in terms(_HAN.sub(" ", text)) if term not in _GENERIC and len(term) > 1]
    return (*latin, *han)


_FOREIGN_NUMBER = re.compile(r"\b(?:cite|paper|citing|reference|source)s? (?:paper |no\.? ?)?#?\[?\d+[-.:/]\d+", re.I)
_COUNT = re.compile(r"\bhow (?:many|much)\b|\bby how\b|多少", re.I)


def _kind(query: str, aspects: tuple[str, ...]) -> Kind:
    if _MORE.match(query):
        return "more"
    if _SIMILAR.search(query):
        return "similar"
    if (_COMPARE.search(query) and not _COUNT.search(query) and aspects != ("baselines",)) or _choice(query):
        return "compare"
    if _SURVEY.search(query):
        return "survey"
    if aspects:
        return "fact"
    if _EXPLAIN.search(query) or not _QUESTION.search(query):
        return "explain"
    return "fact"


def _choice(query: str) -> bool:
    """Whether it asks to choose between two names: "PRAXIS or GraviTree?"."""
    return bool(
        re.search(
            r"(?:^|[.!?;,:。]\s*|\b(?:between|use|take|choose|pick|is|are) )[A-Z][\w-]*(?: [A-Z][\w-]*)* or [A-Z][\w-]*(?: [\w-]+){0,2}\s*\?",
            query,
        )
        or re.search(r"[A-Z][\w-]+\s*还是\s*[A-Z][\w-]+", query)
    )


_SPLIT = re.compile(
    r"\s+(?:vs\.?|versus|or|compared (?:to|with)|instead of|rather than|differs? from|better than|worse than)\s+|\s+(?:and|with|to|from|against)\s+|(?<=[\w\u4e00-\u9fff])\s*(?:和|与|跟|同|还是|相比|以及|、)\s*|\s*,\s+",
    re.I,
)
_EDGES = "".join(dict.fromkeys(" ,.?!:。，？！："))
_AROUND = re.compile(
    r"\b(?:please|compare|comparison of|comparing|contrast|what(?:'s| is| are)?|how|does|do|is|are|the|difference(?:s)?|between|different|differ|in a (?:small )?table|put|show|make|tell me|which(?: one)?|better|similarities|same idea)\b|比较一?下?|对比一?下?|有?什么|区别|异同|不同|的|请|之间|在",
    re.I,
)


def _sides(query: str) -> tuple[str, ...]:
    """The two descriptions a comparison sets against each other, each with the words before it that both share."""
    best: tuple[str, ...] = ()
    for sentence in re.split(r"(?<=[.?!。?!])\s*", query):
        strong = re.split(
            r"\s+(?:vs\.?|versus|or|compared (?:to|with)|rather than|as opposed to)\s+|还是|\s*相比\s*",
            sentence,
            flags=re.I,
        )
        parts = strong if len(strong) > 1 else (_SPLIT.split(sentence) if _COMPARE.search(sentence) else [sentence])
        sides = tuple(
            side for part in parts if len(_HAN_FILLERS.sub("", side := _AROUND.sub(" ", part).strip(_EDGES))) > 1
        )
        if len(sides) >= 2 and len(strong) > 1:
            return _in_context(sides[:6])
        if len(sides) >= 2 and not best:
            best = sides[:6]
    return best


_CONTEXT = re.compile(
    r"^(?:for|in|on|about|with|among) ((?:[\w-]+ ){1,4}?)(?=one |you |we |people |i |there )|^(?:for|in|on|about|with|among) ([\w -]{3,40}),",
    re.I,
)


def _in_context(sides: tuple[str, ...]) -> tuple[str, ...]:
    """The sides, each with what "For ..., one can A or B" says both are about."""
    match = _CONTEXT.match(sides[0])
    context = next(filter(None, match.groups()), "").strip() if match else ""
    return tuple(side if context in side else f"{context} {side}" for side in sides)


def _reference(query: str) -> Reference | None:
    numbers = tuple(int(next(filter(None, match.groups()))) for match in _NUMBERED.finditer(query))
    places = tuple(_ORDINALS[next(filter(None, match.groups())).lower()] for match in _PLACE.finditer(query))
    everything = bool(_ALL.search(query))
    described = _DESCRIBED.search(query)
    description = next(filter(None, described.groups()), "").strip() if described else ""
    if not topic(description):
        description = ""
    pronoun = _PRONOUN.search(query)
    if not (numbers or places or everything or pronoun or description):
        return None
    before = query[: pronoun.start()] if pronoun else ""
    return Reference(numbers, places, everything, bool(pronoun), bool(pronoun) and len(topic(before)) <= 1, description)
