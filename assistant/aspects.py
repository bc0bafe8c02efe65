"""The facts people ask of a paper, how they ask, and how an abstract states them.

An aspect is *closed* when an abstract that has no sentence of the stated form surely does not hold the fact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|twenty|thirty|"
    "forty|fifty|hundreds?|thousands?|dozens?|millions?|billions?|single|both|several"
)
NUMBER = re.compile(rf"\d|\b(?:{NUMBER_WORDS}|orders? of magnitude|doubl\w+|tripl\w+|twice|half)\b", re.I)

# what people count in Chinese questions, as English abstracts call it
COUNTED = {
    "数据集": "dataset", "基准": "benchmark", "基线": "baseline", "对比方法": "baseline", "模型": "model", "任务": "task",
    "领域": "domain", "工具": "tool", "框架": "framework", "攻击": "attack", "智能体": "agent", "概念": "concept",
    "模态": "modality", "样本": "sample", "参数": "parameter", "注意力头": "head", "层": "layer", "语言": "language",
    "架构": "architecture", "方法": "method", "指标": "metric", "场景": "scenario", "类别": "class", "预算": "budget",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Aspect:
    """One kind of fact: its name, how a question asks for it, how a sentence states it, and how one comes near to it."""

    name: str
    asked: re.Pattern[str]
    stated: re.Pattern[str]
    closed: bool
    near: re.Pattern[str]


_NEVER = r"(?!)"


def _aspect(name: str, asked: str, stated: str, *, closed: bool, exact: bool = False, near: str = _NEVER) -> Aspect:
    return Aspect(
        name, re.compile(asked, re.I), re.compile(stated, 0 if exact else re.I), closed, re.compile(near, re.I)
    )


_AMOUNT = rf"(?:\d[\d.,]*|\b(?:{NUMBER_WORDS}))"

_HARD_PLACE = r"\b(?:however|yet|challeng\w+|limit\w*|remain\w*|fail\w*|lack\w*|suffer\w*|difficult\w*|vulnerab\w+)\b"

ASPECTS: tuple[Aspect, ...] = (
    _aspect(
        "problem",
        r"\b(?:what|which) (?:\w+ ){0,2}(?:problems?|issues?|gaps?|challenges?|difficult\w+|limitations?|shortcomings?|pain points?)\b.{0,40}\b(?:solv|address|tackl|fix|fill|overcom|target|deal|attack|clos|motivat|remov)\w*"
        r"|\bwhat(?:'s| is| was) the (?:\w+ )?(?:problem|motivation|issue|gap|challenge)\b|\bmotivation\b|\bwhat (?:motivat\w+|does it solve|is it (?:good )?for)\b"
        r"|\bwhy (?:is|was|are|were) .{1,60}\b(?:needed|necessary|proposed|introduced|developed|created|invented|motivated)\b|\bwhy (?:do|does|would|did) (?:we|one|i|you|they|people|the authors) (?:need|want|propose|introduce|develop)\b"
        r"|(?:什么|哪些|啥)(?:样的)?(?:问题|挑战|难题|痛点)|动机|为什么(?:要)?(?:提出|需要)",
        _HARD_PLACE,
        closed=False,
    ),
    _aspect(
        "code",
        r"\b(?:data|models?|weights) (?:(?:set|is|are|was|were|made|publicly) ){0,2}(?:public|available|released|open)\b|\bgit(?:hub|lab)\b|\brepo(?:sitory|s)?\b|\bsource code\b|\bopen[- ]?sourced?\b|\blinks? to\b|\burls?\b"
        r"|\bcodes?\s+(?:links?|available|released|public|repositor|anywhere|online|base)"
        r"|\b(?:the|their|its|any|there|have|has|with|find|shares?|released?|publish(?:ed)?|where is|and) (?:public |official )?codes?\b"
        r"(?! (?:detect|generat|security|review|analys|agent|model))"
        r"|(?:\b(?:any|its|their|the|where(?: is|'s)?|'s)\s+|^\W*(?:[\w-]+\s+)?)codes?\W*$|\bcode (?:of|for) (?!detect|generat)|代码(?!生成|检测|安全|漏洞|模型)|开源|仓库|链接|网址",
        r"https?://|\bgithub\.com|\bhuggingface\.co|\bcodes?\b[^.]{0,40}\b(?:available|released|public)",
        closed=True,
    ),
    _aspect(
        "authors",
        r"\bwho (?:wrote|made|are the (?:authors|people)|is the (?:first )?author|did (?:this|that|it)|published|developed|came up)"
        r"|\bauthors?\b|\bwritten by who|\baffiliat\w+|\bwhich (?:university|lab|group|institut\w+|company|team)\b"
        r"|\b(?:university|institution) (?:is|are|of the)\b|作者|谁写|谁提出|谁做|哪(?:个|所|家)(?:大学|学校|团队|机构|公司|实验室|单位)",
        _NEVER,
        closed=True,
    ),
    _aspect(
        "venue",
        r"\b(?:which|what) (?:conference|venue|journal|year)\b|\bwhen (?:was|were) (?:it|this|that|they|the paper)\b.{0,20}publish"
        r"|\bwhere (?:was|were) (?:it|this|that|the paper).{0,10}publish|\bpublished (?:at|in|where|when)\b|哪一?年|哪个会议|什么会议|发表(?:在|于)",
        _NEVER,
        closed=True,
    ),
    _aspect(
        "money",
        r"\bhow much (?:did it|does it|money|.{0,30}\bcost)\b(?!.{0,20}(?:comput|gpu))|\bprice|\bdollars?\b|\bfund(?:ed|ing)\b|\bsponsor|\bgrant\b|\blicen[sc]e\b|费用|多少钱|资助|经费|许可证|美元",
        r"[$€£]\s?\d|\b(?:dollars?|usd|fund(?:ed|ing)|licen[sc]ed?|grant)\b",
        closed=True,
    ),
    _aspect(
        "cost",
        r"\bgpus?\b|\bgpu[- ]hours?|\btpus?\b|\btraining (?:time|cost)|\bhow long (?:did|does|do|is|was|to)\b|\bhardware\b|\bwall[- ]clock"
        r"|\brun[- ]?time in\b|\bhow (?:many|much) (?:hours|days|seconds|minutes|vram|memory|gigabytes|energy|flops)\b|\benergy\b"
        r"|显卡|训练(?:时间|了?多久|成本|开销)|多长时间|多少(?:小时|天|秒|时间|显存|内存)|算力|硬件|耗时",
        rf"\b(?:[GT]PUs?|A100|H100|V100|RTX)\b|{_AMOUNT}[\s-]?(?:s|ms|sec|seconds?|minutes?|hours?|days?|weeks?|GB|MB|W|kWh|FLOPs?)\b",
        closed=True,
        exact=True,
        near=r"\b(?:efficien\w+|overhead|computational\w*|speed\w*|faster|runtime|latency|memory|cheap\w*|cost\w*|light-?weight|parallel\w*)\b",
    ),
    _aspect(
        "hyperparameters",
        r"\blearning rate|\bbatch size|\boptimi[sz]er\b (?:is|was|did|do|does|used)|\b(?:which|what) optimi[sz]er|\bhow many (?:epochs?|training steps|iterations|seeds|runs|random)|\bdropout"
        r"|\bweight of the\b|\bhyper-?parameters?\b|\btemperature\b|\brandom seed used|学习率|批(?:量)?大小|优化器|(?:多少|几)(?:个)?(?:轮|epoch|步)|随机种子|超参|温度",
        r"\blearning rate|\bbatch size|\b(?:Adam|AdamW|SGD|Muon)\b|\bepochs?\b|\bdropout|\bhyper-?parameters?\b|\btemperature\b|\biterations\b",
        closed=True,
        near=r"\b(?:hyper-?parameters?|coefficients?|tuning)\b",
    ),
    _aspect(
        "parameters",
        r"\bhow many parameters\b|\bparameter counts?\b|\bmodel sizes?\b|\bhow (?:big|large) (?:is|are|was|were) (?:the|their|its) (?:\w+ )?(?:model|network)|参数量|多少(?:个)?参数|模型(?:有)?多大|规模多大",
        rf"{_AMOUNT}[\s-]?(?:[BM]\b|billion|million)|\b{_AMOUNT} parameters|\d[BM]\b|(?:millions?|billions?) of (?:\w+ )?parameters|\bparameters\b[^.]*\d|\d[^.]*\bparameters\b",
        closed=True,
        near=r"\b(?:parameters|model sizes?|various sizes|large models?)\b",
    ),
    _aspect(
        "people",
        r"\bhow many (?:participants?|annotators?|people|users|subjects|clinicians|patients|volunteers|raters)\b|\buser stud(?:y|ies)\b|\bhuman (?:evaluation|study|raters?)\b|参与者|标注(?:者|人员)|多少(?:人|名|位)|用户研究|人工评估",
        r"\b(?:participants?|annotators?|volunteers|raters?|user stud(?:y|ies)|human (?:evaluation|study|subjects))\b",
        closed=True,
        near=r"\b(?:human\w*|users?|people|clinicians|practitioners|patients)\b",
    ),
    _aspect(
        "expansion",
        r"\bstands? for\b|\bfull name\b|\babbreviat|\bacronym\b|\bshort for\b|\bspell(?:ed)? out\b|全称|缩写|代表什么",
        r"\(\s?[A-Z][\w-]*[A-Z]\w*\s?\)",
        closed=False,
        exact=True,
    ),
    _aspect(
        "baselines",
        r"\bwhat (?:does|do|did|is|was|were) .{1,40}\bcompared? (?:to|with|against)\W*$|\b(?:what|which|names? of|name the|list the) (?:\w+ ){0,2}(?:baselines?|competitors?|methods (?:do|did) (?:they|it) compare)"
        r"|\bcompared? (?:to|with|against) (?:what|which)|\b(?:what|which|whom?) (?:\w+ ){0,3}(?:does|do|did|is|are) (?:it|they|\w+) (?:compared?|beat|outperform)"
        r"|哪些(?:基线|对比方法|方法比)|(?:和|与|跟)(?:谁|哪些|什么)(?:方法)?(?:比|对比)|基线(?:是|有)(?:哪些|什么)",
        r"(?:outperform\w*|\bbeat\w*|\bthan|\bover|compared (?:to|with)|against|\bunlike|baselines?(?: such as| like|:)?)\s+(?:\S+\s+){0,3}?[A-Z][\w-]*[A-Z0-9]",
        closed=True,
        exact=True,
        near=r"\b(?:baselines?|existing|previous|prior|state-of-the-art|SOTA|outperform\w*)\b",
    ),
    _aspect(
        "data",
        r"\b(?:what|which) (?:(?!is|are|was|were)\w+ ){0,3}(?:data(?:sets?)?|benchmarks?|corpora|corpus|domains?|modalit\w+|tasks?)\b|\b(?:tested|evaluated?|tried|validated|run|trained|experiments?) on (?:what|which)(?: \w+)?"
        r"|\bon (?:what|which) (?:\w+ )?(?:data|benchmark|task|domain|modalit)|\bdata ?sets? (?:do|did|does|are|were|used|is)|\bwhere (?:is|was) it (?:tested|evaluated)|\bevaluation data\b"
        r"|\b(?:its|their) data(?:sets?)?\b|\bdata ?sets?\s*\?|哪些(?:数据|基准|任务|领域|模态)|什么(?:数据|基准)|(?:数据集|基准)(?:是|有|上|用)|(?:在|用)(?:了)?(?:什么|哪些?|哪种)[^,,。?]{0,8}(?:上|数据|模态|任务)",
        r"\bdata(?:sets?|bases?)?\b|\bbenchmarks?\b|\bcorp(?:us|ora)\b|Bench\b|\btasks\b|\b(?:images?|text|speech|audio|video) (?:and|classification)|\b(?:[Ee]xperiments?|[Ee]valuat\w+|[Tt]est(?:ed|s)) on \w|\bImageNet|\bCIFAR|\bdomains\b",
        closed=True,
        near=r"\b(?:data|data ?sets?|benchmarks?|tasks?|scenarios|settings|environments)\b",
    ),
    _aspect(
        "models",
        r"\b(?:what|which) (?:\w+ ){0,2}(?:models?|llms?|backbones?|architectures?|networks?) (?:do|did|does|were|was|are|is|have|has|used|tested)\b|\bbase model\b|\bbackbone\b|\bfoundation model (?:is|was)"
        r"|\b(?:tested|evaluated|tried|experiments?) on (?:what|which) (?:\w+ )?(?:models?|llms?)|(?:哪些|什么|哪个|哪几个)(?:大?语言)?(?:模型|骨干|基座)|基座模型|骨干网络",
        r"\b(?:GPT|Llama|LLaMA|Gemma|Qwen|Pythia|Mistral|Claude|Gemini|DeepSeek|BERT|T5|CLIP|ViTs?|ResNet|OPT|Phi|Falcon|PaLM|Flan|CNNs?|MLPs?|U-Nets?|LLMs|VLMs|LVLMs)\b"
        r"|\b(?:vision|language|diffusion|autoregressive|image|multimodal|video|speech|stream|weight-sparse) (?:\w+ )?(?:models|transformers)\b|\b[Tt]ransformers?\b|\bimage classifiers\b|\bbase model\b",
        closed=True,
        exact=True,
        near=r"\b(?:models?|networks?|architectures?)\b",
    ),
    _aspect("names", _NEVER, _NEVER, closed=True),  # what a bare "which ones?" asks for
    _aspect(
        "limits",
        r"\blimit(?:s|ations?)\b|\bweak(?:ness(?:es)?|points?)\b|\bdrawbacks?\b|\bshortcomings?\b|\bdownsides?\b|\bcaveats?\b|\bwhat (?:does|do) (?:it|they) not\b|\bfails? (?:at|when)\b|\bdisadvantages?\b"
        r"|局限|缺点|不足(?!够)|弱点|缺陷|短板",
        r"\b(?:limit(?:s|ed|ations?)|remains? (?:a |an )?(?:\w+ )?(?:challeng\w+|open|unclear|difficult|limited)|challenge|unavoidable|trad(?:es?|ing) off|at the (?:cost|expense)"
        r"|might also|impossib\w+|preliminary|modest(?:ly)?|only (?:when|if|for|in)|does not (?:scale|hold|apply|help|extend))\b",
        closed=True,
        near=r"\b(?:limit\w*|remains?|challeng\w*|weak\w*|drawback\w*)\b",
    ),
    _aspect(
        "number",
        r"\bhow (?:much|many|often|far|fast|large|big|high|accurate)\b|\bby how\b|\bwhat (?:\w+ ){0,2}(?:percent(?:age)?|number|fraction|share|score|accuracy|speed-?up|gain|rate|improvement|f1|auc|factor|reduction)\b"
        r"|\b(?:score|accuracy|speed-?up|gain|improvement|percentage|f1)\b[^.?]{0,60}\?|\bimprovements?\?|\bgains?\?|多少|几(?:个|种|篇|倍|次|类|层|条|项)|百分|多快|多大|多高|提升(?:了)?(?:多|几)",
        NUMBER.pattern,
        closed=True,
        near=NUMBER.pattern,
    ),
)

_BY_NAME = {aspect.name: aspect for aspect in ASPECTS}


def aspect(name: str) -> Aspect:
    """The aspect with this name."""
    return _BY_NAME[name]


def asked_for(message: str) -> tuple[str, ...]:
    """The names of the facts that a message asks for, in the order in which it does."""
    found = [(match.start(), each.name) for each in ASPECTS if (match := each.asked.search(message))]
    names = [name for _, name in sorted(found)]
    # "how many GPU hours" asks for a cost and not for any number besides
    special = {"cost", "money", "parameters", "people", "hyperparameters"} & set(names)
    if special and "number" in names:
        names.remove("number")
    if "problem" in names and "limits" in names:
        names.remove("limits")  # "which limitations does it address" asks for those of others
    if "code" in names and len(names) == 1:
        return ("code",)
    return tuple(names)


_COUNTED_EN = re.compile(
    r"\bhow many ((?:[\w-]+ ){0,3}?[\w-]+?)(?=\s*(?:[?,.]|$)| (?:is|are|was|were|do|does|did|has|have|can|could|in|on|of|with|for|to|used?|tested|they|it|there)\b)",
    re.I,
)
_COUNTED_ZH = re.compile(r"(?:多少|几)(?:个|种|篇|类|层|条|项|次)?\s*([A-Za-z][\w -]*[A-Za-z]|[\u4e00-\u9fff]{1,5})")


# what a sentence must speak of to say on which data something was tried, by what the question calls them
_KINDS_OF_DATA = (
    (re.compile(r"\btasks?\b|任务", re.I), r"\btasks?\b"),
    (re.compile(r"\bdomains?\b|领域", re.I), r"\bdomains?\b"),
    (re.compile(r"\bmodalit|模态", re.I), r"\b(?:images?|texts?|speech|audio|videos?|modalit\w+|vision|LLMs)\b"),
)
_DATA = r"\bdata(?:sets?|bases?)?\b|\bdata sets?\b|\bbenchmarks?\b|\bcorp(?:us|ora)\b|Bench\b|\bImageNet|\bCIFAR|\b(?-i:[Ee]xperiments?|[Ee]valuat\w+|[Tt]est(?:ed|s)) on (?-i:[A-Z])"
_TRIED_ON = re.compile(
    r"\b(?:experiment|evaluat|validat|demonstrat|corroborat|outperform|achiev|across|test|train|benchmark|improv|stud(?:y|ies)\b)\w*",
    re.I,
)


def names_data(question: str, sentence: str) -> bool:
    """Whether a sentence says on which data, tasks, domains or modalities, as the question calls it, a thing was tried."""
    kinds = [kind for asked, kind in _KINDS_OF_DATA if asked.search(question)] or [_DATA]
    return bool(re.search("|".join(kinds), sentence, re.I) and _TRIED_ON.search(sentence))


_NAMES_WANTED = re.compile(
    r"^\W*(?:and |but |so |ok(?:ay)?,? )?(?:(?:which|what) (?:ones?|are they|are these|are those|are their names)|which|(?:name|list) (?:them|these|those))\b(?: \w+){0,2}\W*$"
    r"|^\W*(?:都|分别)?(?:是|有)?哪(?:些|几个|几种|个)\W*$|^\W*分别是(?:什么|哪些)\W*$",
    re.I,
)


def named_after(message: str, before: str) -> str | None:
    """What a bare "which ones?" asks the names of: the things that the question before it counted."""
    return counted(before) if _NAMES_WANTED.match(message) else None


def counted(message: str) -> str | None:
    """What a "how many ..." counts, in English, or None: "how many baselines did they use" gives "baselines"."""
    if match := _COUNTED_EN.search(message):
        return match.group(1).strip()
    if match := _COUNTED_ZH.search(message):
        thing = match.group(1)
        if thing[0].isascii():
            return thing.strip()
        return next((english for chinese, english in COUNTED.items() if chinese in thing), None)
    return None
