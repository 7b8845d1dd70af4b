"""Texts made safe for LaTeX, Markdown, CSV and JSON: whatever they hold is shown and does nothing.

What a terminal would obey and not show is escaped in each of them (:func:`irpref.base.escape.escaped`).
"""

from __future__ import annotations

import re

from irpref.base.escape import UNSEEN, escaped

LATEX_SIGNS = {
    "\\": r"\textbackslash{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "†": r"\textdagger{}",
    "‡": r"\textdaggerdbl{}",
    "α": r"$\alpha$",
    "δ": r"$\delta$",
    "τ": r"$\tau$",
    "Σ": r"$\Sigma$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "∞": r"$\infty$",
    "−": "--",
    # Two of them would be joined to one longer.
    "-": "-{}",
}
"""How LaTeX writes what means something to it."""
_LATEX_SIGN = re.compile(f"-(?=-)|[{re.escape(''.join(LATEX_SIGNS).replace('-', ''))}]")
# JSON escapes the first of them itself, and has ends of lines of its own.
_UNSEEN_IN_JSON = re.compile(UNSEEN.pattern.replace("\x00-\x1f", ""))
# Behind the end of a row, or a rule, these would be read as its options.
_LATEX_OPTION = re.compile(r"^(?= *[\[*])", re.MULTILINE)
# What GitHub links in a text, whatever escapes it, but not in code: @user, which tells that user of it,
# addresses of mail, #1 and GH-1; and :names: of pictures.
_LINKED = (
    r"((?:(?<![a-z\d])@(?=\w)|@(?=[\w-]+\.\w)|(?:#|\bgh-)(?=\d)|:(?=(?:[\w+-]*[a-z+-][\w+-]*|100|1234):))"
    r"[\w@#:/.+-]*)"
)
# Emphasis, code, links, images, HTML, entities, strikethrough, mathematics, cells; and bare addresses.
_MARKDOWN = re.compile(rf"{_LINKED}|[\\`*_\[\]<>|~&$!]|:(?=//)|(?<=www)\.", re.IGNORECASE)
# Headings, lists, rules, front matter; and in MyST comments, directives and targets.
_MARKDOWN_START = re.compile(r"^(\d*)(?=[#+\-=%:.)]|\(.*\)=)")


def clean_latex(text: str) -> str:
    return _LATEX_SIGN.sub(lambda found: LATEX_SIGNS[found[0]], escaped(text))


def clean_latex_rows(latex: str) -> str:
    """A table of LaTeX with a row a line, whatever the first texts of its rows begin with."""
    return _LATEX_OPTION.sub("{}", latex)


def clean_mark(mark: str) -> str:
    """A mark as mathematics of LaTeX."""
    marks = {"†": r"\dagger", "‡": r"\ddagger"}
    return "".join(
        marks.get(character) or rf"\mathrm{{{clean_latex(character)}}}" for character in mark
    )


def clean_markdown(text: str) -> str:
    """A text inside of a line of Markdown."""
    return _MARKDOWN.sub(
        lambda found: f"`{found[1]}`" if found[1] else f"\\{found[0]}", escaped(text)
    )


def markdown_paragraph(text: str) -> str:
    """A text as a paragraph of Markdown, whatever it begins with."""
    return _MARKDOWN_START.sub(r"\1\\", clean_markdown(text).strip())


def markdown_code(text: str) -> str:
    """A text as code in a line of Markdown, its backticks fenced in by more of them."""
    text = escaped(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    # A space at either end would be taken away, unless all are spaces.
    spaced = text.startswith(" ") and text.endswith(" ") and text.strip(" ")
    padding = " " if spaced or "`" in text[:1] + text[-1:] else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def clean_csv(text: str) -> str:
    """A field of CSV: line feeds and tabs are data there, which quotes hold together."""
    return UNSEEN.sub(lambda found: found[0] if found[0] in "\n\t" else escaped(found[0]), text)


def clean_json(text: str) -> str:
    """The text of JSON, which gives back every character in it; the ends of its own lines stay."""
    return _UNSEEN_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
