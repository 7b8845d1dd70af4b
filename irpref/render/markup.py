"""Texts made safe for LaTeX and Markdown."""

from __future__ import annotations

__all__ = ["clean_latex", "clean_mark", "clean_markdown"]

_LATEX = {
    "\\": r"\textbackslash{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "†": r"\textdagger{}",
    "‡": r"\textdaggerdbl{}",
    "α": r"$\alpha$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "∞": r"$\infty$",
    "−": "--",
}


def clean_latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)


def clean_mark(mark: str) -> str:
    marks = {"†": r"\dagger", "‡": r"\ddagger"}
    return "".join(marks.get(character, rf"\mathrm{{{character}}}") for character in mark)


def clean_markdown(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")
