"""Texts made safe: whatever a system is called, LaTeX and Markdown show its name."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.render.markup import clean_latex, clean_mark, clean_markdown

COMMANDS = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
}


def typeset(latex: str) -> str:
    """What LaTeX makes of a text of commands and escaped characters."""
    return re.sub(
        r"\\text\w+\{\}|\\[&%$#_{}]", lambda found: COMMANDS.get(found[0], found[0][1:]), latex
    )


@given(st.text("ab _^~&%$#{}\\<>-.", max_size=20))
def test_latex_gives_the_text_back(text: str) -> None:
    assert typeset(clean_latex(text)) == text


@given(st.text("ab |*_\\-.", max_size=20))
def test_markdown_gives_the_text_back(text: str) -> None:
    cleaned = clean_markdown(text)
    assert re.sub(r"\\([|*_\\])", r"\1", cleaned) == text
    assert not re.search(r"(?<!\\)(?:\\\\)*[|*_]", cleaned)


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("α", r"$\alpha$"),
        ("12 × 5", r"12 $\times$ 5"),
        ("±∞", r"$\pm$$\infty$"),
        ("†‡", r"\textdagger{}\textdaggerdbl{}"),
    ],
)
def test_signs_that_latex_fonts_lack_are_commands(text: str, latex: str) -> None:
    assert clean_latex(text) == latex


def test_marks_are_set_as_mathematics() -> None:
    assert clean_mark("†‡") == r"\dagger\ddagger"
    assert clean_mark("ab") == r"\mathrm{a}\mathrm{b}"
