"""Texts made safe: whatever a system is called, LaTeX and Markdown show its name."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import groupby

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from irpref.base.escape import UNSEEN, escaped
from irpref.report.markup import (
    clean_csv,
    clean_json,
    clean_latex,
    clean_mark,
    clean_markdown,
    markdown_code,
    markdown_paragraph,
)

COMMANDS = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
}


# As html-pipeline and cmark-gfm find users, mail, issues and pictures in the text of a page.
LINKED = re.compile(r"(?<![a-z\d])@[a-z\d]|[\w.+-]@[\w-]+\.\w|#\d|\bgh-\d|:[\w+-]+:", re.IGNORECASE)


def typeset(latex: str) -> str:
    """What LaTeX makes of a text of commands and escaped characters, without longer hyphens."""
    assert "--" not in latex
    return re.sub(
        r"\\text\w+\{\}|\\[&%$#_{}]|-\{\}",
        lambda found: COMMANDS.get(found[0]) or found[0].removesuffix("{}")[-1],
        latex,
    )


@given(st.text("ab _^~&%$#{}\\<>-.", max_size=20))
def test_latex_gives_the_text_back(text: str) -> None:
    assert typeset(clean_latex(text)) == text


@given(st.text("abgh |*_\\-.`[]()!<>~&$:/wW#+=1@\n\t", max_size=20))
@example(" 1 ")
@example("`@a`@b`#1:+1:")
def test_markdown_gives_the_text_back(text: str) -> None:
    """As inline text, as a paragraph, in a cell, and as code, a strict reader finds it and no more."""
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    wanted = escaped(text)
    (inline,) = reader.parseInline(f"({clean_markdown(text)})")
    assert plain(inline) == f"({wanted})"
    tokens = reader.parse(f"{markdown_paragraph(text)}\n")
    if wanted.strip():
        assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
        assert plain(tokens[1]) == wanted.strip()
    cells = [
        token
        for token in reader.parse(f"| a | b |\n|---|---|\n| {clean_markdown(text)} | c |\n")
        if token.type == "inline"
    ]
    assert [plain(cell) for cell in cells] == ["a", "b", wanted.strip(), "c"]
    if wanted:
        (code,) = reader.parse(markdown_code(text))[1].children or []
        assert (code.type, code.content) == ("code_inline", wanted)


def plain(inline: Token) -> str:
    """What people read, where it is nothing but text, and GitHub links nothing in it."""
    children = inline.children or []
    assert {child.type for child in children} <= {"text", "code_inline"}
    for code, texts in groupby(children, lambda child: child.type == "code_inline"):
        assert code or not LINKED.search("".join(text.content for text in texts))
    return "".join(child.content for child in children)


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("@user", "`@user`"),
        ("by @org/team-1.", "by `@org/team-1.`"),
        ("RPP(weights='dcg')@10", "RPP(weights='dcg')`@10`"),
        ("P@10", "P@10"),
        ("me@here.org", "me`@here.org`"),
        ("owner/name#1", "owner/name`#1`"),
        ("GH-12", "`GH-12`"),
        ("high-12 # C#", "high-12 # C#"),
        ("a:smile:", "a`:smile:`"),
        ("a: b: c", "a: b: c"),
        ("#1@user", "`#1@user`"),
        ("_@user_", "\\_`@user_`"),
    ],
)
def test_what_github_would_link_is_code(text: str, markdown: str) -> None:
    assert clean_markdown(text) == markdown


@pytest.mark.parametrize("text", ["http://a.b", "HTTPS://a.b", "www.a.b", "WWW.a", "ftp://a"])
def test_markdown_of_github_finds_no_address(text: str) -> None:
    assert not re.search(r"(?<!\\)://|www\.", clean_markdown(text), re.IGNORECASE)


@pytest.mark.parametrize(
    "start",
    ["# a", "- a", "+ a", "1. a", "12) a", "---", "===", "> a", "% a", ":::a", "(a)=", "    a"],
)
def test_nothing_but_a_paragraph_begins(start: str) -> None:
    tokens = MarkdownIt("commonmark").parse(markdown_paragraph(start))
    assert tokens[0].type == "paragraph_open"
    assert plain(tokens[1]) == start.strip()
    assert not re.match(r"%|:::|\(a\)=|\+\+\+", markdown_paragraph(start))


@given(st.text(st.characters(categories=None)))
def test_json_gives_every_text_back_and_csv_every_line(text: str) -> None:
    written = clean_json(json.dumps([text], ensure_ascii=False))
    assert json.loads(written) == [text]
    assert not UNSEEN.search(written)
    (row,) = csv.reader(io.StringIO('"' + clean_csv(text).replace('"', '""') + '"', newline=""))
    assert row == ["\n".join("\t".join(map(escaped, x.split("\t"))) for x in text.split("\n"))]


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("α", r"$\alpha$"),
        ("δRR, τ, Σ", r"$\delta$RR, $\tau$, $\Sigma$"),
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
