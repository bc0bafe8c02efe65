"""The fixed phrases of an answer, in the language of the question. Quoted sentences stay as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]


@dataclass(frozen=True, slots=True)
class Phrases:
    """What the assistant says in its own words. Braces name what is filled in."""

    not_covered: str
    not_covered_near: str
    partly: str
    unknown_number: str
    unknown_paper: str
    does_not_say: str
    does_not_state: str
    closest: str
    instead: str
    found_one: str
    found: str
    found_more: str
    ask_more: str
    no_more: str
    alike: str
    none_alike: str
    aspect: str
    not_stated: str
    shared: str
    all_share: str
    no_cross: str
    two_needed: str
    thanks: str
    hello: str
    about: str
    orders: str
    written_by: str
    published: str
    searched_for: str
    no_source: str
    invented: str
    quoted_instead: str
    too_little_holds: str
    colon: str
    comma: str
    rows: dict[str, str]
    matters: dict[str, str]


ENGLISH = Phrases(
    not_covered="None of the abstracts here answers that.",
    not_covered_near="None of the abstracts here answers that. The nearest ones are listed as suggestions.",
    partly="**{label}** speaks of {shared}, but not of *{missing}*.",
    unknown_number="There is no paper {number} in this conversation.",
    unknown_paper="There is no paper here under the number you give, so it cannot be cited.",
    does_not_say="The abstract of **{label}** {mark} does not say.",
    does_not_state="The abstract of **{label}** {mark} does not state {matter}.",
    closest="The closest it comes: ",
    instead="The abstract of **{label}** {mark} puts it differently: ",
    found_one="One paper here matches:",
    found="{count} papers here match:",
    found_more="{count} more:",
    ask_more="Say “show me more” for the other {count}.",
    no_more="There are no further papers here that match.",
    alike="The papers nearest to {label} {mark}:",
    none_alike="No other paper here is near to {label} {mark}.",
    aspect="Aspect",
    not_stated="not stated in the abstract",
    shared="Both speak of {terms}.",
    all_share="All speak of {terms}.",
    no_cross="Neither abstract mentions the other method, so the comparison rests on what each says of itself.",
    two_needed="I need two papers to compare. Name them, or give their numbers.",
    thanks="You're welcome. Ask me anything about the papers.",
    hello="Hello. Ask me about the papers: a fact, a method, a comparison, or which papers there are on a topic.",
    about=(
        "I answer questions about the papers of this collection ({about}) with sentences quoted from their abstracts, "
        "and say so when none of them holds the answer."
    ),
    orders=(
        "I can only answer questions about the papers here, with sentences quoted from their abstracts. "
        "Ask me about a paper, a method or a topic."
    ),
    written_by="**{label}** {mark} is by {authors}.",
    published="**{label}** {mark}: {place}.",
    searched_for="Searched for: {question}",
    no_source="no source",
    invented="Citations of papers that were not found here were removed: {count}.",
    quoted_instead="Quoted from the abstracts instead:",
    too_little_holds=(
        "Less than half of what the language model wrote is borne out by the abstracts. Quoted from them instead:"
    ),
    colon=": ",
    comma=", ",
    rows={"problem": "Problem", "approach": "Approach", "results": "Results", "data": "Data", "code": "Code"},
    matters={
        "code": "a link to code",
        "authors": "who wrote it",
        "venue": "where it was published",
        "cost": "the cost of training or running it",
        "hyperparameters": "such a setting",
        "parameters": "a number of parameters",
        "data": "which data were used",
        "models": "which models were used",
        "names": "which ones",
        "baselines": "the names of the baselines",
        "limits": "limitations of its own",
        "number": "such a number",
        "money": "prices, funding or a licence",
        "people": "anything on participants or annotators",
        "expansion": "what the name stands for",
    },
)

CHINESE = Phrases(
    not_covered="这里的摘要都没有回答这个问题。",
    not_covered_near="这里的摘要都没有回答这个问题。最接近的论文列在建议中。",
    partly="**{label}** 谈到 {shared},但没有谈到 *{missing}*。",
    unknown_number="本次对话中没有编号为 {number} 的论文。",
    unknown_paper="这里没有你所给编号的论文,因此无法引用。",
    does_not_say="**{label}** {mark} 的摘要没有提到这一点。",
    does_not_state="**{label}** {mark} 的摘要没有说明{matter}。",
    closest="最接近的一句:",
    instead="**{label}** {mark} 的摘要说的是另一回事:",
    found_one="这里有 1 篇相关论文:",
    found="这里有 {count} 篇相关论文:",
    found_more="另有 {count} 篇:",
    ask_more="还有 {count} 篇,可以说“更多”。",
    no_more="这里没有更多相关的论文了。",
    alike="与 {label} {mark} 最相近的论文:",
    none_alike="这里没有与 {label} {mark} 相近的论文。",
    aspect="方面",
    not_stated="摘要未说明",
    shared="两者都涉及 {terms}。",
    all_share="几篇都涉及 {terms}。",
    no_cross="两篇摘要都没有提到对方的方法,所以只能各按其自述来比较。",
    two_needed="比较需要两篇论文,请给出名称或编号。",
    thanks="不客气。欢迎继续就这些论文提问。",
    hello="你好!可以问我这些论文里的事实、方法、比较,或某个主题有哪些论文。",
    about="我用论文摘要中的原句回答关于这个论文集({about})的问题;如果没有摘要能回答,我会直接说明。",
    orders="我只能根据这里的论文摘要、引用原句来回答问题。请就某篇论文、某个方法或主题提问。",
    written_by="**{label}** {mark} 的作者:{authors}。",
    published="**{label}** {mark}:{place}。",
    searched_for="检索的问题:{question}",
    no_source="无来源",
    invented="已删去 {count} 处指向不存在论文的引用。",
    quoted_instead="以下改为引用摘要原句:",
    too_little_holds="语言模型所写的内容有一半以上得不到摘要支持,以下改为引用摘要原句:",
    colon=": ",
    comma="、",
    rows={"problem": "问题", "approach": "方法", "results": "结果", "data": "数据", "code": "代码"},
    matters={
        "code": "代码链接",
        "authors": "作者",
        "venue": "发表在哪里",
        "cost": "训练或运行的开销",
        "hyperparameters": "这类设置",
        "parameters": "参数量",
        "data": "用了哪些数据",
        "models": "用了哪些模型",
        "names": "具体是哪些",
        "baselines": "基线的名称",
        "limits": "自身的局限",
        "number": "这个数字",
        "money": "费用、资助或许可证",
        "people": "参与者或标注者的情况",
        "expansion": "名称的全称",
    },
)


def phrases(language: Language) -> Phrases:
    """The phrases of a language."""
    return CHINESE if language == "zh" else ENGLISH
