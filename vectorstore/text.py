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
from functools import lru_cache

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
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_TEX_COPY = re.compile(r"<((?:mml:)?annotation)\b[^<>]*>.*?</\1>", re.S | re.I)
_TEX_MATH = re.compile(r"<((?:jats:)?tex-math)\b[^<>]*>(.*?)</\1>", re.S | re.I)
_TEX_DOCUMENT = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.S)

_ADDRESS = r"https?://(?:[^\s<>\"'{}|\\^`*\ufdd0-\ufdef，。；：（）“”]|\\[_%#&~$])+"
_ADDRESSES = re.compile(
    rf"\\url\s*\{{\s*(?P<url>[^{{}}\s]+)\s*\}}|<(?P<angle>{_ADDRESS}|mailto:[^\s<>]+)>|(?P<bare>{_ADDRESS})", re.I
)
_HREF = re.compile(r"\\href\s*\{\s*([^{}\s]+)\s*\}\s*\{([^{}]*)\}")
_MATH = re.compile(
    r"\\\[(?P<display>.+?)\\\]|\\\((?P<inline>.+?)\\\)"
    r"|\\begin\{(?P<env>equation|align|gather|multline|eqnarray|math|displaymath)(?P<star>\*?)\}(?P<body>.+?)\\end\{(?P=env)(?P=star)\}"
    r"|(?<!\\)\$\$(?P<double>[^$]+?)\$\$|(?<!\\)\$(?P<single>(?:[^$\\]|\\.)+?)\$",
    re.S,
)

_STYLES = (
    "text(?:bf|it|tt|sc|sf|rm|sl|up|md|normal|color)?|math(?:bf|it|tt|sf|rm|cal|scr|frak|normal|bm|op|rel|ord)|emph|mbox|hbox|"
    "underline|uline|bm|boldsymbol|operatorname|mathop|ensuremath|pmb|fbox|texorpdfstring"
)
_STYLED = re.compile(rf"\\(?:{_STYLES})(?![A-Za-z])\*?\s*\{{([^{{}}]*)\}}")
_SWITCH = re.compile(
    r"\\(?:bf|it|tt|sc|sf|rm|sl|em|cal|bfseries|itshape|ttfamily|scshape|rmfamily|small|large|Large|footnotesize|displaystyle|"
    r"textstyle|left|right|[bB]ig[lrg]?|limits|nolimits|centering|noindent|xspace|protect|nonumber|mathrm|mathcal|mathbf|texttt)"
    r"(?![A-Za-z])\s*"
)
_NOTHING = re.compile(
    r"\\(?:cite[a-z]*|label|ref|eqref|cref|Cref|autoref|vspace|hspace|footnotemark|thanks|begin|end)\*?(?:\[[^\]]*\])*\{[^{}]*\}"
)
_FRACTION = re.compile(r"\\[dtc]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}")
_SCRIPT = re.compile(r"([\^_])\s*\{([^{}]*)\}")
_ORDINAL = re.compile(r"(?<=[\dnkijtN])\^(st|nd|rd|th)\b")
_DEGREE = re.compile(r"\^\s*(?:\\circ(?![A-Za-z])|\(\\circ\))\s*")
_WITH_ARGUMENT = re.compile(r"\\([A-Za-z]+)\*?\s*\{([^{}]*)\}")
_GROUP = re.compile(r"(?<!\\)\{([^{}]*)\}")
_MACRO = re.compile(r"\\([A-Za-z]+)\*? ?")
_ACCENT = re.compile(
    r"""\\([`'^"~=.]|[cuvHdbkr](?=[\s{]))\s*(?:\{\s*(\\?[A-Za-z])\s*\}|(\\[ij](?![A-Za-z])|[A-Za-z]))"""
)
_COMBINING = dict(
    zip(
        "`'^\"~=.cuvHdbkr",
        "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0327\u0306\u030c\u030b\u0323\u0331\u0328\u030a",
        strict=True,
    )
)
_ACCENTS_BY_NAME = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304",
    "overline": "\u0304", "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7",
}  # fmt: skip
_ESCAPED = re.compile(r"\\([%&$#_{}*~^`\"\[\]()+.!<>|-])")
_THIN = re.compile(r"\\[,;:! /]|\\\\(?:\[[^\]]*\])?|\\q?quad(?![A-Za-z])")
_JSON_QUOTES = re.compile(r'(?<![\w\\])\\"([^\\"]{1,300})\\"(?![A-Za-z{])')

_STRUCTURE = re.compile(
    r"[\^_&{}]|\\(?:[dtc]?frac|sqrt|sum|prod|int|i+nt|oint|lim|inf|sup|max|min|arg|binom|over|under|hat|widehat|bar|tilde|"
    r"widetilde|overline|vec|dot|ddot|mathbb|begin|stackrel|bigcup|bigcap|big|substack|xrightarrow|not)"
)
_PROSE = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}[\s,.;:()]+[A-Za-z]{2,}(?![A-Za-z])")
_TEX_SIGNS = re.compile(r"[\\^_{}=]")
_AMOUNT_AND_WORD = re.compile(r"\d[\d,.]*[kKMB]?\s+[A-Za-z]{2,}")

_EMPHASIS = re.compile(r"(?<![\\*^_])(\*{1,4})(?=[^\s*])((?:(?!\n\s*\n)[^*])+?)(?<=[^\s*^_])\1(?!\*)")
_BOLD_INITIAL = re.compile(r"(\*{4}|\*\*)([^*\s]+)\1(?=[A-Za-z])")
_UNDERSCORES = re.compile(r"(?<![\w\\])(__?)(?=[^\s_])([^_\n]+?)(?<=[^\s_])\1(?!\w)")
_LINK = re.compile("!?\\[([^\\[\\]]+)\\]\\((\ufdd0\\d+\ufdd1)\\)")
_QUOTED = re.compile(r"``([^`]*?)(?:''|\"|``|”)")
_SINGLE_QUOTED = re.compile(r"(?<![\w`])`([^`'\n]{1,120})'(?![\w'])")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_DASHES = re.compile(r"(?<=[\w)\]”\"'.,\ufdd1])(-{2,3})(?=[\w(“\"\s\ufdd0])")
_TIE = re.compile("(?<=[A-Za-z.,})\\]])~(?=[\\w\\\\(\ufdd0])|(?<=\\s)~(?=\\\\)")


def plain(text: str) -> str:
    """The text as a person would read it aloud: no markup, one line, NFC; mathematics as Unicode symbols."""
    return _reading(text, lambda tex: _plain_math(tex))


def readable(text: str) -> str:
    """Like :func:`plain`, but mathematics with structure (fractions, indices, sums) stays as ``$...$``."""
    return _reading(text, lambda tex: _plain_math(tex) if is_simple(tex) else f"${_spaced(tex)}$")


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


def is_simple(tex: str) -> bool:
    """Whether mathematics loses nothing as plain text: letters, numbers, Greek and single symbols only."""
    return not _STRUCTURE.search(_DEGREE.sub("°", _strip_styles(tex)))


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
        text = _UNREADABLE.sub("", _without_html(text))
    if not any(sign in text for sign in "\\$*_`~-/"):
        return _spaced(unicodedata.normalize("NFC", text))
    held: list[str] = []

    def hold(piece: str) -> str:
        held.append(piece)
        return f"{_HOLDERS[0]}{len(held) - 1}{_HOLDERS[1]}"

    text = _hold_addresses(text, hold)
    text = _hold_math(text, hold, math)
    if "\\" in text:
        text = _without_latex(text)
    text = _without_markdown(text)
    while _HELD.search(text):
        text = _HELD.sub(lambda match: held[int(match[1])], text)
    return _spaced(unicodedata.normalize("NFC", text))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _without_html(text: str) -> str:
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
        return hold(_unslashed(whole[: len(whole) - loose])) + whole[len(whole) - loose :]

    def link(match: re.Match[str]) -> str:
        return f"{match[2]} ({hold(_unslashed(match[1]))})"

    text = _HREF.sub(link, text)
    return _ADDRESSES.sub(address, text)


def _unslashed(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)


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


def _strip_styles(tex: str) -> str:
    before = None
    while before != tex:
        before, tex = tex, _STYLED.sub(r"\1", tex)
    return re.sub(r"\\[%&$#{}_]", " ", _SWITCH.sub("", tex))


@lru_cache(maxsize=4096)
def _plain_math(tex: str) -> str:
    """TeX mathematics in one line of Unicode: ``\\frac{a}{b+1}`` is a/(b+1), ``x^{10}`` is x^10."""
    tex = _DEGREE.sub("°", tex)
    before = None
    while before != tex:
        before = tex
        tex = _STYLED.sub(r"\1", tex)
        tex = _FRACTION.sub(lambda match: f"{_bracketed(match[1])}/{_bracketed(match[2])}", tex)
        tex = _ROOT.sub(lambda match: f"√{_bracketed(match[1])}", tex)
        tex = _SCRIPT.sub(lambda match: match[1] + _bracketed(match[2]), tex)
    return _spaced(_unescaped(_ORDINAL.sub(r"\1", tex).replace("&", " " if "\\&" not in tex else "&")))


def _bracketed(tex: str) -> str:
    tex = tex.strip()
    return tex if re.fullmatch(r"\w*|\\[A-Za-z]+|[*+'-]|\d+(?:\.\d+)?", tex) else f"({tex})"


def _without_latex(text: str) -> str:
    text = _JSON_QUOTES.sub(r'"\1"', text)
    return _unescaped(_TIE.sub(" ", text))


def _unescaped(tex: str) -> str:
    """Commands in text resolved from the inside out: their content stays, their names go."""
    tex = _ACCENT.sub(_accented, tex)
    before = None
    while before != tex:
        before = tex
        tex = _STYLED.sub(r"\1", _NOTHING.sub("", tex))
        tex = _WITH_ARGUMENT.sub(_argument, tex)
        tex = _GROUP.sub(lambda match: match[1] if _SWITCH.match(match[1]) else match[0], tex)
    tex = _SWITCH.sub("", tex).replace("\\{", "\ufdd2").replace("\\}", "\ufdd3")
    tex = _MACRO.sub(lambda match: _symbol(match[1]) + _gap(match), _THIN.sub(" ", tex))
    tex = tex.replace("{}", "").replace("\ufdd2", "{").replace("\ufdd3", "}")
    return _unslashed(tex)


def _accented(match: re.Match[str]) -> str:
    letter = (match[2] or match[3]).lstrip("\\")
    composed = unicodedata.normalize("NFC", letter + _COMBINING[match[1]])
    return composed if len(composed) == 1 else letter


def _argument(match: re.Match[str]) -> str:
    """A command with one argument: an accent over a letter, a known symbol before a group, or only its content."""
    name, inner = match[1], match[2]
    if name in _ACCENTS_BY_NAME:
        return unicodedata.normalize("NFC", inner + _ACCENTS_BY_NAME[name]) if len(inner) == 1 else inner
    if name == "mathbb" and re.fullmatch(r"[A-Za-z]", inner):
        return _converted(match[0])
    symbol = _symbol(name)
    return inner if symbol in ("", name) else f"{symbol} {inner}"


def _gap(match: re.Match[str]) -> str:
    """A blank after a command ends its name; it is one to read only where a relation or word needs it."""
    following = match.string[match.end() : match.end() + 1]
    return " " if match[0].endswith(" ") and following.strip() else ""


@lru_cache(maxsize=4096)
def _symbol(name: str) -> str:
    """What a command without argument prints; a name the library does not know reads as itself."""
    from pylatexenc.latex2text import get_default_latex_context_db  # imported late: most texts need no LaTeX at all

    known = get_default_latex_context_db().get_macro_spec(name)
    if known is None or known.macroname != name:
        return name
    printed = known.simplify_repl
    return printed.strip() if isinstance(printed, str) and "%" not in printed else ""


@lru_cache(maxsize=256)
def _converted(tex: str) -> str:
    from pylatexenc.latex2text import LatexNodes2Text

    return str(LatexNodes2Text(math_mode="text").latex_to_text(tex))


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
