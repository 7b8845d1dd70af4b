"""Texts in the characters of an encoding: nothing is lost, and nothing stays that it cannot say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irpref.report.terminal import in_encoding

ENCODINGS = ["ascii", "latin-1", "cp437", "cp1252", "koi8-r", "shift_jis", "utf-8", "utf-16"]


@given(st.text(st.characters(categories=None)), st.sampled_from(ENCODINGS))
def test_every_text_can_be_said(text: str, encoding: str) -> None:
    said = in_encoding(text, encoding)
    assert said.encode(encoding).decode(encoding) == said
    assert in_encoding(said, encoding) == said


@given(st.text(), st.sampled_from(ENCODINGS))
def test_what_can_be_said_stays(text: str, encoding: str) -> None:
    text = text.encode(encoding, "ignore").decode(encoding)
    # Some encodings have two ways to say a character.
    if text.encode(encoding).decode(encoding) == text:
        assert in_encoding(text, encoding) == text


@given(st.text(st.characters(exclude_characters="\\", exclude_categories=["Cs"])))
def test_letters_are_given_back_by_their_numbers(text: str) -> None:
    letters = "".join(each for each in text if each.isalpha() and each not in "αδτΣ")
    assert in_encoding(letters, "ascii").encode().decode("unicode_escape") == letters


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1, 2, …", "1, 2, ..."),
        ("12 topics × 5", "12 topics x 5"),
        ("† and ‡", "+ and #"),
        ("α = 0.05", "alpha = 0.05"),
        ("τ_b of δRR_1, R²", "tau_b of dRR_1, R^2"),
        ("naïve 文", r"na\xefve \u6587"),
        ("\udcff", r"\udcff"),
    ],
)
def test_signs_are_said_by_like_ones(text: str, said: str) -> None:
    assert in_encoding(text, "ascii") == said
    assert in_encoding(text, None) == text
