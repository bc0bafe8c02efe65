"""Plain reading text: what is left of LaTeX, Markdown and HTML when only the words and symbols count.

The text of an abstract is data from anywhere, so every function here takes any string and returns a string.
Mathematics and addresses are set aside first, each behind one placeholder character, so that the rules for
Markdown and LaTeX never see inside them.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable

from vectorstore.latex import commands_to_text, is_simple, math_to_text, unslashed

# Characters that nobody can read: controls, zero-width and bidirectional marks, tags, noncharacters, lone surrogates.
_UNREADABLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_HOLDERS = "\ufdd0", "\ufdd1"
_HELD = re.compile("\ufdd0(\\d+)\ufdd1")

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG_NAMES = (
    "a|abbr|article|b|big|blockquote|body|br|center|cite|code|dd|div|dl|dt|em|font|h[1-6]|head|hr|html|i|img|kbd|li|mark|ol|p|"
    "pre|s|script|section|small|span|strike|strong|style|sub|sup|table|tbody|td|tex-math|th|thead|tr|tt|u|ul|var|"
    "inline-formula|disp-formula|alternatives|italic|bold|sc|monospace|sec|title|(?:jats|mml|m|xhtml):[a-z][a-z0-9-]*|"
    "math|m(?:i|n|o|row|sup|sub|subsup|frac|sqrt|text|style|over|under|underover|fenced|space|table|tr|td)|semantics"
)
_ATTRIBUTES = r"""(?:\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=]+))*"""
_TAG = re.compile(rf"<(/?)({_TAG_NAMES}){_ATTRIBUTES}\s*/?>", re.I)
_BLOCK_TAG = re.compile(
    r"(?:jats:)?(?:p|br|div|h[1-6]|hr|li|ol|ul|sec|section|title|table|t[dhr]|d[dlt]|blockquote)", re.I
)
_COMMENT = re.compile(r"<!--.{0,5000}?-->", re.S)
_TEX_COPY = re.compile(r"<((?:mml:)?annotation)\b[^<>]{0,300}>.{0,5000}?</\1>", re.S | re.I)
_TEX_MATH = re.compile(r"<((?:jats:)?tex-math)\b[^<>]{0,300}>(.{0,5000}?)</\1>", re.S | re.I)
_TEX_DOCUMENT = re.compile(r"\\begin\{document\}(.{0,5000}?)\\end\{document\}", re.S)

_ADDRESS = r"https?://(?:[^\s<>\"'{}|\\^`*\ufdd0-\ufdef，。；：（）“”]|\\[_%#&~$])+"
_ADDRESSES = re.compile(
    rf"\\url\s*\{{\s*(?P<url>[^{{}}\s]+)\s*\}}|<(?P<angle>{_ADDRESS}|mailto:[^\s<>]+)>|(?P<bare>{_ADDRESS})", re.I
)
_HREF = re.compile(r"\\href\s*\{\s*([^{}\s]+)\s*\}\s*\{([^{}]*)\}")
_MATH = re.compile(
    r"\\\[(?P<display>.{1,2000}?)\\\]|\\\((?P<inline>.{1,2000}?)\\\)"
    r"|\\begin\{(?P<env>equation|align|gather|multline|eqnarray|math|displaymath)(?P<star>\*?)\}(?P<body>.{1,2000}?)\\end\{(?P=env)(?P=star)\}"
    r"|(?<!\\)\$\$(?P<double>[^$]{1,2000}?)\$\$|(?<!\\)\$(?P<single>(?:[^$\\]|\\.){1,2000}?)\$",
    re.S,
)

_PROSE = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}[\s,.;:()]+[A-Za-z]{2,}(?![A-Za-z])")
_TEX_SIGNS = re.compile(r"[\\^_{}=]")
_AMOUNT_AND_WORD = re.compile(r"\d[\d,.]*[kKMB]?\s+[A-Za-z]{2,}")

_EMPHASIS = re.compile(r"(?<![\\*^_])(\*{1,4})(?=[^\s*])((?:(?!\n\s*\n)[^*]){1,600}?)(?<=[^\s*^_])\1(?!\*)")
_BOLD_INITIAL = re.compile(r"(\*{4}|\*\*)([^*\s]+)\1(?=[A-Za-z])")
_UNDERSCORES = re.compile(r"(?<![\w\\])(__?)(?=[^\s_])([^_\n]{1,600}?)(?<=[^\s_])\1(?!\w)")
_LINK = re.compile("!?\\[([^\\[\\]]{1,600})\\]\\((\ufdd0\\d+\ufdd1)\\)")
_QUOTED = re.compile(r"``([^`]{0,500}?)(?:''|\"|``|”)")
_SINGLE_QUOTED = re.compile(r"(?<![\w`])`([^`'\n]{1,120})'(?![\w'])")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_DASHES = re.compile(r"(?<=[\w)\]”\"'.,\ufdd1])(-{2,3})(?=[\w(“\"\s\ufdd0])")


def plain(text: str) -> str:
    """The text as a person would read it aloud: no markup, one line, NFC; mathematics as Unicode symbols."""
    return _reading(text, math_to_text)


def readable(text: str) -> str:
    """Like :func:`plain`, but mathematics with structure (fractions, indices, sums) stays as ``$...$``."""
    return _reading(text, lambda tex: math_to_text(tex) if is_simple(tex) else f"${_spaced(tex)}$")


def is_math(inner: str) -> bool:
    """Whether what stands between two dollar signs is mathematics rather than prose between two prices.

    It is not when it holds a paragraph break or two plain words in a row ("5 and then pay 10"); nor, without any
    sign of TeX in it, when it has a blank at an edge ("5 to ") or begins with an amount and a word ("5 and 10").
    Between amounts, a closing dollar right before a digit does not count either ("$5-$12", the rule of Pandoc);
    ``math_spans`` sees to that, for it needs the surroundings.
    """
    body = inner
    if not body.strip() or len(body) > 2000 or re.search(r"\n\s*\n", body):
        return False
    bare = re.sub(r"\\(?:text|mbox|operatorname|math)[a-z]*\s*\{[^{}]*\}|\\[A-Za-z]+", " \\\\ ", body)
    if _PROSE.search(bare):
        return False
    if _TEX_SIGNS.search(body):
        return True
    return body == body.strip() and not _AMOUNT_AND_WORD.match(body)


def math_spans(text: str) -> list[tuple[int, int]]:
    """Where mathematics stands in the text, delimiters included, in order."""
    if "$" not in text and "\\" not in text:
        return []
    spans = []
    position = 0
    while match := _MATH.search(text, position):
        inner = match["single"]
        before_digit = text[match.end() : match.end() + 1].isdigit()
        if inner is not None and (not is_math(inner) or (before_digit and inner[0].isdigit() and "\\" not in inner)):
            position = match.start() + 1
        else:
            spans.append(match.span())
            position = match.end()
    return spans


def address_spans(text: str) -> list[tuple[int, int]]:
    """Where web addresses stand in the text, closing punctuation left out, in order."""
    if "://" not in text:
        return []
    return [(match.start(), match.end() - _loose_end(match)) for match in _ADDRESSES.finditer(text)]


def _reading(text: str, math: Callable[[str], str]) -> str:
    text = _UNREADABLE.sub("", text)
    if "&" in text or "<" in text:
        text = _UNREADABLE.sub("", without_html(text))
    if not any(sign in text for sign in "\\$*_`~-/"):
        return _spaced(unicodedata.normalize("NFC", text))
    held: list[str] = []

    def hold(piece: str) -> str:
        held.append(piece)
        return f"{_HOLDERS[0]}{len(held) - 1}{_HOLDERS[1]}"

    text = _hold_addresses(text, hold)
    text = _hold_math(text, hold, math)
    if "\\" in text:
        text = commands_to_text(text)
    text = _without_markdown(text)
    while _HELD.search(text):
        text = _HELD.sub(lambda match: held[int(match[1])], text)
    return _spaced(unicodedata.normalize("NFC", text))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def without_html(text: str) -> str:
    """The text without HTML, JATS and MathML tags, its entities as characters; LaTeX stays."""
    for _ in range(2):  # Crossref and others escape once more what was escaped already
        text = _ENTITY.sub(lambda match: html.unescape(match[0]), text)
    if "<" not in text:
        return text
    text = _TEX_COPY.sub("", _COMMENT.sub(" ", text))
    shown_twice = "math>" in _TEX_MATH.sub("", text)
    text = _TEX_MATH.sub(lambda match: "" if shown_twice else _tex_of_document(match[2]), text)
    return _TAG.sub(lambda match: " " if _BLOCK_TAG.fullmatch(match[2]) else "", text)


def _tex_of_document(tex: str) -> str:
    inner = _TEX_DOCUMENT.search(tex)
    return f"${(inner[1] if inner else tex).strip().strip('$').strip()}$"


def _loose_end(match: re.Match[str]) -> int:
    """How many characters at the end of a bare address belong to the sentence instead."""
    address = match["bare"]
    if address is None:
        return 0
    kept = address.rstrip(".,;:!?_]")
    while kept.endswith(")") and kept.count(")") > kept.count("("):
        kept = kept[:-1].rstrip(".,;:!?_]")
    return len(address) - len(kept)


def _hold_addresses(text: str, hold: Callable[[str], str]) -> str:
    if "://" not in text and "\\url" not in text and "\\href" not in text:
        return text

    def address(match: re.Match[str]) -> str:
        loose = _loose_end(match)
        whole = match["url"] or match["angle"] or match["bare"]
        return hold(unslashed(whole[: len(whole) - loose])) + whole[len(whole) - loose :]

    def link(match: re.Match[str]) -> str:
        return f"{match[2]} ({hold(unslashed(match[1]))})"

    text = _HREF.sub(link, text)
    return _ADDRESSES.sub(address, text)


def _hold_math(text: str, hold: Callable[[str], str], math: Callable[[str], str]) -> str:
    pieces = []
    position = 0
    for start, end in math_spans(text):
        pieces += [text[position:start], hold(math(_between_delimiters(text[start:end])))]
        position = end
    return "".join([*pieces, text[position:]])


def _between_delimiters(span: str) -> str:
    if match := _MATH.fullmatch(span):
        groups = match.groupdict()
        return str(next(groups[name] for name in ("single", "double", "inline", "display", "body") if groups[name]))
    return span.strip("$")


def _without_markdown(text: str) -> str:
    if "`" in text:
        text = _QUOTED.sub(r"“\1”", text)
        text = _CODE.sub(r"\1", _SINGLE_QUOTED.sub(r"‘\1’", text)).replace("``", "“")
    if "](" in text:
        text = _LINK.sub(r"\1 (\2)", text)
    if "*" in text:
        text = _BOLD_INITIAL.sub(r"\2", text)
        for _ in range(3):  # emphasis may hold emphasis
            text = _EMPHASIS.sub(_emphasised, text)
    if "_" in text:
        text = _UNDERSCORES.sub(lambda match: match[0] if match[1] == "__" and " " not in match[2] else match[2], text)
    return _DASHES.sub(lambda match: "–" if len(match[1]) == 2 else "—", text) if "--" in text else text


def _emphasised(match: re.Match[str]) -> str:
    """CommonMark's rule for stars next to letters, a little stricter: ``2*3*4`` and ``a*b*c`` are products."""
    before = match.string[max(match.start() - 1, 0) : match.start()]
    after = match.string[match.end() : match.end() + 1]
    inner = match[2]
    opens = not _is_mark(inner[0]) or not before or before.isspace() or _is_mark(before)
    closes = not _is_mark(inner[-1]) or not after or after.isspace() or _is_mark(after)
    if not opens or not closes:
        return match[0]
    if len(match[1]) == 1 and (before.isalnum() or after.isalnum()):
        word = re.search(r"[^\W\d_]*$", match.string[max(match.start() - 20, 0) : match.start()])
        rest = re.match(r"[^\W\d_]*", match.string[match.end() : match.end() + 20])
        letters = len(word[0] if word else "") + len(rest[0] if rest else "")
        if not inner.isalpha() or letters < 2:
            return match[0]
    return inner


def _is_mark(character: str) -> bool:
    return not character.isalnum() and not character.isspace() and character not in "\ufdd0\ufdd1"
