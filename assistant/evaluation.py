"""How well an assistant answers files of questions. ``docs/EVALUATION.md`` describes the files and each check.

Nothing here searches or prints: a way to ask goes in, a report comes out.
"""

from __future__ import annotations

import json
import re
import time
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any

from assistant.answer import Answer, Quote
from assistant.conversation import Conversation
from assistant.errors import QuestionsUnusable
from vectorstore.paper import Paper

Ask = Callable[[str, Conversation], Answer]
Record = Mapping[str, Any]

COMPARED = 0.66  # precision of the citations that a comparison needs, and full recall
SURVEYED = 0.8, 0.7  # recall and precision that a survey needs
_PLACE = re.compile(r"(.+)-(\d+)")
_CHINESE = re.compile("[\u4e00-\u9fff]")
_NEEDED = {  # what each file's records must have
    "single": ("question", "gold", "facts"),
    "multi": ("question", "type", "gold"),
    "dialog": ("turns",),
    "unanswerable": ("question", "kind"),
    "attacks": ("input",),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was asked, its answer, and how it was judged: the groups it counts in, whether it passed, why.

    ``expected`` are the names of the papers to cite. ``refusable`` says whether the answer should be a refusal, None
    where either will do. ``judge`` is what only a reader can judge. ``ms`` is the time to the complete answer.
    """

    groups: tuple[str, ...]
    passed: bool
    question: str
    answer: Answer
    why: str
    cited: tuple[str, ...]
    expected: frozenset[str] = frozenset()
    refusable: bool | None = None
    judge: Any = None
    ms: float = 0.0

    @property
    def precision(self) -> float | None:
        """The share of the cited papers that are expected; None where none is cited."""
        return len(self.expected & set(self.cited)) / len(self.cited) if self.cited else None

    @property
    def recall(self) -> float | None:
        """The share of the expected papers that are cited; None where none is expected."""
        return len(self.expected & set(self.cited)) / len(self.expected) if self.expected else None


@dataclass(frozen=True, slots=True)
class Report:
    """All that was asked. ``extra`` are further checks of the same answers: group and whether it passed."""

    asked: tuple[Asked, ...]
    extra: tuple[tuple[str, bool], ...]

    def rates(self) -> dict[str, tuple[int, int]]:
        """Passed and asked, by group, in alphabetical order."""
        marks = [(group, each.passed) for each in self.asked for group in each.groups] + list(self.extra)
        return {
            name: _counted(passed for group, passed in marks if group == name) for name in sorted({m[0] for m in marks})
        }

    def figures(self) -> dict[str, float]:
        """Measures that are no pass rates, by name; those with nothing to measure are left out. Times are in ms."""
        found: dict[str, float | None] = {}
        for part in ("single", "multi"):
            own = [each for each in self.asked if each.groups[0].startswith(part)]
            found[f"{part}: citation precision"] = _mean(each.precision for each in own)
            found[f"{part}: citation recall"] = _mean(each.recall for each in own)
            if part == "multi":
                found["multi: citation F1"] = _mean(f1(each.precision or 0.0, each.recall or 0.0) for each in own)
        refusals = [(each.refusable, each.answer.abstained) for each in self.asked if each.refusable is not None]
        found["refused rightly"] = _mean(float(refused) for right, refused in refusals if right)
        found["refused wrongly"] = _mean(float(refused) for right, refused in refusals if not right)
        quotes = [stands for each in self.asked for stands in quotes_stand(each.answer)]
        found["quotes"] = len(quotes)
        found["quotes that stand letter for letter"] = _mean(map(float, quotes))
        times = [each.ms for each in self.asked]
        found["ms an answer, median"] = median(times) if times else None
        found["ms an answer, 95th percentile"] = quantiles(times, n=20)[-1] if len(times) > 1 else None
        return {name: value for name, value in found.items() if value is not None}

    def to_json(self) -> dict[str, Any]:
        """Rates, figures and every question with its answer."""
        return {
            "groups": {name: {"passed": p, "of": n, "rate": round(p / n, 4)} for name, (p, n) in self.rates().items()},
            "figures": {name: round(value, 4) for name, value in self.figures().items()},
            "questions": [
                {
                    "group": each.groups[0],
                    "passed": each.passed,
                    "question": each.question,
                    "why": each.why,
                    "judge": each.judge,
                    "answer": each.answer.to_json(),
                }
                for each in self.asked
            ],
        }


def read_questions(folder: Path) -> dict[str, list[Record]]:
    """The records of the question files in a folder, by name of the file. QuestionsUnusable where there is none."""
    found: dict[str, list[Record]] = {}
    for name, needed in _NEEDED.items():
        file = folder / f"{name}.jsonl"
        if not file.is_file():
            continue
        found[name] = []
        try:
            lines = file.read_text(encoding="utf-8-sig").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise QuestionsUnusable(f"Cannot read {file}: it should be JSON lines in UTF-8.") from error
        for place, line in enumerate(lines, 1):
            if line.strip():
                found[name].append(_record(line, needed, f"{file}, line {place}"))
    if not found:
        raise QuestionsUnusable(
            f"There are no question files in {folder}: it should hold one of {', '.join(f'{n}.jsonl' for n in _NEEDED)}."
        )
    return found


def _record(line: str, needed: Sequence[str], place: str) -> Record:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise QuestionsUnusable(f"{place} is not JSON. Each line should be one object.") from error
    parts = record.get("turns", ()) if isinstance(record, dict) else ()
    if not isinstance(record, dict) or not isinstance(parts, (list, tuple)):
        raise QuestionsUnusable(f"{place} is not of the form that docs/EVALUATION.md describes.")
    lacking = [key for key in needed if key not in record]
    lacking += [f"{key} of a turn" for turn in parts for key in ("user", "gold") if key not in turn]
    if lacking:
        raise QuestionsUnusable(f"{place} lacks {', '.join(lacking)}.")
    patterns = [*record.get("facts", ()), *record.get("must_not", ()), *(f for t in parts for f in t.get("facts", ()))]
    for pattern in patterns:
        try:
            re.compile(pattern, re.I)
        except re.error as error:
            raise QuestionsUnusable(f"{place}: {pattern!r} is no regular expression ({error}).") from error
    return record


def evaluate(questions: Mapping[str, Sequence[Record]], ask: Ask) -> Report:
    """Ask every question, and judge every answer."""
    asked: list[Asked] = []
    extra: list[tuple[str, bool]] = []
    for record in questions.get("single", ()):
        answer, ms = _timed(ask, record["question"], Conversation())
        asked.append(judge_single(record, answer, ms))
        extra.append(("single: gold cited first", asked[-1].cited[:1] != () and asked[-1].cited[0] in record["gold"]))
        extra.append(("single: not refused", not answer.abstained))
    for record in questions.get("multi", ()):
        asked.append(judge_multi(record, *_timed(ask, record["question"], Conversation())))
    for record in questions.get("dialog", ()):
        conversation, whole = Conversation(), True
        for place, turn in enumerate(record["turns"]):
            answer, ms = _timed(ask, turn["user"], conversation)
            conversation = conversation.after(answer)
            asked.append(judge_turn(record, place, answer, ms))
            whole = whole and asked[-1].passed
        extra.append(("dialog whole", whole))
    for record in questions.get("unanswerable", ()):
        asked.append(judge_unanswerable(record, *_timed(ask, record["question"], Conversation())))
    for record in questions.get("attacks", ()):
        asked.append(judge_attack(record, *_timed(ask, record["input"], Conversation())))
    return Report(tuple(asked), tuple(extra))


def judge_single(record: Record, answer: Answer, ms: float = 0.0) -> Asked:
    """Passes where every gold paper is cited, one of them first, and all facts are stated."""
    gold = frozenset(record["gold"])
    cited = names_cited(answer, gold)
    stated = states(answer.text, record["facts"])
    groups = [f"single/{record.get('kind', 'question')}", "single (all)"]
    groups += ["single (Chinese)"] if _CHINESE.search(record["question"]) else []
    why = f"cited {_list(cited)}, gold {_list(gold)}, facts {'stated' if stated else 'missing'}"
    why += ", refused" if answer.abstained else ""
    passed = gold <= set(cited) and cited[:1] != () and cited[0] in gold and stated
    return Asked(tuple(groups), passed, record["question"], answer, why, cited, gold, refusable=False, ms=ms)


def judge_multi(record: Record, answer: Answer, ms: float = 0.0) -> Asked:
    """A comparison passes where all gold papers are cited and little else, a survey with most of them."""
    gold, borderline = frozenset(record["gold"]), set(record.get("borderline", ()))
    cited = tuple(name for name in names_cited(answer, gold | borderline) if name not in borderline)
    asked = Asked(
        (f"multi/{record['type']} citations",),
        False,
        record["question"],
        answer,
        "",
        cited,
        gold,
        refusable=False,
        judge=record.get("aspects"),
        ms=ms,
    )
    precision, recall = asked.precision or 0.0, asked.recall or 0.0
    least_recall, least_precision = (1.0, COMPARED) if record["type"] == "compare" else SURVEYED
    passed = recall >= least_recall and precision >= least_precision
    why = f"recall {recall:.2f}, precision {precision:.2f}, cited {_list(cited)}, gold {_list(gold)}"
    return replace(asked, passed=passed, why=why)


def judge_turn(record: Record, place: int, answer: Answer, ms: float = 0.0) -> Asked:
    """Passes where the turn's papers are cited, no paper from outside the conversation is, and all facts are stated."""
    turn = record["turns"][place]
    gold = frozenset(turn["gold"])
    allowed = {name for each in record["turns"] for name in each["gold"]} | set(turn.get("borderline", ()))
    cited = names_cited(answer, allowed)
    unanswerable = bool(turn.get("unanswerable"))
    if not gold:
        passed = not cited or (unanswerable and answer.abstained)
    elif unanswerable:
        passed = set(cited) <= allowed
    else:
        passed = gold <= set(cited) <= allowed and states(answer.text, turn.get("facts", ()))
    return Asked(
        ("dialog turns", "dialog first turns" if place == 0 else "dialog follow-ups"),
        passed,
        f"[{record.get('qid', '')}.{place + 1}] {turn['user']}",
        answer,
        f"cited {_list(cited)}, gold {_list(gold)}",
        cited,
        gold,
        refusable=False if gold and not unanswerable else True if unanswerable and not gold else None,
        judge=turn.get("expect"),
        ms=ms,
    )


def judge_unanswerable(record: Record, answer: Answer, ms: float = 0.0) -> Asked:
    """Passes where nothing but related papers is cited, and the answer is a refusal, or for a false premise is not."""
    kind, related = record["kind"], set(record.get("related", ()))
    cited = names_cited(answer, related)
    if kind == "far":
        passed = not cited and answer.abstained
    elif kind == "false_premise":
        passed = bool(cited) and set(cited) <= related
    else:
        passed = answer.abstained and set(cited) <= related
    return Asked(
        (f"unanswerable/{kind}", "unanswerable (all)"),
        passed,
        record["question"],
        answer,
        f"cited {_list(cited)}, related {_list(related)}{', refused' if answer.abstained else ''}",
        cited,
        refusable=None if kind == "false_premise" else True,
        judge=record.get("should_say"),
        ms=ms,
    )


def judge_attack(record: Record, answer: Answer, ms: float = 0.0) -> Asked:
    """Passes where none of the forbidden patterns is in the answer."""
    found = [pattern for pattern in record.get("must_not", ()) if re.search(pattern, answer.text, re.I)]
    gold = frozenset(record.get("gold", ()))
    return Asked(
        ("attacks",),
        not found,
        record["input"],
        answer,
        f"matches {_list(found)}",
        names_cited(answer, gold),
        judge=record.get("expect"),
        ms=ms,
    )


def names_cited(answer: Answer, known: Collection[str]) -> tuple[str, ...]:
    """The cited papers in order, under the names the question files know them by, else under their ids."""
    names = (next((n for n in known if is_named(source.paper, n)), source.paper.id) for source in answer.sources)
    return tuple(dict.fromkeys(names))


def is_named(paper: Paper, name: str) -> bool:
    """Whether a name means this paper: its id, or how its file's name begins and its place there ("002-09")."""
    if name == paper.id:
        return True
    place = _PLACE.fullmatch(name)
    file = re.split(r"[/\\]", paper.origin.file)[-1]
    return place is not None and int(place[2]) == paper.origin.position and file.startswith(place[1])


def states(text: str, facts: Iterable[str]) -> bool:
    """Whether every pattern is found in the answer, read without case, markup, citation marks and papers' places."""
    reading = normalised(text)
    return all(re.search(pattern, reading, re.I) for pattern in facts)


def normalised(text: str) -> str:
    """An answer as facts are looked for in it."""
    text = unicodedata.normalize("NFKC", text)
    text = re.sub("[\u2010-\u2015\u2212]", "-", text)
    text = re.sub(r"\b\d{3}-\d{2}\b", " ", text)
    text = re.sub(r"\[[\d,;\s-]+\](\([^)]*\))?", " ", text)
    text = re.sub(r"[*`$\\{}]", "", text)
    return re.sub(r"\s+", " ", text)


def quotes_stand(answer: Answer) -> list[bool]:
    """For each quote of the answer, whether it stands letter for letter at its offsets in the abstract it names."""
    abstracts = {source.paper.id: source.paper.abstract for source in answer.sources}
    quotes: list[Quote] = [quote for source in answer.sources for quote in source.quotes]
    quotes += [claim.quote for claim in answer.claims if claim.quote]
    return [abstracts.get(quote.paper_id, "")[quote.start : quote.end] == quote.text for quote in dict.fromkeys(quotes)]


def f1(precision: float, recall: float) -> float:
    """The harmonic mean."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _timed(ask: Ask, message: str, conversation: Conversation) -> tuple[Answer, float]:
    started = time.perf_counter()
    return ask(message, conversation), 1000 * (time.perf_counter() - started)


def _counted(marks: Iterable[bool]) -> tuple[int, int]:
    marks = list(marks)
    return sum(marks), len(marks)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names) if isinstance(names, (set, frozenset)) else names) or "none"
