"""LaTeX to one line of Unicode, command by command from the inside out, so that any text comes through whole.

The symbols are those of pylatexenc. Its parser is not used on running text: it takes a lone percent sign for a comment
and drops what stands behind commands it does not know.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_DEEPEST = 20  # levels of nested commands that are resolved

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

_TIE = re.compile(
    "(?<=[A-Za-z.,})\\]])~(?=[\\w\\\\(\ufdd0])|(?<=\\s)~(?=\\\\)"
)  # U+FDD0 stands before what is set aside
_STRUCTURE = re.compile(
    r"[\^_&{}]|\\(?:[dtc]?frac|sqrt|sum|prod|int|i+nt|oint|lim|inf|sup|max|min|arg|binom|over|under|hat|widehat|bar|tilde|"
    r"widetilde|overline|vec|dot|ddot|mathbb|begin|stackrel|bigcup|bigcap|big|substack|xrightarrow|not)"
)


def is_simple(tex: str) -> bool:
    """Whether mathematics loses nothing as plain text: letters, numbers, Greek and single symbols only."""
    return not _STRUCTURE.search(_DEGREE.sub("°", _strip_styles(tex)))


def _strip_styles(tex: str) -> str:
    for _ in range(_DEEPEST):
        before, tex = tex, _STYLED.sub(r"\1", tex)
        if before == tex:
            break
    return re.sub(r"\\[%&$#{}_]", " ", _SWITCH.sub("", tex))


@lru_cache(maxsize=4096)
def math_to_text(tex: str) -> str:
    """TeX mathematics in one line of Unicode: ``\\frac{a}{b+1}`` is a/(b+1), ``x^{10}`` is x^10."""
    tex = _DEGREE.sub("°", tex)
    for _ in range(_DEEPEST):
        before = tex
        tex = _STYLED.sub(r"\1", tex)
        tex = _FRACTION.sub(lambda match: f"{_bracketed(match[1])}/{_bracketed(match[2])}", tex)
        tex = _ROOT.sub(lambda match: f"√{_bracketed(match[1])}", tex)
        tex = _SCRIPT.sub(lambda match: match[1] + _bracketed(match[2]), tex)
        if before == tex:
            break
    return " ".join(_unescaped(_ORDINAL.sub(r"\1", tex).replace("&", " " if "\\&" not in tex else "&")).split())


def _bracketed(tex: str) -> str:
    tex = tex.strip()
    return tex if re.fullmatch(r"\w*|\\[A-Za-z]+|[*+'-]|\d+(?:\.\d+)?", tex) else f"({tex})"


def commands_to_text(text: str) -> str:
    """Running text without its commands: ``\\emph{x}`` is x, ``\\"o`` is ö, ``Fig.~3`` is Fig. 3."""
    text = _JSON_QUOTES.sub(r'"\1"', text)
    return _unescaped(_TIE.sub(" ", text))


def _unescaped(tex: str) -> str:
    """Commands in text resolved from the inside out: their content stays, their names go."""
    tex = _ACCENT.sub(_accented, tex)
    for _ in range(_DEEPEST):
        before = tex
        tex = _STYLED.sub(r"\1", _NOTHING.sub("", tex))
        tex = _WITH_ARGUMENT.sub(_argument, tex)
        tex = _GROUP.sub(lambda match: match[1] if _SWITCH.match(match[1]) else match[0], tex)
        if before == tex:
            break
    tex = _SWITCH.sub("", tex).replace("\\{", "\ufdd2").replace("\\}", "\ufdd3")
    tex = _MACRO.sub(lambda match: _symbol(match[1]) + _gap(match), _THIN.sub(" ", tex))
    tex = tex.replace("{}", "").replace("\ufdd2", "{").replace("\ufdd3", "}")
    return unslashed(tex)


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


def unslashed(text: str) -> str:
    """The text without the backslashes that protect single marks: ``25\\%`` is 25%."""
    return _ESCAPED.sub(r"\1", text)
